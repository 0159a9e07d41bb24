#pragma once
/// \file
/// The contact problem of a step as the solver saw it, taken out of a world: for the laboratory, which asks
/// more of it than the one answer a step needs.

#include <cstdint>
#include <vector>

#include "contact/problem.h"

namespace talus {

template <int Dim>
struct StepProblem {
    ContactProblem<Dim> problem;         ///< with the impulses and velocities found
    std::vector<std::int32_t> record;    ///< by contact of `World::contacts()`: >= 0 index in `balls`, else ~index in `generals`
    std::vector<std::int32_t> line;      ///< by body index: its line in the problem
    std::vector<std::int32_t> carrier;   ///< by body index: the body it is glued to, or itself
};

}  // namespace talus
