#pragma once
/// \file
/// What the physics tests share: both dimensions from one text, a world with one material, and the
/// few sums that a test recomputes on its own, from bodies and contacts, so that the engine does not
/// judge itself.
///
/// "Up" is the last axis: y in the plane, z in space. A rolling ball rolls along x.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "talus/world.h"

namespace talus::test {

using InPlane = std::integral_constant<int, 2>;
using InSpace = std::integral_constant<int, 3>;
using BothDimensions = ::testing::Types<InPlane, InSpace>;

inline constexpr double g = 9.81;                     // [m/s2]
inline constexpr double pi = std::numbers::pi;
/// A start that is "in contact" must be so whatever the last bit of a position: balls are placed with
/// this overlap, in radii. It is 1e7 times rounding, and moves no result of a test that allows it.
inline constexpr double touching = 1e-9;

template <int Dim>
[[nodiscard]] Vec<Dim> axis(int k) {
    return Vec<Dim>::Unit(k);
}
template <int Dim>
[[nodiscard]] Vec<Dim> up() {
    return axis<Dim>(Dim - 1);
}
template <int Dim>
[[nodiscard]] Vec<Dim> in_xz(double x, double height) {
    return x * axis<Dim>(0) + height * up<Dim>();
}

/// Moment of inertia of a solid ball over m r^2.
template <int Dim>
inline constexpr double solid = Dim == 2 ? 0.5 : 0.4;
/// Tangential over normal Delassus term of solid balls: 3 for disks, 7/2 for spheres.
template <int Dim>
inline constexpr double tangential_factor = 1.0 + 1.0 / solid<Dim>;

/// omega x arm.
[[nodiscard]] inline Vec<2> cross(const Spin<2>& w, const Vec<2>& arm) {
    return {-w[0] * arm[1], w[0] * arm[0]};
}
[[nodiscard]] inline Vec<3> cross(const Spin<3>& w, const Vec<3>& arm) { return w.cross(arm); }

/// The spin that gives a surface speed `speed` along +x at the lowest point of a ball of radius `r`.
[[nodiscard]] inline Spin<2> spin_at_bottom(double speed, double r, InPlane) { return Spin<2>(speed / r); }
[[nodiscard]] inline Spin<3> spin_at_bottom(double speed, double r, InSpace) { return {0.0, -speed / r, 0.0}; }
template <int Dim>
[[nodiscard]] Spin<Dim> spin_at_bottom(double speed, double r) {
    return spin_at_bottom(speed, r, std::integral_constant<int, Dim>{});
}

/// Settings with a solver that goes on until rounding: tests that judge the law, not the tolerance.
template <int Dim>
[[nodiscard]] Settings<Dim> exact_settings(double h, double gravity = g) {
    Settings<Dim> s;
    s.gravity = -gravity * up<Dim>();
    s.step = h;
    s.solver.tolerance = 1e-12;
    s.solver.tolerance_max = 1e-11;
    s.solver.max_sweeps = 200000;
    return s;
}

/// A world of one material.
template <int Dim>
struct Bench {
    World<Dim> world;
    MaterialId material;

    Bench(const Settings<Dim>& settings, const LawSpec& law) : world(settings), material(world.add_material("stuff")) {
        world.set_law(material, material, law);
    }
    BodyId floor(double height = 0.0) {
        return plane(up<Dim>(), height * up<Dim>());
    }
    BodyId plane(const Vec<Dim>& normal, const Vec<Dim>& position) {
        return boundary({"plane", {normal.data(), normal.data() + Dim}}, position);
    }
    BodyId boundary(const ShapeSpec& shape, const Vec<Dim>& position = Vec<Dim>::Zero()) {
        BoundarySpec<Dim> spec;
        spec.shape = shape;
        spec.position = position;
        spec.material = material;
        return world.add_boundary(spec);
    }
    BodyId ball(const Vec<Dim>& position, double radius, const Vec<Dim>& velocity = Vec<Dim>::Zero(),
                const Spin<Dim>& spin = Spin<Dim>::Zero()) {
        BallSpec<Dim> spec;
        spec.position = position;
        spec.radius = radius;
        spec.density = 1000.0;
        spec.material = material;
        spec.velocity = velocity;
        spec.spin = spin;
        return world.add_ball(spec);
    }
    BodyId fixed_ball(const Vec<Dim>& position, double radius) {
        BallSpec<Dim> spec;
        spec.position = position;
        spec.radius = radius;
        spec.density = 1000.0;
        spec.material = material;
        spec.fixed = true;
        return world.add_ball(spec);
    }
    /// Holds every rotation of a body: a block that happens to be round.
    void lock_rotation(BodyId id) {
        for (int k = Dim; k < freedoms<Dim>; ++k) world.fix(id, k);
    }
    StepReport steps(int n) {
        StepReport last;
        for (int i = 0; i < n; ++i) last = world.step();
        return last;
    }
    [[nodiscard]] const Vec<Dim>& position(BodyId id) const { return world.positions()[world.index_of(id)]; }
    [[nodiscard]] const Vec<Dim>& velocity(BodyId id) const { return world.velocities()[world.index_of(id)]; }
    [[nodiscard]] const Spin<Dim>& spin(BodyId id) const { return world.spins()[world.index_of(id)]; }
    [[nodiscard]] double mass(BodyId id) const { return world.masses()[world.index_of(id)]; }
    [[nodiscard]] double radius(BodyId id) const { return world.radii()[world.index_of(id)]; }
    /// Velocity of the material point of a ball at `arm` from its centre.
    [[nodiscard]] Vec<Dim> velocity_at(BodyId id, const Vec<Dim>& arm) const {
        return velocity(id) + cross(spin(id), arm);
    }
};

/// Kinetic energy of the free solid balls [J].
template <int Dim>
[[nodiscard]] double kinetic_energy(const World<Dim>& w) {
    double e = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (!w.is_ball(i) || w.is_wall(i)) continue;
        const double m = w.masses()[i], r = w.radii()[i];
        e += 0.5 * m * (w.velocities()[i].squaredNorm() + solid<Dim> * r * r * w.spins()[i].squaredNorm());
    }
    return e;
}

