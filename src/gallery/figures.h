#pragma once
/// \file
/// Draws the figures that an experiment lists from the run files of its runs.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gallery/experiment.h"

namespace talus::gallery {

struct Figures {
    std::vector<std::pair<std::string, std::string>> drawn;   ///< file and caption
    std::vector<std::string> complaints;                      ///< of those that could not be drawn, with their places
};

/// Writes every figure of this scale into `folder`. `run_files` gives the run files of a run, one a seed. A figure that cannot be drawn
/// from what was recorded is no reason to withhold a verdict. \throws IoError when a file cannot be written.
[[nodiscard]] Figures draw_figures(const Experiment& experiment, Scale scale, const std::string& folder,
                                   const std::function<std::vector<std::string>(const std::string& run)>& run_files);

}  // namespace talus::gallery
