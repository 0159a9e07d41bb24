#pragma once
/// \file
/// Drives and loads attached to freedoms of bodies. Few bodies have any, so they live in short lists
/// beside the body arrays. A drive is an anchor and a displacement law:
/// x(t) = anchor + f(t) - f(t_anchor).

#include <vector>

#include "math/rotation.h"
#include "state/bodies.h"

namespace talus {

struct Drive {
    BodyId body = -1;
    int freedom = 0;
    double anchor_time = 0.0;
    double anchor = 0.0;     ///< coordinate at `anchor_time`; for rotations the angle turned is counted from 0
    double displacement = 0.0;  ///< f(t) - f(t_anchor) that the present position already holds
    TimeFunctionPtr law;
};

template <int Dim>
struct BodyLoads {
    BodyId body = -1;
    std::vector<Load> loads;
};

/// Sum of a body's loads at time t as a generalised force (force, torque).
template <int Dim>
struct Wrench {
    Vec<Dim> force = Vec<Dim>::Zero();
    Spin<Dim> torque = Spin<Dim>::Zero();
};

/// Velocities of driven freedoms at t_m, for the few bodies that have any that move.
template <int Dim>
struct DrivenMotion {
    UniformArray<std::int32_t> slot{-1};   ///< body -> entry below, -1: its driven freedoms stand still
    std::vector<Vec<Dim>> velocity;
    std::vector<Spin<Dim>> spin;

    [[nodiscard]] bool none() const { return velocity.empty(); }
    /// Velocity that the drives of body i give to the point at arm r.
    [[nodiscard]] Vec<Dim> at(std::int32_t i, const Vec<Dim>& r) const {
        if (slot[i] < 0) return Vec<Dim>::Zero();
        return velocity[slot[i]] + spin_cross<Dim>(spin[slot[i]], r);
    }
    /// Spin that the drives of body i give it.
    [[nodiscard]] Spin<Dim> spin_of(std::int32_t i) const {
        return none() || slot[i] < 0 ? Spin<Dim>(Spin<Dim>::Zero()) : spin[slot[i]];
    }
};

/// The part of a body's velocity that obeys the equation of motion.
template <int Dim>
[[nodiscard]] inline Vec<Dim> free_velocity(const Bodies<Dim>& bodies, std::size_t i) {
    Vec<Dim> v = bodies.velocity[i];
    for (int k = 0; k < Dim; ++k)
        if (bodies.driven[i] >> k & 1u) v[k] = 0.0;
    return v;
}
template <int Dim>
[[nodiscard]] inline Spin<Dim> free_spin(const Bodies<Dim>& bodies, std::size_t i) {
    Spin<Dim> w = bodies.spin[i];
    for (int k = 0; k < spin_size<Dim>; ++k)
        if (bodies.driven[i] >> (Dim + k) & 1u) w[k] = 0.0;
    return w;
}

}  // namespace talus
