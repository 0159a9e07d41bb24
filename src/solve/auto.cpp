/// \file
/// The solver that chooses: accelerated sweeps, and Newton's method where sweeps would take longer.
///
/// Everything starts with sweeps, on the bodies where there are bodies. The cost of a factorisation is known
/// from the graph of the contacts before any number is factorised, in the same units as that of a sweep;
/// Newton's method is tried when the sweeps made, and the sweeps still to come as the error falls, cost as much as
/// it is likely to take. If it gets nowhere within its budget, sweeps go on from the better impulses with
/// twice the patience. Choices follow from counts, never from a clock: the same problem gives the same bits.
#include "solve/momentum.h"
#include "solve/proximal_newton.h"

namespace talus {
namespace {

/// Sweeps before the graph is looked at.
constexpr int first_sweeps = 40;
/// Factorisations that a solve by Newton's method is expected to take, and those it may take at once.
constexpr double expected_steps = 12.0;
constexpr int most_steps = 60;
/// Cost of visiting a contact beyond its row of W, in multiplications.
constexpr double visit_cost = 40.0;
/// A graph whose factor would not fit in memory [multiplications].
constexpr double too_dear = 2e11;

template <int Dim>
class Auto final : public Solver<Dim> {
public:
    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) override {
        const TimeLimit time(settings.max_seconds);
        // Links have no matrix form; few sweeps are no reason for one.
        const int most = problem.links.empty() ? std::min(first_sweeps, settings.max_sweeps) : settings.max_sweeps;
        SolveReport report = begin(problem, settings, most);
        if (report.converged || report.sweeps >= settings.max_sweeps || time.is_over()) return report;
        assemble(problem, matrix_);
        momentum_.begin(matrix_);
        go_on(matrix_, settings, time, report);
        give_back(matrix_, problem);
        conclude(problem, settings, report);
        return report;
    }

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        const TimeLimit time(settings.max_seconds);
        SolveReport report = begin(problem, settings, std::min(first_sweeps, settings.max_sweeps));
        if (report.converged) return report;
        go_on(problem, settings, time, report);
        return report;
    }

private:
    template <class Problem>
    SolveReport begin(Problem& problem, const SolverSettings& settings, int sweeps) {
        momentum_.begin(problem);
        SolverSettings few = settings;
        few.max_sweeps = sweeps;
        return run_sweeps(problem, few, [&](std::int64_t, SweepMeasure* measure) { momentum_.sweep(problem, measure); });
    }

    static double cost_of_sweep(const MatrixProblem<Dim>& problem) {
        return Dim * Dim * static_cast<double>(problem.W.block.size()) + visit_cost * static_cast<double>(problem.contacts());
    }

    /// Alternates between sweeps and Newton's method until the settings are met or a limit is hit.
    void go_on(MatrixProblem<Dim>& problem, const SolverSettings& settings, const TimeLimit& time, SolveReport& report) {
        newton_.prepare(problem);
        const double ratio = newton_.cost() / cost_of_sweep(problem);  // sweeps for the price of a factorisation
        const bool affordable = newton_.cost() < too_dear && settings.tolerance > 0.0;
        double patience = std::max<double>(first_sweeps, expected_steps * ratio), remaining = HUGE_VAL;
        while (!report.converged && report.sweeps < settings.max_sweeps && !time.is_over()) {
            const auto done = static_cast<double>(report.sweeps);
            if (affordable && done >= patience && remaining > 0.5 * patience) {
                const int budget = static_cast<int>(std::min<double>(most_steps, 4.0 * done / ratio));
                report.sweeps += newton_.improve(problem, settings, std::max(8, budget), time);
                conclude(problem, settings, report);
                momentum_.begin(problem);
                patience *= 2.0;
            } else {
                remaining = sweep_on(problem, settings, report);
            }
        }
    }

    /// Some more sweeps; returns how many are still to come as the error falls.
    double sweep_on(MatrixProblem<Dim>& problem, const SolverSettings& settings, SolveReport& report) {
        const std::int64_t some = std::max<std::int64_t>(first_sweeps / 2, report.sweeps / 4);
        SolverSettings sweeps = settings;
        sweeps.max_sweeps = static_cast<int>(std::min<std::int64_t>(some, settings.max_sweeps - report.sweeps));
        sweeps.min_sweeps = std::max(1, sweeps.max_sweeps / 2);
        const SolveReport more =
            run_sweeps(problem, sweeps, [&](std::int64_t, SweepMeasure* measure) { momentum_.sweep(problem, measure); });
        const double rate = std::log(report.error / more.error) / static_cast<double>(more.sweeps);
        report = {report.sweeps + more.sweeps, report.updates + more.updates, more.converged, more.law, more.moreau_change,
                  more.error};
        return rate > 0.0 ? std::log(report.error / settings.tolerance) / rate : HUGE_VAL;
    }

    Momentum<Dim> momentum_;
    ProximalNewton<Dim> newton_;
    MatrixProblem<Dim> matrix_;
};

}  // namespace

void register_auto(SolverRegistry& registry) {
    registry.add("auto", {[] { return std::make_unique<Auto<2>>(); }, [] { return std::make_unique<Auto<3>>(); }});
}

}  // namespace talus
