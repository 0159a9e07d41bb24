#include "record/slots.h"

#include <algorithm>

#include "record/crc32.h"

namespace talus::record {
namespace {

/// Headers that are whole, newest first, each with its slot.
std::vector<std::pair<SlotHeader, int>> whole_headers(const Tables& tables) {
    std::vector<std::pair<SlotHeader, int>> found;
    for (int slot = 0; slot < 2; ++slot) {
        const Series& series = tables.slot[static_cast<std::size_t>(slot)];
        if (series.rows() != 1) continue;
        SlotHeader header;
        series.read(0, 1, &header);
        if (header.sequence > 0 && header_crc(header) == header.header_crc) found.emplace_back(header, slot);
    }
    std::sort(found.begin(), found.end(),
              [](const auto& x, const auto& y) { return x.first.sequence > y.first.sequence; });
    return found;
}

}  // namespace

std::optional<FoundCheckpoint> newest_checkpoint(const Tables& tables) {
    for (const auto& [header, slot] : whole_headers(tables)) {
        const Series& series = tables.slot_bytes[static_cast<std::size_t>(slot)];
        if (header.size > series.rows()) continue;
        FoundCheckpoint found{header, slot, std::vector<std::byte>(header.size)};
        series.read(0, header.size, found.bytes.data());
        if (crc32(found.bytes) == header.bytes_crc) return found;
    }
    return std::nullopt;
}

std::optional<SlotHeader> newest_header(const Tables& tables) {
    const auto headers = whole_headers(tables);
    if (headers.empty()) return std::nullopt;
    return headers.front().first;
}

}  // namespace talus::record
