#include "solve/residual.h"

#include "laws/local.h"

namespace talus {

template <int Dim>
double reference_velocity(const ContactProblem<Dim>& problem) {
    if (problem.v_ref > 0.0) return problem.v_ref;
    double sum = 0.0;
    std::int64_t loaded = 0;
    for (const auto& c : problem.balls) {
        if (c.pn == 0.0) continue;
        sum += law_defect(c, c.pn, c.pt.squared());
        ++loaded;
    }
    for (const auto& c : problem.generals) {
        if (c.S.isZero(0.0)) continue;
        sum += (c.H * c.S).norm();
        ++loaded;
    }
    return loaded > 0 ? sum / static_cast<double>(loaded) : 0.0;
}

template <int Dim>
LawError judge(ContactProblem<Dim>& problem) {
    refresh_velocities(problem);
    ErrorTally tally(reference_velocity(problem));
    const auto& lines = problem.lines;
    for (const auto& c : problem.balls) {
        const auto exact = solve_ball_contact(c, formal_velocity(c, lines[c.a], lines[c.b]));
        tally.add(law_defect(c, exact.pn - c.pn, (exact.pt - c.pt).squared()), c.impact, c.pn != 0.0);
    }
    for (const auto& c : problem.generals) {
        const Vec<Dim> b = formal_velocity(c, lines[c.a], lines[c.b]) - c.H * c.S;
        const Vec<Dim> exact = solve_full_contact(c.H, b, c.mu, c.S);
        tally.add((c.H * (exact - c.S)).norm(), c.impact, !c.S.isZero(0.0));
    }
    return tally.result();
}

template double reference_velocity(const ContactProblem<2>&);
template double reference_velocity(const ContactProblem<3>&);
template LawError judge(ContactProblem<2>&);
template LawError judge(ContactProblem<3>&);

}  // namespace talus
