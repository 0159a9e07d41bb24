#pragma once
/// \file
/// Draws the figures that an experiment lists from the run files of its runs.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gallery/experiment.h"

namespace talus::gallery {

/// Writes every figure of this scale into `folder` and gives files and captions. `run_files` gives the run files of a run,
/// one a seed. \throws InputError when a figure cannot be drawn, with its place; IoError.
std::vector<std::pair<std::string, std::string>> draw_figures(const Experiment& experiment, Scale scale, const std::string& folder,
                                                              const std::function<std::vector<std::string>(const std::string& run)>& run_files);

}  // namespace talus::gallery
