#include "plot/report.h"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "observe/forces.h"
#include "plot/html.h"
#include "plot/result_figures.h"
#include "record/run_reader.h"

namespace talus::plot {

namespace {

using observe::format_number;

/// Keys of the summary worth a line, in the order a reader asks for them, with what they mean.
constexpr std::pair<const char*, const char*> quality[] = {
    {"law_error", "law error, mean over contacts, worst recorded step"},
    {"law_error_max", "law error of the worst contact of all"},
    {"steps_over_tolerance", "steps that missed the tolerance"},
    {"energy_residual", "largest unclosed part of a step's energy, over the largest energy"},
    {"max_overlap", "largest overlap, over the smaller diameter"},
    {"mean_overlap", "mean overlap, over the smaller diameter"}};
constexpr std::pair<const char*, const char*> speed[] = {
    {"time", "simulated time [s]"}, {"steps", "steps"}, {"bodies", "bodies"}, {"contacts", "contacts at the end"},
    {"seconds", "wall time [s]"}, {"cpu_seconds", "processor time [s]"}, {"seconds_detect", "detection [s]"},
    {"seconds_solve", "solving [s]"}, {"contact_updates_per_second", "contact updates per second"}};

std::string words(const nlohmann::json& value) {
    if (value.is_number()) return format_number(value.get<double>(), 4);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

template <std::size_t N>
Facts facts_of(const nlohmann::json& summary, const std::pair<const char*, const char*> (&keys)[N]) {
    Facts facts;
    for (const auto& [key, meaning] : keys)
        if (summary.is_object() && summary.contains(key)) facts.emplace_back(meaning, words(summary.at(key)));
    return facts;
}

/// Where the energy went over the whole run: the terms of the ledger, added up.
Facts ledger(const std::vector<StepReport>& reports, observe::UnitSystem units) {
    EnergyLedger sum;
    double worst = 0.0;
    for (const StepReport& report : reports) {
        const EnergyLedger& e = report.energy;
        sum.drive_work += e.drive_work;
        sum.load_work += e.load_work;
        sum.impact += e.impact;
        sum.friction += e.friction;
        sum.correction += e.correction;
        sum.created += e.created;
        sum.removed += e.removed;
        sum.frozen += e.frozen;
        sum.residual += e.residual;
        worst = std::max(worst, report.momentum_residual);
    }
    const observe::Unit joule = observe::unit_in(units, "J");
    const auto show = [&](double value) { return format_number(value * joule.factor) + " " + joule.name; };
    const EnergyLedger& last = reports.back().energy;
    return {{"kinetic, at the end", show(last.kinetic)},
            {"potential, at the end", show(last.potential)},
            {"work of driven walls", show(sum.drive_work)},
            {"work of loads", show(sum.load_work)},
            {"lost in impacts", show(sum.impact)},
            {"lost by friction", show(sum.friction)},
            {"position correction", show(sum.correction)},
            {"brought by bodies at the start and since", show(sum.created)},
            {"taken by removed and frozen bodies", show(sum.removed + sum.frozen)},
            {"not closed", show(sum.residual)},
            {"worst momentum residual", format_number(worst, 3)}};
}

bool covers_every_step(const std::vector<StepReport>& reports) {
    return reports.size() > 1 && reports.back().step - reports.front().step + 1 == static_cast<std::int64_t>(reports.size());
}

void add_results(Page& page, const ReportData& data) {
    if (data.results.empty()) return;
    page.heading("What was measured");
    page.begin_cards();
    for (const auto& result : data.results) page.result(observe::in_units(result, data.figures.units));
    page.end_cards();
    for (const auto& result : data.results) {
        const auto shown = observe::in_units(result, data.figures.units);
        for (const auto& table : shown.tables)
            if (table.rows() > 0) page.table(observe::humanize(shown.label + ": " + table.name), table);
    }
}

/// A figure that the data do not allow is left out: the page is about what the run does have.
template <typename Draw>
void try_figure(Page& page, Draw draw_it, const std::string& caption) {
    try {
        page.figure(draw_it(), caption);
    } catch (const InputError&) {
    }
}

/// A frame whose grains move is worth a picture of their speeds: more than a thousandth of sqrt(g d).
bool is_moving(const FigureData& data) {
    const auto moves = [](const auto& snapshot) {
        double fastest = 0.0, diameter = 0.0;
        for (std::size_t i = 0; i < snapshot.size(); ++i) {
            if (!observe::is_grain(snapshot, i)) continue;
            fastest = std::max(fastest, snapshot.velocity[i].norm());
            diameter = std::max(diameter, 2.0 * snapshot.radius[i]);
        }
        return fastest > 1e-3 * std::sqrt(snapshot.gravity.norm() * diameter);
    };
    return data.plane ? moves(*data.plane) : data.space && moves(*data.space);
}

void add_state_figures(Page& page, const ReportData& data) {
    const auto state = [&](const char* name, const nlohmann::json& parameters) {
        observe::Spec spec;
        spec.name = name;
        spec.parameters = parameters;
        spec.units = data.figures.units;
        return draw(spec, data.figures);
    };
    if (data.figures.plane || data.figures.space) {
        try_figure(page, [&] { return state("grains", {{"colour", "auto"}}); }, "The last frame.");
        try_figure(page, [&] { return state("forces", nlohmann::json::object()); }, "The forces of the last step.");
        if (is_moving(data.figures))
            try_figure(page, [&] { return state("grains", {{"colour", "speed"}, {"palette", "colour"}}); }, "Speeds of the last frame.");
    }
    for (const auto& result : data.results) {
        const auto shown = observe::in_units(result, data.figures.units);
        if (result.observable == "rings")
            try_figure(page, [&] { return draw_rings(shown); }, "Vertical force on the ground over the area of each ring; a liquid of the "
                                                                "pile's height and mean density would give the hydrostatic value at the centre.");
        if (result.observable == "slope")
            try_figure(page, [&] { return draw_profile(shown); }, "Highest grains by distance from the axis.");
    }
}

void add_series(Page& page, const ReportData& data) {
    const std::pair<const char*, const char*> charts[] = {
        {"energy", "Where the energy is, and where it went."},
        {"contacts", "Potential contacts are those the contact rule admits, effective ones carry force."},
        {"law_error", "How far the impulses are from satisfying every contact law; below 1e-3 is the default tolerance of the mean."},
        {"overlap", "Overlap at the contacts, at mid-step."},
        {"speed", ""},
        {"balance", "Momentum: change minus forces and wall impulses. Energy: change minus every term of the ledger."}};
    for (const auto& [what, caption] : charts) {
        observe::Spec spec;
        spec.name = "curves";
        spec.parameters = {{"what", what}};
        try_figure(page, [&] { return draw(spec, data.figures); }, caption);
    }
}

void add_accounts(Page& page, const ReportData& data) {
    page.heading("Accounts");
    page.begin_cards();
    if (const Facts rows = facts_of(data.summary, quality); !rows.empty()) page.facts("How well the laws are met", rows);
    if (data.figures.reports && covers_every_step(*data.figures.reports))
        page.facts("Energy and momentum", ledger(*data.figures.reports, data.figures.units));
    if (const Facts rows = facts_of(data.summary, speed); !rows.empty()) page.facts("Size and speed", rows);
    const record::Provenance& p = data.provenance;
    page.facts("Where it comes from", {{"program", "talus " + p.version + (p.git.empty() ? "" : " (" + p.git + ")")},
                                       {"date", p.date},
                                       {"machine", p.machine},
                                       {"command", p.command},
                                       {"seed", std::to_string(p.seed)},
                                       {"state", data.state}});
    page.end_cards();
}

/// Results as the run stored them: an array, or an object that holds one.
std::vector<observe::Result> results_of(const std::string& text) {
    std::vector<observe::Result> results;
    if (text.empty()) return results;
    nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_object() && json.contains("observables")) json = json.at("observables");
    if (!json.is_array()) return results;
    for (const auto& entry : json) results.push_back(observe::result_from_json(entry));
    return results;
}

observe::UnitSystem units_of(const YAML::Node& scene) {
    return scene.IsMap() && scene["units"].as<std::string>("si") == "cgs" ? observe::UnitSystem::cgs : observe::UnitSystem::si;
}

/// The scene as YAML; null when the text is none, which is no reason to withhold a report.
YAML::Node parse_scene(const std::string& text) try {
    return YAML::Load(text);
} catch (const YAML::Exception&) {
    return {};
}

std::string finish_page(const ReportPage& page) { return whole_page(page.title, page.subtitle, page.content); }

void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw IoError(path + ": cannot be written");
}

}  // namespace

