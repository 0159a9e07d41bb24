// talus run SCENE.yaml: one scene, or a grid of them.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "command.h"
#include "grid.h"
#include "outputs.h"
#include "record/output_file.h"
#include "parallel/threads.h"
#include "run_loop.h"
#include "run_summary.h"
#include "scene/scene.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

struct Options {
    std::string scene, out;
    std::vector<std::string> set;
    int threads = available_processors(), seeds = 0;
    double until = std::numeric_limits<double>::infinity();
    bool resume = false, force = false, json = false;
};

RunOptions run_options(const Options& o, const std::string& out, const Invocation& invocation) {
    return {out, o.until, o.resume, o.force, o.threads, invocation.command_line, {}};
}

void print_warnings(const RunOutcome& outcome) {
    std::fflush(stdout);
    fmt::print(stderr, "{}", warnings(outcome));
}

int run_one(const Options& o, const std::string& out, const std::vector<scene::Override>& overrides,
            const Invocation& invocation) {
    auto scene = scene::load_scene(o.scene, overrides);
    const auto outcome = run_scene(scene, run_options(o, out, invocation));
    fmt::print("{}", to_text(outcome, scene.units));
    print_warnings(outcome);
    if (outcome.exit_code != kInterrupted) write_outputs(scene.record, out);
    if (o.json) fmt::print("{}\n", to_json(outcome).dump());
    return outcome.exit_code;
}

/// A grid continues run by run: those that have a file are resumed, the others started.
RunOptions grid_options(const Options& o, const std::string& out, const Invocation& invocation) {
    RunOptions options = run_options(o, out, invocation);
    options.resume = o.resume && std::filesystem::exists(out + "/run.h5");
    return options;
}

int run_grid(const Options& o, const std::string& out, const std::vector<GridPoint>& grid, const Invocation& invocation) {
    std::vector<scene::Scene> scenes;  // all are read first: a mistake in the last one shows before hours of work
    for (const auto& point : grid) scenes.push_back(scene::load_scene(o.scene, point.overrides));
    GridTable table;
    int code = kDone;
    for (std::size_t k = 0; k < grid.size() && code != kInterrupted; ++k) {
        const std::string folder = out + "/" + grid[k].folder;
        const auto outcome = run_scene(scenes[k], grid_options(o, folder, invocation));
        fmt::print("{} of {}  {}  {}\n", k + 1, grid.size(), grid[k].folder, outcome.state);
        print_warnings(outcome);
        code = std::max(code, outcome.exit_code);
        if (outcome.exit_code == kInterrupted) break;
        write_outputs(scenes[k].record, folder);
        table.add(grid[k], to_json(outcome));
    }
    record::OutputFile file(out + "/grid.csv");
    file.write(table.csv());
    file.close();
    fmt::print("\n{}\ntable in {}/grid.csv\n", table.text(), out);
    if (o.json) fmt::print("{}\n", nlohmann::json{{"out", out}, {"table", out + "/grid.csv"}, {"runs", table.json()}}.dump());
    return code;
}

int run(const Options& o, const Invocation& invocation) {
    if (o.resume && o.force) throw InputError("--resume and --force contradict each other; give one of them");
    const std::string out = o.out.empty() ? "out/" + std::filesystem::path(o.scene).stem().string() : o.out;
    auto grid = make_grid(o.set, o.seeds, 1);
    if (grid.size() == 1 && grid.front().varied.empty() && o.seeds == 0) {
        return run_one(o, out, grid.front().overrides, invocation);
    }
    if (o.seeds > 0) {  // count from the seed the scene states
        auto first = make_grid(o.set, 0, 1).front().overrides;
        grid = make_grid(o.set, o.seeds, scene::load_scene(o.scene, first).seed);
    }
    return run_grid(o, out, grid, invocation);
}

}  // namespace

void add_run(CLI::App& app, const Invocation& invocation, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("run", "Run a scene");
    command->add_option("SCENE", o->scene, "Scene file (YAML)")->required();
    command->add_option("--out", o->out, "Folder for run.h5 and the rest [out/<scene name>]");
    command->add_option("--threads", o->threads, "Threads to compute with; results never depend on it [all processors the process may use]")->check(CLI::Range(1, 4096));
    command->add_option("--until", o->until, "Stop at this simulated time [s]")->check(CLI::NonNegativeNumber);
    command->add_flag("--resume", o->resume, "Continue the run in the folder from its last checkpoint");
    command->add_flag("--force", o->force, "Replace the run in the folder");
    command->add_option("--set", o->set, "key=value replaces a value of the scene; key=v1,v2,... makes a grid of runs")
        ->take_all()->expected(1)->allow_extra_args(false);
    command->add_option("--seeds", o->seeds, "Run with this many seeds, from the scene's on")->check(CLI::Range(1, 100000));
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, invocation, &action] { action = [o, invocation] { return run(*o, invocation); }; });
}

}  // namespace talus::cli
