#pragma once
/// \file
/// Names and row types of the run file's series, in one place for writer, reader and trimmer.
/// docs/run-file.md is this header in words.

#include <string>
#include <vector>

#include "record/run_file.h"
#include "record/series.h"

namespace talus::record {

inline constexpr const char* kFormat = "talus run";

/// A stretch of text in a byte series.
struct TextRow {
    std::int64_t frame = -1;
    double time = 0.0;
    std::uint64_t begin = 0, count = 0;
};

struct ShapeRow {
    char name[32]{};
    std::uint64_t begin = 0, count = 0;  ///< its sizes
};

/// Says that a checkpoint slot is whole, and how much of the file belongs to its past.
struct SlotHeader {
    std::uint64_t sequence = 0;   ///< 0: never written
    std::int64_t step = 0;
    double time = 0.0;
    std::uint64_t size = 0;       ///< [byte]
    std::uint64_t frames = 0, reports = 0, observables = 0, shapes = 0;  ///< rows written before it
    std::uint64_t bytes_crc = 0;
    std::uint64_t header_crc = 0; ///< of all fields above
};

[[nodiscard]] RowType frame_row(int dim);
[[nodiscard]] RowType report_row();
[[nodiscard]] RowType wall_row(int dim);
[[nodiscard]] RowType text_row();
[[nodiscard]] RowType shape_row();
[[nodiscard]] RowType slot_row();
[[nodiscard]] std::string slot_name(int slot);          ///< "checkpoints/header0"
[[nodiscard]] std::string slot_bytes_name(int slot);    ///< "checkpoints/bytes0"
[[nodiscard]] std::uint64_t header_crc(const SlotHeader& header);

}  // namespace talus::record
