// talus sweep SCENE.yaml: a sweeping process, its paths as CSV and its picture as SVG.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "plot/sweep_picture.h"
#include "record/output_file.h"
#include "scene/sweep_scene.h"

namespace talus::cli {
namespace {

struct Options {
    std::string scene, out;
    bool json = false;
};

void write(const std::string& path, const std::string& text) {
    record::OutputFile file(path);
    file.write(text);
    file.close();
}

std::string paths_csv(const scene::SweepScene& scene, const std::vector<scene::SweepPath>& paths) {
    std::string text = scene.dimension == 2 ? "path,t,x,y,active\n" : "path,t,x,active\n";
    for (std::size_t p = 0; p < paths.size(); ++p)
        for (std::size_t k = 0; k < paths[p].time.size(); ++k) {
            text += fmt::format("{},{:.17g}", p, paths[p].time[k]);
            for (const double x : paths[p].position[k]) text += fmt::format(",{:.17g}", x);
            text += fmt::format(",{}\n", fmt::join(paths[p].active[k], " "));
        }
    return text;
}

int sweep(const Options& o) {
    const auto scene = scene::load_sweep_scene(o.scene);
    const std::string out = o.out.empty() ? "out/" + std::filesystem::path(o.scene).stem().string() : o.out;
    record::make_folder(out);
    const auto paths = scene::run_sweep(scene);
    write(out + "/paths.csv", paths_csv(scene, paths));
    write(out + "/sweep.svg", plot::draw_sweep(scene, paths));
    nlohmann::json json{{"out", out}, {"paths", nlohmann::json::array()}};
    bool converged = true;
    for (std::size_t p = 0; p < paths.size(); ++p) {
        const auto& path = paths[p];
        converged = converged && path.converged;
        const std::vector<double> end(path.position.back().begin(), path.position.back().end());
        fmt::print("point {}: ends at ({:.10g}) after a way of {:.6g}; outside by {:.1e} at most{}\n", p, fmt::join(end, ", "), path.swept,
                   path.violation, path.converged ? "" : "; a projection was not found");
        json["paths"].push_back({{"end", end}, {"swept", path.swept}, {"violation", path.violation}, {"converged", path.converged}});
    }
    fmt::print("{0}/paths.csv\n{0}/sweep.svg\n", out);
    if (o.json) fmt::print("{}\n", json.dump());
    return converged ? kDone : kCheckFailed;
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("sweep", "Run a sweeping process (docs/sweeping.md)");
    command->add_option("SCENE", o->scene, "Scene file (YAML) of kind sweeping")->required();
    command->add_option("--out", o->out, "Folder for paths.csv and sweep.svg [out/<scene name>]");
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, &action] { action = [o] { return sweep(*o); }; });
}

}  // namespace talus::cli
