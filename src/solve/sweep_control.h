#pragma once
/// \file
/// What all sweeping solvers share: when to measure, when to ask the judge, when to stop.
///
/// To judge costs about two sweeps, so an estimate from inside a sweep (the same e as the judge's, seen
/// just before each contact is corrected) says when it is worth asking. To measure costs a third of a sweep, so that
/// sweeps measure now and then (`Lookout`).

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
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
/// asked last, and before that by as much as sweeps with momentum show at least (1.55 in settling packings of spheres, 1.7 in piles).
class Estimate {
public:
    /// What the judge would say.
    [[nodiscard]] LawError expected(const LawError& e) const { return {e.mean / above_, e.max / above_, e.working, e.v_ref}; }
    void learn(const LawError& estimate, const LawError& judged) {
        if (judged.mean > 0.0) above_ = std::clamp(estimate.mean / judged.mean, 1.0, 3.0);
    }

private:
    double above_ = 1.55;
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

/// Energy of the changes of a sweep that does not tell it.
inline constexpr double untold = std::numeric_limits<double>::quiet_NaN();

/// Which sweeps measure. Without more knowledge they are spread geometrically: at most an eighth of the sweeps made is wasted by not
/// looking earlier. Where sweeps tell the energy of their changes, whose root goes down about as the error does, the time to look is
/// foreseen from it, and otherwise one sweep in four is enough.
class Lookout {
public:
    explicit Lookout(const SolverSettings& settings) : tolerance_(settings.tolerance), latest_(std::max(1, settings.min_sweeps)) {}
    [[nodiscard]] bool is_due(std::int64_t sweep) const { return tolerance_ > 0.0 && (sweep >= latest_ || foreseen_ <= tolerance_); }
    /// After a sweep whose changes had that energy (or `untold`).
    void swept(double change) {
        const double trend = std::min(1.0, change / change_);   // of one more sweep
        change_ = change;
        const double foreseen = error_ * std::sqrt(trend * change / change_then_);
        foreseen_ = foreseen >= 0.0 ? foreseen : HUGE_VAL;   // no number: nothing is foreseen
    }
    /// After a sweep that measured, and `swept`. `error`: what was expected of the law error.
    void measured(std::int64_t sweep, double error) {
        const bool foresees = change_ > 0.0 && error > tolerance_;
        latest_ = sweep + std::max<std::int64_t>(1, foresees ? sweep / 4 + 2 : sweep / 8);
        error_ = foresees ? error : HUGE_VAL;
        change_then_ = change_;
        foreseen_ = HUGE_VAL;
    }

private:
    double tolerance_;
    std::int64_t latest_;                             ///< the next measuring sweep at the latest
    double change_ = untold;
    double error_ = HUGE_VAL, change_then_ = 1.0;     ///< of the last sweep that measured
    double foreseen_ = HUGE_VAL;                      ///< error after the next sweep
};

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
    void publish() {}
    void keep_lines() {}
    void put_lines_back() {}
    double sweep(std::int64_t number, SweepMeasure* measure) {
        f(number, measure);
        return untold;
    }
};
template <class F>
SweepsInPlace(F) -> SweepsInPlace<F>;

/// Sweeps until the error meets the settings or a limit is hit. `Problem` is a ContactProblem or a MatrixProblem;
/// `Sweeps` has sweep(number, measure or null), which returns the energy of its changes or `untold`; publish(), which gives the
/// impulses to the problem where it works on a copy; and, for those that go on from velocities that have not been recomputed to
/// judge them, keep_lines() and put_lines_back().
template <class Problem, class Sweeps>
SolveReport run_sweeps(Problem& problem, const SolverSettings& settings, Sweeps&& sweeps) {
    SolveReport report;
    refresh_velocities(problem);
    if (problem.contacts() == 0) {
        report.law.v_ref = problem.v_ref;
        return report;
    }
    const TimeLimit time(settings.max_seconds);
    Estimate estimate;
    Lookout lookout(settings);
    while (true) {
        ++report.sweeps;
        const bool last = report.sweeps >= settings.max_sweeps || time.is_over();
        const bool measuring = last || lookout.is_due(report.sweeps);
        const bool estimating = last || (measuring && settings.error == ErrorKind::law);
        SweepMeasure measure;
        if (estimating) {
            if (!(problem.v_ref > 0.0)) sweeps.publish();  // the reference is that of the present impulses
            measure.tally = ErrorTally(reference_velocity(problem));
        }
        lookout.swept(sweeps.sweep(report.sweeps, estimating ? &measure : nullptr));
        if (!measuring) continue;
        if (estimating) report.moreau_change = measure.moreau;
        if (settings.error != ErrorKind::law) {
            sweeps.publish();
            sweeps.keep_lines();
        }
        const LawError measured = measure.tally.result(), expected = estimate.expected(measured);
        lookout.measured(report.sweeps, estimating ? expected.mean : 0.0);
        const Outlook seen = last ? Outlook::near : outlook(problem, expected, settings);
        if (seen == Outlook::far) {
            if (settings.error != ErrorKind::law) sweeps.put_lines_back();
            continue;
        }
        sweeps.publish();
        conclude(problem, settings, report);
        if (settings.tolerance == 0.0) report.converged = true;
        if (report.converged || last || seen == Outlook::hopeless) break;
        if (estimating) estimate.learn(measured, report.law);
    }
    report.updates = report.sweeps * static_cast<std::int64_t>(problem.contacts());
    return report;
}

}  // namespace talus
