#include "contact/problem.h"

namespace talus {

template <int Dim>
void refresh_velocities(ContactProblem<Dim>& problem) {
    problem.lines = problem.free_lines;
    for (const auto& c : problem.balls) apply(c, c.pn, c.pt, problem.lines[c.a], problem.lines[c.b]);
    for (const auto& c : problem.generals) apply(c, c.S, problem.lines[c.a], problem.lines[c.b]);
    for (const auto& c : problem.links) apply(c, c.S, problem.lines[c.a], problem.lines[c.b]);
}

template void refresh_velocities(ContactProblem<2>&);
template void refresh_velocities(ContactProblem<3>&);

}  // namespace talus
