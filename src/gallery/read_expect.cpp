// expect.yaml from text to a checked experiment.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "gallery/experiment.h"
#include "plot/figure.h"
#include "scene/read_spec.h"
#include "scene/reader.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

using scene::Context;
using scene::Node;
using scene::Reader;

const std::vector<std::string> kScaleNames = {"quick", "full"};

/// What the parts share while they are read.
struct Reading {
    Context context;
    Experiment experiment;
    std::vector<std::string> names;   ///< of values defined so far
};

bool is_word(const std::string& text) {
    const auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 && std::all_of(text.begin(), text.end(), good);
}

/// A value as YAML in one line, as `--set` takes it.
std::string flow_text(const Node& node) {
    if (node.is_null()) return "null";
    if (node.is_scalar()) {
        const bool special = node.text.find_first_of(",[]{}:#\"'&*!|>%@`") != std::string::npos || node.text.empty();
        return node.quoted || special ? nlohmann::json(node.text).dump() : node.text;
    }
    std::string text;
    for (std::size_t k = 0; k < node.items.size(); ++k) {
        text += (k > 0 ? ", " : "") + (node.is_map() ? node.keys[k] + ": " : std::string()) + flow_text(node.items[k]);
    }
    return node.is_map() ? "{" + text + "}" : "[" + text + "]";
}

/// `set: {key: value, ...}` or the mapping itself.
std::vector<Change> read_changes(const Node* node, Context& context, const std::string& what) {
    std::vector<Change> changes;
    if (node == nullptr) return changes;
    if (!node->is_map()) {
        context.errors.add(node->mark, what + " is " + scene::describe(*node) + "; write a mapping such as {step: 1e-3}");
        return changes;
    }
    for (std::size_t k = 0; k < node->items.size(); ++k)
        changes.push_back({{node->keys[k], flow_text(node->items[k])}, node->key_marks[k]});
    return changes;
}

/// `scales: [full]`; both without it.
std::vector<Scale> read_scales(Reader& keys) {
    const Node* node = keys.find("scales");
    if (node == nullptr) return {Scale::quick, Scale::full};
    std::vector<Scale> scales;
    for (const Node* item : scene::read_list(keys, "scales", "full")) {
        const auto text = scene::read_text(*item, "scales", keys.context());
        if (text == "quick" || text == "full") scales.push_back(text == "quick" ? Scale::quick : Scale::full);
        else if (text) keys.context().errors.add(item->mark, "unknown scale '" + *text + "'; write quick or full");
    }
    return scales;
}

std::optional<ScalePlan> read_scale(Reader& scales, const std::string& name) {
    const Node* node = scales.find(name);
    if (node == nullptr) return {};
    Context& context = scales.context();
    Reader keys(*node, context, "the scale '" + name + "'");
    ScalePlan plan;
    plan.size = keys.text("size", "");
    plan.minutes = keys.need_number("minutes", scene::quantity::number, scene::range::positive, "0.5");
    plan.changes = read_changes(keys.find("set"), context, "'set'");
    keys.finish();
    return plan;
}

void read_all_scales(Reader& root, Experiment& experiment) {
    const Node* node = root.need("scales", "{quick: {size: 500 grains, minutes: 0.5}}");
    if (node == nullptr) return;
    Reader scales(*node, root.context(), "'scales'");
    experiment.quick = read_scale(scales, "quick");
    experiment.full = read_scale(scales, "full");
    if (scales.is_valid() && !experiment.quick && !experiment.full)
        root.fail("scales", "'scales' has neither 'quick' nor 'full'; write at least one of them");
    scales.finish();
}

/// A file of the experiment's folder, which must be there.
std::string read_file(Reader& keys, const std::string& key, const std::string& folder) {
    const std::string name = keys.text(key, "");
    const auto path = std::filesystem::path(folder) / name;
    if (!name.empty() && !std::filesystem::is_regular_file(path)) keys.fail(key, "no file '" + path.string() + "'");
    return path.string();
}

