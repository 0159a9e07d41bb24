#pragma once
/// \file
/// Where an axis is marked: at round numbers.

#include <string>
#include <vector>

namespace talus::plot {

/// Round numbers (1, 2 or 5 times a power of ten apart) in [low, high], about `wanted` of them.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int wanted);

/// Powers of ten in [low, high], thinned to about `wanted`; 1-2-5 steps when they span less than two.
[[nodiscard]] std::vector<double> log_ticks(double low, double high, int wanted);

/// Labels with the digits needed to tell them apart, and no more.
[[nodiscard]] std::vector<std::string> tick_labels(const std::vector<double>& ticks);

/// Labels of a log axis: 0.01 to 1000 as they are, other powers of ten as powers.
[[nodiscard]] std::vector<std::string> log_tick_labels(const std::vector<double>& ticks);

}  // namespace talus::plot
