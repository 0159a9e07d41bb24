#pragma once
/// \file
/// Runs one scene into one folder: step after step, writing frames, reports and checkpoints as the
/// scene asks, until it is finished, `until` is reached, or a signal comes.

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/result.h"
#include "progress.h"
#include "scene/scene.h"
#include "totals.h"

namespace talus::cli {

struct RunOptions {
    std::string out;                  ///< folder of the run
    double until = std::numeric_limits<double>::infinity();  ///< stop at this simulated time [s]
    bool resume = false;              ///< continue from the last checkpoint
    bool force = false;               ///< replace a run that is there
    int threads = 1;
    std::string command_line;
    ProgressShare progress = {};      ///< where its progress is shown
};

/// How a run ended.
struct RunOutcome {
    int exit_code = 0;
    std::string state;                ///< record::kFinished, record::kInterrupted
    double time = 0.0;                ///< [s]
    std::int64_t steps = 0;
    std::int64_t bodies = 0;
    std::uint64_t frames = 0;         ///< in the run file
    std::uint64_t hash = 0;           ///< of the final state
    Totals totals;
    Clocks clocks;
    std::vector<observe::Result> observables;  ///< of the final state, SI
    std::string out;
};

/// The grains of the scene go as soon as the world has them: there may be millions.
/// \throws InputError when the folder holds a run and neither `resume` nor `force` is set, or when the
/// scene differs from the one to resume; IoError.
[[nodiscard]] RunOutcome run_scene(scene::Scene& scene, const RunOptions& options);

}  // namespace talus::cli
