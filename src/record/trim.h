#pragma once
/// \file
/// Brings a run file back to its last checkpoint, so that a resumed run appends where that one stood.

#include <string>

#include "record/slots.h"

namespace talus::record {

/// Root attributes that say what the file is.
void write_identity(const h5::File& file, int dim);

/// Drops what was written after the newest checkpoint and clears the marks a killed writer leaves.
///
/// A file that was closed cleanly with nothing to drop stays as it is. Any other is copied, object by
/// object, into a new file that then takes its place: a killed writer's record of where free space
/// begins may be stale, and appending there could overwrite live data.
/// \throws IoError when the file has no whole checkpoint.
[[nodiscard]] FoundCheckpoint trim_to_checkpoint(const std::string& path, int dim);

}  // namespace talus::record
