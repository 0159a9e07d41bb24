#include "run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>

#include "bench/roof.h"
#include "command.h"
#include "folder_lock.h"
#include "interrupt.h"
#include "observe/observers.h"
#include "progress.h"
#include "provenance.h"
#include "record/background_writer.h"
#include "record/output_file.h"
#include "record/run_reader.h"
#include "run_summary.h"
#include "scene/simulation.h"
#include "start_frame.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Between checkpoints that the scene did not ask for: what a kill may cost.
constexpr auto kCheckpointWait = std::chrono::seconds(60);


/// True when a multiple of `every` was reached since `passed` of them had been; counts them.
bool is_due(double every, double time, double half_step, std::int64_t& passed) {
    if (every <= 0.0) return false;
    const auto reached = static_cast<std::int64_t>(std::min((time + half_step) / every, 1e18));
    if (reached <= passed) return false;
    passed = reached;
    return true;
}

/// The scene must be the one the run was started with; says where they part.
void check_same_scene(const std::string& path, const std::string& stored, const std::string& given) {
    if (stored == given) return;
    const auto first = std::mismatch(stored.begin(), stored.end(), given.begin(), given.end()).first;
    const auto line = 1 + std::count(stored.begin(), first, '\n');
    throw InputError(fmt::format("{}: the scene (with its --set) is not the one this run was started with: they differ from "
                                 "line {} on; give the same one to --resume, or start anew with --force", path, line));
}

/// Before anything is replaced or continued.
void check_folder(const RunOptions& options, const std::string& run_file) {
    const bool exists = std::filesystem::exists(run_file);
    if (options.resume && !exists) throw IoError(run_file + ": cannot resume: no such file; leave --resume out to start");
    if (exists && !options.resume && !options.force) {
        throw InputError(run_file + ": a run is already there; continue it with --resume, replace it with --force, or "
                         "choose another folder with --out");
    }
}

template <int Dim>
class RunLoop {
public:
    RunLoop(scene::Scene& scene, const RunOptions& options);
    RunOutcome run();
    /// After an exception: what can still be said goes into the run file.
    void give_up() noexcept;

private:
    using Writer = record::RunWriter<Dim>;
    [[nodiscard]] World<Dim>& world() { return simulation_.world(); }
    [[nodiscard]] Snapshot<Dim> snapshot();
    [[nodiscard]] bool is_over();
    void start();
    void resume();
    void write_frame();
    void write_report(const StepReport& report);
    void write_checkpoint();
    void write_due(const StepReport& report);
    void advance();
    void finish(RunOutcome& outcome);

    const scene::Scene& scene_;
    const RunOptions& options_;
    std::string run_file_;
    scene::Simulation<Dim> simulation_;
    observe::Observers<Dim> observers_;
    std::optional<record::BackgroundWriter<Dim>> writer_;
    Totals totals_;
    Clocks clocks_;
    std::optional<Snapshot<Dim>> restored_;   ///< the frame a resumed run stands at, until its first step
    std::vector<record::WallImpulse> walls_;
    Clock::time_point begin_ = Clock::now(), last_checkpoint_ = begin_;
    double cpu_begin_ = bench::cpu_seconds();
};

/// What is recorded, and all of it where something is observed.
SnapshotParts parts_to_take(const scene::Scene& scene) {
    if (!scene.observe.empty()) return {};
    const auto& arrays = scene.record.arrays;
    const auto has = [&](const char* name) { return arrays.empty() || std::find(arrays.begin(), arrays.end(), name) != arrays.end(); };
    return {scene.record.contacts, has("rotation"), has("velocity"), has("spin"), has("mass"), has("inertia"), has("tag"), has("birth")};
}

std::string to_json_text(const std::vector<observe::Result>& results) {
    if (results.empty()) return "";
    auto json = nlohmann::json::array();
    for (const auto& result : results) json.push_back(observe::to_json(result));
    return json.dump();
}

template <int Dim>
RunLoop<Dim>::RunLoop(scene::Scene& scene, const RunOptions& options)
    : scene_(scene), options_(options), run_file_(options.out + "/run.h5"),
      simulation_(scene, [](const scene::StartPlan& plan) { return start_frame<Dim>(plan); }),
      observers_(scene.observe) {
    std::vector<scene::GrainPlan>().swap(scene.grains);
    simulation_.world().set_threads(options.threads);
}

