#include "bench/converge.h"

#include <algorithm>
#include <limits>

#include "bench/roof.h"
#include "bench/stored_packing.h"
#include "solve/residual.h"
#include "solve/solver_registry.h"
#include "talus/error.h"

namespace talus::bench {
namespace {

SolverSettings settings_for(const std::string& solver, double tolerance, const ConvergeOptions& options) {
    SolverSettings settings;
    settings.name = solver;
    settings.tolerance = tolerance;
    settings.tolerance_max = options.worst ? tolerance : 0.0;  // the worst is never below the mean
    settings.max_sweeps = std::numeric_limits<int>::max();
    settings.max_seconds = options.limit;
    return settings;
}

template <int Dim>
ConvergeCell solve_to(const ContactProblem<Dim>& start, const std::string& name, double tolerance, const ConvergeOptions& options) {
    ContactProblem<Dim> problem = start;
    const SolverSettings settings = settings_for(name, tolerance, options);
    const auto solver = solver_registry().make<Dim>(name);
    const double begin = cpu_seconds();
    const SolveReport report = solver->solve(problem, settings);
    ConvergeCell cell{.tolerance = tolerance, .tried = true, .sweeps = report.sweeps, .seconds = cpu_seconds() - begin};
    const LawError error = judge(problem);
    cell.law_error = error.mean;
    cell.law_error_max = error.max;
    cell.reached = meets(error, settings);
    return cell;
}

template <int Dim>
ConvergeRow measure_row(const ContactProblem<Dim>& start, const std::string& problem, const std::string& solver,
                        const ConvergeOptions& options) {
    ConvergeRow row{.problem = problem, .solver = solver, .dimension = Dim, .contacts = start.contacts(), .refused = {}, .cells = {}};
    try {
        for (const double tolerance : options.tolerances) {
            const bool hopeless = !row.cells.empty() && !row.cells.back().reached;
            row.cells.push_back(hopeless ? ConvergeCell{.tolerance = tolerance} : solve_to(start, solver, tolerance, options));
        }
    } catch (const InputError& error) {
        row.refused = error.what();
        row.cells.clear();
    }
    return row;
}

std::vector<std::string> chosen_solvers(const ConvergeOptions& options) {
    const auto& registry = solver_registry();
    for (const std::string& name : options.solvers) static_cast<void>(registry.make<3>(name));  // throws when there is none
    if (!options.solvers.empty()) return options.solvers;
    std::vector<std::string> names;
    for (const std::string& name : registry.names())
        if (registry.make<3>(name)->takes_friction()) names.push_back(name);
    return names;
}

std::vector<StoredProblem> chosen_problems(const ConvergeOptions& options) {
    const auto& all = stored_problems();
    if (options.problems.empty()) return all;
    std::vector<StoredProblem> chosen;
    for (const std::string& name : options.problems) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const StoredProblem& p) { return p.name == name; });
        if (found == all.end()) {
            std::string known;
            for (const StoredProblem& p : all) known += (known.empty() ? "" : ", ") + p.name;
            throw InputError("bench converge: no stored problem '" + name + "'; there are " + known);
        }
        chosen.push_back(*found);
    }
    return chosen;
}

void check(const ConvergeOptions& options) {
    if (options.tolerances.empty()) throw InputError("bench converge: --tolerances needs at least one number");
    for (const double tolerance : options.tolerances)
        if (!(tolerance > 0.0)) throw InputError("bench converge: tolerances must be above 0");
    if (!(options.limit > 0.0)) throw InputError("bench converge: --limit must be above 0");
}

}  // namespace

std::vector<ConvergeRow> measure_convergence(const ConvergeOptions& options, const std::function<void(const std::string&)>& say,
                                             const std::function<void(const ConvergeRow&)>& done) {
    check(options);
    ConvergeOptions sorted = options;
    std::sort(sorted.tolerances.begin(), sorted.tolerances.end(), std::greater<>());
    const auto solvers = chosen_solvers(options);
    const std::string folder = options.folder.empty() ? default_packing_folder() : options.folder;
    std::vector<ConvergeRow> rows;
    for (const StoredProblem& stored : chosen_problems(options)) {
        const AnyProblem problem = load_problem(stored, folder, say);
        for (const std::string& solver : solvers) {
            say(stored.name + ", " + solver);
            rows.push_back(std::visit([&](const auto& p) { return measure_row(p, stored.name, solver, sorted); }, problem));
            done(rows.back());
        }
    }
    return rows;
}

}  // namespace talus::bench
