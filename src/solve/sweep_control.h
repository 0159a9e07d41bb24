#pragma once
/// \file
/// What all sweeping solvers share: when to measure, when to ask the judge, when to stop.
///
/// To judge costs about one sweep, so an estimate from inside a sweep (the same e as the judge's, seen
/// just before each contact is corrected) says when it is worth asking. Measuring sweeps are spread
/// geometrically: at most a quarter of the sweeps made is wasted by not looking earlier.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "solve/residual.h"
#include "solve/solver_registry.h"

namespace talus {

/// What a measuring sweep collects.
struct SweepMeasure {
    ErrorTally tally{0.0};
    double moreau = 0.0;   ///< largest |H_N dS_N| [m/s]

    template <int Dim>
    void add(const BallContact<Dim>& c, double dpn, double dpt_squared, bool loaded) {
        tally.add(law_defect(c, dpn, dpt_squared), c.impact, loaded);
        moreau = std::max(moreau, std::abs(dpn) / c.inv_wn);
    }
    template <int Dim>
    void add(const GeneralContact<Dim>& c, const Vec<Dim>& dS, bool loaded) {
        tally.add((c.H * dS).norm(), c.impact, loaded);
        moreau = std::max(moreau, std::abs(c.H(0, 0) * dS[0]));
    }
};

[[nodiscard]] inline bool meets(const LawError& e, const SolverSettings& settings) {
    return e.mean <= settings.tolerance && (settings.tolerance_max <= 0.0 || e.max <= settings.tolerance_max);
}

/// The estimate is seen before each correction, so it lies above the error after the sweep.
[[nodiscard]] inline bool looks_near(const LawError& e, const SolverSettings& settings) {
    constexpr double above = 1.5;
    return meets({e.mean / above, e.max / above, e.working, e.v_ref}, settings);
}

/// Calls sweep(number, measure or null) until the law error meets the settings or the cap is hit.
template <int Dim, class Sweep>
SolveReport run_sweeps(ContactProblem<Dim>& problem, const SolverSettings& settings, Sweep&& sweep) {
    SolveReport report;
    if (problem.contacts() == 0) {
        problem.lines = problem.free_lines;
        report.law.v_ref = problem.v_ref;
        return report;
    }
    refresh_velocities(problem);
    std::int64_t next_measure = std::max(1, settings.min_sweeps);
    while (true) {
        ++report.sweeps;
        const bool last = report.sweeps >= settings.max_sweeps;
        const bool measuring = last || (report.sweeps >= next_measure && settings.tolerance > 0.0);
        SweepMeasure measure;
        if (measuring) measure.tally = ErrorTally(reference_velocity(problem));
        sweep(report.sweeps, measuring ? &measure : nullptr);
        if (!measuring) continue;
        next_measure = report.sweeps + std::max<std::int64_t>(1, report.sweeps / 4);
        report.moreau_change = measure.moreau;
        if (!last && !looks_near(measure.tally.result(), settings)) continue;
        report.law = judge(problem);
        report.converged = settings.tolerance == 0.0 || meets(report.law, settings);
        if (report.converged || last) break;
    }
    report.updates = report.sweeps * static_cast<std::int64_t>(problem.contacts());
    return report;
}

}  // namespace talus
