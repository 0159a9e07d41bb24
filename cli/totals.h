#pragma once
/// \file
/// What a run adds up over its steps. Part of every checkpoint, so that a resumed run ends with the
/// totals of an uninterrupted one; clocks are kept apart, they belong to one session.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "talus/report.h"

namespace talus::cli {

/// Plain numbers only: the bytes go into the checkpoint.
struct Totals {
    double law_error = 0.0, law_error_max = 0.0;     ///< of the worst step
    std::int64_t law_error_step = 0;                 ///< which had the worst mean
    std::int64_t steps_over_tolerance = 0;
    std::int64_t first_demanded_miss = 0;            ///< step that missed a demanded tolerance; 0: none
    std::int64_t demanded_misses = 0;
    std::int64_t steps_with_gain = 0;                ///< contacts created energy
    std::int64_t updates = 0;                        ///< contacts visited
    double largest_energy = 0.0;                     ///< kinetic + |potential| [J]
    double largest_residual = 0.0;                   ///< |unclosed part| of a step [J]
    EnergyLedger energy;                             ///< sums; kinetic and potential as last seen [J]
    double momentum_residual = 0.0;                  ///< largest [-]
    double max_overlap = 0.0;                        ///< largest [-]
    double overlap_sum = 0.0;                        ///< of mean_overlap times contacts
    std::int64_t contact_steps = 0;                  ///< sum of contacts over steps
    std::int64_t contacts = 0, bodies = 0;           ///< of the last step
    // schedule of what is written
    std::int64_t frames_due = 0, reports_due = 0, checkpoints_due = 0;  ///< scheduled moments passed
    std::int64_t last_frame_step = -1;
    double sums_begin = 0.0;                         ///< start of the present interval of sums [s]

    void add(const StepReport& report, bool demands_tolerance);
    /// Largest unclosed part of a step over the largest total energy [-].
    [[nodiscard]] double energy_residual() const;
    [[nodiscard]] double mean_overlap() const;       ///< over all contacts of all steps [-]
};

/// What this session took.
struct Clocks {
    StepTimes stages;
    std::int64_t updates = 0;
    double wall = 0.0, cpu = 0.0;   ///< [s]
    std::size_t peak_bytes = 0;     ///< largest resident memory of the process [B]
    void add(const StepReport& report);
};

/// Totals and what observables remember: the beginning of a checkpoint, which the simulation's own bytes follow.
[[nodiscard]] std::vector<std::byte> pack(const Totals& totals, std::span<const std::byte> observers);
/// The parts of a checkpoint beside the totals; they point into its bytes.
struct Unpacked {
    std::span<const std::byte> observers, simulation;
};
/// The reverse. \throws IoError on bytes of another version.
[[nodiscard]] Unpacked unpack(std::span<const std::byte> bytes, Totals& totals);

}  // namespace talus::cli
