#include "detect/broad/local_ways.h"

#include <algorithm>

#include "detect/broad/cell_space.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 4096;  ///< balls handled together

template <int Dim>
Vec<Dim> mean_of(const std::vector<Vec<Dim>>& way, const Threads& threads) {
    return threads.reduce(
               way.size(), chunk, Vec<Dim>(Vec<Dim>::Zero()),
               [&](std::size_t begin, std::size_t end) {
                   Vec<Dim> sum = Vec<Dim>::Zero();
                   for (std::size_t k = begin; k < end; ++k) sum += way[k];
                   return sum;
               },
               [](const Vec<Dim>& a, const Vec<Dim>& b) { return Vec<Dim>(a + b); }) /
           static_cast<double>(way.size());
}

template <int Dim>
struct Flow {
    Vec<Dim> mean = Vec<Dim>::Zero();
    double count = 0.0;
};

/// Half the largest difference between the mean way of the cell of `x` and those of the cells up to `width` from it.
template <int Dim>
double half_step(const CellSpace<Dim>& space, const std::vector<Flow<Dim>>& flow, const Vec<Dim>& x, double width) {
    const Vec<Dim> mean = flow[space.bucket(space.at(x))].mean;
    double largest = 0.0;
    space.for_each_near(x, width, [&](const auto& row) {
        for (std::int32_t k = 0; k < row.size; ++k) {
            const Flow<Dim>& f = flow[row.bucket + static_cast<std::uint32_t>(k)];
            if (f.count > 0.0) largest = std::max(largest, (f.mean - mean).squaredNorm());
        }
    });
    return 0.5 * std::sqrt(largest);
}

}  // namespace

template <int Dim>
void add_local_ways(const std::vector<Vec<Dim>>& x, const std::vector<Vec<Dim>>& way, const Cell<Dim>& cell, const Threads& threads,
                    std::vector<double>& r) {
    if (x.empty()) return;
    // Against the mean of all, lengths hold for any two balls, and tell how far those are apart that can meet.
    const Vec<Dim> mean = mean_of<Dim>(way, threads);
    const double farthest = threads.reduce(
        x.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double most = 0.0;
            for (std::size_t k = begin; k < end; ++k) most = std::max(most, r[k] + (way[k] - mean).norm());
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
    // Two that can meet lie in the same cell or in cells side by side. |w_i - w_j| <= |w_i - m_i| + |m_i - m_j| + |m_j - w_j|
    // with the means of their cells. Cells that share a bucket share a mean, which changes nothing in this.
    const double width = 2.0 * farthest * (1.0 + 1e-12);
    const CellSpace<Dim> space(origin_of(x, cell), width, cell, x.size());
    std::vector<Flow<Dim>> flow(space.buckets());
    for (std::size_t k = 0; k < x.size(); ++k) {
        Flow<Dim>& f = flow[space.bucket(space.at(x[k]))];
        f.count += 1.0;
        f.mean += (way[k] - f.mean) / f.count;
    }
    threads.for_chunks(x.size(), chunk, [&](std::size_t begin, std::size_t end) {
        typename CellSpace<Dim>::Coordinates last{};
        double half = -1.0;
        for (std::size_t k = begin; k < end; ++k) {
            const auto here = space.at(x[k]);
            // All of a cell have the same cells around them, but where the periodic cell makes cells wider.
            if (cell.any || half < 0.0 || here != last) half = half_step(space, flow, x[k], width);
            last = here;
            r[k] += ((way[k] - flow[space.bucket(here)].mean).norm() + half) * (1.0 + 1e-12);
        }
    });
}

template void add_local_ways(const std::vector<Vec<2>>&, const std::vector<Vec<2>>&, const Cell<2>&, const Threads&, std::vector<double>&);
template void add_local_ways(const std::vector<Vec<3>>&, const std::vector<Vec<3>>&, const Cell<3>&, const Threads&, std::vector<double>&);

}  // namespace talus
