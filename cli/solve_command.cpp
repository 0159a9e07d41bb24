// talus solve PROBLEM.hdf5...: contact problems in FCLIB form.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "record/fclib.h"
#include "solve/residual.h"
#include "solve/solver_registry.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

constexpr const char* kDefaultSolver = "auto";

struct Options {
    std::vector<std::string> problems;
    std::string solver = kDefaultSolver, error = "full", start = "zero", out;
    double tolerance = 1e-8, max_seconds = 60.0;
    int max_iterations = 1000000, repeat = 1;
    bool json = false, list = false;
};

/// Everything that is said about one problem.
struct Outcome {
    std::string file, status;
    std::int64_t contacts = 0, bodies = 0, freedoms = 0;
    int dimension = 0;
    double seconds = 0.0, cpu_seconds = 0.0, seconds_condense = 0.0;
    SolveReport report;
    NaturalError natural;
    BipotentialGap gap;
};

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Watch {
public:
    [[nodiscard]] double cpu_seconds() const { return processor_seconds() - cpu_start_; }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    double cpu_start_ = processor_seconds();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

SolverSettings settings_of(const Options& o) {
    if (!(o.tolerance > 0.0) || !std::isfinite(o.tolerance)) throw InputError("solve: --tol must be above 0");
    if (!(o.max_seconds >= 0.0)) throw InputError("solve: --max-seconds must be 0 (no limit) or above");
    if (o.max_iterations < 1) throw InputError("solve: --max-iterations must be at least 1");
    if (o.repeat < 1) throw InputError("solve: --repeat must be at least 1");
    SolverSettings settings;
    settings.name = o.solver;
    settings.tolerance = o.tolerance;
    settings.error = o.error == "law" ? ErrorKind::law : o.error == "gap" ? ErrorKind::gap : ErrorKind::full;
    settings.max_sweeps = o.max_iterations;
    settings.max_seconds = o.max_seconds;
    return settings;
}

std::string status_of(const Outcome& outcome, const Options& o) {
    if (!std::isfinite(outcome.natural.relative)) return "failed";
    if (outcome.report.converged) return "converged";
    if (outcome.report.sweeps >= o.max_iterations) return "iteration_limit";
    if (o.max_seconds > 0.0 && outcome.seconds >= o.max_seconds) return "time_limit";
    return "stalled";
}

Eigen::VectorXd start_of(const record::FclibProblem& file, const Options& o) {
    if (o.start == "zero") return {};
    const Eigen::VectorXd& start = o.start == "guess" ? file.guess : file.solution;
    if (start.size() == 0 && !file.mu.empty())
        throw InputError(o.start == "guess" ? "there is no /guesses/1/r to start from; use --start zero"
                                            : "there is no /solution/r to start from; use --start zero");
    return start;
}

/// Rigid bodies where the freedoms are a whole number of them, else the groups of freedoms that M couples.
template <int Dim>
std::int64_t count_bodies(const CondensedProblem<Dim>& condensed) {
    const auto dof = condensed.push.rows();
    return dof % freedoms<Dim> == 0 ? dof / freedoms<Dim> : condensed.groups;
}

/// Solves as often as asked, each time from the same start, and keeps the shortest time.
template <int Dim>
void solve_matrix(MatrixProblem<Dim>& problem, const Options& o, Outcome& outcome) {
    const SolverSettings settings = settings_of(o);
    const auto start = problem.r;
    for (int k = 0; k < o.repeat; ++k) {
        problem.r = start;
        const Watch watch;
        const auto solver = solver_registry().make<Dim>(o.solver);
        outcome.report = solver->solve(problem, settings);
        const double seconds = watch.seconds(), cpu = watch.cpu_seconds();
        outcome.seconds = k == 0 ? seconds : std::min(outcome.seconds, seconds);
        outcome.cpu_seconds = k == 0 ? cpu : std::min(outcome.cpu_seconds, cpu);
    }
    outcome.report.law = judge(problem);  // refreshes u as well: what is reported is that of the impulses
    outcome.natural = natural_error(problem);
    outcome.gap = bipotential_gap(problem);
    outcome.contacts = static_cast<std::int64_t>(problem.contacts());
    outcome.dimension = Dim;
    outcome.status = status_of(outcome, o);
}

template <int Dim>
Outcome solve_problem(const record::FclibProblem& file, const Options& o) {
    Outcome outcome;
    CondensedProblem<Dim> condensed;
    if (file.is_global()) {
        const auto global = record::to_global_problem<Dim>(file);
        const Watch watch;
        condensed = condense(global);
        outcome.seconds_condense = watch.seconds();
        outcome.freedoms = condensed.push.rows();
        outcome.bodies = count_bodies(condensed);
    } else {
        condensed.problem = record::to_matrix_problem<Dim>(file);
    }
    auto& problem = condensed.problem;
    if (const auto start = start_of(file, o); start.size() > 0) problem.r = to_contacts<Dim>(start);
    solve_matrix(problem, o, outcome);
    if (!o.out.empty()) {
        const record::FclibSolution solution{to_stacked<Dim>(problem.u), to_stacked<Dim>(problem.r),
                                             file.is_global() ? condensed.velocities() : Eigen::VectorXd()};
        record::write_fclib(o.out, file, record::FclibLayout::columns, &solution);
    }
    return outcome;
}

Outcome solve_file(const std::string& path, const Options& o) {
    const auto file = record::read_fclib(path);
    Outcome outcome;
    try {
        outcome = file.dimension == 2 ? solve_problem<2>(file, o) : solve_problem<3>(file, o);
    } catch (const InputError& error) {
        throw InputError(path + ": " + error.what());
    }
    outcome.file = path;
    return outcome;
}

nlohmann::json to_json(const Outcome& r, const Options& o) {
    return {{"file", r.file},
            {"dimension", r.dimension},
            {"contacts", r.contacts},
            {"bodies", r.bodies},
            {"freedoms", r.freedoms},
            {"solver", o.solver},
            {"status", r.status},
            {"iterations", r.report.sweeps},
            {"seconds", r.seconds},
            {"cpu_seconds", r.cpu_seconds},
            {"seconds_condense", r.seconds_condense},
            {"tolerance", o.tolerance},
            {"tolerance_on", o.error},
            {"error", r.natural.relative},
            {"error_absolute", r.natural.absolute},
            {"law_error", r.report.law.mean},
            {"law_error_max", r.report.law.max},
            {"moreau_change", r.report.moreau_change},
            {"gap", r.gap.relative},
            {"gap_absolute", r.gap.absolute},
            {"gap_moved_impulse", r.gap.moved_r},
            {"gap_moved_velocity", r.gap.moved_u}};
}

/// File names of a table without the part that all have in common.
std::string short_name(const std::string& path, std::size_t width) {
    return path.size() <= width ? path : "..." + path.substr(path.size() - width + 3);
}

void print_heading(std::size_t width) {
    fmt::print("{:<{}} {:>8} {:>10} {:>10} {:>9} {:>9} {:>9} {:>9}  {}\n", "problem", width, "contacts", "iterations",
               "seconds", "error", "absolute", "law error", "gap", "status");
}

void print_row(const Outcome& r, std::size_t width) {
    fmt::print("{:<{}} {:>8} {:>10} {:>10.3g} {:>9.2e} {:>9.2e} {:>9.2e} {:>9.2e}  {}\n", short_name(r.file, width), width,
               r.contacts, r.report.sweeps, r.seconds + r.seconds_condense, r.natural.relative, r.natural.absolute,
               r.report.law.mean, r.gap.relative, r.status);
}

void check_options(const Options& o) {
    if (o.problems.empty()) throw InputError("solve: give at least one problem file, or --list-solvers");
    (void)settings_of(o);
    (void)solver_registry().make<3>(o.solver);  // a wrong name is said once, before anything is read
    if (o.out.empty()) return;
    if (o.problems.size() > 1) throw InputError("solve: --out takes the answer to one problem; solve them one by one");
    std::error_code ignored;
    if (std::filesystem::equivalent(o.out, o.problems.front(), ignored))
        throw InputError(o.out + ": --out names the problem itself, which is never changed; give another file");
}

int solve_all(const Options& o) {
    check_options(o);
    std::size_t width = 7;
    for (const auto& path : o.problems) width = std::clamp<std::size_t>(path.size(), width, 60);
    if (!o.json) print_heading(width);
    int code = kDone;
    for (const auto& path : o.problems) {
        try {
            const Outcome outcome = solve_file(path, o);
            if (o.json) fmt::print("{}\n", to_json(outcome, o).dump());
            else print_row(outcome, width);
            if (outcome.status != "converged" && code == kDone) code = kToleranceMissed;
        } catch (const InputError& error) {
            if (o.problems.size() == 1) throw;
            fmt::print(stderr, "{}\n", error.what());  // the others may be sound
            code = kBadInput;
        }
        std::fflush(stdout);
    }
    return code;
}

std::string solver_names() {
    std::string text;
    for (const auto& name : solver_registry().names()) text += (text.empty() ? "" : ", ") + name;
    return text;
}

int list_or_solve(const Options& o) {
    if (!o.list) return solve_all(o);
    for (const auto& name : solver_registry().names()) fmt::print("{}\n", name);
    return kDone;
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("solve", "Solve contact problems in FCLIB form (HDF5)");
    command->add_option("PROBLEM", o->problems, "Problem files, local or global form, 2D or 3D");
    command->add_option("--solver", o->solver, fmt::format("One of {} [{}]", solver_names(), o->solver));
    command->add_option("--tol", o->tolerance, "What the error must not exceed [1e-8]");
    command->add_option("--error", o->error, "Which error: full (Siconos' natural map), law or gap [full]")
        ->check(CLI::IsMember({"law", "full", "gap"}));
    command->add_option("--max-seconds", o->max_seconds, "Stop a solve after that time, 0: never [60]");
    command->add_option("--max-iterations", o->max_iterations, "Stop a solve after that many iterations [1000000]");
    command->add_option("--start", o->start, "Impulses to start from: zero, guess (/guesses/1/r) or solution (/solution/r) [zero]")
        ->check(CLI::IsMember({"zero", "guess", "solution"}));
    command->add_option("--repeat", o->repeat, "Solve that often from the same start and state the shortest time [1]");
    command->add_option("--out", o->out, "Write the problem with its /solution to this file");
    command->add_flag("--list-solvers", o->list, "Print the names of the solvers, one a line, and do nothing else");
    command->add_flag("--json", o->json, "One JSON object a problem, one a line, instead of the table");
    command->callback([o, &action] { action = [o] { return list_or_solve(*o); }; });
}

}  // namespace talus::cli
