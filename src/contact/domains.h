#pragma once
/// \file
/// Slabs of space whose inner contacts can be swept at the same time.
///
/// The bodies are cut into slabs across their longest extent, with about as many bodies in each. Contacts inside
/// different slabs share no body that moves, and neither do contacts between slabs 0 and 1, 2 and 3, and so on. How many
/// slabs there are depends on the number of contacts alone, never on the number of threads, so the order of a sweep and
/// its bits do not depend on it either. The number is even: in a periodic direction the last slab touches the first.

#include "contact/gather.h"

namespace talus {

/// Fills `problem.domain` and `problem.domains`.
template <int Dim>
void assign_domains(const GatherInput<Dim>& in, ContactProblem<Dim>& problem);

}  // namespace talus