void read_command(Reader& keys, RunPlan& run) {
    static const std::vector<std::string> known = {"run", "check", "explore", "sweep", "solve", "info", "observe"};
    for (const Node* word : scene::read_list(keys, "command", "[sweep, cavern.sweep]"))
        if (const auto text = scene::read_text(*word, "command", keys.context())) run.command.push_back(*text);
    if (run.command.empty()) keys.fail("command", "'command' is empty; write for example [sweep, cavern.sweep]");
    else if (std::find(known.begin(), known.end(), run.command.front()) == known.end())
        keys.fail("command", "'" + run.command.front() + "' is no command that gives results; " + scene::suggest(run.command.front(), known, "commands"));
}

void check_from(Reader& keys, const RunPlan& run, const Experiment& experiment) {
    if (run.from.empty()) return;
    const RunPlan* other = experiment.run(run.from);
    if (other == nullptr || other->scene.empty())
        keys.fail("from", "'" + run.from + "' is no run of a scene before '" + run.name + "'; runs start from earlier ones");
}

RunPlan read_run(const std::string& name, const Node& node, Reading& reading) {
    Context& context = reading.context;
    Reader keys(node, context, "the run '" + name + "'");
    RunPlan run;
    run.name = name;
    run.mark = node.mark;
    const std::string kind = keys.one_of({"scene", "command"}, "kind of run");
    if (kind == "scene") run.scene = read_file(keys, "scene", reading.experiment.folder);
    if (kind == "command") read_command(keys, run);
    run.from = keys.text("from", "");
    run.changes = read_changes(keys.find("set"), context, "'set'");
    if (const Node* quick = keys.find("quick")) run.quick = read_changes(quick, context, "'quick'");
    if (const Node* full = keys.find("full")) run.full = read_changes(full, context, "'full'");
    run.scales = read_scales(keys);
    run.weight = keys.number("weight", scene::quantity::number, scene::range::positive, 1.0);
    keys.finish();
    check_from(keys, run, reading.experiment);
    return run;
}

void read_runs(Reader& root, Reading& reading) {
    const Node* node = root.need("runs", "{main: {scene: scene.yaml}}");
    if (node == nullptr) return;
    if (!node->is_map() || node->items.empty()) {
        root.fail("runs", "'runs' is " + scene::describe(*node) + "; write a mapping such as {main: {scene: scene.yaml}}");
        return;
    }
    for (std::size_t k = 0; k < node->items.size(); ++k) {
        if (!is_word(node->keys[k]))
            reading.context.errors.add(node->key_marks[k], "'" + node->keys[k] + "' cannot be used in formulas; use letters, digits and '_', "
                                                           "starting with a letter");
        reading.experiment.runs.push_back(read_run(node->keys[k], node->items[k], reading));
    }
}

/// A formula whose names of runs are known.
ValueFormula read_formula(const Node& node, const std::string& label, const std::vector<Scale>& scales, Reading& reading) {
    const auto text = scene::read_text(node, label, reading.context);
    if (!text) return {};
    try {
        ValueFormula formula(*text, reading.names);
        for (const auto& path : formula.paths()) {
            if (path.find('.') == std::string::npos) continue;
            const std::string name = path.substr(0, path.find('.'));
            const RunPlan* run = reading.experiment.run(name);
            std::vector<std::string> known;
            for (const auto& r : reading.experiment.runs) known.push_back(r.name);
            if (run == nullptr) throw InputError("no run '" + name + "'; " + scene::suggest(name, known, "runs"));
            for (const Scale scale : scales)
                if (!run->is_made_at(scale) && reading.experiment.scale(scale) != nullptr)
                    throw InputError("the run '" + name + "' is not made at scale " + to_string(scale));
        }
        return formula;
    } catch (const InputError& e) {
        reading.context.errors.add(node.mark, e.what());
        return {};
    }
}

void read_values(Reader& root, Reading& reading) {
    const Node* node = root.find("values");
    if (node == nullptr) return;
    if (!node->is_map()) {
        root.fail("values", "'values' is " + scene::describe(*node) + "; write a mapping of names to formulas");
        return;
    }
    for (std::size_t k = 0; k < node->items.size(); ++k) {
        if (!is_word(node->keys[k]) || reading.experiment.run(node->keys[k]) != nullptr)
            reading.context.errors.add(node->key_marks[k], "'" + node->keys[k] + "' is no name for a value; use letters, digits and '_', and no run's name");
        NamedValue value{node->keys[k], {}, node->items[k].mark};
        value.value = read_formula(node->items[k], node->keys[k], {}, reading);
        reading.experiment.values.push_back(std::move(value));
        reading.names.push_back(node->keys[k]);
    }
}

