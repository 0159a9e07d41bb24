#pragma once
/// \file
/// The table of all results, docs/gallery.md, from the result.json files of experiments.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace talus::gallery {

/// All result.json below the folders, by experiment, full scale before quick; of the same experiment and scale the latest counts.
/// \throws IoError when a folder or file cannot be read.
[[nodiscard]] std::vector<nlohmann::json> collect_results(const std::vector<std::string>& folders);

/// A page in Markdown: a summary of all experiments, then one table of claims each.
[[nodiscard]] std::string results_page(const std::vector<nlohmann::json>& results);

}  // namespace talus::gallery
