#include "plot/run_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "record/run_reader.h"
#include "scene/document.h"
#include "scene/scene.h"
#include "talus/error.h"

namespace talus::plot {

namespace {

using Reader = std::shared_ptr<const record::RunReader>;

/// The folder's name for `out/pile/run.h5`, else the file's own.
std::string name_of(const std::filesystem::path& file) {
    const auto folder = std::filesystem::absolute(file).parent_path().filename().string();
    return file.stem() == "run" && !folder.empty() ? folder : file.stem().string();
}

std::vector<StepRow> steps_of(const Reader& reader) {
    std::vector<StepRow> rows;
    const auto walls = reader->wall_impulses();
    for (const auto& row : reader->reports()) {
        rows.push_back({row.report, {}});
        for (std::uint64_t k = row.walls_begin; k < row.walls_begin + row.walls && k < walls.size(); ++k)
            rows.back().walls.emplace_back(walls[k].id, walls[k].impulse);
    }
    return rows;
}

std::vector<observe::Result> results_of(const Reader& reader) {
    std::vector<observe::Result> results;
    for (const auto& entry : reader->observables()) {
        const auto json = nlohmann::json::parse(entry.json, nullptr, false);
        if (!json.is_array()) continue;
        for (const auto& one : json) results.push_back(observe::result_from_json(one));
    }
    return results;
}

scene::Scene scene_of(const Reader& reader) {
    const std::filesystem::path origin(reader->info().scene_path);
    return scene::load_scene_text(reader->info().scene_text, origin.string(), origin.parent_path().string());
}

SceneNames names_of(const Reader& reader) try {
    const scene::Scene scene = scene_of(reader);
    return {scene.tags, scene.observe};
} catch (const std::exception&) {   // a figure can do without names
    return {};
}

observe::UnitSystem units_of(const Reader& reader) try {
    // The line decides; the whole scene need not be sound for that.
    scene::Diagnostics errors;
    const scene::Node document = scene::parse_yaml(reader->info().scene_text, reader->info().scene_path, errors);
    const scene::Node* units = document.find("units");
    return units != nullptr && units->text == "cgs" ? observe::UnitSystem::cgs : observe::UnitSystem::si;
} catch (const InputError&) {   // a text that is no scene is no reason to withhold a figure
    return observe::UnitSystem::si;
}

}  // namespace

RunData open_run(const std::string& path) {
    std::filesystem::path file(path);
    std::error_code code;
    if (std::filesystem::is_directory(file, code)) file /= "run.h5";
    const auto reader = std::make_shared<const record::RunReader>(file.string());
    RunData run;
    run.name = name_of(file);
    run.dim = reader->info().dimension;
    run.units = units_of(reader);
    for (const auto& frame : reader->info().frames) run.times.push_back(frame.time);
    run.plane_at = [reader](std::size_t k) { return reader->read_frame<2>(static_cast<std::int64_t>(k)); };
    run.space_at = [reader](std::size_t k) { return reader->read_frame<3>(static_cast<std::int64_t>(k)); };
    run.steps = [reader] { return steps_of(reader); };
    run.results = [reader] { return results_of(reader); };
    run.names = [reader] { return names_of(reader); };
    return run;
}

std::size_t nearest_frame(const RunData& run, double time) {
    if (run.times.empty()) throw InputError("run `" + run.name + "` has no frames");
    const double last = run.times.back(), first = run.times.front();
    const double slack = run.times.size() > 1 ? (last - first) / static_cast<double>(run.times.size() - 1) : 1e-9 * std::abs(last);
    if (!(time >= first - slack && time <= last + slack))
        throw InputError(fmt::format("time {} s is not within run `{}`, whose frames go from {:g} to {:g} s", time, run.name, first, last));
    std::size_t best = 0;
    for (std::size_t k = 1; k < run.times.size(); ++k)
        if (std::abs(run.times[k] - time) < std::abs(run.times[best] - time)) best = k;
    return best;
}

std::size_t numbered_frame(const RunData& run, const std::string& number) {
    const auto count = static_cast<std::int64_t>(run.times.size());
    if (count == 0) throw InputError("run `" + run.name + "` has no frames");
    if (number == "last") return static_cast<std::size_t>(count - 1);
    std::int64_t k = 0;
    try {
        std::size_t used = 0;
        k = std::stoll(number, &used);
        if (used != number.size()) throw std::invalid_argument(number);
    } catch (const std::exception&) {
        throw InputError("frame `" + number + "` is neither a number nor `last`");
    }
    if (k < -count || k >= count)
        throw InputError(fmt::format("run `{}` has no frame {}; its {} frames are 0 to {}, or -1 to {} from the end", run.name, k, count, count - 1, -count));
    return static_cast<std::size_t>(k < 0 ? k + count : k);
}

}  // namespace talus::plot
