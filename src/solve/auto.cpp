/// \file
/// The solver that chooses: accelerated sweeps, and Newton's method where sweeps would take longer.
///
/// Everything starts with sweeps, on the bodies where there are bodies; links stay with them. The cost of a factorisation is known
/// from the graph of the contacts before any number is factorised, in the same units as that of a sweep;
/// Newton's method is tried when the sweeps made, and the sweeps still to come as the error falls, cost as much as
/// it is likely to take. If it gets nowhere within its budget, sweeps go on from the better impulses, now by gradual
/// steps, until they have cost as much as it did; and so on in turn: the worse of the two at most doubles the time. Choices follow from counts, never from a clock: the same problem gives the same bits.
#include "math/portable.h"
#include "solve/momentum.h"
#include "solve/proximal_newton.h"

namespace talus {
namespace {

/// Sweeps before the graph is looked at, which costs some sweeps itself, and more where W must be made first.
constexpr int first_sweeps = 40, first_sweeps_on_bodies = 120;
/// Factorisations that a solve by Newton's method is expected to take, and those it may take at once.
constexpr double expected_steps = 12.0;
constexpr int most_steps = 100;
/// Cost of visiting a contact beyond its row of W, in multiplications.
constexpr double visit_cost = 40.0;
/// A factorisation beyond this does not fit in memory [multiplications].
constexpr double too_dear = 2e11;

template <int Dim>
class Auto final : public Solver<Dim> {
public:
    [[nodiscard]] bool takes_links() const override { return true; }
    [[nodiscard]] std::size_t bytes() const override { return momentum_.bytes() + matrix_.bytes(); }

    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) override {
        refuse_variants(settings, "auto");
        const TimeLimit time(settings.max_seconds);
        // Links have no matrix form; a tolerance of 0 asks for all sweeps.
        const bool stays = !problem.links.empty() || settings.tolerance == 0.0;
        const int first = stays ? settings.max_sweeps : first_sweeps_on_bodies;
        SolveReport report = begin(problem, settings, first);
        if (is_done(report, settings, time)) return report;
        assemble(problem, matrix_);
        const double patience = look_at(matrix_, settings);
        double remaining = HUGE_VAL;
        while (!is_done(report, settings, time)) {
            if (static_cast<double>(report.sweeps) < patience || remaining <= 0.5 * patience) {
                remaining = sweep_on(problem, settings, report);
                continue;
            }
            assemble(problem, matrix_);
            go_on(matrix_, settings, time, patience, report);
            give_back(matrix_, problem);
            conclude(problem, settings, report);
            break;
        }
        return report;
    }

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        refuse_variants(settings, "auto");
        const TimeLimit time(settings.max_seconds);
        SolveReport report = begin(problem, settings, settings.tolerance == 0.0 ? settings.max_sweeps : first_sweeps);
        if (!is_done(report, settings, time)) go_on(problem, settings, time, look_at(problem, settings), report);
        return report;
    }

private:
    static bool is_done(const SolveReport& report, const SolverSettings& settings, const TimeLimit& time) {
        return report.converged || !std::isfinite(report.error) || report.sweeps >= settings.max_sweeps || time.is_over();
    }

    template <class Problem>
    SolveReport begin(Problem& problem, const SolverSettings& settings, int sweeps) {
        if constexpr (std::is_same_v<Problem, ContactProblem<Dim>>) momentum_.begin(problem, settings.kernel);
        else momentum_.begin(problem);
        SolverSettings few = settings;
        few.max_sweeps = std::min(sweeps, settings.max_sweeps);
        few.min_sweeps = std::min(settings.min_sweeps, few.max_sweeps);
        return run_sweeps(problem, few, MomentumSweeps<Dim, Problem>{momentum_, problem});
    }

    /// Sweeps after which Newton's method is worth a trial: infinity where it never is.
    double look_at(const MatrixProblem<Dim>& problem, const SolverSettings& settings) {
        const double sweep_cost = Dim * Dim * static_cast<double>(problem.W.block.size()) +
                                  visit_cost * static_cast<double>(problem.contacts());
        const double most = std::min(too_dear, sweep_cost * settings.max_sweeps / expected_steps);
        if (!(settings.tolerance > 0.0) || !newton_.prepare(problem, most)) return HUGE_VAL;
        ratio_ = newton_.cost() / sweep_cost;
        return std::max<double>(first_sweeps, expected_steps * ratio_);
    }

    /// Alternates between sweeps and Newton's method until the settings are met or a limit is hit.
    void go_on(MatrixProblem<Dim>& problem, const SolverSettings& settings, const TimeLimit& time, double patience,
               SolveReport& report) {
        double remaining = HUGE_VAL;
        while (!is_done(report, settings, time)) {
            const auto done = static_cast<double>(report.sweeps);
            if (done < patience || remaining <= 0.5 * expected_steps * ratio_) {
                remaining = sweep_on(problem, settings, report);
                continue;
            }
            const int budget = static_cast<int>(std::min<double>(most_steps, 8.0 * done / ratio_));
            const int steps = newton_.improve(problem, settings, std::max(8, budget), time);
            report.sweeps += steps;
            conclude(problem, settings, report);
            momentum_.begin(problem, true);
            patience = static_cast<double>(report.sweeps) + ratio_ * steps;
            remaining = HUGE_VAL;
        }
    }

    /// Some more sweeps; returns how many are still to come as the error falls.
    template <class Problem>
    double sweep_on(Problem& problem, const SolverSettings& settings, SolveReport& report) {
        const std::int64_t some = std::max<std::int64_t>(first_sweeps, report.sweeps / 3);
        SolverSettings sweeps = settings;
        sweeps.max_sweeps = static_cast<int>(std::min<std::int64_t>(some, settings.max_sweeps - report.sweeps));
        sweeps.min_sweeps = std::max(1, sweeps.max_sweeps / 2);
        const SolveReport more =
            run_sweeps(problem, sweeps, MomentumSweeps<Dim, Problem>{momentum_, problem});
        const double rate = portable::log(report.error / more.error) / static_cast<double>(more.sweeps);
        report = {report.sweeps + more.sweeps, report.updates + more.updates, more.converged, more.law, more.moreau_change,
                  more.error};
        return rate > 0.0 ? portable::log(report.error / settings.tolerance) / rate : HUGE_VAL;
    }

    Momentum<Dim> momentum_;
    ProximalNewton<Dim> newton_;
    MatrixProblem<Dim> matrix_;
    double ratio_ = 1.0;   ///< sweeps for the price of a factorisation
};

}  // namespace

void register_auto(SolverRegistry& registry) {
    registry.add("auto", {[] { return std::make_unique<Auto<2>>(); }, [] { return std::make_unique<Auto<3>>(); }});
}

}  // namespace talus
