#pragma once
/// \file
/// Small statistics of lists of numbers. NaN where there are too few.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace talus::observe {

[[nodiscard]] inline double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// Slope of the least-squares line of y on x.
[[nodiscard]] inline double trend(const std::vector<double>& x, const std::vector<double>& y) {
    const auto n = static_cast<double>(x.size());
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        mean_x += x[k] / n;
        mean_y += y[k] / n;
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
        xx += (x[k] - mean_x) * (x[k] - mean_x);
        xy += (x[k] - mean_x) * (y[k] - mean_y);
    }
    return x.size() > 1 && xx > 0.0 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace talus::observe
