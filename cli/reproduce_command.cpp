// talus reproduce: experiments of the gallery, made and judged.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "command.h"
#include "folder_lock.h"
#include "gallery/figures.h"
#include "gallery/find.h"
#include "gallery/judge.h"
#include "gallery/results_table.h"
#include "plot/html.h"
#include "plot/svg.h"
#include "provenance.h"
#include "record/output_file.h"
#include "reproduce_runs.h"
#include "scene/document.h"
#include "talus/error.h"
#include "view/page.h"

namespace talus::cli {
namespace {

namespace fs = std::filesystem;
using gallery::Scale;

struct Options {
    std::vector<std::string> names;
    std::string out;
    std::vector<std::string> table;
    int seeds = 1, threads = 1;
    bool list = false, all = false, quick = false, full = false, judge = false, check = false, json = false;
};

std::string minutes_text(const gallery::Experiment& experiment, Scale scale) {
    const gallery::ScalePlan* plan = experiment.scale(scale);
    if (plan == nullptr) return "-";
    return format_duration(60.0 * plan->minutes);
}

/// One line an experiment, its subject below.
void print_list(const std::vector<gallery::Experiment>& experiments) {
    fmt::print("{:<26}{:<22}{:>9}{:>10}  {}\n", "experiment", "in the paper", "quick", "full", "size (full)");
    for (const auto& e : experiments) {
        const gallery::ScalePlan* largest = e.full ? &*e.full : &*e.quick;
        fmt::print("{:<26}{:<22}{:>9}{:>10}  {}\n    {}\n", e.name, e.where, minutes_text(e, Scale::quick), minutes_text(e, Scale::full), largest->size, e.shows);
    }
}

nlohmann::json list_json(const std::vector<gallery::Experiment>& experiments) {
    auto list = nlohmann::json::array();
    for (const auto& e : experiments) {
        nlohmann::json entry{{"experiment", e.name}, {"paper", e.paper}, {"where", e.where}, {"shows", e.shows}, {"folder", e.folder},
                             {"checks", e.checks.size()}, {"usual_scale", to_string(e.usual_scale())}, {"scales", nlohmann::json::object()}};
        for (const Scale scale : {Scale::quick, Scale::full})
            if (const auto* plan = e.scale(scale)) entry["scales"][to_string(scale)] = {{"size", plan->size}, {"minutes", plan->minutes}};
        list.push_back(std::move(entry));
    }
    return {{"experiments", list}};
}

std::vector<gallery::Experiment> load_all(const std::vector<std::string>& folders) {
    std::vector<gallery::Experiment> experiments;
    for (const auto& folder : folders) experiments.push_back(gallery::load_experiment(folder));
    return experiments;
}

std::vector<std::string> chosen_folders(const Options& o) {
    std::vector<std::string> folders;
    if (o.all || (o.list && o.names.empty()) || (o.check && o.names.empty()))
        for (const auto& place : gallery::list_experiments(gallery::find_gallery())) folders.push_back(place.folder);
    for (const auto& name : o.names) folders.push_back(gallery::find_experiment(name));
    return folders;
}

Scale scale_for(const gallery::Experiment& experiment, const Options& o) {
    const Scale scale = o.quick ? Scale::quick : o.full ? Scale::full : experiment.usual_scale();
    if (experiment.scale(scale) == nullptr)
        throw InputError(fmt::format("{}: has no scale {}; see talus reproduce --list", experiment.name, to_string(scale)));
    return scale;
}

/// Seconds of earlier, interrupted calls.
double earlier_seconds(const std::string& out) {
    if (!fs::exists(out + "/elapsed.json")) return 0.0;
    return nlohmann::json::parse(scene::file_text(out + "/elapsed.json"), nullptr, false).value("seconds", 0.0);
}

void write_file(const std::string& path, const std::string& text) {
    record::OutputFile file(path);
    file.write(text);
    file.close();
}

/// A result that is there says that the experiment was finished: it is made anew, not continued.
void clear_finished(const ReproduceRuns& plan) {
    if (!fs::exists(plan.out + "/result.json")) return;
    fs::remove(plan.out + "/result.json");
    fs::remove(plan.out + "/elapsed.json");
    for (int seed = 0; seed < plan.seeds; ++seed)
        for (const auto& run : plan.experiment.runs)
            for (const char* file : {"/run.h5", "/command.json"}) fs::remove(run_folder(plan, run, seed) + file);
}

std::vector<std::string> run_files(const ReproduceRuns& plan, const std::string& name) {
    std::vector<std::string> files;
    for (int seed = 0; seed < plan.seeds; ++seed) files.push_back(run_folder(plan, *plan.experiment.run(name), seed) + "/run.h5");
    return files;
}

/// The claims and figures, with the first run to look at above them and its own report below.
void write_page(plot::ReportPage page, const ReproduceRuns& plan) {
    const std::string html = plan.out + "/report.html";
    for (const auto& run : plan.experiment.runs) {
        const std::string file = run_folder(plan, run, 0) + "/run.h5";
        if (!view::has_viewer() || !fs::exists(file)) continue;
        page.content += "<h2>The run shown above: " + plot::escape(run.name) + "</h2>\n" + plot::read_report(file).content;
        view::write_page(file, html, {.bytes = view::kReportBytes, .around = &page});
        return;
    }
    if (!view::has_viewer()) page.content += fmt::format("<p>The runs cannot be looked at here: {}.</p>\n", view::kNoViewer);
    write_file(html, plot::whole_page(page.title, page.subtitle, page.content));
}

void write_results(gallery::Verdict& verdict, const ReproduceRuns& plan) {
    auto figures = gallery::draw_figures(plan.experiment, plan.scale, plan.out, [&](const std::string& run) { return run_files(plan, run); });
    for (const auto& complaint : figures.complaints) fmt::print(stderr, "a figure was left out: {}\n", complaint);
    verdict.figures = std::move(figures.drawn);
    write_page(gallery::to_page(verdict, plan.out), plan);
    write_file(plan.out + "/result.json", gallery::to_json(verdict).dump(1) + "\n");
}

struct Outcome {
    int exit_code = kDone;
    nlohmann::json json;
};

Outcome reproduce_one(const gallery::Experiment& experiment, const Options& o, const std::string& out, const Invocation& invocation) {
    const ReproduceRuns plan{experiment, scale_for(experiment, o), out, o.seeds, o.threads, o.judge, false, invocation.command_line};
    check_scenes(plan);
    record::make_folder(out);
    const FolderLock lock(out);
    const double before = o.judge ? earlier_seconds(out) : (clear_finished(plan), earlier_seconds(out));
    fmt::print("{}, scale {}: {}\n", experiment.name, to_string(plan.scale), experiment.scale(plan.scale)->size);
    const auto begin = std::chrono::steady_clock::now();
    auto made = make_runs(plan);
    const double seconds = before + (o.judge ? 0.0 : std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    write_file(out + "/elapsed.json", nlohmann::json{{"seconds", seconds}}.dump() + "\n");
    if (made.exit_code == kInterrupted) {
        fmt::print(stderr, "interrupted; the same command goes on where it stopped\n");
        return {kInterrupted, {}};
    }
    auto verdict = gallery::judge(experiment, plan.scale, made.results);
    const auto origin = provenance(invocation.command_line, 0, o.threads);
    verdict.circumstances = {origin.version + (origin.git.empty() ? "" : " (" + origin.git + ")"), origin.date, origin.machine, seconds, o.threads};
    for (int seed = 0; seed < o.seeds; ++seed) verdict.seeds.push_back(static_cast<std::uint64_t>(seed + 1));
    verdict.runs = std::move(made.summaries);
    write_results(verdict, plan);
    fmt::print("\n{}{}/report.html, {}/result.json\n\n", gallery::to_text(verdict), out, out);
    return {verdict.pass ? kDone : kCheckFailed, gallery::to_json(verdict)};
}

int check_only(const std::vector<gallery::Experiment>& experiments, const Options& o) {
    for (const auto& e : experiments)
        for (const Scale scale : {Scale::quick, Scale::full})
            if (e.scale(scale) != nullptr) check_scenes({e, scale, "", 1, 1, false, true, ""});
    for (const auto& e : experiments) fmt::print("{}: {} runs, {} checks, {} figures\n", e.name, e.runs.size(), e.checks.size(), e.figures.size());
    if (o.json) fmt::print("{}\n", list_json(experiments).dump());
    return kDone;
}

std::string out_folder(const Options& o, const gallery::Experiment& experiment, bool is_only_one) {
    const std::string name = experiment.name + "-" + to_string(scale_for(experiment, o));
    if (is_only_one) return o.out.empty() ? "out/" + name : o.out;
    return (o.out.empty() ? "out" : o.out) + "/" + name;
}

int reproduce_all(const std::vector<gallery::Experiment>& experiments, const Options& o, const Invocation& invocation) {
    const bool is_only_one = experiments.size() == 1 && !o.all;
    auto results = nlohmann::json::array();
    int code = kDone;
    for (const auto& experiment : experiments) {
        if (o.all && (o.quick || o.full) && experiment.scale(o.quick ? Scale::quick : Scale::full) == nullptr) continue;
        auto outcome = reproduce_one(experiment, o, out_folder(o, experiment, is_only_one), invocation);
        if (outcome.exit_code == kInterrupted) return kInterrupted;
        code = std::max(code, outcome.exit_code);
        results.push_back(std::move(outcome.json));
    }
    if (o.json) fmt::print("{}\n", (is_only_one ? results.front() : nlohmann::json{{"experiments", results}, {"pass", code == kDone}}).dump());
    return code;
}

int reproduce(const Options& o, const Invocation& invocation) {
    if (!o.table.empty()) {
        fmt::print("{}", gallery::results_page(gallery::collect_results(o.table)));
        return kDone;
    }
    if (o.quick && o.full) throw InputError("--quick and --full contradict each other; give one of them");
    if (o.names.empty() && !o.all && !o.list && !o.check) throw InputError("no experiment named; see talus reproduce --list, or give --all");
    const auto experiments = load_all(chosen_folders(o));
    if (o.list) {
        if (o.json) fmt::print("{}\n", list_json(experiments).dump());
        else print_list(experiments);
        return kDone;
    }
    return o.check ? check_only(experiments, o) : reproduce_all(experiments, o, invocation);
}

}  // namespace

void add_reproduce(CLI::App& app, const Invocation& invocation, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("reproduce", "Make experiments of the gallery and judge them by number (docs/reproduce.md)");
    command->add_option("NAME", o->names, "Experiments, by name or by folder");
    command->add_flag("--list", o->list, "All experiments: paper, figure, what it shows, size, expected time");
    command->add_flag("--all", o->all, "Every experiment of the gallery");
    command->add_flag("--quick", o->quick, "Scaled down, under a minute each, with the checks that still make sense");
    command->add_flag("--full", o->full, "At the paper's own parameters [where that takes under 30 minutes, else --quick]");
    command->add_option("--seeds", o->seeds, "Make it with so many seeds; checks are judged by their mean [1]")->check(CLI::Range(1, 1000));
    command->add_option("--out", o->out, "Folder for runs, figures, report.html and result.json [out/<experiment>-<scale>]");
    command->add_option("--threads", o->threads, "Threads allowed; results never depend on it [1]")->check(CLI::Range(1, 4096));
    command->add_flag("--judge", o->judge, "Make no run: judge those in the folder again, and draw their figures");
    command->add_flag("--check", o->check, "Read the experiments and their scenes, report mistakes, make no run");
    command->add_option("--table", o->table, "Write the page of all results (docs/gallery.md) from the result.json below these folders");
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, invocation, &action] { action = [o, invocation] { return reproduce(*o, invocation); }; });
}

}  // namespace talus::cli
