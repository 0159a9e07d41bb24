#include "shapes/inside.h"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

/// A ball or a capsule: near enough to the core of one or two vertices.
template <int Dim>
bool is_near_core(const Polytope<Dim>& p, const Vec<Dim>& x) {
    const Vec<Dim> along = p.vertices.back() - p.vertices.front();
    const double length2 = along.squaredNorm();
    const double t = length2 > 0.0 ? std::clamp(along.dot(x - p.vertices.front()) / length2, 0.0, 1.0) : 0.0;
    return (x - p.vertices.front() - t * along).squaredNorm() <= p.radius * p.radius;
}

bool is_in_frustum(const Frustum& f, const Vec<3>& x) {
    const double z = f.axis.dot(x - f.middle);
    if (std::abs(z) > f.half) return false;
    const double radius = 0.5 * (f.low + f.high) + 0.5 * (f.high - f.low) * z / f.half;
    return (x - f.middle - z * f.axis).squaredNorm() <= radius * radius;
}

}  // namespace

bool is_inside(const Piece<2>& piece, const Vec<2>& x) {
    const Polytope<2>& p = piece.polytope;
    if (p.vertices.size() <= 2) return is_near_core<2>(p, x);
    for (std::size_t k = 0; k < p.vertices.size(); ++k)
        if (p.normals[k].dot(x - p.vertices[k]) > p.radius) return false;
    return true;
}

bool is_inside(const Piece<3>& piece, const Vec<3>& x) {
    if (piece.kind == Piece<3>::Kind::frustum) return is_in_frustum(piece.frustum, x);
    const Polytope<3>& p = piece.polytope;
    if (p.vertices.size() <= 2) return is_near_core<3>(p, x);
    return std::all_of(p.faces.begin(), p.faces.end(),
                       [&](const Polytope<3>::Face& f) { return f.normal.dot(x) - f.offset <= p.radius; });
}

}  // namespace talus
