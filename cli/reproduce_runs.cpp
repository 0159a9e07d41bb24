#include "reproduce_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "call_self.h"
#include "command.h"
#include "outputs.h"
#include "record/output_file.h"
#include "record/run_reader.h"
#include "run_loop.h"
#include "run_summary.h"
#include "scene/document.h"
#include "scene/scene.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;
using gallery::RunPlan;

/// The changes of a run as overrides, the seed among them.
std::vector<scene::Override> overrides_of(const ReproduceRuns& plan, const RunPlan& run) {
    std::vector<scene::Override> all;
    for (const auto& change : run.changes_at(plan.scale, *plan.experiment.scale(plan.scale))) all.push_back(change.change);
    return all;
}

scene::Scene load(const ReproduceRuns& plan, const RunPlan& run, int seed) {
    auto overrides = overrides_of(plan, run);
    try {
        if (!run.from.empty())
            overrides.push_back({"start.run", fs::absolute(run_folder(plan, *plan.experiment.run(run.from), seed) + "/run.h5").string()});
        if (seed > 0) {
            const auto first = scene::load_scene(run.scene, overrides).seed;
            overrides.push_back({"seed", std::to_string(first + static_cast<std::uint64_t>(seed))});
        }
        return scene::load_scene(run.scene, overrides);
    } catch (const InputError& e) {
        throw InputError(run.mark.text() + ": the run '" + run.name + "':\n" + e.what());
    }
}

/// How far a run in a folder is.
enum class Progress : std::uint8_t { none, begun, finished };
Progress progress_of(const std::string& run_file, const std::string& scene_text) {
    if (!fs::exists(run_file)) return Progress::none;
    try {
        const record::RunReader reader(run_file);
        if (reader.info().scene_text != scene_text) return Progress::none;  // another scene: made anew
        if (reader.info().state == record::kFinished) return Progress::finished;
        return reader.info().checkpoint_sequence > 0 ? Progress::begun : Progress::none;
    } catch (const IoError&) {  // killed before its first frame
        return Progress::none;
    }
}

/// Part of the whole work that one run is.
class Shares {
public:
    explicit Shares(const ReproduceRuns& plan) {
        for (const auto& run : plan.experiment.runs)
            if (run.is_made_at(plan.scale)) total_ += run.weight * plan.seeds;
    }
    ProgressShare next(const RunPlan& run, const std::string& note, ProgressBar& bar) {
        const double from = done_ / total_;
        done_ += run.weight;
        return {from, done_ / total_, note, &bar};
    }

private:
    double total_ = 0.0, done_ = 0.0;
};

int make_scene(const ReproduceRuns& plan, const RunPlan& run, int seed, const ProgressShare& share) {
    const std::string folder = run_folder(plan, run, seed), run_file = folder + "/run.h5";
    auto scene = load(plan, run, seed);
    const Progress progress = progress_of(run_file, scene.text);
    if (progress == Progress::finished) return kDone;
    if (plan.judge_only) throw IoError(run_file + ": is not a finished run of this scene; leave --judge out to make it");
    RunOptions options{folder, std::numeric_limits<double>::infinity(), progress == Progress::begun, progress == Progress::none, plan.threads,
                       plan.command_line, share};
    const auto outcome = run_scene(scene, options);
    if (outcome.exit_code == kInterrupted) return kInterrupted;
    if (!plan.quiet)
        fmt::print("  {}: {} steps, {} bodies, law error {:.1e} at worst, {}\n", share.note, outcome.steps, outcome.bodies, outcome.totals.law_error,
                   format_duration(outcome.clocks.wall));
    write_outputs(scene.record, folder);
    return kDone;
}

/// `{main}` stands for the folder of the run `main`.
std::string with_folders(std::string word, const ReproduceRuns& plan, int seed) {
    for (const auto& run : plan.experiment.runs) {
        const std::string name = "{" + run.name + "}";
        for (auto at = word.find(name); at != std::string::npos; at = word.find(name))
            word.replace(at, name.size(), fs::absolute(run_folder(plan, run, seed)).string());
    }
    return word;
}

