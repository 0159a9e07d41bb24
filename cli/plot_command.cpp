// talus plot RUN.h5 FIGURE: one figure as SVG.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "plot/figure.h"
#include "plot/plot_run.h"
#include "scene/diagnostics.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

struct Options {
    std::vector<std::string> words;
    std::string out;
    bool list = false, json = false;
    /// Options that may also be written as --key value, since everybody writes them so.
    std::vector<std::pair<std::string, std::shared_ptr<std::string>>> keys;
};

struct Request {
    std::vector<std::string> runs;
    observe::Spec spec;
};

/// Run files end in .h5, or are folders with a run in them.
bool is_run(const std::string& word) {
    std::error_code code;
    return word.ends_with(".h5") || (word.find('=') == std::string::npos && std::filesystem::exists(std::filesystem::path(word) / "run.h5", code));
}

Request sort_words(const Options& o) {
    Request request;
    for (const auto& word : o.words) {
        if (is_run(word)) request.runs.push_back(word);
        else if (request.spec.name.empty() && word.find('=') == std::string::npos) request.spec.name = word;
        else plot::read_option(word, request.spec.parameters);
    }
    for (const auto& [key, value] : o.keys)
        if (!value->empty()) plot::read_option(key + "=" + *value, request.spec.parameters);
    return request;
}

std::vector<std::string> figure_names() {
    std::vector<std::string> names;
    for (const auto& figure : plot::list_figures()) names.push_back(figure.name);
    return names;
}

std::string list_text(const std::string& only) {
    std::string text;
    for (const auto& figure : plot::list_figures()) {
        if (!only.empty() && figure.name != only) continue;
        text += fmt::format("{}: {}\n", figure.name, figure.summary);
        for (const auto& option : figure.options) text += fmt::format("  {:<34} {}\n", option.name + "=" + option.values, option.meaning);
        text += "\n";
    }
    return text;
}

nlohmann::json list_json() {
    auto list = nlohmann::json::array();
    for (const auto& figure : plot::list_figures()) {
        auto options = nlohmann::json::array();
        for (const auto& option : figure.options) options.push_back({{"name", option.name}, {"values", option.values}, {"meaning", option.meaning}});
        list.push_back({{"name", figure.name}, {"summary", figure.summary}, {"options", options}});
    }
    return {{"figures", list}};
}

int show_list(const Options& o) {
    const std::string only = o.words.empty() ? "" : o.words.front();
    const auto names = figure_names();
    if (!only.empty() && std::find(names.begin(), names.end(), only) == names.end())
        throw InputError(fmt::format("plot: unknown figure `{}`; {}", only, scene::suggest(only, names, "figures")));
    fmt::print("{}", list_text(only));
    if (o.json) fmt::print("{}\n", list_json().dump());
    return kDone;
}

void write(const std::string& file, const std::string& svg) {
    if (file == "-") {
        fmt::print("{}", svg);
        return;
    }
    std::ofstream out(file, std::ios::binary);
    out << svg;
    out.close();
    if (!out) throw IoError(file + ": cannot be written");
}

int plot_figure(const Options& o) {
    if (o.list) return show_list(o);
    const Request request = sort_words(o);
    const auto& name = request.spec.name;
    if (request.runs.empty()) throw InputError("plot: no run file; write talus plot RUN.h5 FIGURE (figures: talus plot --list)");
    if (name.empty()) throw InputError("plot: no figure; known figures: " + scene::join(figure_names()));
    const std::string svg = plot::plot_runs(request.runs, request.spec);
    const std::string file = o.out.empty() ? plot::figure_file(request.runs.front(), name) : o.out;
    write(file, svg);
    if (file == "-") return kDone;
    fmt::print("{}\n", file);
    if (o.json) fmt::print("{}\n", nlohmann::json{{"figure", name}, {"file", file}, {"runs", request.runs}, {"bytes", svg.size()}}.dump());
    return kDone;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
    auto o = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("plot", "Draw one figure of a run, or of several, as SVG");
    command->add_option("WORDS", o->words, "RUN.h5 [MORE.h5 …] FIGURE [key=value | flag …]");
    command->add_option("-o,--out", o->out, "File to write; - for standard output [<run>-<figure>.svg]");
    command->add_flag("--list", o->list, "List the figures with their options (or those of one FIGURE), and do nothing else");
    const std::pair<const char*, const char*> keys[] = {{"frame", "Frame by number, negative from the end, or last"},
                                                        {"time", "The frame nearest to that time [s]"},
                                                        {"from", "First instant [s]"},
                                                        {"to", "Last instant [s]"},
                                                        {"region", "Part to show: X1,Y1,X2,Y2"},
                                                        {"view", "slab, side, top or oblique"},
                                                        {"slab", "Thickness of the slab"},
                                                        {"width", "Width of the figure [px]"}};
    for (const auto& [key, meaning] : keys) {
        o->keys.emplace_back(key, std::make_shared<std::string>());
        command->add_option(std::string("--") + key, *o->keys.back().second, std::string(meaning) + "; the same as " + key + "=…");
    }
    command->add_flag("--json", o->json, "One JSON object as the last line of standard output");
    command->footer("Options of a figure are written key=value, a bare key stands for key=true. Lengths are in the units of the scene, times in s.");
    command->callback([o, &action] { action = [o] { return plot_figure(*o); }; });
}

}  // namespace talus::cli
