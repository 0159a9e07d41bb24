#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "progress.h"
#include "record/run_file.h"

namespace talus::cli {
namespace {

double updates_per_second(const Clocks& clocks) {
    return clocks.stages.solve > 0.0 ? static_cast<double>(clocks.updates) / clocks.stages.solve : 0.0;
}

nlohmann::json ledger_json(const EnergyLedger& e) {
    return {{"kinetic", e.kinetic},       {"potential", e.potential}, {"drive_work", e.drive_work},
            {"load_work", e.load_work},   {"impact", e.impact},       {"friction", e.friction},
            {"correction", e.correction}, {"rotation", e.rotation},   {"created", e.created},
            {"removed", e.removed},       {"frozen", e.frozen},       {"residual", e.residual}};
}

nlohmann::json observables_json(const std::vector<observe::Result>& results) {
    auto json = nlohmann::json::object();
    for (const auto& result : results) {
        auto& entry = json[result.label.empty() ? result.observable : result.label];
        entry = nlohmann::json::object();
        for (const auto& scalar : result.scalars) entry[scalar.name] = scalar.value;
    }
    return json;
}

std::string row(const char* name, const std::string& value) { return fmt::format("  {:<22} {}\n", name, value); }

std::string ledger_text(const EnergyLedger& e, const observe::Unit& unit) {
    std::string text = row("energy at the end", fmt::format("kinetic {:.6g} {}, potential {:.6g} {}", e.kinetic * unit.factor,
                                                            unit.name, e.potential * unit.factor, unit.name));
    std::string flows;
    const auto add = [&](const char* name, double joule, bool always) {
        if (joule == 0.0 && !always) return;
        flows += fmt::format("{}{} {:.6g} {}", flows.empty() ? "" : ", ", name, joule * unit.factor, unit.name);
    };
    add("drives gave", e.drive_work, false);
    add("loads gave", e.load_work, false);
    add("impacts took", e.impact, true);
    add("friction took", e.friction, true);
    add("position correction gave", e.correction, false);
    add("rotation error", e.rotation, false);
    add("new bodies brought", e.created, false);
    add("removed bodies took", e.removed, false);
    add("frozen bodies lost", e.frozen, false);
    return text + row("energy ledger", flows);
}

std::string clocks_text(const RunOutcome& o) {
    const StepTimes& t = o.clocks.stages;
    const double other = std::max(0.0, o.clocks.wall - t.total());
    return row("seconds", fmt::format("{} wall, {} of processor", format_duration(o.clocks.wall), format_duration(o.clocks.cpu))) +
           row("  by stage", fmt::format("predict {:.2f}, pair {:.2f}, touch {:.2f}, gather {:.2f}, solve {:.2f}, finish {:.2f}, "
                                         "outside steps {:.2f}", t.predict, t.pair, t.touch, t.gather, t.solve, t.finish, other)) +
           row("contact updates", fmt::format("{:.3g} per second of solving", updates_per_second(o.clocks))) +
           row("memory", fmt::format("{:.3g} GB at most", 1e-9 * static_cast<double>(o.clocks.peak_bytes)));
}

}  // namespace

nlohmann::json to_json(const RunOutcome& o) {
    return {{"time", o.time},
            {"steps", o.steps},
            {"bodies", o.bodies},
            {"contacts", o.totals.contacts},
            {"law_error", o.totals.law_error},
            {"law_error_max", o.totals.law_error_max},
            {"steps_over_tolerance", o.totals.steps_over_tolerance},
            {"energy_residual", o.totals.energy_residual()},
            {"max_overlap", o.totals.max_overlap},
            {"mean_overlap", o.totals.mean_overlap()},
            {"seconds", o.clocks.wall},
            {"cpu_seconds", o.clocks.cpu},
            {"seconds_detect", o.clocks.stages.detect()},
            {"seconds_solve", o.clocks.stages.solve},
            {"contact_updates_per_second", updates_per_second(o.clocks)},
            {"contact_updates", o.totals.updates},
            {"seconds_steps", o.clocks.stages.total()},
            {"peak_resident_bytes", o.clocks.peak_bytes},
            {"out", o.out},
            {"state", o.state},
            {"frames", o.frames},
            {"hash", fmt::format("{:016x}", o.hash)},
            {"momentum_residual", o.totals.momentum_residual},
            {"steps_with_energy_gain", o.totals.steps_with_gain},
            {"energy", ledger_json(o.totals.energy)},
            {"observables", observables_json(o.observables)}};
}

std::string to_text(const RunOutcome& o, observe::UnitSystem units) {
    const Totals& t = o.totals;
    std::string text = fmt::format("{} at t = {:.6g} s\n", o.state, o.time);
    text += row("steps", fmt::format("{}", o.steps));
    text += row("bodies", fmt::format("{}", o.bodies));
    text += row("contacts", fmt::format("{} in the last step", t.contacts));
    text += row("law error", fmt::format("{:.3g} mean, {:.3g} worst contact (worst of all steps: step {})", t.law_error,
                                         t.law_error_max, t.law_error_step));
    text += row("steps over tolerance", fmt::format("{} of {}", t.steps_over_tolerance, o.steps));
    text += ledger_text(t.energy, observe::unit_in(units, "J"));
    text += row("energy not closed", fmt::format("{:.2g} of the largest total energy, in the worst step", t.energy_residual()));
    text += row("momentum not closed", fmt::format("{:.2g} in the worst step", t.momentum_residual));
    text += row("overlap", fmt::format("{:.2g} largest, {:.2g} mean, in diameters", t.max_overlap, t.mean_overlap()));
    text += clocks_text(o);
    for (const auto& result : o.observables) {
        text += '\n';
        text += observe::to_text(observe::in_units(result, units));
    }
    return text + fmt::format("\n{} frames in {}/run.h5\n", o.frames, o.out);
}

std::string warnings(const RunOutcome& o) {
    std::string text;
    if (o.totals.steps_with_gain > 0) {
        text += fmt::format("warning: contacts created energy in {} of {} steps (possible where tangential and normal "
                            "restitution differ)\n", o.totals.steps_with_gain, o.steps);
    }
    if (o.exit_code == kToleranceMissed) {
        text += fmt::format("the solver missed the tolerance in {} steps where the scene demands it, first in step {}; raise "
                            "solver.max_sweeps or shorten the step\n", o.totals.demanded_misses, o.totals.first_demanded_miss);
    }
    if (o.exit_code == kInterrupted) {
        text += fmt::format("interrupted at t = {:.6g} s; continue with --resume --out {}\n", o.time, o.out);
    }
    return text;
}

}  // namespace talus::cli
