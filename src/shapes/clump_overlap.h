#pragma once
/// \file
/// Where the parts of a clump overlap, for its mass properties.

#include "shapes/solid.h"

namespace talus {

/// A ball of the clump.
template <int Dim>
struct ClumpBall {
    Vec<Dim> centre;
    double radius;
};

/// The insides of two convex pieces meet, by more than a millionth of their size.
template <int Dim>
[[nodiscard]] bool pieces_overlap(const Piece<Dim>& a, const Piece<Dim>& b);

/// What two balls have in common; volume 0 when nothing.
template <int Dim>
[[nodiscard]] MassProperties<Dim> common_part(const ClumpBall<Dim>& a, const ClumpBall<Dim>& b);

/// Three balls have a point in common.
template <int Dim>
[[nodiscard]] bool common_point(const ClumpBall<Dim>& a, const ClumpBall<Dim>& b, const ClumpBall<Dim>& c);

}  // namespace talus
