#pragma once
/// \file
/// Velocities afresh from the impulses.

#include "contact/problem.h"

namespace talus {

/// Sets the lines to the free velocities and adds every impulse, ball contacts in the order of the sweep: eq. (39) of moreau2003
/// afresh, so that rounding does not accumulate over sweeps.
template <int Dim>
void refresh_velocities(ContactProblem<Dim>& problem);

}  // namespace talus
