#pragma once
/// \file
/// What every subcommand is: options added to the parser, and a function to run when it is called.
/// One file a subcommand; `main.cpp` lists them.

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace talus::cli {

/// Exit codes [design, sec. 4].
enum ExitCode : int {
    kDone = 0,
    kCheckFailed = 1,      ///< a check failed, a run cannot go on, or an internal error
    kBadInput = 2,         ///< bad usage or scene
    kToleranceMissed = 3,  ///< where the scene demands it
    kInputOutput = 4,      ///< a file cannot be opened or written
    kInterrupted = 130
};

/// A run that cannot go on: exit code 1. `what()` says what happened and what to try.
class RunFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Gives the exit code.
using Action = std::function<int()>;

/// How the program was called, for the run file.
struct Invocation {
    std::string command_line;
};

/// Each adds its subcommand to `app` and sets `action` when it is chosen.
void add_run(CLI::App& app, const Invocation& invocation, Action& action);
void add_check(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_observe(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_explore(CLI::App& app, const Invocation& invocation, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, const Invocation& invocation, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);

}  // namespace talus::cli
