#include "shapes/solids.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <Eigen/Eigenvalues>

#include "talus/error.h"

namespace talus {
namespace {

/// Below this part of the size a centre is at the origin, below this part of the moments axes are principal:
/// a shape described with care is left as it is.
constexpr double untouched = 1e-13;

/// The axes of the columns, reordered and turned round so that they are right-handed and as near as can be
/// to the axes they are seen from: principal axes have no order and no sense of their own.
Mat<3> nearest_to_own_axes(const Mat<3>& columns) {
    std::array<int, 3> order = {0, 1, 2}, best = order;
    double most = -1.0;
    do {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) sum += std::abs(columns(k, order[k]));
        if (sum > most + 1e-9) {
            most = sum;
            best = order;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    Mat<3> axes;
    for (int k = 0; k < 3; ++k) {
        axes.col(k) = columns.col(best[k]);
        if (axes(k, k) < 0.0) axes.col(k) *= -1.0;
    }
    if (axes.determinant() < 0.0) {
        int least = 0;
        for (int k = 1; k < 3; ++k)
            if (axes(k, k) < axes(least, least) - 1e-9) least = k;
        axes.col(least) *= -1.0;
    }
    return axes;
}

Mat<2> principal_axes(const MassProperties<2>&) { return Mat<2>::Identity(); }

Mat<3> principal_axes(const MassProperties<3>& mass) {
    const Mat<3>& I = mass.inertia;
    const double off = std::max({std::abs(I(0, 1)), std::abs(I(0, 2)), std::abs(I(1, 2))});
    if (off <= untouched * I.trace()) return Mat<3>::Identity();
    const Eigen::SelfAdjointEigenSolver<Mat<3>> solver(I);
    return nearest_to_own_axes(solver.eigenvectors());
}

Rotation<2> rotation_of(const Mat<2>&) { return {}; }

Rotation<3> rotation_of(const Mat<3>& axes) {
    Rotation<3> r;
    if (axes != Mat<3>::Identity()) r.q = Eigen::Quaterniond(axes).normalized();
    return r;
}

/// Middle of the smallest axis-parallel box around the vertices: near the middle of the smallest ball.
template <int Dim>
Vec<Dim> middle_of(const std::vector<Vec<Dim>>& vertices) {
    Vec<Dim> low = vertices.front(), high = vertices.front();
    for (const Vec<Dim>& v : vertices) {
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
    }
    return 0.5 * (low + high);
}

template <int Dim>
double farthest(const Polytope<Dim>& polytope, const Vec<Dim>& from) {
    double square = 0.0;
    for (const Vec<Dim>& v : polytope.vertices) square = std::max(square, (v - from).squaredNorm());
    return std::sqrt(square) + polytope.radius;
}

/// Distance from the origin to the farthest point of a frustum, which is on one of its rims.
double farthest_rim(const Frustum& f) {
    double most = 0.0;
    for (const double side : {-1.0, 1.0}) {
        const Vec<3> end = f.middle + side * f.half * f.axis;
        const double along = end.dot(f.axis);
        const double across = (end - along * f.axis).norm() + (side < 0.0 ? f.low : f.high);
        most = std::max(most, std::sqrt(along * along + across * across));
    }
    return most;
}

double reach(const Piece<2>& piece) { return farthest<2>(piece.polytope, Vec<2>::Zero()); }
double reach(const Piece<3>& piece) {
    return piece.kind == Piece<3>::Kind::frustum ? farthest_rim(piece.frustum)
                                                 : farthest<3>(piece.polytope, Vec<3>::Zero());
}

void turn_faces(Polytope<2>& p, const Mat<2>& axes, const Vec<2>&) {
    for (Vec<2>& n : p.normals) n = axes * n;
}
void turn_faces(Polytope<3>& p, const Mat<3>& axes, const Vec<3>& shift) {
    for (Polytope<3>::Face& face : p.faces) {
        face.normal = axes * face.normal;
        face.offset += face.normal.dot(shift);
    }
}

/// Which of the vertices give the middle: all, in space about eight, enough to look from.
std::size_t stride_for_middle(const Polytope<2>&) { return 1; }
std::size_t stride_for_middle(const Polytope<3>& p) { return (p.vertices.size() + 7) / 8; }

/// Only in space are there frusta to move.
void move_frustum(Frustum&, const Mat<2>&, const Vec<2>&) {}
void move_frustum(Frustum& f, const Mat<3>& axes, const Vec<3>& shift) {
    f.middle = axes * f.middle + shift;
    f.axis = axes * f.axis;
    f.across = axes * f.across;
}

/// How far a point within lies behind the nearest face.
double depth_of(const Polytope<2>&, const Vec<2>&) { return 0.0; }
double depth_of(const Polytope<3>& p, const Vec<3>& x) {
    double least = p.faces.empty() ? 0.0 : std::numeric_limits<double>::infinity();
    for (const Polytope<3>::Face& face : p.faces) least = std::min(least, face.offset - face.normal.dot(x));
    return std::max(0.0, least);
}

}  // namespace

template <int Dim>
bool has_pieces(const ShapeSpec& spec) {
    return static_cast<bool>(shape_registry().find(spec.name).template solid<Dim>());
}

template <int Dim>
Solid<Dim> solid_of(const ShapeSpec& spec) {
    shape_registry().check(spec, Dim);
    const auto& make = shape_registry().find(spec.name).template solid<Dim>();
    if (!make) throw InputError("shape '" + spec.name + "' is a boundary, not a solid: it has no inside of its own");
    Solid<Dim> solid = make(spec.sizes);
    set_bound(solid);
    return solid;
}

template <int Dim>
CentredShape<Dim> centred(const ShapeSpec& spec) {
    CentredShape<Dim> out;
    out.spec = spec;
    Solid<Dim> solid = solid_of<Dim>(spec);
    const Mat<Dim> axes = principal_axes(solid.mass);
    const bool off_centre = solid.mass.centre.norm() > untouched * solid.bound;
    if (solid.mass.volume > 0.0 && (off_centre || axes != Mat<Dim>::Identity())) {
        const auto& move = shape_registry().find(spec.name).template moved<Dim>();
        if (!move)
            throw InputError("shape '" + spec.name + "' with these sizes is off its centre of mass and cannot be moved");
        out.centre = off_centre ? solid.mass.centre : Vec<Dim>(Vec<Dim>::Zero());
        out.turn = rotation_of(axes);
        out.spec.sizes = move(spec.sizes, out.centre, matrix_of<Dim>(out.turn));
        solid = solid_of<Dim>(out.spec);
    }
    out.volume = solid.mass.volume;
    out.inertia = solid.mass.inertia.diagonal();
    out.bound = solid.bound;
    return out;
}

template <int Dim>
void measure(Polytope<Dim>& polytope) {
    CoreMeasures<Dim>& core = polytope.core;
    const auto& vertices = polytope.vertices;
    const std::size_t step = stride_for_middle(polytope);
    double count = 0.0, span = 0.0, arm = 0.0;
    core.inner.setZero();
    for (std::size_t v = 0; v < vertices.size(); v += step, count += 1.0) core.inner += vertices[v];
    core.inner /= count;
    for (const Vec<Dim>& v : vertices) {
        span = std::max(span, (v - vertices.front()).squaredNorm());
        arm = std::max(arm, v.squaredNorm());
    }
    core.span = std::sqrt(span);
    core.arm = std::sqrt(arm);
    core.depth = depth_of(polytope, core.inner);
}

Polytope<2> point_core(const Vec<2>& x, double radius) { return polygon_of({x}, radius); }

Polytope<3> point_core(const Vec<3>& x, double radius) {
    Polytope<3> p;
    p.vertices = {x};
    p.radius = radius;
    measure(p);
    return p;
}

Polytope<2> segment_core(const Vec<2>& from, const Vec<2>& to, double radius) {
    return polygon_of({from, to}, radius);
}

Polytope<3> segment_core(const Vec<3>& from, const Vec<3>& to, double radius) {
    Polytope<3> p;
    p.vertices = {from, to};
    p.edges = {{.from = 0, .to = 1}};
    p.radius = radius;
    measure(p);
    return p;
}

template <int Dim>
Piece<Dim> piece_of(Polytope<Dim> polytope) {
    Piece<Dim> piece;
    piece.centre = middle_of<Dim>(polytope.vertices);
    piece.bound = farthest<Dim>(polytope, piece.centre);
    piece.polytope = std::move(polytope);
    return piece;
}

template <int Dim>
Piece<Dim> moved(const Piece<Dim>& piece, const Mat<Dim>& axes, const Vec<Dim>& shift) {
    Piece<Dim> out = piece;
    for (Vec<Dim>& v : out.polytope.vertices) v = axes * v + shift;
    turn_faces(out.polytope, axes, shift);
    if (!out.polytope.vertices.empty()) measure(out.polytope);
    move_frustum(out.frustum, axes, shift);
    out.centre = axes * piece.centre + shift;
    return out;
}

template <int Dim>
void set_bound(Solid<Dim>& solid) {
    solid.bound = 0.0;
    for (const Piece<Dim>& piece : solid.pieces) solid.bound = std::max(solid.bound, reach(piece));
}

template bool has_pieces<2>(const ShapeSpec&);
template bool has_pieces<3>(const ShapeSpec&);
template Solid<2> solid_of(const ShapeSpec&);
template Solid<3> solid_of(const ShapeSpec&);
template CentredShape<2> centred(const ShapeSpec&);
template CentredShape<3> centred(const ShapeSpec&);
template void measure(Polytope<2>&);
template void measure(Polytope<3>&);
template Piece<2> piece_of(Polytope<2>);
template Piece<3> piece_of(Polytope<3>);
template Piece<2> moved(const Piece<2>&, const Mat<2>&, const Vec<2>&);
template Piece<3> moved(const Piece<3>&, const Mat<3>&, const Vec<3>&);
template void set_bound(Solid<2>&);
template void set_bound(Solid<3>&);

}  // namespace talus
