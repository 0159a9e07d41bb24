#pragma once
/// \file
/// How many sweeps and how many seconds each solver needs to bring the law error down, on stored packings.
///
/// For every solver, problem and tolerance, a solve of its own from the same start: what a user gets who asks for that
/// tolerance, the looking for the error included. Sweeps are what the solver repeats, Newton steps for example, and are
/// compared within a solver only. What a solver did not reach within the limit of time is left open, and so are the
/// tolerances below. The error is judged by solve/residual.h for all. Solvers that cannot take friction are left out.

#include <functional>
#include <string>
#include <vector>

namespace talus::bench {

struct ConvergeOptions {
    std::vector<std::string> solvers;     ///< empty: all that take friction
    std::vector<std::string> problems;    ///< of `stored_problems()`; empty: all
    std::vector<double> tolerances = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};   ///< [-]
    bool worst = false;                   ///< tolerances are on the worst contact, not on the mean
    double limit = 5.0;                   ///< of one solve, on the clock [s]
    std::string folder;                   ///< of the packings; empty: `default_packing_folder()`
};

/// One solve.
struct ConvergeCell {
    double tolerance = 0.0;      ///< asked [-]
    bool reached = false;
    bool tried = false;          ///< false: a larger tolerance was not reached
    std::int64_t sweeps = 0;
    double seconds = 0.0;        ///< processor time [s]
    double law_error = 0.0, law_error_max = 0.0;   ///< at its end [-]
};

struct ConvergeRow {
    std::string problem, solver;
    int dimension = 0;
    std::size_t contacts = 0;
    std::string refused;         ///< why the solver did not take the problem; empty: it did
    std::vector<ConvergeCell> cells;
};

/// `done` hears of each row as it is finished.
/// \throws InputError on a solver, problem or tolerance that there is not.
[[nodiscard]] std::vector<ConvergeRow> measure_convergence(const ConvergeOptions& options,
                                                           const std::function<void(const std::string&)>& say,
                                                           const std::function<void(const ConvergeRow&)>& done);

}  // namespace talus::bench
