#pragma once
/// \file
/// How often values fall into equal bins, as a table.

#include <algorithm>
#include <vector>

#include "observe/table.h"

namespace talus::observe {

/// Bins of [0, max); the density is over all values, those outside included.
[[nodiscard]] inline Table histogram(const std::vector<double>& values, std::size_t bins, double max) {
    std::vector<double> counts(bins, 0.0);
    const double width = max / static_cast<double>(bins);
    for (const double value : values)
        if (value >= 0.0 && value < max) ++counts[std::min(bins - 1, static_cast<std::size_t>(value / width))];
    TableBuilder table("histogram");
    table.column("low").column("high").column("count").column("density");
    for (std::size_t k = 0; k < bins; ++k) {
        const double low = static_cast<double>(k) * width;
        table.put(low).put(low + width).put(counts[k]).put(counts[k] / (static_cast<double>(values.size()) * width));
    }
    return table.take();
}

}  // namespace talus::observe
