#include "observe/pile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "observe/statistics.h"

namespace talus::observe {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The highest grain of one cell of the surface.
struct Sample {
    double distance = 0.0, top = -std::numeric_limits<double>::infinity(), turn = 0.0;
};

template <int Dim>
struct Surface {
    double width = 0.0;   ///< of a bin [m]
    std::vector<std::map<int, Sample>> bins;   ///< by cell around the axis

    [[nodiscard]] int cells(std::size_t bin) const {
        return cells_around(Vec<Dim>(), (static_cast<double>(bin) + 0.5) * width, 2.0 * width);
    }

    void add(const Sample& grain) {
        const auto bin = static_cast<std::size_t>(grain.distance / width);
        if (bin >= bins.size()) bins.resize(bin + 1);
        Sample& best = bins[bin][static_cast<int>(grain.turn * cells(bin))];
        if (grain.top > best.top) best = grain;
    }

    /// Mean of the samples whose turn lies in [low, high).
    [[nodiscard]] std::vector<ProfilePoint> profile(double low, double high) const {
        std::vector<ProfilePoint> points;
        for (std::size_t bin = 0; bin < bins.size(); ++bin) {
            ProfilePoint point;
            int used = 0;
            for (const auto& [cell, sample] : bins[bin]) {
                if (sample.turn < low || sample.turn >= high) continue;
                point.radius += sample.distance;
                point.height += sample.top;
                ++used;
            }
            if (!used) continue;
            point.radius /= used;
            point.height /= used;
            point.coverage = std::min(1.0, used / (cells(bin) * (high - low)));
            points.push_back(point);
        }
        return points;
    }
};

std::vector<ProfilePoint> between(const std::vector<ProfilePoint>& points, double low, double high) {
    std::vector<ProfilePoint> chosen;
    for (const ProfilePoint& point : points)
        if (point.radius >= low && point.radius <= high) chosen.push_back(point);
    return chosen;
}

/// Where the covered part of the ground ends: the first bin in which half of the cells are bare.
double covered_radius(const std::vector<ProfilePoint>& points) {
    double radius = 0.0;
    for (const ProfilePoint& point : points) {
        if (point.coverage < 0.5) break;
        radius = point.radius;
    }
    return radius;
}

/// Repeats the fit until the base radius it gives is the one it was made with.
void fit_slope(Pile& pile, double from, double to, double width) {
    double radius = covered_radius(pile.profile);
    Line line;
    for (int round = 0; round < 20; ++round) {
        line = fit_line(between(pile.profile, from * radius, to * radius));
        if (!(line.steepness > 0.0)) break;
        const double next = std::min(line.crown / line.steepness, pile.profile.back().radius + width);
        if (std::abs(next - radius) <= 1e-12 * radius) break;
        radius = next;
    }
    const bool fitted = line.steepness > 0.0;
    pile.slope = fitted ? std::atan(line.steepness) : nan;
    pile.crown = fitted ? line.crown : nan;
    pile.base_radius = fitted ? radius : nan;
}

template <int Dim>
void fit_flanks(Pile& pile, const Surface<Dim>& surface, double from, double to) {
    const int parts = flanks(Vec<Dim>());
    double sum = 0.0, squares = 0.0;
    for (int part = 0; part < parts; ++part) {
        auto points = surface.profile(static_cast<double>(part) / parts, static_cast<double>(part + 1) / parts);
        for (ProfilePoint& point : points) point.height -= pile.ground;
        const Line line = fit_line(between(points, from * pile.base_radius, to * pile.base_radius));
        pile.flank_slopes.push_back(std::atan(line.steepness));
        sum += pile.flank_slopes.back();
    }
    for (double slope : pile.flank_slopes) squares += std::pow(slope - sum / parts, 2);
    pile.scatter = std::sqrt(squares / (parts - 1));
}

}  // namespace

