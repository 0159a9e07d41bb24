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

/// Mean ways by cell.
template <int Dim>
class Flow {
public:
    using Coordinates = typename CellSpace<Dim>::Coordinates;
    struct Mean {
        Vec<Dim> way = Vec<Dim>::Zero();
        double count = 0.0;
        Coordinates at{};
    };

    explicit Flow(const CellSpace<Dim>& space) : means_(space.buckets()), space_(space) {}

    void add(const Vec<Dim>& x, const Vec<Dim>& way) {
        const Coordinates c = space_.at(x);
        Mean& m = means_[place(c)];
        m.at = c;
        m.count += 1.0;
        m.way += (way - m.way) / m.count;
    }
    /// Count 0 for a cell that nothing is in.
    [[nodiscard]] const Mean& mean(const Coordinates& c) const { return means_[place(c)]; }

private:
    /// Where a cell is, or would be: there are more places than cells.
    [[nodiscard]] std::size_t place(const Coordinates& c) const {
        const std::size_t last = means_.size() - 1;
        std::size_t k = (space_.bucket(c) * std::size_t{0x9E3779B1u}) & last;
        while (means_[k].count > 0.0 && !CellSpace<Dim>::are_same(means_[k].at, c)) k = (k + 1) & last;
        return k;
    }
    std::vector<Mean> means_;
    const CellSpace<Dim>& space_;
};

/// Half the largest difference between a mean way and those of the cells up to `width` from x.
template <int Dim>
double half_step(const CellSpace<Dim>& space, const Flow<Dim>& flow, const Vec<Dim>& mean, const Vec<Dim>& x, double width) {
    double largest = 0.0;
    space.for_each_near(x, width, [&](const auto& row) {
        auto c = row.first;
        for (std::int32_t k = 0; k < row.size; ++k, ++c[0]) {
            const auto& m = flow.mean(c);
            if (m.count > 0.0) largest = std::max(largest, (m.way - mean).squaredNorm());
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
    // with the means of their cells.
    const double width = 2.0 * farthest * (1.0 + 1e-12);
    const CellSpace<Dim> space(origin_of(x, cell), width, cell, x.size());
    Flow<Dim> flow(space);
    for (std::size_t k = 0; k < x.size(); ++k) flow.add(x[k], way[k]);
    threads.for_chunks(x.size(), chunk, [&](std::size_t begin, std::size_t end) {
        const typename Flow<Dim>::Mean* last = nullptr;
        double half = 0.0;
        for (std::size_t k = begin; k < end; ++k) {
            const auto& here = flow.mean(space.at(x[k]));
            // All of a cell have the same cells around them, but where the periodic cell makes cells wider.
            if (cell.any || &here != last) half = half_step(space, flow, here.way, x[k], width);
            last = &here;
            r[k] += ((way[k] - here.way).norm() + half) * (1.0 + 1e-12);
        }
    });
}

template void add_local_ways(const std::vector<Vec<2>>&, const std::vector<Vec<2>>&, const Cell<2>&, const Threads&, std::vector<double>&);
template void add_local_ways(const std::vector<Vec<3>>&, const std::vector<Vec<3>>&, const Cell<3>&, const Threads&, std::vector<double>&);

}  // namespace talus
