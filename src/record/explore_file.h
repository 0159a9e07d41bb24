#pragma once
/// \file
/// Writes an exploration to an HDF5 file: contacts, bounds with the forces that attain them, the cloud of samples.
/// The layout is in docs/explore.md.

#include <string>

#include "explore/exploration.h"

namespace talus::record {

struct ExploreSource {
    std::string file;       ///< scene or run that was explored
    std::string command;    ///< how the program was called
    std::string version;
};

/// \throws IoError.
void write_exploration(const std::string& path, const explore::Exploration& found, const ExploreSource& source);

/// The word of the file for a bound: attained, unbounded, none, unsure.
[[nodiscard]] std::string to_string(explore::BoundKind kind);

}  // namespace talus::record
