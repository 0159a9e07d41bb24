#pragma once
/// \file
/// A convex piece against a triangle mesh. Each triangle near it is a flat convex piece; what the triangles say
/// at edges and corners that they share is held against the surface as a whole, so that a body slides over a
/// flat floor of triangles as over a plane.

#include <vector>

#include "detect/narrow/manifold.h"
#include "shapes/mesh.h"

namespace talus {

/// Appends the contacts of piece a, placed by `pose` in the axes of the mesh. Both sides of the surface count.
void touch_mesh(const Piece<3>& a, const Pose<3>& pose, const TriangleMesh& mesh, const TouchQuery<3>& query,
                std::vector<ManifoldPoint<3>>& out);

}  // namespace talus
