#include "solve/refresh.h"

#include "contact/grouping.h"
#include "solve/kernels.h"

namespace talus {
namespace {

template <int Dim>
void apply_balls(ContactProblem<Dim>& problem) {
    const auto apply = ball_kernels<Dim>(available(Kernel::automatic)).apply;
    for_ball_groups(problem, [&](std::size_t, std::size_t first, std::size_t last) {
        KernelSums nothing;
        apply({problem.balls.blocks().data(), nullptr, nullptr, nullptr, first, last, problem.lines.front().v.data(), 0.0, 0.0}, nothing);
    });
}

}  // namespace

template <int Dim>
void refresh_velocities(ContactProblem<Dim>& problem) {
    or_one(problem.threads).for_chunks(problem.lines.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) set_motion(problem.lines[i], problem.free_lines[i]);
    });
    apply_balls(problem);
    for (const auto& c : problem.generals) apply(c, c.S, problem.lines[c.a], problem.lines[c.b]);
    for (const auto& c : problem.links) apply(c, c.S, problem.lines[c.a], problem.lines[c.b]);
}

template void refresh_velocities(ContactProblem<2>&);
template void refresh_velocities(ContactProblem<3>&);

}  // namespace talus
