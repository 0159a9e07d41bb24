#pragma once
/// \file
/// The tangential part of a contact between balls, without a basis in space.
///
/// In the plane the tangent is one direction, t = n turned by +90 degrees, and a tangential vector
/// one number along it. In space a tangential vector is kept as a vector in world axes orthogonal to
/// n: the law of Coulomb is isotropic, so no basis is needed and none can be preferred.
///
/// For a ball of radius r and spin w, R = r w stands for the spin. The velocity of its surface at the
/// contact is v - R x n when n points towards it; two balls a and b give
///     U = v_a - v_b - (R_a + R_b) x n,
/// and a tangential impulse P_T changes each R by -(r^2/I) n x P_T: the same for both.

#include "math/rotation.h"

namespace talus {

/// A tangential vector: a number along t in 2D, a world vector in 3D.
template <int Dim>
struct Tangential;

template <>
struct Tangential<2> {
    double along = 0.0;
    Tangential& operator*=(double s) { along *= s; return *this; }
    [[nodiscard]] double squared() const { return along * along; }
};
template <>
struct Tangential<3> {
    Vec<3> world = Vec<3>::Zero();
    Tangential& operator*=(double s) { world *= s; return *this; }
    [[nodiscard]] double squared() const { return world.squaredNorm(); }
};

[[nodiscard]] inline Tangential<2> operator-(const Tangential<2>& a, const Tangential<2>& b) { return {a.along - b.along}; }
[[nodiscard]] inline Tangential<2> operator+(const Tangential<2>& a, const Tangential<2>& b) { return {a.along + b.along}; }
[[nodiscard]] inline Tangential<2> operator*(double s, const Tangential<2>& a) { return {s * a.along}; }
[[nodiscard]] inline Tangential<3> operator-(const Tangential<3>& a, const Tangential<3>& b) { return {a.world - b.world}; }
[[nodiscard]] inline Tangential<3> operator+(const Tangential<3>& a, const Tangential<3>& b) { return {a.world + b.world}; }
[[nodiscard]] inline Tangential<3> operator*(double s, const Tangential<3>& a) { return {s * a.world}; }

/// Tangential part of w - R x n, where `wn` is w.n.
[[nodiscard]] inline Tangential<2> slip(const Vec<2>& w, double, const Spin<2>& R, const Vec<2>& n) {
    return {w[1] * n[0] - w[0] * n[1] - R[0]};
}
[[nodiscard]] inline Tangential<3> slip(const Vec<3>& w, double wn, const Spin<3>& R, const Vec<3>& n) {
    return {w - wn * n - R.cross(n)};
}

/// The world vector of a tangential one.
[[nodiscard]] inline Vec<2> to_world(const Tangential<2>& p, const Vec<2>& n) { return {-n[1] * p.along, n[0] * p.along}; }
[[nodiscard]] inline Vec<3> to_world(const Tangential<3>& p, const Vec<3>&) { return p.world; }

/// Tangential part of a world vector.
[[nodiscard]] inline Tangential<2> tangential_of(const Vec<2>& w, const Vec<2>& n) { return {w[1] * n[0] - w[0] * n[1]}; }
[[nodiscard]] inline Tangential<3> tangential_of(const Vec<3>& w, const Vec<3>& n) { return {w - w.dot(n) * n}; }

/// n x P_T: minus what P_T adds to R over r^2/I.
[[nodiscard]] inline Spin<2> twist(const Tangential<2>& p, const Vec<2>&) { return Spin<2>(p.along); }
[[nodiscard]] inline Spin<3> twist(const Tangential<3>& p, const Vec<3>& n) { return n.cross(p.world); }

}  // namespace talus
