#pragma once
/// \file
/// Evaluates the loads of bodies.

#include <span>

#include "state/drives.h"

namespace talus {

/// Force and torque of a body's loads at time t, with bodies at the given positions (those of t_m).
template <int Dim>
[[nodiscard]] Wrench<Dim> wrench_of(const std::vector<Load>& loads, const Bodies<Dim>& bodies, std::size_t i, double t,
                                    std::span<const Vec<Dim>> position);

}  // namespace talus