template <int Dim>
PileOptions<Dim> read_pile_options(Parameters& parameters) {
    PileOptions<Dim> options;
    options.axis = parameters.point<Dim>("axis", Vec<Dim>::Zero());
    options.ground = parameters.length("ground");
    options.walls.tags = parameters.tags("walls");
    options.bin = parameters.positive_length("bin");
    options.from = parameters.fraction("from", options.from);
    options.to = parameters.fraction("to", options.to);
    if (options.from >= options.to) parameters.fail("to", "must be greater than `from`");
    return options;
}

template <int Dim>
double ground_level(const Snapshot<Dim>& snapshot, const Vertical<Dim>& axis, const WallChoice& walls) {
    double sum = 0.0, lowest = std::numeric_limits<double>::infinity();
    std::size_t count = 0;
    for (const auto& contact : snapshot.contacts) {
        const auto a = snapshot.index_of(contact.a), b = snapshot.index_of(contact.b);
        if (a < 0 || b < 0) continue;
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        const bool ground = (walls.includes(snapshot, i) && is_grain(snapshot, j)) ||
                            (walls.includes(snapshot, j) && is_grain(snapshot, i));
        if (!ground) continue;
        sum += axis.height(contact.point);
        ++count;
    }
    if (count) return sum / static_cast<double>(count);
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (is_grain(snapshot, i)) lowest = std::min(lowest, axis.height(snapshot.position[i]) - snapshot.radius[i]);
    return std::isfinite(lowest) ? lowest : nan;
}

Line fit_line(const std::vector<ProfilePoint>& points) {
    if (points.size() < 3) return {nan, nan};
    std::vector<double> falls, crowns;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = i + 1; j < points.size(); ++j)
            if (points[i].radius != points[j].radius)
                falls.push_back((points[i].height - points[j].height) / (points[j].radius - points[i].radius));
    Line line;
    line.steepness = median(falls);
    for (const ProfilePoint& point : points) crowns.push_back(point.height + line.steepness * point.radius);
    line.crown = median(crowns);
    return line;
}

template <int Dim>
Pile measure_pile(const Snapshot<Dim>& snapshot, const PileOptions<Dim>& options) {
    const Vertical<Dim> axis = vertical(snapshot, options.axis);
    Pile pile;
    pile.ground = options.ground.value_or(ground_level(snapshot, axis, options.walls));
    pile.apex = pile.slope = pile.scatter = pile.base_radius = pile.crown = nan;
    const auto touches = touch_counts(snapshot);
    Surface<Dim> surface{options.bin.value_or(grain_totals(snapshot).mean_diameter), {}};
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!is_grain(snapshot, i) || touches[i] < 2) continue;
        ++pile.supported;
        const Vec<Dim> out = axis.outward(snapshot.position[i]);
        const double top = axis.height(snapshot.position[i]) + snapshot.radius[i];
        surface.add({out.norm(), top, turn(out, axis.up)});
        if (std::isnan(pile.apex) || top - pile.ground > pile.apex) {
            pile.apex = top - pile.ground;
            pile.apex_index = i;
        }
    }
    pile.profile = surface.profile(0.0, 1.0);
    for (ProfilePoint& point : pile.profile) point.height -= pile.ground;
    if (pile.profile.empty()) return pile;
    fit_slope(pile, options.from, options.to, surface.width);
    if (std::isfinite(pile.slope)) fit_flanks(pile, surface, options.from, options.to);
    return pile;
}

template PileOptions<2> read_pile_options<2>(Parameters&);
template PileOptions<3> read_pile_options<3>(Parameters&);
template double ground_level<2>(const Snapshot<2>&, const Vertical<2>&, const WallChoice&);
template double ground_level<3>(const Snapshot<3>&, const Vertical<3>&, const WallChoice&);
template Pile measure_pile<2>(const Snapshot<2>&, const PileOptions<2>&);
template Pile measure_pile<3>(const Snapshot<3>&, const PileOptions<3>&);

}  // namespace talus::observe