std::vector<std::string> command_words(const ReproduceRuns& plan, const RunPlan& run, int seed) {
    std::vector<std::string> words;
    for (const auto& word : run.command) words.push_back(with_folders(word, plan, seed));
    const std::string& command = run.command.front();
    if (command == "run" || command == "explore")
        for (const auto& change : overrides_of(plan, run)) words.insert(words.end(), {"--set", change.key + "=" + change.value});
    if (command == "explore" && seed > 0) words.insert(words.end(), {"--seed", std::to_string(seed + 1)});
    if (command == "run" && seed > 0) words.insert(words.end(), {"--set", "seed=" + std::to_string(seed + 1)});
    const std::string folder = fs::absolute(run_folder(plan, run, seed)).string();
    if (command == "run" || command == "explore" || command == "sweep") words.insert(words.end(), {"--out", folder});
    words.emplace_back("--json");
    return words;
}

/// The answer of a command is kept beside what it wrote, with the words that asked for it.
int make_command(const ReproduceRuns& plan, const RunPlan& run, int seed, const ProgressShare& share) {
    const std::string folder = run_folder(plan, run, seed), file = folder + "/command.json";
    auto words = command_words(plan, run, seed);
    if (fs::exists(file)) {
        const auto kept = nlohmann::json::parse(scene::file_text(file), nullptr, false);
        if (kept.is_object() && kept.value("command", nlohmann::json()) == nlohmann::json(words)) return kDone;
    }
    if (plan.judge_only) throw IoError(file + ": is missing or of another command; leave --judge out to make it");
    record::make_folder(folder);
    const auto asked = words;
    if (words.front() == "run" && fs::exists(folder + "/grid")) words.emplace_back("--resume");
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = call_self(words, plan.experiment.folder, folder + "/output.txt");
    if (answer.exit_code == kInterrupted) return kInterrupted;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!plan.quiet) fmt::print("  {}: talus {}, {}\n", share.note, words.front(), format_duration(seconds));
    record::OutputFile out(file);
    out.write(nlohmann::json{{"command", asked}, {"exit_code", answer.exit_code}, {"seconds", seconds}, {"result", answer.json}}.dump(1) + "\n");
    out.close();
    return kDone;
}

void add_result(const ReproduceRuns& plan, const RunPlan& run, int seed, gallery::RunResults& results, std::vector<nlohmann::json>& summaries) {
    const std::string folder = run_folder(plan, run, seed);
    nlohmann::json summary{{"name", run.name}, {"seed", seed + 1}};
    if (run.scene.empty()) {
        auto kept = nlohmann::json::parse(scene::file_text(folder + "/command.json"));
        summary["seconds"] = kept.at("seconds");
        kept.at("result")["exit_code"] = kept.at("exit_code");
        results.add_json(run.name, kept.at("result"));
    } else {
        results.add_run(run.name, folder + "/run.h5");
        for (const char* key : {"time", "steps", "bodies", "contacts", "law_error", "law_error_max", "steps_over_tolerance", "energy_residual",
                                "max_overlap", "mean_overlap", "seconds", "cpu_seconds", "hash"})
            if (results.json(run.name).contains(key)) summary[key] = results.json(run.name).at(key);
    }
    summaries.push_back(std::move(summary));
}

}  // namespace

std::string run_folder(const ReproduceRuns& plan, const RunPlan& run, int seed) {
    return plan.out + (plan.seeds > 1 ? "/seed=" + std::to_string(seed + 1) : std::string()) + "/" + run.name;
}

void check_scenes(const ReproduceRuns& plan) {
    for (const auto& run : plan.experiment.runs)
        if (!run.scene.empty() && run.from.empty() && run.is_made_at(plan.scale)) (void)load(plan, run, 0);
}

RunsMade make_runs(const ReproduceRuns& plan) {
    RunsMade made;
    Shares shares(plan);
    ProgressBar bar;
    for (int seed = 0; seed < plan.seeds; ++seed) {
        gallery::RunResults results;
        for (const auto& run : plan.experiment.runs) {
            if (!run.is_made_at(plan.scale)) continue;
            const std::string note = plan.seeds > 1 ? fmt::format("seed {} {}", seed + 1, run.name) : run.name;
            const auto share = shares.next(run, note, bar);
            made.exit_code = run.scene.empty() ? make_command(plan, run, seed, share) : make_scene(plan, run, seed, share);
            if (made.exit_code == kInterrupted) return made;
            add_result(plan, run, seed, results, made.summaries);
        }
        made.results.push_back(std::move(results));
    }
    return made;
}

}  // namespace talus::cli
