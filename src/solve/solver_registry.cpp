#include "solve/solver_registry.h"

#include "solve/residual.h"

namespace talus {

const SolverRegistry::Factories& SolverRegistry::find(const std::string& name) const {
    const auto it = factories_.find(name);
    if (it != factories_.end()) return it->second;
    std::string known;
    for (const auto& [key, factories] : factories_) known += (known.empty() ? "" : ", ") + key;
    throw InputError("unknown solver '" + name + "'; the solvers are " + known);
}

std::vector<std::string> SolverRegistry::names() const {
    std::vector<std::string> names;
    for (const auto& [key, factories] : factories_) names.push_back(key);
    return names;
}

template <int Dim>
SolveReport MatrixSolver<Dim>::solve(ContactProblem<Dim>& problem, const SolverSettings& settings) {
    assemble(problem, matrix_);
    SolveReport report = this->solve(matrix_, settings);
    give_back(matrix_, problem);
    conclude(problem, settings, report);
    return report;
}

template class MatrixSolver<2>;
template class MatrixSolver<3>;

template <>
std::unique_ptr<Solver<2>> SolverRegistry::make<2>(const std::string& name) const { return find(name).in_plane(); }
template <>
std::unique_ptr<Solver<3>> SolverRegistry::make<3>(const std::string& name) const { return find(name).in_space(); }

const SolverRegistry& solver_registry() {
    static const SolverRegistry registry = [] {
        SolverRegistry r;
        register_members(r);
        return r;
    }();
    return registry;
}

}  // namespace talus
