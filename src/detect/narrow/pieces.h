#pragma once
/// \file
/// Contacts between solids: every piece of one against every piece of the other.

#include <vector>

#include "detect/narrow/manifold.h"

namespace talus {

/// Two convex pieces of any kind; appends to `out`.
void touch_pieces(const Piece<2>& a, const Pose<2>& pose, const Piece<2>& b, const TouchQuery<2>& query,
                  Manifold<2>& out);
void touch_pieces(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, const TouchQuery<3>& query,
                  Manifold<3>& out);

/// Two solids; `pose` places body a in the axes of body b. Appends to `out`.
template <int Dim>
void touch_solids(const Solid<Dim>& a, const Pose<Dim>& pose, const Solid<Dim>& b, const TouchQuery<Dim>& query,
                  std::vector<ManifoldPoint<Dim>>& out);

/// A ball as a solid; `set_ball` changes its radius without allocating.
template <int Dim>
[[nodiscard]] Solid<Dim> ball_solid();
template <int Dim>
void set_ball(Solid<Dim>& ball, double radius) {
    ball.pieces[0].polytope.radius = ball.pieces[0].bound = ball.bound = radius;
}

}  // namespace talus
