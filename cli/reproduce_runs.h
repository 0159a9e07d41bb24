#pragma once
/// \file
/// Makes the runs of an experiment, one after the other: scenes in this process, other commands by calling the program
/// itself. Runs that are already finished are taken as they are, interrupted ones continued.

#include <string>
#include <vector>

#include "gallery/experiment.h"
#include "gallery/run_results.h"
#include "progress.h"

namespace talus::cli {

struct ReproduceRuns {
    const gallery::Experiment& experiment;
    gallery::Scale scale;
    std::string out;          ///< folder of the experiment's output
    int seeds = 1;
    int threads = 1;
    bool judge_only = false;  ///< make nothing: what is there must be complete
    bool quiet = false;       ///< no line for each run
    std::string command_line;
};

/// Where a run of seed number `seed` (from 0) is written.
[[nodiscard]] std::string run_folder(const ReproduceRuns& plan, const gallery::RunPlan& run, int seed);

/// Reads every scene that needs no earlier run, so that mistakes show before hours of work.
/// \throws InputError with the place in expect.yaml or in the scene.
void check_scenes(const ReproduceRuns& plan);

struct RunsMade {
    int exit_code = 0;                          ///< kDone or kInterrupted
    std::vector<gallery::RunResults> results;   ///< one a seed
    std::vector<nlohmann::json> summaries;      ///< of every run
};
/// \throws InputError, IoError.
[[nodiscard]] RunsMade make_runs(const ReproduceRuns& plan);

}  // namespace talus::cli
