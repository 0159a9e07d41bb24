#pragma once
/// \file
/// A part of space to average over: a box, or a cylinder or annulus about the vertical. In the plane
/// the latter two are the strips at those distances from the axis.

#include <functional>
#include <optional>

#include "observe/space.h"
#include "observe/parameters.h"

namespace talus::observe {

template <int Dim>
struct Region {
    bool is_box = true;
    Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Zero();   ///< box [m]
    Vec<Dim> axis = Vec<Dim>::Zero();                           ///< cylinder, annulus [m]
    double inner = 0.0, outer = 0.0;                            ///< distances from the axis [m]
    double floor = 0.0, ceiling = 0.0;                          ///< heights [m]

    /// Length, area or volume [m2 in the plane, m3 in space].
    [[nodiscard]] double measure() const;
    /// How deep `x` lies inside: > 0 inside, and at least that far from the border; a ball of radius r
    /// with depth <= -r is outside.
    [[nodiscard]] double depth(const Vec<Dim>& x, const Vec<Dim>& up) const;
};

/// Reads `region: {box: {low, high}}`, `{cylinder: {centre, radius, low, high}}` or
/// `{annulus: {centre, inner, outer, low, high}}`.
template <int Dim>
[[nodiscard]] Region<Dim> read_region(Parameters& parameters);

/// Part of grain i that lies in the region [m2, m3]. Exact for grains wholly inside or outside; one that
/// crosses the border is sampled on a fixed grid of midpoints, 24 to the diameter (some 7000 points of a
/// ball in space: an error of about a percent of that grain).
template <int Dim>
[[nodiscard]] double clipped_measure(const Region<Dim>& region, const Vec<Dim>& up, const Snapshot<Dim>& snapshot,
                                     std::size_t i);

/// Share of the region filled by the grains that `counts` admits. Overlaps are counted twice.
template <int Dim>
[[nodiscard]] double solid_fraction(const Snapshot<Dim>& snapshot, const Region<Dim>& region,
                                    const std::function<bool(std::size_t)>& counts);

}  // namespace talus::observe
