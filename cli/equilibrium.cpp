#include "equilibrium.h"

#include <fmt/format.h>

#include <vector>

#include "record/export.h"
#include "record/output_file.h"
#include "rest_state.h"
#include "scene/simulation.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

/// Contacts with their forces [N], one a line.
template <int Dim>
void write_forces(const std::string& path, const World<Dim>& world) {
    static constexpr const char* kAxes[] = {"x", "y", "z"};
    std::string text = "a,b,feature";
    for (const char* name : {"point_", "normal_", "force_"}) {
        for (int k = 0; k < Dim; ++k) text += fmt::format(",{}{}", name, kAxes[k]);
    }
    text += ",gap,status,normal_force,tangential_force\n";
    const double h = world.step_length();
    for (const auto& c : world.contacts()) {
        text += fmt::format("{},{},{}", c.a, c.b, c.feature);
        const Vec<Dim> force = c.impulse / h;
        for (const Vec<Dim>& v : {c.point, c.normal, force}) {
            for (int k = 0; k < Dim; ++k) text += fmt::format(",{}", v[k]);
        }
        const double normal = force.dot(c.normal);
        text += fmt::format(",{},{},{},{}\n", c.gap, static_cast<int>(c.status), normal, (force - normal * c.normal).norm());
    }
    record::OutputFile file(path);
    file.write(text);
    file.close();
}

template <int Dim>
EquilibriumFound check_world(World<Dim>& world, const EquilibriumOptions& options) {
    EquilibriumFound found{world.check_equilibrium(options.tolerance), options.tolerance, options.forces};
    if (!options.forces.empty()) write_forces(options.forces, world);
    return found;
}

template <int Dim>
EquilibriumFound check_dimension(const scene::Scene& scene, const EquilibriumOptions& options) {
    auto simulation = simulate<Dim>(scene);
    return check_world(simulation.world(), options);
}

template <int Dim>
EquilibriumFound check_checkpoint(const scene::Scene& scene, const record::Checkpoint& checkpoint,
                                  const EquilibriumOptions& options) {
    auto simulation = restored<Dim>(scene, checkpoint);
    return check_world(simulation.world(), options);
}

}  // namespace

EquilibriumFound check_scene(const scene::Scene& scene, const EquilibriumOptions& options) {
    if (options.frame) throw InputError("--frame: a scene has no frames; give a run file");
    return scene.dimension == 2 ? check_dimension<2>(scene, options) : check_dimension<3>(scene, options);
}

EquilibriumFound check_run(const std::string& run_file, const EquilibriumOptions& options) {
    const record::RunReader run(run_file);
    auto scene = scene_of(run);
    if (options.frame) {
        EquilibriumOptions rest = options;
        rest.frame.reset();
        return check_scene(at_frame(std::move(scene), run_file, *options.frame), rest);
    }
    const auto checkpoint = run.checkpoint();
    if (!checkpoint) throw IoError(run_file + ": has no complete checkpoint; choose a frame with --frame");
    return scene.dimension == 2 ? check_checkpoint<2>(scene, *checkpoint, options)
                                : check_checkpoint<3>(scene, *checkpoint, options);
}

std::string to_text(const EquilibriumFound& found) {
    const Equilibrium& e = found.equilibrium;
    std::string text = fmt::format("equilibrium: {}\n", e.holds ? "yes" : "no");
    text += fmt::format("  largest velocity       {:.3g} of g h = {:.3g} m/s (tolerance {:.3g})\n",
                        e.v_ref > 0.0 ? e.max_velocity / e.v_ref : e.max_velocity, e.v_ref, found.tolerance);
    text += fmt::format("  contacts               {}, {} with a force\n", e.report.contacts, e.report.working_contacts);
    text += fmt::format("  law error              {:.3g} mean, {:.3g} worst contact, {} sweeps{}\n", e.report.law.mean,
                        e.report.law.max, e.report.sweeps, e.report.converged ? "" : " (tolerance missed)");
    if (!found.forces.empty()) text += "  forces                 " + found.forces + "\n";
    return text;
}

nlohmann::json to_json(const EquilibriumFound& found) {
    const Equilibrium& e = found.equilibrium;
    return {{"equilibrium", e.holds},
            {"max_velocity", e.max_velocity},
            {"v_ref", e.v_ref},
            {"max_velocity_over_v_ref", e.v_ref > 0.0 ? nlohmann::json(e.max_velocity / e.v_ref) : nlohmann::json()},
            {"tolerance", found.tolerance},
            {"contacts", e.report.contacts},
            {"working_contacts", e.report.working_contacts},
            {"law_error", e.report.law.mean},
            {"law_error_max", e.report.law.max},
            {"sweeps", e.report.sweeps},
            {"converged", e.report.converged}};
}

}  // namespace talus::cli
