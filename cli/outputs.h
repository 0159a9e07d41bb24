#pragma once
/// \file
/// What stands beside `run.h5` when a run is done: CSV and VTP where the scene asks for them, and
/// `report.html`.

#include <string>

#include "scene/scene.h"

namespace talus::cli {

/// CSV into `out/csv` (bodies and contacts of the last frame, everything else of the whole run), VTP
/// into `out/vtp` (all frames), `out/report.html`. \throws IoError.
void write_outputs(const scene::RecordPlan& plan, const std::string& out);

}  // namespace talus::cli