ReportPage make_report_page(const ReportData& data) {
    const auto& reports = data.figures.reports;
    const std::string time = reports && !reports->empty() ? format_number(reports->back().time, 4) + " s simulated, " : "";
    Page page(data.title, time + fmt::format("{} · talus {}", data.provenance.date, data.provenance.version));
    if (data.state == record::kInterrupted || data.state == record::kRunning)
        page.paragraph("This run has not reached its end; the page shows its last complete frame.");
    add_results(page, data);
    page.heading("Figures");
    page.figure_grid(true);
    add_state_figures(page, data);
    add_series(page, data);
    page.figure_grid(false);
    add_accounts(page, data);
    page.folded_text("The scene", data.scene_text);
    return {page.title(), page.subtitle(), page.content()};
}

std::string make_report(const ReportData& data) { return finish_page(make_report_page(data)); }

void write_report(const std::string& run_file, const std::string& html_file) { write_file(html_file, finish_page(read_report(run_file))); }

ReportPage read_report(const std::string& run_file) {
    const record::RunReader reader(run_file);
    const record::RunInfo& info = reader.info();
    const YAML::Node scene = parse_scene(info.scene_text);
    ReportData data;
    data.title = scene.IsMap() ? scene["title"].as<std::string>(info.scene_name) : info.scene_name;
    data.state = info.state;
    data.provenance = info.provenance;
    data.scene_text = info.scene_text;
    data.figures.units = units_of(scene);
    data.summary = nlohmann::json::parse(reader.summary_json(), nullptr, false);
    const auto measured = reader.observables();
    if (!measured.empty()) data.results = results_of(measured.back().json);
    std::vector<StepReport> reports;
    for (const auto& row : reader.reports()) reports.push_back(row.report);
    data.figures.reports = &reports;
    Snapshot<2> plane;
    Snapshot<3> space;
    if (!info.frames.empty() && info.dimension == 2) {
        plane = reader.read_frame<2>(-1);
        data.figures.plane = &plane;
    } else if (!info.frames.empty()) {
        space = reader.read_frame<3>(-1);
        data.figures.space = &space;
    }
    return make_report_page(data);
}

}  // namespace talus::plot
