#pragma once
/// \file
/// Calls this program with other arguments and takes its answer in JSON: experiments that are no run of a scene.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace talus::cli {

struct Answer {
    int exit_code = 0;
    nlohmann::json json;   ///< last line of standard output
};

/// Runs `talus words…` in `folder`; what it prints goes to `output`.
/// \throws IoError when it cannot be started, is ended by a signal, or prints no JSON (with the end of what it printed).
[[nodiscard]] Answer call_self(const std::vector<std::string>& words, const std::string& folder, const std::string& output);

}  // namespace talus::cli
