// talus observe RUN.h5 [WHAT...]: observables measured on the frames of a run, after it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "command.h"
#include "observe/registry.h"
#include "record/export.h"
#include "record/observe_run.h"
#include "rest_state.h"
#include "scene/document.h"
#include "scene/load_observe.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

struct Options {
    std::string run, csv, frame = "last";
    std::vector<std::string> what;
    bool json = false, list = false;
};

const char* needs_text(observe::Needs needs) {
    switch (needs) {
        case observe::Needs::frame: return "frame";
        case observe::Needs::frames: return "frames";
        case observe::Needs::reports: return "reports";
        case observe::Needs::steps: return "steps";
    }
    return "";
}

int print_list() {
    fmt::print("{:<20} {:<6} {:<8} {}\n", "name", "dim", "needs", "measures");
    for (const auto& d : observe::list_observables())
        fmt::print("{:<20} {:<6} {:<8} {}\n", d.name, d.in_2d && d.in_3d ? "2, 3" : d.in_2d ? "2" : "3", needs_text(d.needs), d.summary);
    fmt::print("needs: one frame; earlier frames too; the report of every step; or, unless told otherwise, every step (only while running)\n");
    return kDone;
}

/// A file by its ending; everything else is YAML on the command line: a name, or {name: ..., ...}.
std::vector<observe::Spec> specs_of(const Options& o, const scene::Scene& scene) {
    if (o.what.empty()) return scene.observe;
    std::vector<observe::Spec> specs;
    for (const auto& what : o.what) {
        const auto ending = std::filesystem::path(what).extension();
        const bool is_file = ending == ".yaml" || ending == ".yml";
        for (auto& spec : scene::load_observe_text(is_file ? scene::file_text(what) : what, is_file ? what : "'" + what + "'", scene))
            specs.push_back(std::move(spec));
    }
    return specs;
}

std::string json_text(const Options& o, const std::vector<record::Measured>& measured) {
    auto frames = nlohmann::json::array();
    for (const auto& at : measured) {
        auto results = nlohmann::json::array();
        for (const auto& result : at.results) results.push_back(observe::to_json(result));
        frames.push_back({{"frame", at.frame}, {"time", at.time}, {"observables", std::move(results)}});
    }
    return nlohmann::json{{"run", o.run}, {"frames", std::move(frames)}}.dump();
}

int observe_command(const Options& o) {
    if (o.list) return print_list();
    if (o.run.empty()) throw InputError("observe: give the run file, or --list for the observables there are");
    const record::RunReader run(o.run);
    const auto scene = scene_of(run);
    const auto specs = specs_of(o, scene);
    if (specs.empty()) throw InputError("observe: the scene of " + o.run + " asks for no observable; name some (talus observe --list)");
    const auto measured = record::observe_run(run, specs, record::choose_frames(run.info(), o.frame));
    if (!o.csv.empty())
        for (const auto& file : record::write_observables_csv(measured, o.csv)) fmt::print("{}/{}\n", o.csv, file);
    if (o.json) {
        fmt::print("{}\n", json_text(o, measured));
        return kDone;
    }
    if (!o.csv.empty()) return kDone;
    for (const auto& at : measured) {
        fmt::print("frame {} at t = {} s\n", at.frame, observe::format_number(at.time, 9));
        for (const auto& result : at.results) fmt::print("{}", observe::to_text(observe::in_units(result, scene.units)));
    }
    return kDone;
}

}  // namespace

void add_observe(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("observe", "Measure observables on the frames of a run");
    command->add_option("RUN", o->run, "Run file (run.h5)");
    command->add_option("WHAT", o->what, "Observables: names, '{name: ..., ...}', or files .yaml with a list of those [what the scene asks for]");
    command->add_option("--frame", o->frame, "Frame number (negative: from the end), all or last [last]");
    command->add_option("--csv", o->csv, "Folder for observables.csv and a file for every table");
    command->add_flag("--json", o->json, "Print one JSON object, SI units");
    command->add_flag("--list", o->list, "Print the observables there are");
    command->callback([o, &action] { action = [o] { return observe_command(*o); }; });
}

}  // namespace talus::cli
