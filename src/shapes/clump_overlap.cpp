/// \file
/// Overlaps in a clump. Convex pieces: the distance between slightly shrunk pieces is followed down to zero or
/// to a separating direction [Gilbert, Johnson and Keerthi 1988]. Balls: the common part of two is two caps,
/// integrated in closed form.
#include "shapes/clump_overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/portable.h"

namespace talus {
namespace {

constexpr double shrink = 1e-6;     ///< pieces that overlap less than this of their size only touch
constexpr int most_iterations = 200;

/// Farthest point of a piece along d.
template <int Dim>
Vec<Dim> farthest(const Polytope<Dim>& p, const Vec<Dim>& d) {
    const Vec<Dim>* best = &p.vertices[0];
    for (const Vec<Dim>& v : p.vertices)
        if (d.dot(v) > d.dot(*best)) best = &v;
    const double length = d.norm();
    return length > 0.0 ? Vec<Dim>(*best + (p.radius / length) * d) : *best;
}
Vec<3> farthest(const Frustum& f, const Vec<3>& d) {
    const Vec<3> side = d - d.dot(f.axis) * f.axis;
    const double length = side.norm();
    const Vec<3> out = length > 0.0 ? Vec<3>(side / length) : f.across;
    const Vec<3> high = f.middle + f.half * f.axis + f.high * out, low = f.middle - f.half * f.axis + f.low * out;
    return d.dot(high) > d.dot(low) ? high : low;
}
Vec<2> farthest(const Piece<2>& p, const Vec<2>& d) { return farthest<2>(p.polytope, d); }
Vec<3> farthest(const Piece<3>& p, const Vec<3>& d) {
    return p.kind == Piece<3>::Kind::frustum ? farthest(p.frustum, d) : farthest<3>(p.polytope, d);
}

/// A point well inside.
template <int Dim>
Vec<Dim> inner_point(const Piece<Dim>& p) {
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const Vec<Dim>& v : p.polytope.vertices) sum += v;
    if (p.kind == Piece<Dim>::Kind::frustum || p.polytope.vertices.empty()) return p.centre;
    return sum / static_cast<double>(p.polytope.vertices.size());
}

/// Farthest point of the difference of the shrunk pieces.
template <int Dim>
Vec<Dim> difference(const Piece<Dim>& a, const Piece<Dim>& b, const Vec<Dim>& d) {
    const Vec<Dim> p = farthest(a, d), q = farthest(b, Vec<Dim>(-d));
    return p - shrink * (p - inner_point(a)) - (q - shrink * (q - inner_point(b)));
}

/// Points whose hull is searched, at most Dim + 1.
template <int Dim>
struct Simplex {
    std::array<Vec<Dim>, Dim + 1> point;
    int count = 0;
};

/// Point nearest the origin in the hull of the members of `set`; false when it is not inside that hull.
template <int Dim>
bool nearest_in(const Simplex<Dim>& simplex, unsigned set, Vec<Dim>& nearest) {
    std::array<int, Dim + 1> member{};
    int n = 0;
    for (int k = 0; k < simplex.count; ++k)
        if ((set >> k & 1u) != 0u) member[static_cast<std::size_t>(n++)] = k;
    const Vec<Dim>& origin = simplex.point[static_cast<std::size_t>(member[0])];
    Eigen::Matrix<double, Dim, Eigen::Dynamic, 0, Dim, Dim> edges(Dim, n - 1);
    for (int k = 1; k < n; ++k)
        edges.col(k - 1) = simplex.point[static_cast<std::size_t>(member[static_cast<std::size_t>(k)])] - origin;
    nearest = origin;
    if (n == 1) return true;
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Dim, 1> w =
        Eigen::MatrixXd(edges).colPivHouseholderQr().solve(Eigen::VectorXd(-origin));
    if (!(w.minCoeff() > 0.0) || !(w.sum() < 1.0)) return false;
    nearest = origin + edges * w;
    return true;
}

/// Keeps the members of the simplex that hold its point nearest to the origin.
template <int Dim>
Vec<Dim> reduce(Simplex<Dim>& simplex) {
    Vec<Dim> best = simplex.point[0], candidate;
    unsigned kept = 1u;
    double best2 = std::numeric_limits<double>::infinity();
    for (unsigned set = 1u; set < 1u << simplex.count; ++set)
        if (nearest_in(simplex, set, candidate) && candidate.squaredNorm() < best2) {
            best = candidate;
            best2 = candidate.squaredNorm();
            kept = set;
        }
    int n = 0;
    for (int k = 0; k < simplex.count; ++k)
        if ((kept >> k & 1u) != 0u)
            simplex.point[static_cast<std::size_t>(n++)] = simplex.point[static_cast<std::size_t>(k)];
    simplex.count = n;
    return best;
}

/// Integrals over the cap z > c of the ball of radius r: volume, of z, of z^2, of the squared distance to
/// the axis (in the plane: of x^2).
struct Cap {
    double volume, z, zz, across;
};
Cap cap_of(double r, double c, Vec<3>) {
    const double c2 = c * c, r2 = r * r;
    const double one = r - c, two = (r2 * r - c2 * c) / 3.0, four = (r2 * r2 * r - c2 * c2 * c) / 5.0;
    return {M_PI * (r2 * one - two), M_PI * 0.25 * (r2 - c2) * (r2 - c2), M_PI * (r2 * two - four),
            0.5 * M_PI * (r2 * r2 * one - 2.0 * r2 * two + four)};
}
Cap cap_of(double r, double c, Vec<2>) {
    // With z = r cos t: half the cap's opening is T = acos(c / r).
    const double T = portable::acos(std::clamp(c / r, -1.0, 1.0)), s = std::sqrt(std::max(0.0, r * r - c * c));
    const double quarter = c * s * (2.0 * c * c - r * r);  // r^4 sin(4T) / 4
    const double area = r * r * T - c * s;
    const double zz = 0.25 * (r * r * r * r * T - quarter);
    const double across = 0.25 * r * r * (r * r * T) - r * r * c * s / 3.0 + quarter / 12.0;
    return {area, 2.0 / 3.0 * s * s * s, zz, across};
}

/// Inertia about the centre of mass of a body of revolution about `axis` from its integrals about it.
Eigen::Matrix<double, 1, 1> inertia_of(const Cap& cap, double height, const Vec<2>&) {
    return Eigen::Matrix<double, 1, 1>(cap.across + cap.zz - cap.volume * height * height);
}
Mat<3> inertia_of(const Cap& cap, double height, const Vec<3>& axis) {
    const double side = 0.5 * cap.across + cap.zz - cap.volume * height * height;
    return side * Mat<3>::Identity() + (cap.across - side) * axis * axis.transpose();
}

/// Moves the integrals of a cap seen along +z from its ball's centre to those seen from `at`, with z turned
/// over when `sign` is -1.
Cap seen(const Cap& c, double sign, double at) {
    return {c.volume, sign * c.z + at * c.volume, c.zz + 2.0 * sign * at * c.z + at * at * c.volume, c.across};
}

}  // namespace

