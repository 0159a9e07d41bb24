#pragma once
/// \file
/// A part of space to average over: a box, a ball (disk, sphere), a cylinder or annulus about the vertical,
/// or all that the grains fill. In the plane cylinder and annulus are the strips at those distances from
/// the axis.

#include <functional>
#include <optional>

#include "observe/space.h"
#include "observe/parameters.h"

namespace talus::observe {

template <int Dim>
struct Region {
    enum class Kind : std::uint8_t { box, ring, ball, whole } kind = Kind::box;
    Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Zero();   ///< box [m]
    Vec<Dim> axis = Vec<Dim>::Zero();                           ///< of a ring; centre of a ball [m]
    double inner = 0.0, outer = 0.0;                            ///< distances from the axis, or the centre [m]
    double floor = 0.0, ceiling = 0.0;                          ///< heights [m]

    /// The region in this frame: `whole` becomes the box about the grains (the cell, where space repeats).
    [[nodiscard]] Region at(const Snapshot<Dim>& snapshot) const;
    /// Length, area or volume [m2 in the plane, m3 in space].
    [[nodiscard]] double measure() const;
    /// How deep `x` lies inside: > 0 inside, and at least that far from the border; a ball of radius r
    /// with depth <= -r is outside.
    [[nodiscard]] double depth(const Vec<Dim>& x, const Vec<Dim>& up) const;
};

/// Reads `region: {box: {low, high}}`, `{cylinder: {centre, radius, low, high}}`,
/// `{annulus: {centre, inner, outer, low, high}}` (or `ring`), `{disk: {centre, radius}}` (`sphere` in
/// space) or `{whole: true}`.
template <int Dim>
[[nodiscard]] Region<Dim> read_region(Parameters& parameters);
/// The same; without the key: whole.
template <int Dim>
[[nodiscard]] Region<Dim> read_optional_region(Parameters& parameters);
/// The same from a mapping that has one of those keys, and `name`, which is left to the caller.
template <int Dim>
[[nodiscard]] Region<Dim> read_region_of(Parameters& parameters);

/// Part of grain i that lies in the region [m2, m3]. Exact for grains wholly inside or outside; one that
/// crosses the border is sampled on a fixed grid of midpoints, 24 to the diameter (some 7000 points of a
/// ball in space: an error of about a percent of that grain).
template <int Dim>
[[nodiscard]] double clipped_measure(const Region<Dim>& region, const Vec<Dim>& up, const Snapshot<Dim>& snapshot,
                                     std::size_t i);

/// Which bodies are grains with their centre in the region, by index.
template <int Dim>
[[nodiscard]] std::vector<std::uint8_t> grains_inside(const Snapshot<Dim>& snapshot, const Region<Dim>& region);

/// Share of the region filled by the grains that `counts` admits. Overlaps are counted twice.
template <int Dim>
[[nodiscard]] double solid_fraction(const Snapshot<Dim>& snapshot, const Region<Dim>& region,
                                    const std::function<bool(std::size_t)>& counts);

}  // namespace talus::observe
