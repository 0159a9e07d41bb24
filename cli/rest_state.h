#pragma once
/// \file
/// A state to be judged as it stands: a scene's start, a frame or the last checkpoint of a run.

#include <cstdint>
#include <optional>
#include <string>

#include "record/run_reader.h"
#include "scene/simulation.h"
#include "start_frame.h"

namespace talus::cli {

/// The scene that made a run.
[[nodiscard]] scene::Scene scene_of(const record::RunReader& run);

/// The scene of a run, its grains replaced by those of a frame. A ball or free solid that the scene names would
/// come twice, once from the scene and once from the frame: such a scene is refused.
[[nodiscard]] scene::Scene at_frame(scene::Scene scene, const std::string& run_file, std::int64_t frame);

template <int Dim>
[[nodiscard]] scene::Simulation<Dim> simulate(const scene::Scene& scene) {
    return scene::Simulation<Dim>(scene, [](const scene::StartPlan& plan) { return start_frame<Dim>(plan); });
}

/// The simulation as a checkpoint of the program left it.
template <int Dim>
[[nodiscard]] scene::Simulation<Dim> restored(const scene::Scene& scene, const record::Checkpoint& checkpoint);

extern template scene::Simulation<2> restored<2>(const scene::Scene&, const record::Checkpoint&);
extern template scene::Simulation<3> restored<3>(const scene::Scene&, const record::Checkpoint&);

}  // namespace talus::cli
