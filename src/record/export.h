#pragma once
/// \file
/// Exports of a run file for other programs.
///
/// VTP: `bodies.pvd`, `contacts.pvd`, `boundaries.pvd` (and `sums.pvd` when the run has sums), each a
/// time series of files in a folder of the same name. A body is a point with `id radius velocity
/// angular_velocity material` and all else that was recorded; a contact is a point with `normal_force
/// tangential_force gap status`, its bodies and its normal. Vectors have three components; forces are
/// impulse over step [N].
///
/// CSV: `bodies.csv`, `contacts.csv` (chosen frames one after the other), `reports.csv`, `walls.csv`,
/// `observables.csv` and one file for every table of an observable. SI units.

#include <cstdint>
#include <string>
#include <vector>

#include "record/run_reader.h"

namespace talus::record {

/// Which frames: `all`, `last`, or a number (negative: from the end).
/// \throws InputError when the text is neither; IoError when there is no such frame.
[[nodiscard]] std::vector<std::size_t> choose_frames(const RunInfo& info, const std::string& choice);

/// Names of the files written, relative to `folder`. \throws IoError.
std::vector<std::string> export_vtp(const RunReader& run, const std::vector<std::size_t>& frames,
                                    const std::string& folder);
std::vector<std::string> export_csv(const RunReader& run, const std::vector<std::size_t>& frames,
                                    const std::string& folder);

}  // namespace talus::record
