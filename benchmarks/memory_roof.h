#pragma once
/// \file
/// The memory roof of this machine, now: how many contact updates a second one core could make if it
/// did nothing but move their bytes.

#include <cstddef>

namespace talus::bench {

/// Bytes that one update of a sphere contact moves: its record, and its share of two bodies' 64-byte
/// lines, at 2.6 contacts a body in double precision.
inline constexpr double bytes_per_update = 137.0;

struct MemoryRoof {
    double read = 0.0;     ///< sum of one long array [B/s]
    double triad = 0.0;    ///< a = b + s c, three streams counted [B/s]
    [[nodiscard]] double bandwidth() const { return read > triad ? read : triad; }
    /// Contact updates a second at that bandwidth.
    [[nodiscard]] double updates_per_second() const { return bandwidth() / bytes_per_update; }
};

/// Best of `repeats` passes of one thread over arrays of `megabytes` MB each, far beyond the caches.
[[nodiscard]] MemoryRoof measure_memory_roof(std::size_t megabytes = 128, int repeats = 5);

/// Largest resident memory of this process so far [B].
[[nodiscard]] std::size_t peak_resident_bytes();

/// Processor time this process has used so far [s]; on a busy machine more telling than the clock.
[[nodiscard]] double cpu_seconds();

}  // namespace talus::bench
