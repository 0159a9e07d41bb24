#include "detect/narrow/pair_contacts.h"

#include "detect/narrow/boundary.h"
#include "detect/narrow/pieces.h"
#include "math/rotation.h"

namespace talus {

template <int Dim>
std::span<const ManifoldPoint<Dim>> contacts_of_pair(const PlacedBodies<Dim>& in, std::size_t a, std::size_t b, double limit) {
    // Keeps its memory from pair to pair.
    thread_local std::vector<ManifoldPoint<Dim>> points;
    thread_local Solid<Dim> ball[2] = {ball_solid<Dim>(), ball_solid<Dim>()};
    const auto solid = [&](std::size_t i, Solid<Dim>& as_ball) -> const Solid<Dim>& {
        if (!in.bodies.is_ball(i)) return in.shapes.solid(in.bodies.shape[i]);
        set_ball(as_ball, in.bodies.radius[i]);
        return as_ball;
    };
    const auto axes = [&](std::size_t i) { return in.bodies.is_ball(i) ? Mat<Dim>(Mat<Dim>::Identity()) : matrix_of<Dim>(in.rotation[i]); };
    const Mat<Dim> to_b = axes(b).transpose();
    const Pose<Dim> pose{to_b * axes(a), to_b * in.cell.nearest(in.position[a] - in.position[b])};
    const TouchQuery<Dim> query{limit, Vec<Dim>::Zero()};
    points.clear();
    if (in.bodies.is_boundary(b)) touch_boundary<Dim>(solid(a, ball[0]), pose, boundary_shape(in.shapes, in.bodies.shape[b]), query, points);
    else touch_solids<Dim>(solid(a, ball[0]), pose, solid(b, ball[1]), query, points);
    return points;
}

template std::span<const ManifoldPoint<2>> contacts_of_pair(const PlacedBodies<2>&, std::size_t, std::size_t, double);
template std::span<const ManifoldPoint<3>> contacts_of_pair(const PlacedBodies<3>&, std::size_t, std::size_t, double);

}  // namespace talus
