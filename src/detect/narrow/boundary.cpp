#include "detect/narrow/boundary.h"

#include <algorithm>
#include <limits>

#include "detect/narrow/piece_container.h"
#include "detect/narrow/piece_mesh.h"
#include "detect/narrow/pieces.h"

namespace talus {
namespace {

/// There are no meshes in the plane.
void touch_triangles(const Piece<2>&, const Pose<2>&, const TriangleMesh&, const TouchQuery<2>&,
                     std::vector<ManifoldPoint<2>>&) {}
void touch_triangles(const Piece<3>& a, const Pose<3>& pose, const TriangleMesh& mesh, const TouchQuery<3>& query,
                     std::vector<ManifoldPoint<3>>& out) {
    touch_mesh(a, pose, mesh, query, out);
}

double mesh_clearance(const TriangleMesh&, const Vec<2>&, double) { return std::numeric_limits<double>::infinity(); }
double mesh_clearance(const TriangleMesh& mesh, const Vec<3>& centre, double radius) {
    return mesh.clearance(centre, radius);
}

}  // namespace

template <int Dim>
BoundaryShape<Dim> boundary_shape(const ShapeTable<Dim>& shapes, std::int32_t shape) {
    BoundaryShape<Dim> b;
    const ShapeSpec& spec = shapes.spec(shape);
    b.sizes = spec.sizes.data();
    b.touch = pair_registry().find<Dim>(spec.name);
    if (!shapes.solid(shape).pieces.empty()) b.solid = &shapes.solid(shape);
    b.mesh = shapes.mesh(shape);
    return b;
}

template <int Dim>
void touch_boundary(const Solid<Dim>& a, const Pose<Dim>& pose, const BoundaryShape<Dim>& boundary,
                    const TouchQuery<Dim>& query, std::vector<ManifoldPoint<Dim>>& out) {
    if (boundary.solid != nullptr) {
        touch_solids(a, pose, *boundary.solid, query, out);
        return;
    }
    const bool one = a.pieces.size() == 1;
    thread_local Manifold<Dim> manifold;   // to write all its points takes longer than to find one
    for (std::size_t i = 0; i < a.pieces.size(); ++i) {
        const std::size_t first = out.size();
        if (boundary.mesh != nullptr) {
            touch_triangles(a.pieces[i], pose, *boundary.mesh, query, out);
        } else {
            manifold.count = 0;
            touch_container<Dim>(a.pieces[i], pose, boundary.touch, boundary.sizes, query, manifold);
            out.insert(out.end(), manifold.points.begin(), manifold.points.begin() + manifold.count);
        }
        for (std::size_t k = first; !one && k < out.size(); ++k)
            out[k].feature = feature_key(out[k].feature, static_cast<std::uint32_t>(i), 0u);
    }
}

template <int Dim>
double ball_gap(const Vec<Dim>& centre, double radius, const BoundaryShape<Dim>& boundary, double limit) {
    double least = std::numeric_limits<double>::infinity();
    if (boundary.mesh != nullptr) return mesh_clearance(*boundary.mesh, centre, radius);
    if (boundary.touch != nullptr) {
        LocalTouches<Dim> touches;
        const int n = boundary.touch(boundary.sizes, centre, radius, limit, touches);
        for (int k = 0; k < n; ++k) least = std::min(least, touches[k].gap);
        return least;
    }
    thread_local Solid<Dim> ball = ball_solid<Dim>();
    thread_local std::vector<ManifoldPoint<Dim>> points;
    set_ball(ball, radius);
    points.clear();
    touch_boundary<Dim>(ball, {Mat<Dim>::Identity(), centre}, boundary, {limit, Vec<Dim>::Zero()}, points);
    for (const auto& p : points) least = std::min(least, p.gap);
    return least;
}

#define TALUS_INSTANTIATE(Dim)                                                                                     \
    template BoundaryShape<Dim> boundary_shape(const ShapeTable<Dim>&, std::int32_t);                              \
    template void touch_boundary(const Solid<Dim>&, const Pose<Dim>&, const BoundaryShape<Dim>&,                   \
                                 const TouchQuery<Dim>&, std::vector<ManifoldPoint<Dim>>&);                        \
    template double ball_gap(const Vec<Dim>&, double, const BoundaryShape<Dim>&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
