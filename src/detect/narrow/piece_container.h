#pragma once
/// \file
/// A convex piece inside a boundary whose free side is convex: half-space, box, drum, vessel, cylinder, hopper.
/// The distance to such a boundary is concave along segments, so a piece is nearest at its corners, and a
/// frustum at points of its rims.

#include "detect/narrow/manifold.h"
#include "detect/narrow/pair_registry.h"

namespace talus {

/// Appends the contacts of piece a, placed by `pose` in the axes of the boundary; `touch` and `sizes` are the
/// boundary's function for balls and its numbers. At most 8 points a face of the boundary.
///
/// A hopper (cone_inside) has no thickness: a piece whose centre lies outside touches it from without, as a
/// solid frustum of which only the side counts.
template <int Dim>
void touch_container(const Piece<Dim>& a, const Pose<Dim>& pose, BallTouch<Dim> touch, const double* sizes,
                     const TouchQuery<Dim>& query, Manifold<Dim>& out);

}  // namespace talus
