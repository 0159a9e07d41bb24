#pragma once
/// \file
/// The outcome of a run in words and in JSON.

#include <nlohmann/json.hpp>
#include <string>

#include "observe/units.h"
#include "run_loop.h"

namespace talus::cli {

/// The keys of design.md section 4, then more.
[[nodiscard]] nlohmann::json to_json(const RunOutcome& outcome);
/// A tidy block for people; energies and observables in the scene's units.
[[nodiscard]] std::string to_text(const RunOutcome& outcome, observe::UnitSystem units);
/// Lines for standard error: what a user should know before trusting the run. May be empty.
[[nodiscard]] std::string warnings(const RunOutcome& outcome);

}  // namespace talus::cli
