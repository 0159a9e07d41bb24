#pragma once
/// \file
/// The contact problem of a step as the solver saw it, taken out of a world: for the laboratory, which asks
/// more of it than the one answer a step needs.

#include <cstdint>
#include <vector>

#include "contact/gather.h"

namespace talus {

template <int Dim>
struct StepProblem {
    ContactProblem<Dim> problem;         ///< with the impulses and velocities found
    std::vector<ContactRecord> record;   ///< by contact of `World::contacts()`
    std::vector<std::int32_t> line;      ///< by body index: its line in the problem
    std::vector<std::int32_t> carrier;   ///< by body index: the body it is glued to, or itself
};

}  // namespace talus
