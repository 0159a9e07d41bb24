#pragma once
/// \file
/// The two checkpoint slots of a run file: which one holds the newest whole checkpoint.

#include <optional>

#include "record/tables.h"

namespace talus::record {

/// The newest checkpoint that is whole: header and bytes agree with their checksums.
struct FoundCheckpoint {
    SlotHeader header;
    int slot = 0;
    std::vector<std::byte> bytes;
};

[[nodiscard]] std::optional<FoundCheckpoint> newest_checkpoint(const Tables& tables);
/// The header alone, not checked against the bytes. For listings.
[[nodiscard]] std::optional<SlotHeader> newest_header(const Tables& tables);

}  // namespace talus::record
