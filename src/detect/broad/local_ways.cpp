#include "detect/broad/local_ways.h"

#include <algorithm>

#include "detect/broad/cell_space.h"
#include "math/scratch.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 4096;        ///< balls handled together
constexpr std::size_t least_cells = 4096;  ///< that there may be, however few balls there are

template <int Dim>
using Balls = std::span<const PackedBall<Dim>>;

template <int Dim>
Vec<Dim> mean_way(Balls<Dim> balls, const Threads& threads) {
    return threads.reduce(
               balls.size(), chunk, Vec<Dim>(Vec<Dim>::Zero()),
               [&](std::size_t begin, std::size_t end) {
                   Vec<Dim> sum = Vec<Dim>::Zero();
                   for (std::size_t k = begin; k < end; ++k) sum += balls[k].way;
                   return sum;
               },
               [](const Vec<Dim>& a, const Vec<Dim>& b) { return Vec<Dim>(a + b); }) /
           static_cast<double>(balls.size());
}

/// Ways in a cell.
template <int Dim>
struct Flow {
    Vec<Dim> mean = Vec<Dim>::Zero();   ///< the sum, at first
    double count = 0.0;
    double half_step = 0.0;             ///< half the largest difference between the mean and those of the cells around
};

/// Mean ways by cell; `cell_of` gets where the balls are.
template <int Dim>
void find_flows(const CellSpace<Dim>& space, Balls<Dim> balls, const Threads& threads, std::span<std::uint32_t> cell_of, std::span<Flow<Dim>> flows) {
    threads.for_chunks(balls.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) cell_of[k] = static_cast<std::uint32_t>(space.number(space.at(balls[k].x)));
    });
    std::fill(flows.begin(), flows.end(), Flow<Dim>{});
    for (std::size_t k = 0; k < balls.size(); ++k) {
        Flow<Dim>& flow = flows[cell_of[k]];
        flow.mean += balls[k].way;
        flow.count += 1.0;
    }
    for (Flow<Dim>& flow : flows)
        if (flow.count > 0.0) flow.mean /= flow.count;
}

template <int Dim>
double half_step(const CellSpace<Dim>& space, std::span<const Flow<Dim>> flows, std::size_t cell) {
    const Vec<Dim> mean = flows[cell].mean;
    double largest = 0.0;
    space.for_each_row(space.about(space.coordinates(cell)), [&](const auto& row) {
        for (std::size_t c = row.first; c < row.end; ++c)
            if (flows[c].count > 0.0) largest = std::max(largest, (flows[c].mean - mean).squaredNorm());
    });
    return 0.5 * std::sqrt(largest);
}

std::size_t most_cells(std::size_t balls) { return std::max(least_cells, balls); }

}  // namespace

template <int Dim>
std::size_t bytes_for_local_ways(std::size_t balls) {
    return Pieces::bytes<Flow<Dim>>(most_cells(balls)) + Pieces::bytes<std::uint32_t>(balls);
}

template <int Dim>
void add_local_ways(Balls<Dim> balls, const Cell<Dim>& cell, const Threads& threads, std::span<std::byte> memory, std::span<double> wide) {
    if (balls.empty()) return;
    // Against the mean of all, lengths hold for any two balls, and tell how far those are apart that can meet.
    const Vec<Dim> mean = mean_way(balls, threads);
    const double farthest = threads.reduce(
        balls.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double most = 0.0;
            for (std::size_t k = begin; k < end; ++k) most = std::max(most, balls[k].r + (balls[k].way - mean).norm());
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
    // Two that can meet lie in the same cell or in cells side by side. |w_i - w_j| <= |w_i - m_i| + |m_i - m_j| + |m_j - w_j|
    // with the means of their cells.
    const CellSpace<Dim> space(extent_of(balls), 2.0 * farthest * (1.0 + 1e-7), cell, most_cells(balls.size()));
    Pieces pieces(memory);
    const auto flows = pieces.cut<Flow<Dim>>(space.cells());
    const auto cell_of = pieces.cut<std::uint32_t>(balls.size());
    find_flows<Dim>(space, balls, threads, cell_of, flows);
    threads.for_chunks(flows.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            if (flows[c].count > 0.0) flows[c].half_step = half_step<Dim>(space, flows, c);
    });
    threads.for_chunks(balls.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Flow<Dim>& here = flows[cell_of[k]];
            wide[k] = balls[k].r + ((balls[k].way - here.mean).norm() + here.half_step) * (1.0 + 1e-12);
        }
    });
}

template void add_local_ways(Balls<2>, const Cell<2>&, const Threads&, std::span<std::byte>, std::span<double>);
template void add_local_ways(Balls<3>, const Cell<3>&, const Threads&, std::span<std::byte>, std::span<double>);
template std::size_t bytes_for_local_ways<2>(std::size_t);
template std::size_t bytes_for_local_ways<3>(std::size_t);

}  // namespace talus
