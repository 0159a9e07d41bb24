#pragma once
/// \file
/// What the tests of joints share: slender bars, and worlds in which only joints act.

#include "physics/testbed.h"

namespace talus::test {

inline const LawSpec no_law_matters{"coulomb", 0.0, 0.0, 0.0};

/// A bar of mass 1 along `direction` from `end`, in the plane (x y) or in space (x z); slender but for its thickness.
template <int Dim>
BodyId add_bar(Bench<Dim>& bench, const Vec<Dim>& end, double angle, double length, double mass = 1.0, double thickness = 0.02);

template <>
inline BodyId add_bar<2>(Bench<2>& bench, const Vec<2>& end, double angle, double length, double mass, double thickness) {
    BodySpec<2> spec;
    spec.shape = {"box", {length, thickness}};
    spec.position = end + 0.5 * length * Vec<2>(std::cos(angle), std::sin(angle));
    spec.rotation = {angle};
    spec.mass = mass;
    spec.material = bench.material;
    return bench.world.add_body(spec);
}
template <>
inline BodyId add_bar<3>(Bench<3>& bench, const Vec<3>& end, double angle, double length, double mass, double thickness) {
    BodySpec<3> spec;
    spec.shape = {"box", {length, thickness, thickness}};
    spec.position = end + 0.5 * length * Vec<3>(std::cos(angle), 0.0, std::sin(angle));
    spec.rotation.q = Eigen::AngleAxisd(-angle, Vec<3>::UnitY());
    spec.mass = mass;
    spec.material = bench.material;
    return bench.world.add_body(spec);
}

/// Moment of inertia of such a bar about its centre, across its length.
inline double bar_inertia(double length, double mass = 1.0, double thickness = 0.02) {
    return mass / 12.0 * (length * length + thickness * thickness);
}

/// The joint that lets a bar swing in the plane of x and the vertical.
template <int Dim>
JointSpec<Dim> pin(BodyId a, BodyId b, const Vec<Dim>& at) {
    JointSpec<Dim> j;
    j.kind = JointKind::hinge;
    j.a = a;
    j.b = b;
    j.at = at;
    if (Dim == 3) j.axis = axis<Dim>(1);
    return j;
}

/// Kinetic and potential energy of all free bodies, recomputed from what the world shows [J].
template <int Dim>
double total_energy(const World<Dim>& w) {
    double e = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (w.is_wall(i)) continue;
        e += 0.5 * w.masses()[i] * w.velocities()[i].squaredNorm() - w.masses()[i] * w.settings().gravity.dot(w.positions()[i]);
        Spin<Dim> spin = w.spins()[i];
        if constexpr (Dim == 3) spin = w.rotations()[i].q.conjugate() * spin;
        e += 0.5 * spin.dot(w.inertias()[i].cwiseProduct(spin));
    }
    return e;
}

/// Angle of the line from `pivot` to a body, from straight down, in the plane of x and the vertical.
template <int Dim>
double swing_angle(const Vec<Dim>& position, const Vec<Dim>& pivot) {
    const Vec<Dim> d = position - pivot;
    return std::atan2(d[0], -d[Dim - 1]);
}

}  // namespace talus::test
