#pragma once
/// \file
/// Solvers by name. A member of this open set is one file `src/solve/<name>.cpp` that defines
/// `void register_<name>(SolverRegistry&)`. Whatever a solver believes, its answer is judged by
/// `solve/residual.h`, and the report carries that judgement.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "contact/problem.h"
#include "talus/report.h"
#include "talus/world.h"

namespace talus {

struct SolveReport {
    std::int64_t sweeps = 0;
    std::int64_t updates = 0;
    bool converged = true;
    LawError law;
    double moreau_change = 0.0;   ///< largest |H_N dS_N| of the last cycle [m/s]
};

/// Finds impulses that satisfy every law of the problem. On return the lines of the problem are the
/// velocities recomputed from the impulses.
template <int Dim>
class Solver {
public:
    virtual ~Solver() = default;
    virtual SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) = 0;
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

private:
    [[nodiscard]] const Factories& find(const std::string& name) const;
    std::map<std::string, Factories> factories_;
};

void register_members(SolverRegistry& registry);
[[nodiscard]] const SolverRegistry& solver_registry();

}  // namespace talus
