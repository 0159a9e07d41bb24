#pragma once
/// \file
/// CRC-32 (IEEE 802.3, reflected polynomial 0xEDB88320): tells a checkpoint that was written whole
/// from one that was cut short. Not a defence against intent.

#include <cstddef>
#include <cstdint>
#include <span>

namespace talus::record {

/// The checksum that zlib's `crc32` and Python's `zlib.crc32` give for the same bytes. They may come piece by piece: `before` is that of those
/// that went before.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace talus::record
