#pragma once
/// \file
/// One figure of one or several run files: what `talus plot` does, for other programs of this house.

#include <string>
#include <vector>

#include "observe/spec.h"

namespace talus::plot {

/// The figure `spec.name` with the options `spec.parameters` as SVG. Lengths of options are in the units of the first
/// run's scene. \throws InputError on bad options; IoError when a run cannot be read.
[[nodiscard]] std::string plot_runs(const std::vector<std::string>& run_files, observe::Spec spec);

/// `<run>-<figure>.svg`: the default name of the file.
[[nodiscard]] std::string figure_file(const std::string& run_file, const std::string& figure);

}  // namespace talus::plot
