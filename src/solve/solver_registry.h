#pragma once
/// \file
/// Solvers by name. A member of this open set is one file `src/solve/<name>.cpp` that defines
/// `void register_<name>(SolverRegistry&)`. Whatever a solver believes, its answer is judged by
/// `solve/residual.h`, and the report carries that judgement.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contact/problem.h"
#include "solve/matrix_problem.h"
#include "talus/report.h"
#include "talus/world.h"

namespace talus {

struct SolveReport {
    std::int64_t sweeps = 0;      ///< or iterations, whatever the solver repeats
    std::int64_t updates = 0;
    bool converged = true;
    LawError law;
    double moreau_change = 0.0;   ///< largest |H_N dS_N| of the last cycle [m/s]
    double error = 0.0;           ///< the error asked for by `settings.error`, as judged
};

/// Finds impulses that satisfy every law of the problem. On return the velocities of the problem are
/// recomputed from the impulses.
template <int Dim>
class Solver {
public:
    virtual ~Solver() = default;
    virtual SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) = 0;
    virtual SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) = 0;
    [[nodiscard]] virtual bool takes_links() const { return false; }    ///< joints, couples, elliptic cones, static friction
    [[nodiscard]] virtual bool takes_friction() const { return true; }
    [[nodiscard]] virtual std::size_t bytes() const { return 0; }       ///< held from solve to solve, factorisations left out
};

/// A solver that works on the matrix form, whichever form it is given.
template <int Dim>
class MatrixSolver : public Solver<Dim> {
public:
    using Solver<Dim>::solve;
    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) final;
    [[nodiscard]] std::size_t bytes() const override { return matrix_.bytes(); }

private:
    MatrixProblem<Dim> matrix_;
};

class SolverRegistry {
public:
    struct Factories {
        std::function<std::unique_ptr<Solver<2>>()> in_plane;
        std::function<std::unique_ptr<Solver<3>>()> in_space;
    };
    void add(const std::string& name, Factories factories) { factories_[name] = std::move(factories); }
    /// \throws InputError naming the solvers there are.
    template <int Dim>
    [[nodiscard]] std::unique_ptr<Solver<Dim>> make(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> names() const;

private:
    [[nodiscard]] const Factories& find(const std::string& name) const;
    std::map<std::string, Factories> factories_;
};

void register_members(SolverRegistry& registry);
[[nodiscard]] const SolverRegistry& solver_registry();

}  // namespace talus