/// `[low, high]`, null for an open end; or `{value: 1, within: 1e-3}`.
std::optional<Interval> read_interval(const Node& node, Context& context) {
    Interval interval{-INFINITY, INFINITY};
    if (node.is_map()) {
        Reader keys(node, context, "'expect'");
        const double value = keys.need_number("value", scene::quantity::number, scene::range::any, "1");
        const double within = keys.need_number("within", scene::quantity::number, scene::range::not_negative, "1e-3");
        keys.finish();
        return Interval{value - within, value + within};
    }
    if (!node.is_list() || node.items.size() != 2) {
        context.errors.add(node.mark, "'expect' is " + scene::describe(node) + "; write [low, high], null for an open end, or {value: 1, within: 1e-3}");
        return {};
    }
    if (!node.items[0].is_null()) interval.low = scene::read_number(node.items[0], "expect[0]", scene::range::any, context).value_or(0.0);
    if (!node.items[1].is_null()) interval.high = scene::read_number(node.items[1], "expect[1]", scene::range::any, context).value_or(0.0);
    if (interval.low > interval.high) context.errors.add(node.mark, "'expect' ends before it begins; write [low, high]");
    return interval;
}

/// One interval for both scales, or `{quick: ..., full: ...}`.
void read_expected(Reader& keys, CheckPlan& check) {
    const Node* node = keys.need("expect", "[0, 1]");
    if (node == nullptr) return;
    Context& context = keys.context();
    const bool by_scale = node->is_map() && (node->find("quick") != nullptr || node->find("full") != nullptr);
    if (!by_scale) {
        check.quick = check.full = read_interval(*node, context);
        return;
    }
    Reader scales(*node, context, "'expect'");
    if (const Node* quick = scales.find("quick")) check.quick = read_interval(*quick, context);
    if (const Node* full = scales.find("full")) check.full = read_interval(*full, context);
    scales.finish();
}

CheckPlan read_check(const Node& node, Reading& reading) {
    Reader keys(node, reading.context, "an entry of 'checks'");
    CheckPlan check;
    check.mark = node.mark;
    check.name = keys.name();
    if (check.name.empty()) (void)keys.need("name", "slope");
    check.claim = keys.text("claim", "");
    if (check.claim.empty()) (void)keys.need("claim", "the slope is 26 degrees");
    check.unit = keys.text("unit", "");
    check.gate = keys.flag("gate", true);
    read_expected(keys, check);
    std::vector<Scale> scales;
    if (check.quick) scales.push_back(Scale::quick);
    if (check.full) scales.push_back(Scale::full);
    if (const Node* value = keys.need("value", "main.slope.slope")) {
        check.mark = value->mark;
        check.value = read_formula(*value, "value", scales, reading);
    }
    keys.finish();
    return check;
}

void read_checks(Reader& root, Reading& reading) {
    std::set<std::string> seen;
    for (const Node* item : scene::read_list(root, "checks", "{name: slope, claim: …, value: main.slope.slope, expect: [24, 28]}")) {
        CheckPlan check = read_check(*item, reading);
        if (!seen.insert(check.name).second) reading.context.errors.add(item->mark, "two checks are called '" + check.name + "'");
        reading.experiment.checks.push_back(std::move(check));
    }
    if (root.is_valid() && seen.empty()) root.fail("checks", "there is no check; write at least one under 'checks'");
}

std::vector<std::string> read_run_names(Reader& keys, Reading& reading) {
    std::vector<std::string> names;
    const Node* node = keys.need("run", "main");
    if (node == nullptr) return names;
    const std::vector<Node> single{*node};
    for (const Node& item : node->is_list() ? node->items : single) {
        const auto text = scene::read_text(item, "run", reading.context);
        if (!text) continue;
        const RunPlan* run = reading.experiment.run(*text);
        if (run == nullptr) reading.context.errors.add(item.mark, "no run '" + *text + "'");
        names.push_back(*text);
    }
    return names;
}

