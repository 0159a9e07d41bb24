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
        SolverSettings sweeps = settings;
        for (sweeps.max_sweeps = first_sweeps;; sweeps.max_sweeps *= 2) {
            report.updates += sweeps_->solve(problem, sweeps).updates;
            conclude(problem, settings, report);
            if (report.converged || problem.contacts() == 0) break;
            if (report.sweeps >= settings.max_sweeps || time.is_over()) break;
            if (!prepared && !newton_.prepare(problem, most_cost))
                throw InputError("solver 'newton': these contacts take more memory to factorise than is sensible; use 'auto'");
            prepared = true;
            const auto left = std::min<std::int64_t>(steps_at_once, settings.max_sweeps - report.sweeps);
            report.sweeps += newton_.improve(problem, settings, static_cast<int>(left), time);
            conclude(problem, settings, report);
            if (report.converged || time.is_over()) break;
        }
        return report;
    }

private:
    std::unique_ptr<Solver<Dim>> sweeps_ = solver_registry().make<Dim>("accelerated");
    ProximalNewton<Dim> newton_;
};

}  // namespace

void register_newton(SolverRegistry& registry) {
    registry.add("newton", {[] { return std::make_unique<Newton<2>>(); }, [] { return std::make_unique<Newton<3>>(); }});
}

}  // namespace talus
