#pragma once
/// \file
/// All series of a run file, created together before the run starts (SWMR allows no later) and opened
/// together afterwards; and where each ends as seen from a checkpoint.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/layout.h"
#include "record/run_file.h"
#include "record/series.h"

namespace talus::record {

/// A group with one series a column, all of the same length; absent where the plan left it out.
struct ColumnGroup {
    std::vector<std::optional<Series>> columns;  ///< in the order of columns.h; empty group: none
    [[nodiscard]] bool exists() const { return !columns.empty(); }
};

struct Tables {
    Series frames, reports, walls, observables, observables_text, shapes, shape_sizes, summaries, summaries_text;
    std::array<Series, 2> slot, slot_bytes;
    ColumnGroup bodies, contacts, sums;

    static Tables create(const h5::File& file, int dim, const Plan& plan);
    static Tables open(const h5::File& file, int dim);
    /// Names of the recorded body arrays.
    [[nodiscard]] std::vector<std::string> body_arrays(int dim) const;
};

/// Row counts of every series.
struct Ends {
    std::uint64_t frames = 0, bodies = 0, contacts = 0, sums = 0;
    std::uint64_t reports = 0, walls = 0;
    std::uint64_t observables = 0, observables_text = 0;
    std::uint64_t shapes = 0, shape_sizes = 0;
    std::uint64_t summaries = 0, summaries_text = 0;
};

/// The rows that belong to the past of a checkpoint.
[[nodiscard]] Ends ends_at(const Tables& tables, const SlotHeader& header);
/// Every series with the number of rows it should have.
[[nodiscard]] std::vector<std::pair<const Series*, std::uint64_t>> lengths(const Tables& tables, const Ends& ends);


}  // namespace talus::record