template <int Dim>
Snapshot<Dim> RunLoop<Dim>::snapshot() {
    if (restored_) return *restored_;
    auto taken = take_snapshot(world(), parts_to_take(scene_));
    if (scene_.record.sums) {
        taken.sums = world().contact_sums();
        taken.sums_seconds = world().time() - totals_.sums_begin;
    }
    return taken;
}

template <int Dim>
void RunLoop<Dim>::start() {
    const record::RunHeader header{std::filesystem::path(scene_.path).stem().string(),
                                   std::filesystem::absolute(scene_.path).string(), scene_.text,
                                   provenance(options_.command_line, scene_.seed, options_.threads)};
    std::int64_t expected = static_cast<std::int64_t>(world().size());
    for (const auto& emitter : scene_.emitters) expected += std::min<std::int64_t>(emitter.count, 4096);
    const record::Plan plan{scene_.record.arrays, scene_.record.contacts, scene_.record.sums, expected};
    {
        auto initial = take_snapshot(world());
        initial.material_names.clear();  // all of them: emitters may bring materials no body has yet
        for (std::size_t m = 0; m < scene_.materials.size(); ++m) {
            initial.material_names.push_back(world().material_name(static_cast<MaterialId>(m)));
        }
        writer_.emplace(Writer::create(run_file_, header, plan, initial));
    }
    world().accumulate_contacts(scene_.record.sums);
    write_frame();
    write_checkpoint();
}

/// A checkpoint does not hold the contacts of its step. Where the run has nothing more to do, they come
/// from the last frame, which may be one that resuming drops: it is read first.
template <int Dim>
void RunLoop<Dim>::resume() {
    world().accumulate_contacts(scene_.record.sums);
    {
        const record::RunReader reader(run_file_);
        check_same_scene(run_file_, reader.info().scene_text, scene_.text);
        if (!reader.info().frames.empty()) restored_ = reader.read_frame<Dim>(-1);
        // What cannot be gone on from, a run of an earlier version for one, is left as it is.
        if (const auto checkpoint = reader.checkpoint()) {
            const auto parts = unpack(checkpoint->bytes, totals_);
            observers_.load(parts.observers);
            simulation_.restore(parts.simulation);
        }
    }
    record::Checkpoint checkpoint;   // the same one: there is none to go on from otherwise, and it says so
    writer_.emplace(Writer::resume(run_file_, checkpoint));
    if (restored_ && restored_->step != world().steps()) restored_.reset();
}

template <int Dim>
void RunLoop<Dim>::write_frame() {
    auto taken = snapshot();
    auto observed = to_json_text(observers_.without_growing_tables(observers_.at_frame(taken)));
    if (!scene_.record.contacts) taken.contacts = {};   // it may wait for the writer, and need not wait with them
    writer_->write_frame(std::move(taken), std::move(observed));
    totals_.last_frame_step = world().steps();
}

template <int Dim>
void RunLoop<Dim>::write_report(const StepReport& report) {
    walls_.clear();
    const auto impulses = world().contact_impulses(false);
    for (std::size_t i = 0; i < world().size(); ++i) {
        // Boundaries, and solids with some freedom held.
        if (world().is_ball(i) || (world().radii()[i] > 0.0 && world().driven()[i] == 0)) continue;
        record::WallImpulse wall{world().ids()[i], {}};
        std::copy_n(impulses[i].data(), Dim, wall.impulse.begin());
        walls_.push_back(wall);
    }
    writer_->write_report(report, walls_);
}

template <int Dim>
void RunLoop<Dim>::write_checkpoint() {
    writer_->write_checkpoint(world().steps(), world().time(), [&](const ByteSink& sink) {
        sink(pack(totals_, observers_.save()));
        simulation_.checkpoint(sink);
    });
    last_checkpoint_ = Clock::now();
}

template <int Dim>
void RunLoop<Dim>::write_due(const StepReport& report) {
    const auto& plan = scene_.record;
    const double time = world().time(), half_step = 0.5 * world().step_length();
    if (plan.report_every <= 0.0 || is_due(plan.report_every, time, half_step, totals_.reports_due)) write_report(report);
    if (is_due(plan.every, time, half_step, totals_.frames_due)) {
        write_frame();
        if (plan.sums) world().clear_contact_sums();
        totals_.sums_begin = time;
    }
    const bool due = is_due(plan.checkpoint_every, time, half_step, totals_.checkpoints_due);
    if (due || Clock::now() - last_checkpoint_ > kCheckpointWait) write_checkpoint();
}

