// talus check SCENE.yaml: validate and summarise. With --equilibrium: is this position an equilibrium?

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "command.h"
#include "grid.h"
#include "equilibrium.h"
#include "scene/scene.h"
#include "scene/summary.h"
#include "scene/sweep_scene.h"

namespace talus::cli {
namespace {

struct Options {
    std::string file;
    std::vector<std::string> set;
    bool equilibrium = false, json = false;
    EquilibriumOptions check;
};

int summarise_sweep(const Options& o) {
    const auto scene = scene::load_sweep_scene(o.file);
    fmt::print("a sweeping process: {} inequalities, {} points, t from {} to {} by {}\n", scene.set.size(), scene.starts.size(),
               scene.from, scene.until, scene.step);
    return kDone;
}

int summarise(const Options& o) {
    if (scene::is_sweep_scene(o.file)) return summarise_sweep(o);
    const auto scene = scene::load_scene(o.file, overrides_of(o.set));
    const auto summary = scene::summary(scene);
    fmt::print("{}", scene::to_text(summary, scene.units));
    if (o.json) fmt::print("{}\n", scene::to_json(summary).dump());
    return kDone;
}

int check(const Options& o) {
    if (!o.equilibrium) return summarise(o);
    const bool is_run = std::filesystem::path(o.file).extension() == ".h5";
    const auto found = is_run ? check_run(o.file, o.check)
                              : check_scene(scene::load_scene(o.file, overrides_of(o.set)), o.check);
    fmt::print("{}", to_text(found));
    if (o.json) fmt::print("{}\n", to_json(found).dump());
    return found.equilibrium.holds ? kDone : kCheckFailed;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("check", "Validate a scene and summarise it, run nothing");
    command->add_option("FILE", o->file, "Scene (YAML), or with --equilibrium a run file (.h5)")->required();
    command->add_option("--set", o->set, "key=value replaces a value of the scene")->take_all()->expected(1)->allow_extra_args(false);
    auto* equilibrium = command->add_flag("--equilibrium", o->equilibrium,
                                          "One step from rest: is this position an equilibrium, with which forces");
    command->add_option("--tolerance", o->check.tolerance, "Largest velocity that counts as rest, over g h [1e-6]")
        ->check(CLI::PositiveNumber)->needs(equilibrium);
    command->add_option("--forces", o->check.forces, "Write the contact forces to this CSV file")->needs(equilibrium);
    command->add_option("--frame", o->check.frame, "Frame of the run (negative: from the end) [its last checkpoint]")->needs(equilibrium);
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, &action] { action = [o] { return check(*o); }; });
}

}  // namespace talus::cli
