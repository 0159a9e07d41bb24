// Hexatic order of disks: psi6 of a grain is the mean of exp(6 i theta) over the directions theta to its
// neighbours, whose centres are nearer than `reach` times the sum of the radii [Nelson & Halperin 1979].
// |psi6| is 1 in a hexagonal lattice whatever its direction; the mean of psi6 itself tells whether the
// direction is the same everywhere. Grains at a border have fewer neighbours but the same order.

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Options {
    observe::Region<2> region;
    double reach = 1.4;
};

/// Grains by cell of a grid as wide as the longest reach.
class Cells {
public:
    Cells(const Snapshot<2>& snapshot, double width) : width_(width), snapshot_(snapshot) {
        for (std::size_t i = 0; i < snapshot.size(); ++i)
            if (observe::is_grain(snapshot, i)) cells_[key(snapshot.position[i])].push_back(i);
    }
    /// Grains in and about the cell of x, moved across periodic borders as need be.
    template <class Visit>
    void near(const Vec<2>& x, const Visit& visit) const {
        for (const double shift_x : shifts(x, 0))
            for (const double shift_y : shifts(x, 1)) {
                const Vec<2> there = x + Vec<2>(shift_x, shift_y);
                const auto [column, row] = key(there);
                for (long i = column - 1; i <= column + 1; ++i)
                    for (long j = row - 1; j <= row + 1; ++j)
                        if (const auto cell = cells_.find({i, j}); cell != cells_.end())
                            for (const std::size_t k : cell->second) visit(k, Vec<2>(snapshot_.position[k] - there));
            }
    }

private:
    [[nodiscard]] std::pair<long, long> key(const Vec<2>& x) const {
        return {static_cast<long>(std::floor(x.x() / width_)), static_cast<long>(std::floor(x.y() / width_))};
    }
    [[nodiscard]] std::vector<double> shifts(const Vec<2>& x, int k) const {
        std::vector<double> all{0.0};
        if (!snapshot_.periodic[static_cast<std::size_t>(k)]) return all;
        const double low = snapshot_.cell_low[k], high = snapshot_.cell_high[k];
        if (x[k] - low < width_) all.push_back(high - low);
        if (high - x[k] < width_) all.push_back(low - high);
        return all;
    }
    double width_;
    const Snapshot<2>& snapshot_;
    std::map<std::pair<long, long>, std::vector<std::size_t>> cells_;
};

observe::Result measure(const Snapshot<2>& snapshot, const Options& options) {
    double largest = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (observe::is_grain(snapshot, i)) largest = std::max(largest, snapshot.radius[i]);
    const auto inside = observe::grains_inside(snapshot, options.region.at(snapshot));
    observe::Result result;
    double grains = 0.0, order = 0.0, neighbours = 0.0, six = 0.0;
    std::complex<double> whole = 0.0;
    if (largest > 0.0) {
        const Cells cells(snapshot, 2.0 * options.reach * largest);
        for (std::size_t i = 0; i < snapshot.size(); ++i) {
            if (!inside[i]) continue;
            std::complex<double> sum = 0.0;
            double found = 0.0;
            cells.near(snapshot.position[i], [&](std::size_t j, const Vec<2>& way) {
                if (way.isZero(0.0) || way.norm() > options.reach * (snapshot.radius[i] + snapshot.radius[j])) return;
                const double theta = 6.0 * std::atan2(way.y(), way.x());
                sum += std::complex<double>(std::cos(theta), std::sin(theta));
                ++found;
            });
            ++grains;
            neighbours += found;
            six += found == 6.0;
            if (found == 0.0) continue;
            order += std::abs(sum) / found;
            whole += sum / found;
        }
    }
    result.add("psi6", grains > 0.0 ? order / grains : nan);
    result.add("psi6_global", grains > 0.0 ? std::abs(whole) / grains : nan);
    result.add("neighbours", grains > 0.0 ? neighbours / grains : nan);
    result.add("six_fraction", grains > 0.0 ? six / grains : nan);
    result.add("grains", grains);
    return result;
}

observe::Measurement<2> make(observe::Parameters& parameters) {
    Options options;
    options.region = observe::read_optional_region<2>(parameters);
    options.reach = parameters.positive("reach", options.reach);
    return [options](const Snapshot<2>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_hexatic(ObservableRegistry& registry) {
    registry.add("hexatic", "hexatic order psi6 of disks", make, {});
}

}  // namespace talus