template <int Dim>
bool RunLoop<Dim>::is_over() {
    return simulation_.finished() || world().time() + 0.5 * world().step_length() >= options_.until;
}

template <int Dim>
void RunLoop<Dim>::advance() {
    restored_.reset();
    const bool demanded = simulation_.demands_tolerance();
    const StepReport report = simulation_.advance();
    if (!std::isfinite(report.energy.kinetic))
        throw RunFailed(fmt::format("{}: step {} (t = {:.6g} s) gave velocities that are not numbers; the file has the frames before it. Start anew "
                                    "with --force and a smaller step or another solver", run_file_, report.step, report.time));
    totals_.add(report, demanded);
    clocks_.add(report);
    observers_.after_step(world(), report);
    write_due(report);
}

/// What only a run that is cut short writes, its last frame and the final observables, comes after
/// the checkpoint: a run taken further drops it, and ends as one that never stopped.
template <int Dim>
void RunLoop<Dim>::finish(RunOutcome& outcome) {
    const bool finished = outcome.state == record::kFinished;
    const bool lacks_frame = finished && totals_.last_frame_step != world().steps();
    if (lacks_frame && simulation_.finished()) write_frame();
    write_checkpoint();
    if (lacks_frame && !simulation_.finished()) write_frame();
    if (!scene_.observe.empty()) outcome.observables = observers_.at_frame(snapshot());
    outcome.time = world().time();
    outcome.steps = world().steps();
    outcome.bodies = static_cast<std::int64_t>(world().size());
    outcome.hash = world().hash();
    outcome.frames = writer_->frames();
    outcome.totals = totals_;
    clocks_.wall = std::chrono::duration<double>(Clock::now() - begin_).count();
    clocks_.cpu = bench::cpu_seconds() - cpu_begin_;
    clocks_.peak_bytes = bench::peak_resident_bytes();
    outcome.clocks = clocks_;
    if (finished && totals_.demanded_misses > 0) outcome.exit_code = kToleranceMissed;
    writer_->finish(outcome.state, outcome.time, finished ? to_json_text(outcome.observables) : "",
                    finished ? to_json(outcome).dump() : "");
}

template <int Dim>
RunOutcome RunLoop<Dim>::run() {
    if (options_.resume) resume();
    else start();
    RunOutcome outcome;
    outcome.out = options_.out;
    outcome.state = record::kFinished;
    ProgressBar own;
    const ProgressShare& share = options_.progress;
    ProgressBar& bar = share.bar != nullptr ? *share.bar : own;
    const bool is_cut = options_.until < simulation_.end_time();
    while (!is_over()) {
        if (InterruptGuard::was_interrupted()) {
            outcome.state = record::kInterrupted;
            outcome.exit_code = kInterrupted;
            break;
        }
        advance();
        const double part = is_cut ? world().time() / options_.until : simulation_.progress();
        bar.update(share.from + (share.to - share.from) * part, world().steps(),
                   fmt::format("{}{}{} bodies  {}", share.note, share.note.empty() ? "" : "  ", world().size(), simulation_.stage()));
    }
    bar.clear();
    finish(outcome);
    return outcome;
}

template <int Dim>
void RunLoop<Dim>::give_up() noexcept {
    try {
        if (writer_) writer_->finish(record::kFailed, world().time(), "", "");
    } catch (...) {  // the first exception is the one to tell
    }
}

template <int Dim>
RunOutcome run_dimension(scene::Scene& scene, const RunOptions& options) {
    RunLoop<Dim> loop(scene, options);
    try {
        return loop.run();
    } catch (...) {
        loop.give_up();
        throw;
    }
}

}  // namespace

RunOutcome run_scene(scene::Scene& scene, const RunOptions& options) {
    const std::string run_file = options.out + "/run.h5";
    check_folder(options, run_file);
    record::make_folder(options.out);
    const FolderLock lock(options.out);
    const InterruptGuard guard;
    return scene.dimension == 2 ? run_dimension<2>(scene, options) : run_dimension<3>(scene, options);
}

}  // namespace talus::cli
