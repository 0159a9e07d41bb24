#include "solve/refresh.h"

#include <array>

#include "contact/grouping.h"
#include "solve/kernels.h"

namespace talus {
namespace {

/// Groups of a part share no line that moves. Contacts that have not been arranged are one group.
template <int Dim>
void apply_balls(ContactProblem<Dim>& problem) {
    if (problem.balls.empty()) return;
    const auto apply = ball_kernels<Dim>(available(Kernel::automatic)).apply;
    const auto apply_range = [&](std::size_t first, std::size_t last) {
        KernelSums nothing;
        apply({problem.balls.blocks().data(), nullptr, nullptr, nullptr, first, last, problem.lines.front().v.data(), 0.0, 0.0}, nothing);
    };
    const auto& groups = problem.balls.groups();
    if (groups.empty()) return apply_range(0, problem.balls.blocks().size());
    const Grouping<Dim> grouping(problem);
    for (std::size_t part = 0; part < Grouping<Dim>::parts; ++part) {
        std::array<std::size_t, Grouping<Dim>::most_groups> members;
        std::size_t count = 0;
        for (std::size_t g = 0; g < groups.size(); ++g)
            if (grouping.part(g) == part && groups[g].first != groups[g].last) members[count++] = g;
        or_one(problem.threads).for_tasks(count, [&](std::size_t t) { apply_range(groups[members[t]].first, groups[members[t]].last); });
    }
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
