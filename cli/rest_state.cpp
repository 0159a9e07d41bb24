#include "rest_state.h"

#include <filesystem>

#include "talus/error.h"
#include "totals.h"

namespace talus::cli {

scene::Scene scene_of(const record::RunReader& run) {
    const std::filesystem::path origin(run.info().scene_path);
    return scene::load_scene_text(run.info().scene_text, origin.string(), origin.parent_path().string());
}

scene::Scene at_frame(scene::Scene scene, const std::string& run_file, std::int64_t frame) {
    for (const auto& body : scene.bodies) {
        if (body.is_made_free()) {
            throw InputError("--frame: the scene of " + run_file + " names the body '" + body.name +
                             "', which a frame does not tell from the others; leave --frame out to check the last checkpoint");
        }
    }
    scene.start = scene::StartPlan{};
    scene.start->run = run_file;
    scene.start->frame = frame;
    scene.grains.clear();
    scene.groups.clear();
    scene.freezes.clear();
    return scene;
}

template <int Dim>
scene::Simulation<Dim> restored(const scene::Scene& scene, const record::Checkpoint& checkpoint) {
    auto simulation = simulate<Dim>(scene);
    Totals totals;
    simulation.restore(unpack(checkpoint.bytes, totals).simulation);
    return simulation;
}

template scene::Simulation<2> restored<2>(const scene::Scene&, const record::Checkpoint&);
template scene::Simulation<3> restored<3>(const scene::Scene&, const record::Checkpoint&);

}  // namespace talus::cli
