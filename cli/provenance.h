#pragma once
/// \file
/// Where and when this program runs, for the run file.

#include <cstdint>
#include <string>

#include "record/run_file.h"

namespace talus::cli {

[[nodiscard]] record::Provenance provenance(const std::string& command_line, std::uint64_t seed, int threads);

}  // namespace talus::cli
