#pragma once
/// \file
/// What `talus explore` found, in words and in JSON.

#include <nlohmann/json.hpp>
#include <string>

#include "explore/exploration.h"

namespace talus::cli {

[[nodiscard]] std::string to_text(const explore::Exploration& found);
[[nodiscard]] nlohmann::json to_json(const explore::Exploration& found);

}  // namespace talus::cli
