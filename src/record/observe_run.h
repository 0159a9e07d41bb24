#pragma once
/// \file
/// Observables measured on the frames of a run file, after the run: any of them, also those with a memory,
/// which are shown the frames (and step reports) up to the one that is measured.
///
/// Frames that nobody wants to see are not read.

#include <cstdint>
#include <string>
#include <vector>

#include "observe/result.h"
#include "observe/spec.h"
#include "record/run_reader.h"

namespace talus::record {

/// What was measured at one frame; -1: at the end of the run.
struct Measured {
    std::int64_t frame = -1;
    double time = 0.0;                      ///< [s]
    std::vector<observe::Result> results;   ///< SI
};

/// \throws InputError on an unknown observable or parameter, or when the file lacks what an observable needs.
[[nodiscard]] std::vector<Measured> observe_run(const RunReader& run, const std::vector<observe::Spec>& specs,
                                                const std::vector<std::size_t>& frames);

/// What was measured while the run went. \throws IoError when the file is damaged.
[[nodiscard]] std::vector<Measured> recorded_observables(const RunReader& run);

/// `observables.csv` and one file for every table; names of the files, relative to `folder`. \throws IoError.
std::vector<std::string> write_observables_csv(const std::vector<Measured>& measured, const std::string& folder);

}  // namespace talus::record
