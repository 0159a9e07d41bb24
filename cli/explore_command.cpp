// talus explore SCENE.yaml|RUN.h5: the set of equilibrium forces of a state at rest.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "command.h"
#include "grid.h"
#include "explore_figures.h"
#include "explore_report.h"
#include "explore_words.h"
#include "plot/cloud.h"
#include "progress.h"
#include "record/explore_file.h"
#include "record/output_file.h"
#include "rest_state.h"
#include "scene/scene.h"
#include "talus/error.h"
#include "talus/version.h"

namespace talus::cli {
namespace {

struct Options {
    std::string file, out, order = "forward", start = "random";
    std::vector<std::string> set;
    std::optional<std::int64_t> frame;
    std::optional<double> touch;
    std::vector<int> plane;
    bool bounds = false, json = false;
    ExploreWords words;
    explore::SampleSettings samples;
};

explore::SampleSettings sample_settings(const Options& o) {
    explore::SampleSettings s = o.samples;
    if (o.bounds) s.count = 0;
    s.random_order = o.order == "random";
    s.start = o.start == "zero" ? explore::Start::zero : o.start == "carried" ? explore::Start::found : explore::Start::random;
    return s;
}

std::optional<std::pair<std::size_t, std::size_t>> plane_of(const Options& o, std::size_t quantities) {
    if (o.plane.empty()) return {};
    for (const int k : o.plane)
        if (k < 1 || static_cast<std::size_t>(k) > quantities)
            throw InputError(fmt::format("--plane: there are quantities 1 to {}, no {}", quantities, k));
    return std::pair{static_cast<std::size_t>(o.plane[0] - 1), static_cast<std::size_t>(o.plane[1] - 1)};
}

struct Explored {
    explore::Exploration found;
    NamedFigures figures;
    double fastest = 0.0;   ///< speed of the state that is explored as if it were at rest [m/s]
};

template <int Dim>
double fastest_of(const World<Dim>& world) {
    double speed = 0.0;
    for (const auto& v : world.velocities()) speed = std::max(speed, v.norm());
    return speed;
}

template <int Dim>
Explored explore_state(scene::Simulation<Dim>& simulation, const Options& o) {
    World<Dim>& world = simulation.world();
    if (o.touch) {
        auto settings = world.settings();
        settings.rule = ContactRule::moreau;
        settings.touch = *o.touch;
        world.set_settings(settings);
    }
    const explore::SampleSettings samples = sample_settings(o);
    const double fastest = fastest_of(world);
    explore::Explorer<Dim> explorer(world, samples);
    {
        ProgressBar bar;
        for (int k = 0; k < samples.count; ++k) {
            explorer.add_sample();
            bar.update((k + 1.0) / samples.count, k + 1, "samples");
        }
    }
    add_named(simulation, o.words, explorer);
    if (!o.words.names_quantities()) explorer.add_default_quantities(body_names(simulation));
    Explored out{explorer.finish(plane_of(o, explorer.result().quantities.size())), {}, fastest};
    out.figures = draw_states(world, out.found, simulation.scene().units);
    return out;
}

template <int Dim>
Explored explore_run(const record::RunReader& run, const Options& o) {
    if (o.frame) {
        auto simulation = simulate<Dim>(at_frame(scene_of(run), o.file, *o.frame));
        return explore_state(simulation, o);
    }
    const auto checkpoint = run.checkpoint();
    if (!checkpoint) throw IoError(o.file + ": has no complete checkpoint; choose a frame with --frame");
    auto simulation = restored<Dim>(scene_of(run), *checkpoint);
    return explore_state(simulation, o);
}

Explored explore_file(const Options& o) {
    if (std::filesystem::path(o.file).extension() == ".h5") {
        if (!o.set.empty()) throw InputError("--set changes a scene; a run is as it was made");
        const record::RunReader run(o.file);
        return run.info().dimension == 2 ? explore_run<2>(run, o) : explore_run<3>(run, o);
    }
    if (o.frame) throw InputError("--frame: a scene has no frames; give a run file");
    const auto scene = scene::load_scene(o.file, overrides_of(o.set));
    const auto at_start = [&](auto simulation) { return explore_state(simulation, o); };
    return scene.dimension == 2 ? at_start(simulate<2>(scene)) : at_start(simulate<3>(scene));
}

std::string default_folder(const std::string& file) {
    const std::filesystem::path path(file);
    std::string name = path.stem().string();
    if (path.extension() == ".h5" && path.has_parent_path()) name = std::filesystem::absolute(path).parent_path().filename().string();
    return "out/explore/" + name;
}

void write_text(const std::string& path, const std::string& text) {
    record::OutputFile file(path);
    file.write(text);
    file.close();
}

/// explore.h5 and the figures; the names of what was written.
std::vector<std::string> write_files(const Explored& explored, const Options& o, const std::string& command_line) {
    const explore::Exploration& found = explored.found;
    const std::string out = o.out.empty() ? default_folder(o.file) : o.out;
    record::make_folder(out);
    std::vector<std::string> written{out + "/explore.h5"};
    record::write_exploration(written.back(), found, {o.file, command_line, TALUS_VERSION});
    if (found.plane && found.existence != "none") {
        written.push_back(out + "/forces.svg");
        write_text(written.back(), plot::draw_cloud(found));
    }
    if (found.samples.stay > 0 && found.samples.move > 0) {
        written.push_back(out + "/starts.svg");
        write_text(written.back(), plot::draw_starts(found));
    }
    for (const auto& [name, text] : explored.figures) {
        written.push_back(out + "/" + name);
        write_text(written.back(), text);
    }
    return written;
}

int run_explore(const Options& o, const Invocation& invocation) {
    const auto explored = explore_file(o);
    const auto& found = explored.found;
    if (explored.fastest > 0.0)
        fmt::print("the bodies move, at up to {:.3g} m/s: their state is explored as if they were at rest\n", explored.fastest);
    fmt::print("{}", to_text(found));
    const auto written = write_files(explored, o, invocation.command_line);
    fmt::print("\nwritten:");
    for (const auto& path : written) fmt::print(" {}", path);
    fmt::print("\n");
    if (o.json) {
        auto json = to_json(found);
        json["files"] = written;
        json["fastest"] = explored.fastest;
        fmt::print("{}\n", json.dump());
    }
    if (!found.is_consistent()) return kCheckFailed;
    return found.is_unsure() ? kToleranceMissed : kDone;
}

void add_sampling(CLI::App& command, Options& o) {
    o.samples.count = 100;
    command.add_option("--samples", o.samples.count, "Samples to draw [100]")->check(CLI::Range(0, 10000000));
    command.add_option("--seed", o.samples.seed, "Of the random starts and orders [1]");
    command.add_option("--start", o.start, "Where a sample's sweeps start: random, zero, or carried (the state's own forces) [random]")
        ->check(CLI::IsMember({"random", "zero", "carried"}));
    command.add_option("--range", o.samples.range, "Random normal impulses reach up to this many m g h, m the mean mass [20]")->check(CLI::PositiveNumber);
    command.add_option("--order", o.order, "Order of a sample's sweeps: forward, or random (drawn once a sample) [forward]")
        ->check(CLI::IsMember({"forward", "random"}));
    command.add_option("--solver", o.samples.solver.name, "Sweeping solver of a sample; another one starts from the same impulses [nlgs]");
    command.add_option("--tolerance", o.samples.solver.tolerance, "Mean law error of a sample [1e-11]")->check(CLI::PositiveNumber);
    command.add_option("--max-sweeps", o.samples.solver.max_sweeps, "Of a sample [200000]")->check(CLI::PositiveNumber);
    command.add_flag("--bounds", o.bounds, "Exact answers only: no samples");
}

}  // namespace

void add_explore(CLI::App& app, const Invocation& invocation, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("explore", "Equilibrium forces of a state at rest: exact bounds, samples, collapse loads");
    command->add_option("FILE", o->file, "Scene (YAML) as it starts, or run file (.h5)")->required();
    command->add_option("--set", o->set, "key=value replaces a value of the scene")->take_all()->expected(1)->allow_extra_args(false);
    command->add_option("--frame", o->frame, "Frame of the run (negative: from the end) [its last checkpoint]");
    command->add_option("--touch", o->touch, "Count gaps up to this many smaller diameters as closed [as the scene says]")->check(CLI::NonNegativeNumber);
    const auto repeated = [&](const char* name, std::vector<std::string>& to, const char* words) {
        command->add_option(name, to, words)->take_all()->expected(1)->allow_extra_args(false);
    };
    repeated("--contact", o->words.contacts, "A,B[,K][:normal|tangent|x|y|z]: force between two bodies (in their K-th contact)");
    repeated("--wall", o->words.walls, "NAME[:x|y|z]: force of all that touches a body on it");
    repeated("--cut", o->words.cuts, "x=0.5[:normal|x|y|z], or in the plane \"0,0 to 1,1\": force across a cut");
    repeated("--collapse", o->words.collapses, "\"acceleration x\", \"force BODY x\" or \"torque BODY\": multiples that can be borne");
    command->add_option("--plane", o->plane, "Two quantities, by number in the table, for the picture [the first two that vary]")->expected(2)->delimiter(',');
    add_sampling(*command, *o);
    command->add_option("--out", o->out, "Folder for explore.h5 and the figures [out/explore/<name>]");
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, invocation, &action] { action = [o, invocation] { return run_explore(*o, invocation); }; });
}

}  // namespace talus::cli
