#pragma once
/// \file
/// Clumps: rigid unions of solids. As a shape a clump is a row of numbers: how many parts, then for each
/// its code (below), how many sizes, the sizes (a ball: its radius), the position of its axes (Dim numbers)
/// and their rotation (the angle in the plane; the quaternion w x y z in space).
///
/// | code | 0 | 1 | 2 | 3 | 4 | 5 | 6 |
/// |---|---|---|---|---|---|---|---|
/// | shape | ball | box | polygon | capsule | polyhedron | cylinder | frustum |

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "shapes/solid.h"
#include "talus/shape.h"

namespace talus {

/// Names by code.
inline constexpr std::array<std::string_view, 7> clump_shapes = {"ball",       "box",      "polygon", "capsule",
                                                                 "polyhedron", "cylinder", "frustum"};

/// One solid of a clump and where its axes are in those of the clump.
template <int Dim>
struct ClumpPart {
    ShapeSpec shape;  ///< here a ball has its radius in `sizes`
    Vec<Dim> position = Vec<Dim>::Zero();  ///< [m]
    Rotation<Dim> rotation = {};
};

/// The shape of a rigid union. \throws InputError when there is no part, or one of another shape than those above.
template <int Dim>
[[nodiscard]] ShapeSpec clump_of(const std::vector<ClumpPart<Dim>>& parts);

/// The parts back. \throws InputError when the numbers do not add up to parts.
template <int Dim>
[[nodiscard]] std::vector<ClumpPart<Dim>> parts_of(std::span<const double> sizes);

/// Pieces and mass properties of a clump. The properties are exact when parts do not overlap (by more than a
/// millionth of their size), or where balls overlap in pairs only. Otherwise the volume is left 0, which
/// means unknown: mass and inertia must then be stated by the user.
template <int Dim>
[[nodiscard]] Solid<Dim> clump_solid(const std::vector<ClumpPart<Dim>>& parts);

}  // namespace talus
