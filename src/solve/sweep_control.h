#pragma once
/// \file
/// What all sweeping solvers share: when to measure, when to ask the judge, when to stop.
///
/// To judge costs about two sweeps, so an estimate from inside a sweep (the same e as the judge's, seen
/// just before each contact is corrected) says when it is worth asking. Measuring sweeps are spread
/// geometrically: at most an eighth of the sweeps made is wasted by not looking earlier.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

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
    void add(const SweepMeasure& other) {
        tally.add(other.tally);
        moreau = std::max(moreau, other.moreau);
    }
    template <int Dim>
    void add(const GeneralContact<Dim>& c, const Vec<Dim>& dS, bool loaded) {
        add_block(c.H, dS, c.impact, loaded);
    }
    template <class Matrix, class Rows>
    void add_block(const Matrix& H, const Rows& dS, double impact, bool loaded) {
        tally.add((H * dS).norm(), impact, loaded);
        moreau = std::max(moreau, std::abs(H(0, 0) * dS[0]));
    }
};

/// Orders, relaxation and multipliers are those of the solver 'nlgs': others say so.
inline void refuse_variants(const SolverSettings& settings, const char* name) {
    if (settings.order != SweepOrder::forward)
        throw InputError(std::string("solver '") + name + "' has one order, forward; use the solver 'nlgs' for others");
    if (settings.multiplier != Multiplier::exact || settings.relaxation != 1.0)
        throw InputError(std::string("solver '") + name + "' has no multiplier and no relaxation; use the solver 'nlgs' for those");
}

/// What a measuring sweep tells about the error: worth asking the judge, or not a number any more.
enum class Outlook : std::uint8_t { far, near, hopeless };

/// The estimate is seen before each correction, so it lies above the error after the sweep: by about as much as when the judge was
/// asked last, and before that by as much as sweeps with momentum show in piles and packings of spheres (1.7 to 1.8).
class Estimate {
public:
    /// What the judge would say.
    [[nodiscard]] LawError expected(const LawError& e) const { return {e.mean / above_, e.max / above_, e.working, e.v_ref}; }
    void learn(const LawError& estimate, const LawError& judged) {
        if (judged.mean > 0.0) above_ = std::clamp(estimate.mean / judged.mean, 1.0, 3.0);
    }

private:
    double above_ = 1.75;
};

/// `e` is what is expected of the law error; another error is computed.
template <class Problem>
[[nodiscard]] Outlook outlook(Problem& problem, const LawError& e, const SolverSettings& settings) {
    const bool by_law = settings.error == ErrorKind::law;
    const double error = by_law ? e.mean : error_of(problem, settings);
    if (std::isnan(error)) return Outlook::hopeless;
    const bool near = by_law ? meets(e, settings) : error <= settings.tolerance;
    return near ? Outlook::near : Outlook::far;
}

/// Tells when the time that the settings allow is over.
class TimeLimit {
public:
    explicit TimeLimit(double seconds) : seconds_(seconds), start_(Clock::now()) {}
    [[nodiscard]] bool is_over() const { return seconds_ > 0.0 && passed() > seconds_; }
    /// What is left of it [s], for a part of the work; 0 without a limit.
    [[nodiscard]] double left() const { return seconds_ > 0.0 ? std::max(1e-9, seconds_ - passed()) : 0.0; }

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] double passed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double seconds_;
    Clock::time_point start_;
};

/// Sweeps by a function f(number, measure or null) that works on the problem itself.
template <class F>
struct SweepsInPlace {
    F f;
    void resume() {}
    void publish() {}
    void sweep(std::int64_t number, SweepMeasure* measure) { f(number, measure); }
};
template <class F>
SweepsInPlace(F) -> SweepsInPlace<F>;

/// Sweeps until the error meets the settings or a limit is hit. `Problem` is a ContactProblem or a MatrixProblem;
/// `Sweeps` has sweep(number, measure or null), and where it works on a copy publish(), which gives the impulses back, and
/// resume(), which takes the velocities.
template <class Problem, class Sweeps>
SolveReport run_sweeps(Problem& problem, const SolverSettings& settings, Sweeps&& sweeps) {
    SolveReport report;
    refresh_velocities(problem);
    if (problem.contacts() == 0) {
        report.law.v_ref = problem.v_ref;
        return report;
    }
    sweeps.resume();
    const TimeLimit time(settings.max_seconds);
    Estimate estimate;
    std::int64_t next_measure = std::max(1, settings.min_sweeps);
    while (true) {
        ++report.sweeps;
        const bool last = report.sweeps >= settings.max_sweeps || time.is_over();
        const bool measuring = last || (report.sweeps >= next_measure && settings.tolerance > 0.0);
        const bool estimating = last || (measuring && settings.error == ErrorKind::law);
        SweepMeasure measure;
        if (estimating) {
            if (!(problem.v_ref > 0.0)) sweeps.publish();  // the reference is that of the present impulses
            measure.tally = ErrorTally(reference_velocity(problem));
        }
        sweeps.sweep(report.sweeps, estimating ? &measure : nullptr);
        if (!measuring) continue;
        next_measure = report.sweeps + std::max<std::int64_t>(1, report.sweeps / 8);
        if (estimating) report.moreau_change = measure.moreau;
        if (settings.error != ErrorKind::law) sweeps.publish();
        const LawError measured = measure.tally.result();
        const Outlook seen = last ? Outlook::near : outlook(problem, estimate.expected(measured), settings);
        if (seen == Outlook::far) continue;
        sweeps.publish();
        conclude(problem, settings, report);
        if (settings.tolerance == 0.0) report.converged = true;
        if (report.converged || last || seen == Outlook::hopeless) break;
        if (estimating) estimate.learn(measured, report.law);
        sweeps.resume();
    }
    report.updates = report.sweeps * static_cast<std::int64_t>(problem.contacts());
    return report;
}

}  // namespace talus