/// Total momentum of the free balls [N s].
template <int Dim>
[[nodiscard]] Vec<Dim> momentum(const World<Dim>& w) {
    Vec<Dim> p = Vec<Dim>::Zero();
    for (std::size_t i = 0; i < w.size(); ++i)
        if (w.is_ball(i) && !w.is_wall(i)) p += w.masses()[i] * w.velocities()[i];
    return p;
}

/// Sum of m |v|: what rounding of a momentum is measured against.
template <int Dim>
[[nodiscard]] double momentum_scale(const World<Dim>& w) {
    double p = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i)
        if (w.is_ball(i) && !w.is_wall(i)) p += w.masses()[i] * w.velocities()[i].norm();
    return p;
}

/// Largest speed of a free ball, surface speed of its spin included [m/s].
template <int Dim>
[[nodiscard]] double largest_speed(const World<Dim>& w) {
    double v = 0.0;
    for (std::size_t i = 0; i < w.size(); ++i)
        if (w.is_ball(i) && !w.is_wall(i))
            v = std::max({v, w.velocities()[i].norm(), w.radii()[i] * w.spins()[i].norm()});
    return v;
}

/// The velocity that the law of a contact sees: U+ + rho U- along n, U+ + tau U- across it.
template <int Dim>
[[nodiscard]] Vec<Dim> formal_velocity(const Contact<Dim>& c) {
    const double before = c.velocity_before.dot(c.normal), after = c.velocity_after.dot(c.normal);
    const Vec<Dim> t_before = c.velocity_before - before * c.normal, t_after = c.velocity_after - after * c.normal;
    return (after + c.restitution * before) * c.normal + t_after + c.tangential_restitution * t_before;
}

/// Numbers from one seed, for states that must be arbitrary but the same on every machine: only the
/// engine's raw bits are used, since the standard's distributions differ between libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    [[nodiscard]] double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    template <int Dim>
    [[nodiscard]] Vec<Dim> vector(double low, double high) {
        Vec<Dim> v;
        for (int k = 0; k < Dim; ++k) v[k] = uniform(low, high);
        return v;
    }
    template <int Dim>
    [[nodiscard]] Vec<Dim> direction() {
        for (;;) {
            const Vec<Dim> v = vector<Dim>(-1.0, 1.0);
            if (v.norm() > 0.1 && v.norm() <= 1.0) return v.normalized();
        }
    }
    template <int Dim>
    [[nodiscard]] Spin<Dim> spin(double most) {
        Spin<Dim> s;
        for (int k = 0; k < spin_size<Dim>; ++k) s[k] = uniform(-most, most);
        return s;
    }
    [[nodiscard]] int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }

private:
    std::mt19937_64 engine_;
};

/// Balls that overlap their neighbours slightly, at random in a box of fixed planes with random
/// velocities: one step of it is a collision of many contacts at once.
template <int Dim>
void fill_crowded_box(Bench<Dim>& bench, Random& random, int count, bool walls = true) {
    const double side = std::pow(count, 1.0 / Dim) * 0.95;  // unit diameters: crowded enough to overlap
    if (walls)
        for (int k = 0; k < Dim; ++k) {
            bench.plane(axis<Dim>(k), Vec<Dim>::Zero());
            bench.plane(-axis<Dim>(k), side * axis<Dim>(k));
        }
    for (int i = 0; i < count; ++i)
        bench.ball(random.vector<Dim>(0.4, side - 0.4), random.uniform(0.4, 0.6), random.vector<Dim>(-1.0, 1.0),
                   random.spin<Dim>(1.0));
}

}  // namespace talus::test
