// One contact problem in FCLIB form, solved by a solver of Siconos: the peer that `siconos.py` runs beside
// `talus solve`. It prints the same JSON keys. The time is that of Siconos' driver alone, and the impulses
// are judged by the judge of talus, whatever Siconos believes. Where Siconos leaves a choice it has the faster
// one: W by blocks (by columns for NSN_FB), and Gauss-Seidel stops on the full error, seen every tenth sweep; its
// default, the change of a sweep, may go on long after the error is met (benchmarks/README.md has what was tried).

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "record/fclib.h"
#include "solve/residual.h"
#include "talus/error.h"

namespace {

using namespace talus;

struct Method {
    int solver;
    int local = 0;         ///< solver of one contact; 0: Siconos' choice
    bool by_blocks = true;
};

const std::map<std::string, Method> kMethods3 = {
    {"NSGS", {SICONOS_FRICTION_3D_NSGS}},
    {"NSGS-nsn", {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN}},
    {"NSGS-poc", {SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration}},
    {"PROX", {SICONOS_FRICTION_3D_PROX}},
    {"PROX-nsgs", {SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS}},
    {"NSN_AC", {SICONOS_FRICTION_3D_NSN_AC}},
    {"NSN_FB", {SICONOS_FRICTION_3D_NSN_FB, 0, false}},
    {"ADMM", {SICONOS_FRICTION_3D_ADMM}},
};
const std::map<std::string, Method> kMethods2 = {
    {"NSGS", {SICONOS_FRICTION_2D_NSGS}},
    {"CPG", {SICONOS_FRICTION_2D_CPG}},
    {"LEMKE", {SICONOS_FRICTION_2D_LEMKE}},
};

struct Options {
    std::string problem, solver = "NSGS";
    double tolerance = 1e-8, max_seconds = 20.0;
    int max_iterations = 100000000, repeat = 1;
};

/// Siconos frees nothing of what is given to it here, and the program ends after one problem: nothing is freed.
template <class T>
T* array(std::size_t count) {
    return static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
}

template <int Dim>
NumericsMatrix* by_blocks(const BlockMatrix<Dim>& W) {
    const std::size_t rows = W.rows(), blocks = W.block.size();
    NumericsMatrix* matrix = NM_create(NM_SPARSE_BLOCK, static_cast<int>(Dim * rows), static_cast<int>(Dim * rows));
    SparseBlockStructuredMatrix* s = matrix->matrix1;
    s->nbblocks = static_cast<unsigned>(blocks);
    s->blocknumber0 = s->blocknumber1 = static_cast<unsigned>(rows);
    s->blocksize0 = array<unsigned>(rows);
    s->blocksize1 = s->blocksize0;
    s->filled1 = rows + 1;
    s->filled2 = blocks;
    s->index1_data = array<std::size_t>(rows + 1);
    s->index2_data = array<std::size_t>(blocks);
    s->block = array<double*>(blocks);
    for (std::size_t k = 0; k < rows; ++k) {
        s->blocksize0[k] = static_cast<unsigned>(Dim * (k + 1));
        s->index1_data[k + 1] = static_cast<std::size_t>(W.begin[k + 1]);
    }
    for (std::size_t e = 0; e < blocks; ++e) {
        s->index2_data[e] = static_cast<std::size_t>(W.column[e]);
        s->block[e] = array<double>(Dim * Dim);
        std::memcpy(s->block[e], W.block[e].data(), sizeof(double) * Dim * Dim);
    }
    return matrix;
}

template <int Dim>
NumericsMatrix* by_columns(const BlockMatrix<Dim>& W) {
    const auto size = static_cast<int>(Dim * W.rows());
    NumericsMatrix* matrix = NM_create(NM_SPARSE, size, size);
    NM_triplet_alloc(matrix, static_cast<int>(W.block.size() * Dim * Dim));
    matrix->matrix2->origin = NSM_TRIPLET;
    for (std::size_t k = 0; k < W.rows(); ++k)
        for (std::int32_t e = W.begin[k]; e < W.begin[k + 1]; ++e)
            for (int i = 0; i < Dim; ++i)
                for (int j = 0; j < Dim; ++j)
                    if (W.block[e](i, j) != 0.0)
                        NM_entry(matrix, static_cast<int>(Dim * k) + i, Dim * W.column[e] + j, W.block[e](i, j));
    (void)NM_csc(matrix);
    return matrix;
}

SolverOptions* make_options(const Method& method, const Options& o) {
    SolverOptions* options = solver_options_create(method.solver);
    options->dparam[SICONOS_DPARAM_TOL] = o.tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = o.max_iterations;
    if (method.solver == SICONOS_FRICTION_3D_NSGS) {
        options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
        options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 10;
    }
    if (method.local != 0) solver_options_update_internal(options, 0, method.local);
    return options;
}

nlohmann::json result;  // what the alarm prints

void out_of_time(int) {
    result["status"] = "time_limit";
    const std::string text = result.dump() + "\n";
    (void)!write(STDOUT_FILENO, text.data(), text.size());
    _exit(0);
}

/// The limit is on processor time: what else the machine does is nobody's fault.
void set_alarm(double seconds) {
    std::signal(SIGPROF, out_of_time);
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
    setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Of this thread: the clock of the process ticks coarsely while an alarm is set on it.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <int Dim>
void solve(MatrixProblem<Dim> problem, const Method& method, const Options& o) {
    Eigen::VectorXd q = to_stacked<Dim>(problem.q), r(q.size()), u(q.size());
    double best = std::numeric_limits<double>::infinity(), best_cpu = best;
    int info = 0, iterations = 0;
    for (int k = 0; k < o.repeat; ++k) {
        NumericsMatrix* W = method.by_blocks ? by_blocks(problem.W) : by_columns(problem.W);
        FrictionContactProblem* contact = frictionContactProblem_new_with_data(
            Dim, static_cast<int>(problem.contacts()), W, q.data(), problem.mu.data());
        SolverOptions* options = make_options(method, o);
        r.setZero();
        u.setZero();
        if (k == 0) set_alarm(o.max_seconds);
        const double cpu = cpu_seconds();
        const auto start = std::chrono::steady_clock::now();
        info = Dim == 2 ? fc2d_driver(contact, r.data(), u.data(), options) : fc3d_driver(contact, r.data(), u.data(), options);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        best_cpu = std::min(best_cpu, cpu_seconds() - cpu);
        iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    }
    set_alarm(0.0);
    problem.r = to_contacts<Dim>(r);
    refresh_velocities(problem);
    const NaturalError error = natural_error(problem);
    result.update({{"info", info}, {"iterations", iterations}, {"seconds", best}, {"cpu_seconds", best_cpu}, {"error", error.relative},
                   {"error_absolute", error.absolute},
                   {"status", error.relative <= o.tolerance ? "converged" : "missed"}});
}

template <int Dim>
void solve_file(const record::FclibProblem& file, const Options& o) {
    const auto& methods = file.dimension == 2 ? kMethods2 : kMethods3;
    const auto method = methods.find(o.solver);
    if (method == methods.end()) throw InputError("there is no solver '" + o.solver + "' for this dimension");
    auto problem = file.is_global() ? condense(record::to_global_problem<Dim>(file)).problem
                                    : record::to_matrix_problem<Dim>(file);
    result["contacts"] = problem.contacts();
    solve(std::move(problem), method->second, o);
}

void list_solvers() {
    for (const auto& [name, method] : kMethods3) fmt::print("3 {}\n", name);
    for (const auto& [name, method] : kMethods2) fmt::print("2 {}\n", name);
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    bool list = false;
    CLI::App app("One FCLIB problem, solved by Siconos");
    app.add_option("PROBLEM", o.problem);
    app.add_option("--solver", o.solver, "A name of --list");
    app.add_option("--tol", o.tolerance, "Tolerance given to Siconos [1e-8]");
    app.add_option("--max-seconds", o.max_seconds, "Stop after that time [20]");
    app.add_option("--max-iterations", o.max_iterations, "Limit given to Siconos");
    app.add_option("--repeat", o.repeat, "Solve that often and state the shortest time [1]");
    app.add_flag("--list", list, "Dimensions and names of the solvers, one a line");
    CLI11_PARSE(app, argc, argv);
    if (list) {
        list_solvers();
        return 0;
    }
    result = {{"file", o.problem}, {"solver", o.solver}, {"tolerance", o.tolerance}};
    try {
        const auto file = record::read_fclib(o.problem);
        if (file.dimension == 2) solve_file<2>(file, o);
        else solve_file<3>(file, o);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
    fmt::print("{}\n", result.dump());
    return 0;
}
