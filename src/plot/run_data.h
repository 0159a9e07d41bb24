#pragma once
/// \file
/// A run as figures see it: frames, step reports, wall forces and stored measurements, each read when a figure asks
/// for it, from a run file or from numbers made up by a test.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "observe/result.h"
#include "observe/spec.h"
#include "step/snapshot.h"
#include "talus/report.h"

namespace talus::plot {

/// One reported step: what it said, and what the contacts gave each boundary [N s].
struct StepRow {
    StepReport report;
    std::vector<std::pair<BodyId, std::array<double, 3>>> walls;
};

/// What the scene calls things. Empty where the scene cannot be read any more (a file it names is gone).
struct SceneNames {
    std::map<std::string, std::int32_t> tags;     ///< of bodies and groups
    std::vector<observe::Spec> observables;       ///< as the scene asked for them
};

struct RunData {
    std::string name;                              ///< in legends: the folder, or the file without its ending
    int dim = 3;
    observe::UnitSystem units = observe::UnitSystem::si;
    std::vector<double> times;                     ///< of the frames [s]
    std::function<Snapshot<2>(std::size_t)> plane_at;   ///< frame k
    std::function<Snapshot<3>(std::size_t)> space_at;
    std::function<std::vector<StepRow>()> steps;
    std::function<std::vector<observe::Result>()> results;  ///< stored at frames and at the end, in order of time [SI]
    std::function<SceneNames()> names;
};

/// Frame k of a run of that dimension.
template <int Dim>
[[nodiscard]] Snapshot<Dim> frame_at(const RunData& run, std::size_t k);
template <>
[[nodiscard]] inline Snapshot<2> frame_at<2>(const RunData& run, std::size_t k) { return run.plane_at(k); }
template <>
[[nodiscard]] inline Snapshot<3> frame_at<3>(const RunData& run, std::size_t k) { return run.space_at(k); }

/// Opens a run file (or the folder that holds `run.h5`). \throws IoError.
[[nodiscard]] RunData open_run(const std::string& path);

/// The frame nearest to `time`. \throws InputError when it is not within the run.
[[nodiscard]] std::size_t nearest_frame(const RunData& run, double time);
/// Frame by number (negative: from the end) or `last`. \throws InputError when there is none.
[[nodiscard]] std::size_t numbered_frame(const RunData& run, const std::string& number);

}  // namespace talus::plot
