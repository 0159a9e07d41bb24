#include "record/crc32.h"

#include <zlib.h>

namespace talus::record {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
    if (bytes.empty()) return before;   // zlib takes no bytes at no address for a question of its own
    return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace talus::record
