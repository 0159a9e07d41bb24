#pragma once
/// \file
/// The contact problems of steps of a run, as FCLIB files.
///
/// A run file holds the scene that made it, and the same scene gives the same bits: the steps are made
/// again, from the last checkpoint where that comes early enough, else from the beginning. A frame that comes out
/// otherwise than it was recorded (another version of talus) is refused.

#include <cstdint>
#include <string>
#include <vector>

#include "record/export_fclib.h"
#include "record/run_reader.h"

namespace talus::cli {

struct FclibExport {
    std::vector<std::size_t> frames;     ///< the step that starts at each of them
    std::vector<std::int64_t> steps;     ///< the step that starts after so many
    record::FclibForm form = record::FclibForm::global;
    std::string folder;
};

struct FclibExported {
    std::vector<std::string> files;            ///< relative to the folder
    std::vector<std::int64_t> without_contacts;  ///< steps that had none, and no file
};

/// \throws IoError when the run cannot be made again; InputError when a step has no such form.
[[nodiscard]] FclibExported export_fclib(const record::RunReader& run, const FclibExport& what);

}  // namespace talus::cli
