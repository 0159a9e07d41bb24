// talus info RUN.h5: what is in a run.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "record/run_reader.h"

namespace talus::cli {
namespace {

struct Options {
    std::string run;
    bool frames = false, scene = false, json = false;
};

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string row(const char* name, const std::string& value) { return fmt::format("  {:<12} {}\n", name, value); }

std::string state_text(const std::string& state) {
    return state == record::kRunning ? "running, or killed without a chance to say so" : state;
}

std::string to_text(const record::RunInfo& info) {
    const auto& p = info.provenance;
    std::string text = fmt::format("{}: {}, {}D, layout {}\n", info.path, info.scene_name, info.dimension, info.layout);
    text += row("state", state_text(info.state));
    text += row("scene", info.scene_path);
    text += row("command", p.command);
    text += row("date", p.date);
    text += row("machine", p.machine);
    text += row("talus", p.version + (p.git.empty() ? "" : " (" + p.git + ")"));
    text += row("seed", std::to_string(p.seed));
    text += row("materials", join(info.materials));
    text += row("arrays", join(info.arrays) + (info.has_contacts ? " + contacts" : "") + (info.has_sums ? " + sums" : ""));
    if (info.frames.empty()) {
        text += row("frames", "none");
    } else {
        const auto& last = info.frames.back();
        text += row("frames", fmt::format("{}, t = {:.6g} to {:.6g} s; the last has {} bodies, {} contacts",
                                          info.frames.size(), info.frames.front().time, last.time, last.bodies, last.contacts));
    }
    text += row("reports", fmt::format("{} steps", info.reports));
    text += row("checkpoint", info.checkpoint_sequence == 0
                                  ? "none"
                                  : fmt::format("step {}, t = {:.6g} s, {} bytes", info.checkpoint_step,
                                                info.checkpoint_time, info.checkpoint_bytes));
    return text;
}

std::string frames_text(const record::RunInfo& info) {
    std::string text = fmt::format("{:>6} {:>14} {:>10} {:>9} {:>9}\n", "frame", "time", "step", "bodies", "contacts");
    for (std::size_t k = 0; k < info.frames.size(); ++k) {
        const auto& f = info.frames[k];
        text += fmt::format("{:>6} {:>14.8g} {:>10} {:>9} {:>9}\n", k, f.time, f.step, f.bodies, f.contacts);
    }
    return text;
}

nlohmann::json to_json(const record::RunInfo& info, const std::string& summary) {
    auto frames = nlohmann::json::array();
    for (const auto& f : info.frames) {
        frames.push_back({{"time", f.time}, {"step", f.step}, {"bodies", f.bodies}, {"contacts", f.contacts}});
    }
    auto result = nlohmann::json::parse(summary, nullptr, false);
    const auto& p = info.provenance;
    return {{"run", info.path},
            {"layout", info.layout},
            {"dimension", info.dimension},
            {"scene", info.scene_name},
            {"state", info.state},
            {"version", p.version},
            {"git", p.git},
            {"machine", p.machine},
            {"date", p.date},
            {"command", p.command},
            {"seed", p.seed},
            {"materials", info.materials},
            {"arrays", info.arrays},
            {"frames", frames},
            {"reports", info.reports},
            {"checkpoint", {{"sequence", info.checkpoint_sequence}, {"step", info.checkpoint_step}, {"time", info.checkpoint_time}}},
            {"summary", result.is_discarded() ? nlohmann::json() : result}};
}

int show(const Options& o) {
    const record::RunReader run(o.run);
    if (o.scene) fmt::print("{}", run.info().scene_text);
    else fmt::print("{}{}", to_text(run.info()), o.frames ? frames_text(run.info()) : "");
    if (o.json) fmt::print("{}\n", to_json(run.info(), run.summary_json()).dump());
    return kDone;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("info", "Say what is in a run");
    command->add_option("RUN", o->run, "Run file (run.h5)")->required();
    command->add_flag("--frames", o->frames, "List the frames");
    command->add_flag("--scene", o->scene, "Print the scene that made it, instead");
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->callback([o, &action] { action = [o] { return show(*o); }; });
}

}  // namespace talus::cli
