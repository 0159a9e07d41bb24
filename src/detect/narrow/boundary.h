#pragma once
/// \file
/// How a solid touches a boundary of any kind: one with pieces (box, plate, segment) as another solid,
/// a mesh by its triangles, and one that has its free side inside (plane, box_inside, drum...) by its
/// distance function.

#include <vector>

#include "detect/narrow/manifold.h"
#include "detect/narrow/pair_registry.h"
#include "shapes/shape_table.h"

namespace talus {

/// What the narrow phase knows of a boundary's shape.
template <int Dim>
struct BoundaryShape {
    const double* sizes = nullptr;
    BallTouch<Dim> touch = nullptr;        ///< its function for balls, if it has one
    const Solid<Dim>* solid = nullptr;     ///< its pieces, if it has some
    const TriangleMesh* mesh = nullptr;
};

template <int Dim>
[[nodiscard]] BoundaryShape<Dim> boundary_shape(const ShapeTable<Dim>& shapes, std::int32_t shape);

/// Appends the contacts of solid a with the boundary; `pose` places a in the boundary's axes.
template <int Dim>
void touch_boundary(const Solid<Dim>& a, const Pose<Dim>& pose, const BoundaryShape<Dim>& boundary,
                    const TouchQuery<Dim>& query, std::vector<ManifoldPoint<Dim>>& out);

/// Least gap between a ball and the boundary, or infinity when it is more than `limit`. The boundary's
/// axes.
template <int Dim>
[[nodiscard]] double ball_gap(const Vec<Dim>& centre, double radius, const BoundaryShape<Dim>& boundary, double limit);

}  // namespace talus
