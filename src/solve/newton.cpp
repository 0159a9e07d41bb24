/// \file
/// The accurate solver: proximal point with nonsmooth Newton inside, started by accelerated sweeps.
///
/// Reaches rounding in a few dozen factorisations where sweeps need 10^5: tall stacks, walls, hyperstatic
/// clusters. A factorisation costs as much as 10 sweeps in the plane or for a few hundred contacts, as much as
/// thousands of them for 10^4 contacts in space: there the sweeps win, and `auto` knows. Where Newton's method
/// finds no way on, more sweeps are made and it is tried again.
#include "solve/proximal_newton.h"

namespace talus {
namespace {

constexpr int first_sweeps = 30;
constexpr int steps_at_once = 100;
/// Multiplications of a factorisation that would take minutes and gigabytes.
constexpr double most_cost = 1e12;

template <int Dim>
class Newton final : public MatrixSolver<Dim> {
public:
    using MatrixSolver<Dim>::solve;

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        refuse_variants(settings, "newton");
        SolveReport report;
        const TimeLimit time(settings.max_seconds);
        if (!(settings.tolerance > 0.0)) throw InputError("solver 'newton' needs a tolerance above 0");
        bool prepared = false;
        double before = HUGE_VAL;
        for (int sweeps = first_sweeps;; sweeps *= 2) {
            sweep(problem, settings, time, sweeps, report);
            if (is_done(report, settings, time)) break;
            if (!prepared && !newton_.prepare(problem, most_cost))
                throw InputError("solver 'newton': these contacts take more memory to factorise than is sensible; use 'auto'");
            prepared = true;
            const auto left = std::min<std::int64_t>(steps_at_once, settings.max_sweeps - report.sweeps);
            report.sweeps += newton_.improve(problem, settings, static_cast<int>(left), time);
            conclude(problem, settings, report);
            // Where neither sweeps nor Newton's method lower the error, rounding is reached or there is no solution.
            if (is_done(report, settings, time) || !(report.error < before)) break;
            before = report.error;
        }
        return report;
    }

private:
    static bool is_done(const SolveReport& report, const SolverSettings& settings, const TimeLimit& time) {
        return report.converged || !std::isfinite(report.error) || report.sweeps >= settings.max_sweeps || time.is_over();
    }

    /// Some sweeps, counted with the steps.
    void sweep(MatrixProblem<Dim>& problem, const SolverSettings& settings, const TimeLimit& time, int sweeps, SolveReport& report) {
        SolverSettings some = settings;
        some.max_sweeps = static_cast<int>(std::min<std::int64_t>(sweeps, settings.max_sweeps - report.sweeps));
        some.max_seconds = time.left();
        const SolveReport made = sweeps_->solve(problem, some);
        report.sweeps += made.sweeps;
        report.updates += made.updates;
        report.moreau_change = made.moreau_change;
        report.law = made.law;
        report.error = made.error;
        report.converged = made.converged;
    }

    std::unique_ptr<Solver<Dim>> sweeps_ = solver_registry().make<Dim>("accelerated");
    ProximalNewton<Dim> newton_;
};

}  // namespace

void register_newton(SolverRegistry& registry) {
    registry.add("newton", {[] { return std::make_unique<Newton<2>>(); }, [] { return std::make_unique<Newton<3>>(); }});
}

}  // namespace talus
