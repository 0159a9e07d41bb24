#include "plot/columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "observe/result.h"
#include "scene/diagnostics.h"
#include "talus/error.h"

namespace talus::plot {

namespace {

using Get = std::function<double(const StepReport&)>;

struct StepColumn {
    const char* name;
    const char* label;
    const char* unit;   ///< SI
    bool peaks;
    Get get;
};

const std::vector<StepColumn>& step_columns() {
    using R = const StepReport&;
    static const std::vector<StepColumn> all{
        {"time", "time", "s", false, [](R r) { return r.time; }},
        {"step", "step", "", false, [](R r) { return static_cast<double>(r.step); }},
        {"bodies", "bodies", "", false, [](R r) { return static_cast<double>(r.bodies); }},
        {"contacts", "potential contacts", "", false, [](R r) { return static_cast<double>(r.contacts); }},
        {"working_contacts", "effective contacts", "", false, [](R r) { return static_cast<double>(r.working_contacts); }},
        {"effective_over_potential", "effective over potential contacts", "", false,
         [](R r) { return r.contacts > 0 ? static_cast<double>(r.working_contacts) / static_cast<double>(r.contacts) : NAN; }},
        {"sweeps", "sweeps", "", false, [](R r) { return static_cast<double>(r.sweeps); }},
        {"updates", "contact updates", "", false, [](R r) { return static_cast<double>(r.updates); }},
        {"law_error", "mean law error", "", true, [](R r) { return r.law.mean; }},
        {"law_error_max", "law error of the worst contact", "", true, [](R r) { return r.law.max; }},
        {"moreau_change", "last change of a sweep", "m/s", true, [](R r) { return r.moreau_change; }},
        {"momentum_residual", "momentum residual", "", true, [](R r) { return r.momentum_residual; }},
        {"max_overlap", "largest overlap", "", true, [](R r) { return r.max_overlap; }},
        {"mean_overlap", "mean overlap", "", true, [](R r) { return r.mean_overlap; }},
        {"joint_error", "joint error", "m", true, [](R r) { return r.joint_error; }},
        {"max_speed", "speed of the fastest grain", "m/s", true, [](R r) { return r.max_speed; }},
        {"energy", "kinetic and potential energy", "J", false, [](R r) { return r.energy.kinetic + r.energy.potential; }},
        {"kinetic", "kinetic", "J", false, [](R r) { return r.energy.kinetic; }},
        {"potential", "potential", "J", false, [](R r) { return r.energy.potential; }},
        {"drive_work", "work of driven walls", "J", false, [](R r) { return r.energy.drive_work; }},
        {"load_work", "work of loads", "J", false, [](R r) { return r.energy.load_work; }},
        {"wall_work", "given by walls and loads", "J", false, [](R r) { return r.energy.drive_work + r.energy.load_work; }},
        {"impact", "lost in impacts", "J", false, [](R r) { return r.energy.impact; }},
        {"friction", "lost by friction", "J", false, [](R r) { return r.energy.friction; }},
        {"correction", "position correction", "J", false, [](R r) { return r.energy.correction; }},
        {"rotation", "rotation", "J", false, [](R r) { return r.energy.rotation; }},
        {"created", "created", "J", false, [](R r) { return r.energy.created; }},
        {"removed", "removed", "J", false, [](R r) { return r.energy.removed; }},
        {"frozen", "frozen", "J", false, [](R r) { return r.energy.frozen; }},
        {"brought", "brought by grains that came and went", "J", false,
         [](R r) { return r.energy.created - r.energy.removed - r.energy.frozen; }},
        {"energy_residual", "energy not closed", "J", true, [](R r) { return std::abs(r.energy.residual); }}};
    return all;
}

const StepColumn* find_step_column(const std::string& name) {
    for (const StepColumn& column : step_columns())
        if (name == column.name) return &column;
    return nullptr;
}

constexpr std::array total_suffix{"_total", "_change"};

/// `friction_total`: the ending is taken off, and told.
std::string split_suffix(std::string& name) {
    for (const std::string suffix : total_suffix)
        if (name.size() > suffix.size() && name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
            return suffix;
        }
    return "";
}

}  // namespace

const std::vector<StepRow>& ColumnSource::steps() {
    if (!have_steps_ && run_.steps) steps_ = run_.steps();
    have_steps_ = true;
    return steps_;
}

const std::vector<observe::Result>& ColumnSource::results() {
    if (!have_results_ && run_.results) results_ = run_.results();
    have_results_ = true;
    return results_;
}

bool ColumnSource::has_every_step() {
    for (std::size_t k = 1; k < steps().size(); ++k)
        if (steps()[k].report.step != steps()[k - 1].report.step + 1) return false;
    return !steps().empty();
}

Column ColumnSource::column(const std::string& name) {
    if (const auto colon = name.find(':'); colon != std::string::npos) return wall_force(name.substr(0, colon), name.substr(colon + 1));
    if (const auto dot = name.find('.'); dot != std::string::npos) return stored(name.substr(0, dot), name.substr(dot + 1));
    return step_column(name);
}

Column ColumnSource::step_column(const std::string& asked) {
    std::string name = asked;
    const StepColumn* found = find_step_column(name);
    const std::string suffix = found ? "" : split_suffix(name);
    if (!found) found = find_step_column(name);
    if (!found) throw InputError(fmt::format("run `{}` has no column `{}`; {}", run_.name, asked, scene::suggest(asked, known_names(), "columns")));
    if (steps().empty()) throw InputError("run `" + run_.name + "` has no step reports");
    const observe::Unit unit = observe::unit_in(units_, found->unit);
    Column out{found->label, unit.name, {}, {}, found->peaks && suffix.empty()};
    if (suffix == "_change") out.label += ", since the start";
    double sum = suffix == "_total" ? -found->get(steps().front().report) : 0.0;
    const double start = suffix == "_change" ? found->get(steps().front().report) : 0.0;
    for (const StepRow& row : steps()) {
        const double value = found->get(row.report);
        sum += value;
        out.time.push_back(row.report.time);
        out.value.push_back(unit.factor * (suffix == "_total" ? sum : value - start));
    }
    return out;
}

Column ColumnSource::stored(const std::string& label, const std::string& name) {
    Column out;
    bool label_known = false;
    std::vector<std::string> names;
    for (const auto& result : results()) {
        if (result.label != label) continue;
        label_known = true;
        for (const auto& scalar : result.scalars) {
            if (scalar.name != name) {
                if (names.size() < 60) names.push_back(label + "." + scalar.name);
                continue;
            }
            if (!out.time.empty() && out.time.back() == result.time) continue;   // the last frame, measured again at the end
            const observe::Unit unit = observe::unit_in(units_, scalar.unit);
            out.unit = unit.name;
            out.time.push_back(result.time);
            out.value.push_back(scalar.value * unit.factor);
        }
    }
    if (out.time.empty())
        throw InputError(fmt::format("run `{}` has no column `{}.{}`; {}", run_.name, label, name,
                                     scene::suggest(label + "." + name, label_known ? names : known_names(), "columns")));
    out.label = observe::humanize(label == name ? name : label + ": " + name);
    return out;
}

std::vector<BodyId> ColumnSource::bodies_named(const std::string& body) {
    std::vector<BodyId> ids;
    const SceneNames names = run_.names ? run_.names() : SceneNames();
    if (const auto tag = names.tags.find(body); tag != names.tags.end() && !run_.times.empty()) {
        const auto collect = [&](const auto& frame) {
            for (std::size_t i = 0; i < frame.size(); ++i)
                if (frame.tag[i] == tag->second) ids.push_back(frame.id[i]);
        };
        if (run_.dim == 2) collect(run_.plane_at(0));
        else collect(run_.space_at(0));
        return ids;
    }
    if (!body.empty() && body.find_first_not_of("0123456789") == std::string::npos) return {std::stoll(body)};
    std::vector<std::string> known;
    for (const auto& [name, number] : names.tags) known.push_back(name);
    throw InputError(fmt::format("run `{}` has no body `{}`; {}", run_.name, body, scene::suggest(body, known, "bodies")));
}

Column ColumnSource::wall_force(const std::string& axis, const std::string& body) {
    static const std::array<std::string, 3> axes{"force_x", "force_y", "force_z"};
    const auto which = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
    if (which >= static_cast<std::size_t>(run_.dim)) throw InputError("column `" + axis + ":" + body + "`: write force_x:BODY, force_y:BODY or, in space, force_z:BODY");
    const std::vector<BodyId> ids = bodies_named(body);
    if (!has_every_step()) throw InputError("run `" + run_.name + "` does not report every step, so the forces on walls are not known; leave `report_every` out of the scene");
    const observe::Unit newton = observe::unit_in(units_, "N");
    Column out{"force on " + body + ", " + axis.substr(6), newton.name, {}, {}, false};
    for (std::size_t k = 1; k < steps().size(); ++k) {   // a step is as long as its report is later than the one before
        const StepRow& row = steps()[k];
        double impulse = 0.0;
        for (const auto& [id, given] : row.walls)
            if (std::find(ids.begin(), ids.end(), id) != ids.end()) impulse += given[which];
        out.time.push_back(row.report.time);
        out.value.push_back(newton.factor * impulse / (row.report.time - steps()[k - 1].report.time));
    }
    return out;
}

std::vector<std::string> ColumnSource::known_names() {
    std::vector<std::string> names;
    for (const StepColumn& column : step_columns()) names.push_back(column.name);
    if (!results().empty()) {
        const double last = results().back().time;
        for (const auto& result : results())
            if (result.time == last)
                for (const auto& scalar : result.scalars) names.push_back(result.label + "." + scalar.name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

double value_at(const Column& column, double t) {
    const auto above = std::lower_bound(column.time.begin(), column.time.end(), t);
    if (above == column.time.end()) return std::numeric_limits<double>::quiet_NaN();
    const auto k = static_cast<std::size_t>(above - column.time.begin());
    if (*above == t) return column.value[k];
    if (k == 0) return std::numeric_limits<double>::quiet_NaN();
    const double share = (t - column.time[k - 1]) / (column.time[k] - column.time[k - 1]);
    return column.value[k - 1] + share * (column.value[k] - column.value[k - 1]);
}

void cut_to(Column& column, double from, double to) {
    Column kept{column.label, column.unit, {}, {}, column.peaks};
    for (std::size_t k = 0; k < column.time.size(); ++k)
        if (column.time[k] >= from && column.time[k] <= to) {
            kept.time.push_back(column.time[k]);
            kept.value.push_back(column.value[k]);
        }
    column = std::move(kept);
}

Column by_phase(const Column& column, double period, int bins) {
    std::vector<double> sum(static_cast<std::size_t>(bins), 0.0), count(static_cast<std::size_t>(bins), 0.0);
    for (std::size_t k = 0; k < column.time.size(); ++k) {
        if (!std::isfinite(column.value[k])) continue;
        // Half a step of slack would shift bins; a report belongs to the part of the period in which its step ended.
        const double turns = column.time[k] / period, phase = turns - std::floor(turns);
        const auto bin = std::min(static_cast<std::size_t>(phase * bins), static_cast<std::size_t>(bins) - 1);
        sum[bin] += column.value[k];
        count[bin] += 1.0;
    }
    Column out{column.label, column.unit, {}, {}, false};
    for (std::size_t b = 0; b < sum.size(); ++b) {
        out.time.push_back((static_cast<double>(b) + 0.5) * period / bins);
        out.value.push_back(count[b] > 0.0 ? sum[b] / count[b] : std::numeric_limits<double>::quiet_NaN());
    }
    return out;
}

}  // namespace talus::plot