template <int Dim>
bool pieces_overlap(const Piece<Dim>& a, const Piece<Dim>& b) {
    if ((a.centre - b.centre).norm() >= a.bound + b.bound) return false;
    const double size = a.bound + b.bound;
    Simplex<Dim> simplex;
    Vec<Dim> nearest = difference<Dim>(a, b, inner_point(b) - inner_point(a));
    for (int i = 0; i < most_iterations; ++i) {
        // Nothing of the difference lies beyond the plane through its farthest point against `nearest`.
        const Vec<Dim> next = difference<Dim>(a, b, -nearest);
        if (next.dot(nearest) > 0.0) return false;
        simplex.point[static_cast<std::size_t>(simplex.count++)] = next;
        nearest = reduce(simplex);
        if (simplex.count == Dim + 1 || nearest.norm() <= 1e-12 * size) return true;
    }
    return true;
}

template <int Dim>
MassProperties<Dim> common_part(const ClumpBall<Dim>& a, const ClumpBall<Dim>& b) {
    const Vec<Dim> apart = b.centre - a.centre;
    const double d = apart.norm();
    MassProperties<Dim> mass;
    if (d >= a.radius + b.radius) return mass;
    const Vec<Dim> axis = d > 0.0 ? Vec<Dim>(apart / d) : Vec<Dim>::Unit(0);
    Cap sum{};
    if (d <= std::abs(a.radius - b.radius)) {  // one lies in the other
        const bool first = a.radius < b.radius;
        sum =
            seen(cap_of(first ? a.radius : b.radius, first ? -a.radius : -b.radius, Vec<Dim>()), 1.0, first ? 0.0 : d);
    } else {
        const double plane = 0.5 * (d + (a.radius - b.radius) * (a.radius + b.radius) / d);
        const Cap mine = seen(cap_of(a.radius, plane, Vec<Dim>()), 1.0, 0.0);
        const Cap its = seen(cap_of(b.radius, d - plane, Vec<Dim>()), -1.0, d);
        sum = {mine.volume + its.volume, mine.z + its.z, mine.zz + its.zz, mine.across + its.across};
    }
    const double height = sum.z / sum.volume;
    mass.volume = sum.volume;
    mass.centre = a.centre + height * axis;
    mass.inertia = inertia_of(sum, height, axis);
    return mass;
}

/// The point nearest to all three lies in the plane of their centres, so disks decide: either one lies in
/// another, or an outline's crossing lies in the third.
template <int Dim>
bool common_point(const ClumpBall<Dim>& a, const ClumpBall<Dim>& b, const ClumpBall<Dim>& c) {
    const std::array<const ClumpBall<Dim>*, 3> ball = {&a, &b, &c};
    for (std::size_t k = 0; k < 3; ++k)
        if ((ball[k]->centre - ball[(k + 1) % 3]->centre).norm() >= ball[k]->radius + ball[(k + 1) % 3]->radius)
            return false;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto &p = *ball[k], &q = *ball[(k + 1) % 3], &other = *ball[(k + 2) % 3];
        const Vec<Dim> apart = q.centre - p.centre;
        const double d = apart.norm();
        if (d <= std::abs(p.radius - q.radius)) return true;
        const Vec<Dim> axis = apart / d;
        const double along = 0.5 * (d + (p.radius - q.radius) * (p.radius + q.radius) / d);
        const double reach = std::sqrt(std::max(0.0, p.radius * p.radius - along * along));
        const Vec<Dim> from = other.centre - p.centre;
        const Vec<Dim> side = from - from.dot(axis) * axis;
        // The nearer of the two crossings to the third centre.
        const double lateral = side.norm() - reach, height = from.dot(axis) - along;
        if (lateral * lateral + height * height < other.radius * other.radius) return true;
    }
    return false;
}

#define TALUS_INSTANTIATE(Dim)                                                                          \
    template bool pieces_overlap(const Piece<Dim>&, const Piece<Dim>&);                                 \
    template MassProperties<Dim> common_part(const ClumpBall<Dim>&, const ClumpBall<Dim>&);             \
    template bool common_point(const ClumpBall<Dim>&, const ClumpBall<Dim>&, const ClumpBall<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
