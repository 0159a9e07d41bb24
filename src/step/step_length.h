#pragma once
/// \file
/// How long the next step is.
///
/// A fixed step, or the longest of h, h/2, h/4 ... that the bounds of `AdaptiveStep` allow for the speeds at its start,
/// weight included, and for the fastest turn of a normal in the step before. It is shortened at once and made longer by
/// a factor of two a step at most, and only where the longer one keeps the bounds with some room, so that it does not
/// flicker. Powers of two leave stored impulses, which follow the step, without rounding.

#include "step/world_impl.h"

namespace talus {

/// Changes the step to `h`: impulses are forces times h, so those kept for the next step follow it.
template <int Dim>
void set_step(typename World<Dim>::Impl& w, double h);

/// Chooses the next step, when it adapts.
template <int Dim>
void choose_step(typename World<Dim>::Impl& w);

/// Notes how fast the normals of lasting contacts turn, when the step adapts.
template <int Dim>
void watch_normals(typename World<Dim>::Impl& w);

}  // namespace talus
