// Free surface along a horizontal direction: for banks, beds and heaps that have no axis (piles: pile.h).
// Supported grains (two contacts or more) are cut into bins along the direction and, in space, cells of
// twice the bin's width across it; the highest top of a cell is a sample, their mean the height of a bin.
// The line through the bins is that of the median of pairwise slopes (Theil-Sen), the angle positive where
// the surface rises along the direction.

#include <algorithm>
#include <cmath>
#include <map>

#include "observe/pile.h"
#include "observe/registry.h"
#include "observe/table.h"
#include "observe/tensor.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    Vec<Dim> direction = Vec<Dim>::UnitX();
    std::optional<double> from, to, bin, ground;   ///< [m]
    observe::WallChoice walls;
    std::size_t touches = 2;
};

template <int Dim>
std::vector<observe::ProfilePoint> profile_of(const Snapshot<Dim>& snapshot, const Options<Dim>& options, double ground) {
    const auto axis = observe::vertical(snapshot, Vec<Dim>::Zero().eval());
    const Vec<Dim> side = observe::sideways(options.direction, axis.up);
    const double width = options.bin.value_or(observe::grain_totals(snapshot).mean_diameter);
    const auto touches = observe::touch_counts(snapshot);
    std::map<long, std::map<long, std::pair<double, double>>> bins;   // bin, cell: top, place
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i) || static_cast<std::size_t>(touches[i]) < options.touches) continue;
        const double x = snapshot.position[i].dot(options.direction), top = axis.height(snapshot.position[i]) + snapshot.radius[i];
        if ((options.from && x < *options.from) || (options.to && x > *options.to)) continue;
        const auto bin = static_cast<long>(std::floor(x / width)), cell = static_cast<long>(std::floor(snapshot.position[i].dot(side) / (2.0 * width)));
        const auto [place, fresh] = bins[bin].try_emplace(cell, top, x);
        if (!fresh && top > place->second.first) place->second = {top, x};
    }
    std::size_t most = 1;
    for (const auto& [bin, cells] : bins) most = std::max(most, cells.size());
    std::vector<observe::ProfilePoint> points;
    for (const auto& [bin, cells] : bins) {
        observe::ProfilePoint point;
        for (const auto& [cell, sample] : cells) {
            point.height += sample.first - ground;
            point.radius += sample.second;
        }
        point.height /= static_cast<double>(cells.size());
        point.radius /= static_cast<double>(cells.size());
        point.coverage = static_cast<double>(cells.size()) / static_cast<double>(most);
        points.push_back(point);
    }
    return points;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto axis = observe::vertical(snapshot, Vec<Dim>::Zero().eval());
    const double ground = options.ground.value_or(observe::ground_level(snapshot, axis, options.walls));
    const auto points = profile_of(snapshot, options, ground);
    const observe::Line line = observe::fit_line(points);   // height = crown - steepness x
    double low = nan, high = nan, sum = 0.0, squares = 0.0;
    observe::TableBuilder table("profile");
    table.column("x", "m").column("height", "m").column("line", "m").column("coverage");
    for (const auto& point : points) {
        const double on_line = line.crown - line.steepness * point.radius;
        table.put(point.radius).put(point.height).put(on_line).put(point.coverage);
        low = std::isnan(low) ? point.height : std::min(low, point.height);
        high = std::isnan(high) ? point.height : std::max(high, point.height);
        sum += point.height;
        squares += std::pow(point.height - on_line, 2);
    }
    const auto n = static_cast<double>(points.size());
    const double angle = std::atan(-line.steepness) * observe::degrees;
    observe::Result result;
    result.add("angle", angle, "deg");
    result.add("steepness_angle", std::abs(angle), "deg");
    result.add("intercept", line.crown, "m");
    result.add("height_mean", sum / n, "m");
    result.add("height_min", low, "m");
    result.add("height_max", high, "m");
    result.add("roughness", std::sqrt(squares / n), "m");
    result.add("ground", ground, "m");
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.direction = parameters.direction<Dim>("direction", options.direction);
    options.from = parameters.length("from");
    options.to = parameters.length("to");
    options.bin = parameters.positive_length("bin");
    options.ground = parameters.length("ground");
    options.walls.tags = parameters.tags("walls");
    options.touches = static_cast<std::size_t>(parameters.count("touches", 2, 0));
    if (options.from && options.to && *options.from >= *options.to) parameters.fail("to", "must be greater than `from`");
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_surface(ObservableRegistry& registry) {
    registry.add("surface", "free surface along a direction: height profile, angle, roughness", make<2>, make<3>);
}

}  // namespace talus
