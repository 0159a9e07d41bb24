#include "detect/narrow/pieces.h"

#include "shapes/solids.h"

namespace talus {
namespace {

/// The pair seen from the other side: b in the axes of a.
Pose<3> inverse(const Pose<3>& pose) { return {pose.rotation.transpose(), -(pose.rotation.transpose() * pose.translation)}; }

/// A frustum against a polytope is the polytope against the frustum, told in the axes of b.
void touch_frustum_polytope(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, const TouchQuery<3>& query,
                            Manifold<3>& out) {
    const int first = out.count;
    const TouchQuery<3> seen{query.limit, -(pose.rotation.transpose() * query.last())};
    touch_polytope_frustum(b.polytope, inverse(pose), a.frustum, seen, out);
    for (int k = first; k < out.count; ++k) {
        out.points[k].point = pose.point(out.points[k].point);
        out.points[k].normal = -pose.direction(out.points[k].normal);
    }
}

}  // namespace

void touch_pieces(const Piece<2>& a, const Pose<2>& pose, const Piece<2>& b, const TouchQuery<2>& query,
                  Manifold<2>& out) {
    touch_polytopes(a.polytope, pose, b.polytope, query, out);
}

void touch_pieces(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, const TouchQuery<3>& query,
                  Manifold<3>& out) {
    const bool round_a = a.kind == Piece<3>::Kind::frustum, round_b = b.kind == Piece<3>::Kind::frustum;
    if (round_a && round_b) touch_frusta(a.frustum, pose, b.frustum, query, out);
    else if (round_a) touch_frustum_polytope(a, pose, b, query, out);
    else if (round_b) touch_polytope_frustum(a.polytope, pose, b.frustum, query, out);
    else touch_polytopes(a.polytope, pose, b.polytope, query, out);
}

template <int Dim>
void touch_solids(const Solid<Dim>& a, const Pose<Dim>& pose, const Solid<Dim>& b, const TouchQuery<Dim>& query,
                  std::vector<ManifoldPoint<Dim>>& out) {
    const bool one = a.pieces.size() == 1 && b.pieces.size() == 1;
    thread_local Manifold<Dim> manifold;   // to write all its points takes longer than to find one
    if (one) {
        manifold.count = 0;
        touch_pieces(a.pieces[0], pose, b.pieces[0], query, manifold);
        out.insert(out.end(), manifold.points.begin(), manifold.points.begin() + manifold.count);
        return;
    }
    const TouchQuery<Dim> each{query.limit, query.last()};   // a memory is of two pieces
    for (std::size_t i = 0; i < a.pieces.size(); ++i) {
        const Piece<Dim>& p = a.pieces[i];
        const Vec<Dim> centre = pose.point(p.centre);
        for (std::size_t j = 0; j < b.pieces.size(); ++j) {
            const Piece<Dim>& q = b.pieces[j];
            const double range = p.bound + q.bound + query.limit;
            if ((centre - q.centre).squaredNorm() > range * range) continue;
            manifold.count = 0;
            touch_pieces(p, pose, q, each, manifold);
            for (int k = 0; k < manifold.count; ++k) {
                out.push_back(manifold.points[k]);
                std::uint32_t& feature = out.back().feature;
                feature = feature_key(feature, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
            }
        }
    }
}

template <int Dim>
Solid<Dim> ball_solid() {
    Solid<Dim> ball;
    ball.pieces.push_back(piece_of<Dim>(point_core(Vec<Dim>(Vec<Dim>::Zero()), 1.0)));
    set_ball(ball, 1.0);
    return ball;
}

template void touch_solids(const Solid<2>&, const Pose<2>&, const Solid<2>&, const TouchQuery<2>&,
                           std::vector<ManifoldPoint<2>>&);
template void touch_solids(const Solid<3>&, const Pose<3>&, const Solid<3>&, const TouchQuery<3>&,
                           std::vector<ManifoldPoint<3>>&);
template Solid<2> ball_solid();
template Solid<3> ball_solid();

}  // namespace talus
