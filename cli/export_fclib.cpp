#include "export_fclib.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "record/output_file.h"
#include "scene/simulation.h"
#include "start_frame.h"
#include "talus/error.h"
#include "talus/version.h"
#include "totals.h"

namespace talus::cli {
namespace {

/// Steps to write, in order, each with the frame it starts at where that was recorded.
using Wanted = std::map<std::int64_t, std::optional<std::size_t>>;

Wanted wanted_steps(const record::RunInfo& info, const FclibExport& what) {
    Wanted wanted;
    for (const std::int64_t step : what.steps) {
        if (step < 0) throw InputError("--step " + std::to_string(step) + ": steps are counted from 0");
        wanted[step] = std::nullopt;
    }
    for (const std::size_t k : what.frames) wanted[info.frames[k].step] = k;
    return wanted;
}

template <int Dim>
void check_same(const record::RunReader& run, std::size_t frame, const World<Dim>& world) {
    const auto recorded = run.read_frame<Dim>(static_cast<std::int64_t>(frame));
    const auto ids = world.ids();
    const auto positions = world.positions();
    if (!std::equal(ids.begin(), ids.end(), recorded.id.begin(), recorded.id.end()) ||
        !std::equal(positions.begin(), positions.end(), recorded.position.begin(), recorded.position.end()))
        throw IoError(fmt::format("{}: made again, frame {} is not what was recorded; export with the talus that made it, {}",
                                  run.info().path, frame, run.info().provenance.version));
}

template <int Dim>
std::string describe(const record::RunInfo& info, const NextProblem<Dim>& next, const Settings<Dim>& settings) {
    return fmt::format("Scene {}, the step from t = {} s to t = {} s (after {} steps), {} bodies, {} contacts, rule {}.\n"
                       "Velocities are formal [Moreau 1994, eq. 7.7]: restitution and the motion of driven bodies are in w. "
                       "SI units: u in m/s, r in N s.\nWritten by talus {}; the run was made by talus {}{}.\n",
                       info.scene_name, next.time, next.time + settings.step, next.step, next.bodies,
                       next.local.contacts(), settings.rule == ContactRule::gap ? "gap" : "moreau", TALUS_VERSION,
                       info.provenance.version, info.provenance.git.empty() ? "" : " (" + info.provenance.git + ")");
}

template <int Dim>
class Exporter {
public:
    Exporter(const record::RunReader& run, const FclibExport& what)
        : run_(run), what_(what), wanted_(wanted_steps(run.info(), what)) {}

    FclibExported run() {
        if (wanted_.empty()) return {};
        auto simulation = start();
        while (simulation.world().steps() <= wanted_.rbegin()->first) {
            const auto found = wanted_.find(simulation.world().steps());
            if (found == wanted_.end()) {
                if (simulation.finished())
                    throw InputError(fmt::format("--step {}: the run ends after {} steps", wanted_.rbegin()->first,
                                                 simulation.world().steps()));
                simulation.advance();
                continue;
            }
            if (found->second) check_same(run_, *found->second, simulation.world());
            simulation.advance([&](World<Dim>& world) { write(world); });
        }
        return std::move(exported_);
    }

private:
    /// The run at or before the first step that is wanted.
    scene::Simulation<Dim> start() {
        const auto& info = run_.info();
        const std::filesystem::path origin(info.scene_path);
        const auto scene = scene::load_scene_text(info.scene_text, origin.string(), origin.parent_path().string());
        const auto loader = [](const scene::StartPlan& plan) { return start_frame<Dim>(plan); };
        scene::Simulation<Dim> simulation(scene, loader);
        simulation.world().accumulate_contacts(scene.record.sums);
        const auto checkpoint = run_.checkpoint();
        if (!checkpoint || checkpoint->step > wanted_.begin()->first) return simulation;
        Totals totals;
        simulation.restore(unpack(checkpoint->bytes, totals).simulation);
        return simulation;
    }

    void write(World<Dim>& world) {
        const NextProblem<Dim> next = next_problem(world);
        if (next.local.contacts() == 0) {
            exported_.without_contacts.push_back(next.step);
            return;
        }
        const auto& info = run_.info();
        const std::string file = fmt::format("{}-i{:06}-{}.hdf5", info.scene_name, next.step, next.local.contacts());
        const std::string title = fmt::format("{}, step {}", info.scene_name, next.step);
        record::write_fclib(what_.folder + "/" + file,
                            record::to_fclib(next, what_.form, title, describe(info, next, world.settings())));
        exported_.files.push_back(file);
    }

    const record::RunReader& run_;
    const FclibExport& what_;
    Wanted wanted_;
    FclibExported exported_;
};

}  // namespace

FclibExported export_fclib(const record::RunReader& run, const FclibExport& what) {
    record::make_folder(what.folder);
    return run.info().dimension == 2 ? Exporter<2>(run, what).run() : Exporter<3>(run, what).run();
}

}  // namespace talus::cli
