#pragma once
/// \file
/// Contact problems that solvers are compared on: packings at rest, the same for every run.
///
/// Each is a scene (text in stored_packing.cpp) with a time until which it is run. The state at that time is kept as a checkpoint
/// in a folder, named after the scene's text, and found there the next time: so a change of a solver does not
/// change what solvers are compared on. The problem is that of the next step: `cold` with all impulses zero; `warm`
/// with the impulses of the step before, and gravity tilted by two degrees.
///
/// Limits: a folder filled by another version of talus may hold states that this one cannot read; they are made again.

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "contact/problem.h"

namespace talus::bench {

/// How a stored problem starts.
enum class Start { cold, warm };

struct StoredProblem {
    std::string name;        ///< of the problem: that of its packing and, where there are two, of its start
    std::string packing;     ///< of the scene
    Start start = Start::cold;
    std::string what;        ///< one line for people
};

using AnyProblem = std::variant<ContactProblem<2>, ContactProblem<3>>;

/// All there are, the cheap ones first.
[[nodiscard]] const std::vector<StoredProblem>& stored_problems();
/// The folder used when none is named: talus/packings in the user's cache.
[[nodiscard]] std::string default_packing_folder();

/// The problem; its packing is made and stored in `folder` when it is not there. `say` hears of that.
/// \throws IoError when the folder cannot be written.
[[nodiscard]] AnyProblem load_problem(const StoredProblem& problem, const std::string& folder,
                                      const std::function<void(const std::string&)>& say);

}  // namespace talus::bench
