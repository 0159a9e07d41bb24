#pragma once
/// \file
/// The inverse inertia of a body of which some freedoms are driven: what an impulse changes.

#include <Eigen/LU>

#include "math/rotation.h"
#include "state/bodies.h"

namespace talus {

template <int Dim>
using SpinMat = Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>>;

/// Inverse inertia in world axes with the driven rotations held.
template <int Dim>
[[nodiscard]] SpinMat<Dim> inverse_inertia(const Bodies<Dim>& bodies, const Rotation<Dim>& rotation, std::int32_t i) {
    const std::uint8_t held = bodies.driven[i] >> Dim;
    constexpr int n = spin_size<Dim>;
    SpinMat<Dim> inverse = SpinMat<Dim>::Zero();
    if (held == (1u << n) - 1u) return inverse;
    if (held == 0) return in_world<Dim>(rotation, bodies.inertia[i].cwiseInverse());
    // Some held: invert the block of the others, with the held ones cut out and put back as zeros.
    SpinMat<Dim> inertia = in_world<Dim>(rotation, bodies.inertia[i]);
    const double scale = inertia.trace();
    for (int k = 0; k < n; ++k) {
        if (!(held >> k & 1u)) continue;
        inertia.row(k).setZero();
        inertia.col(k).setZero();
        inertia(k, k) = scale;
    }
    inverse = inertia.inverse();
    for (int k = 0; k < n; ++k)
        if (held >> k & 1u) inverse(k, k) = 0.0;
    return inverse;
}

/// One over the mass in free directions, 0 in driven ones.
template <int Dim>
[[nodiscard]] Vec<Dim> inverse_mass(const Bodies<Dim>& bodies, std::int32_t i) {
    Vec<Dim> inverse = Vec<Dim>::Zero();
    for (int k = 0; k < Dim; ++k)
        if (!(bodies.driven[i] >> k & 1u)) inverse[k] = 1.0 / bodies.mass[i];
    return inverse;
}

}  // namespace talus
