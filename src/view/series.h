#pragma once
/// \file
/// Curves of a run over time for the plots beside the picture: the step reports, thinned.

#include <nlohmann/json.hpp>

#include "record/run_reader.h"

namespace talus::view {

/// `time` and columns of the same length: states as they were at that time, losses and works added up from the start, errors
/// the largest since the point before. At most `most` points. Six digits.
[[nodiscard]] nlohmann::json series_of(const record::RunReader& reader, std::size_t most = 1200);

}  // namespace talus::view
