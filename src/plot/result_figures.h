#pragma once
/// \file
/// Figures of measurements already made, in the units they are given in. Each throws InputError when the measurement does not
/// hold what it shows.

#include <string>
#include <vector>

#include "observe/result.h"

namespace talus::plot {

/// Ring pressures from a result of the observable `rings`.
[[nodiscard]] std::string draw_rings(const observe::Result& rings);
/// The same of several runs: each thin, their mean with the standard deviation.
[[nodiscard]] std::string draw_rings(const std::vector<observe::Result>& rings, const std::string& title);

/// Free surface from a result of the observable `slope`.
[[nodiscard]] std::string draw_profile(const observe::Result& slope);

/// Contact directions: sectors with the fitted curve (plane), or the inclination (space).
[[nodiscard]] std::string draw_rose(const observe::Result& rose, const std::string& title);

/// Distribution of forces from a result of `force_distribution`.
[[nodiscard]] std::string draw_histogram(const observe::Result& distribution, const std::string& title);

/// Normal and tangential tension against the direction of the cut, from a result of `probe`.
[[nodiscard]] std::string draw_tension(const observe::Result& probe, const std::string& title);

}  // namespace talus::plot