/// Name and options of a figure are those of `talus plot`; a mistake should not come to light after the runs.
void check_figure(Reader& keys, const Node& node, const FigurePlan& figure) {
    std::vector<std::string> names, options;
    for (const auto& one : plot::list_figures()) {
        names.push_back(one.name);
        if (one.name != figure.spec.name) continue;
        for (const auto& option : one.options) options.push_back(option.name);
    }
    if (options.empty()) {
        if (!figure.spec.name.empty()) keys.fail("figure", "unknown figure '" + figure.spec.name + "'; " + scene::suggest(figure.spec.name, names, "figures"));
        return;
    }
    for (std::size_t k = 0; k < node.keys.size(); ++k)
        if (figure.spec.parameters.contains(node.keys[k]) && std::find(options.begin(), options.end(), node.keys[k]) == options.end())
            keys.context().errors.add(node.key_marks[k], "figure '" + figure.spec.name + "' has no option '" + node.keys[k] + "'; " + scene::suggest(node.keys[k], options, "options"));
}

FigurePlan read_figure(const Node& node, Reading& reading) {
    Reader keys(node, reading.context, "an entry of 'figures'");
    FigurePlan figure;
    figure.file = keys.text("file", "");
    if (figure.file.empty()) (void)keys.need("file", "section.svg");
    if (figure.file.find('/') != std::string::npos) keys.fail("file", "'file' is a name in the output folder, without '/'");
    figure.caption = keys.text("caption", "");
    figure.runs = read_run_names(keys, reading);
    figure.scales = read_scales(keys);
    figure.spec.where = node.mark.text();
    figure.spec.name = keys.text("figure", "");
    if (figure.spec.name.empty()) (void)keys.need("figure", "grains");
    if (!keys.is_valid()) return figure;
    figure.spec.parameters = scene::to_json(node);
    for (const char* own : {"file", "caption", "run", "scales", "figure"}) figure.spec.parameters.erase(own);
    scene::note_places(node, "", figure.spec.where_key);
    check_figure(keys, node, figure);
    return figure;
}

/// Names of the folder and of the one above it: `moreau2003-pile`.
std::string name_of(const std::string& folder) {
    const auto path = std::filesystem::absolute(folder).lexically_normal();
    const auto last = path.filename().empty() ? path.parent_path() : path;
    return last.parent_path().filename().string() + "-" + last.filename().string();
}

void read_head(Reader& root, Experiment& experiment) {
    if (const Node* version = root.need("talus", "1"); version != nullptr && version->text != "1")
        root.fail("talus", "'talus' is " + scene::describe(*version) + "; this program reads version 1");
    experiment.paper = root.text("paper", "");
    experiment.where = root.text("where", "");
    experiment.shows = root.text("shows", "");
    for (const char* key : {"paper", "where", "shows"}) (void)root.need(key, std::string(key) == "paper" ? "moreau1994" : "fig. 3");
}

}  // namespace

Experiment load_experiment_text(const std::string& text, const std::string& file, const std::string& folder) {
    Reading reading;
    const Node document = scene::parse_yaml(text, file, reading.context.errors);
    Experiment& experiment = reading.experiment;
    experiment.folder = folder;
    experiment.name = name_of(folder);
    Reader root(document, reading.context, "the file");
    read_head(root, experiment);
    read_all_scales(root, experiment);
    read_runs(root, reading);
    read_values(root, reading);
    read_checks(root, reading);
    for (const Node* item : scene::read_list(root, "figures", "{file: section.svg, run: main, figure: grains}"))
        experiment.figures.push_back(read_figure(*item, reading));
    root.finish();
    reading.context.errors.raise();
    return std::move(experiment);
}

Experiment load_experiment(const std::string& folder) {
    const std::string file = folder + "/expect.yaml";
    return load_experiment_text(scene::file_text(file), file, folder);
}

}  // namespace talus::gallery
