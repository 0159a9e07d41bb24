#pragma once
/// \file
/// The shape of a pile about a vertical axis: ground level, apex, surface profile, slope, base radius.
///
/// Supported grains (touching at least two bodies) alone make the surface, so that grains in flight or
/// rolling do not count. Distance from the axis is cut into bins, each bin around the axis into cells
/// of about twice the bin's width; the highest grain top of a cell is a sample of the surface and the
/// mean of its cells the height of a bin. (The highest grain of a whole ring would be an extreme value
/// of more and more grains as the ring grows, and would flatten the slope.) A line is fitted to the
/// bins between two fractions of the base radius by the median of all pairwise slopes (Theil-Sen); the
/// base radius is where the line meets the ground, found by repeating the fit until it stays.
///
/// Limits: one pile, its axis known; a profile needs three bins or more, else its numbers are NaN.

#include <optional>
#include <vector>

#include "observe/forces.h"
#include "observe/space.h"

namespace talus::observe {

template <int Dim>
struct PileOptions {
    Vec<Dim> axis = Vec<Dim>::Zero();   ///< a point of the axis [m]
    std::optional<double> ground;       ///< height of the ground [m]; else see `ground_level`
    WallChoice walls;                   ///< what the ground is made of
    std::optional<double> bin;          ///< width of a bin [m]; else the mean grain diameter
    double from = 0.2, to = 0.8;        ///< part of the base radius used for the fit
};

/// Reads `axis`, `ground`, `walls`, `bin`, `from`, `to`.
template <int Dim>
[[nodiscard]] PileOptions<Dim> read_pile_options(Parameters& parameters);

/// A bin of the surface.
struct ProfilePoint {
    double radius = 0.0;    ///< mean distance of its samples from the axis [m]
    double height = 0.0;    ///< above the ground [m]
    double coverage = 0.0;  ///< share of its cells that hold a grain
};

struct Pile {
    double ground = 0.0;        ///< [m]
    double apex = 0.0;          ///< top of the highest supported grain above the ground [m]
    std::size_t apex_index = 0; ///< which body that is
    std::size_t supported = 0;  ///< number of supported grains
    std::vector<ProfilePoint> profile;
    double slope = 0.0;         ///< [rad]
    double scatter = 0.0;       ///< standard deviation between flanks or quadrants [rad]
    std::vector<double> flank_slopes;  ///< [rad]
    double base_radius = 0.0;   ///< [m]
    double crown = 0.0;         ///< height of the fitted line on the axis [m]
};

/// Mean height of the points where grains touch the ground: the height of a plane, and for a rough bed
/// the level at which it carries the pile. Without such contacts: the lowest point of a grain.
template <int Dim>
[[nodiscard]] double ground_level(const Snapshot<Dim>& snapshot, const Vertical<Dim>& axis, const WallChoice& walls);

template <int Dim>
[[nodiscard]] Pile measure_pile(const Snapshot<Dim>& snapshot, const PileOptions<Dim>& options);

/// A line z = crown - steepness r by the median of pairwise slopes; NaN for fewer than three points.
struct Line {
    double crown = 0.0, steepness = 0.0;
};
[[nodiscard]] Line fit_line(const std::vector<ProfilePoint>& points);

}  // namespace talus::observe
