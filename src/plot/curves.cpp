// Quantities of runs as curves: step reports, wall forces and stored observables against time or against each other, one run or
// several. `what` names a set of curves that belong together, with the axes they want:
//   energy     kinetic and potential energy and, when every step is reported, what walls gave and what
//              friction and impacts took since the first row
//   law_error  mean over contacts, and the worst contact
//   contacts   potential and effective contacts, bodies
//   overlap    largest and mean overlap over the smaller diameter
//   speed      of the fastest grain
//   balance    what does not close of momentum and energy
//   sweeps     of the solver
// Curves keep at most 1000 points, lowest and highest of every stretch; errors keep their peaks.

#include <algorithm>
#include <cmath>

#include "observe/result.h"
#include "plot/chart.h"
#include "plot/columns.h"
#include "plot/figure.h"
#include "plot/palette.h"

namespace talus {

namespace {

using plot::Column;

struct Preset {
    std::string what, title, y_label;
    std::vector<std::string> columns;
    bool log = false;
};

const std::vector<Preset> presets{
    {"energy", "Energy", "energy", {"kinetic", "potential_change", "friction_total", "impact_total", "wall_work_total", "brought_total"}, false},
    {"law_error", "Law error", "over g h", {"law_error", "law_error_max"}, true},
    {"contacts", "Contacts", "number", {"contacts", "working_contacts", "bodies"}, false},
    {"overlap", "Overlap over the smaller diameter", "overlap", {"max_overlap", "mean_overlap"}, true},
    {"speed", "Speed of the fastest grain", "speed", {"max_speed"}, true},
    {"balance", "What does not balance", "residual over the largest term", {"momentum_residual", "energy_residual"}, true},
    {"sweeps", "Sweeps of the solver", "sweeps a step", {"sweeps"}, false}};

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const Preset& preset : presets) names.push_back(preset.what);
    return names;
}

struct Wanted {
    const Preset* preset = nullptr;
    std::vector<std::string> y, labels;
    std::string x = "time";
    double from = -INFINITY, to = INFINITY;
    std::optional<double> period;
    int bins = 50;
    std::string over;
    bool spread = false;
};

Wanted read(plot::Options& o) {
    Wanted w;
    w.y = o.texts("y");
    if (!w.y.empty() && o.has("what")) o.fail("what", "is given as well as `y`; give one of them");
    const std::string what = o.choice("what", preset_names());
    if (w.y.empty()) w.preset = &*std::find_if(presets.begin(), presets.end(), [&](const Preset& p) { return p.what == what; });
    w.x = o.text("x", "time");
    w.labels = o.texts("labels");
    w.from = o.number("from", -INFINITY);
    w.to = o.number("to", INFINITY);
    if (o.has("period")) w.period = o.positive("period", 1.0);
    w.bins = static_cast<int>(o.count("bins", 50, 2));
    w.over = o.text("over", "");
    w.spread = o.flag("spread", false);
    if (w.period && w.x != "time") o.fail("period", "needs time along x");
    return w;
}

/// The unit part that a total is not known without: all steps.
bool is_total(const std::string& name) { return name.ends_with("_total"); }
bool is_zero(const Column& c) {
    return std::all_of(c.value.begin(), c.value.end(), [&](double v) { return v == c.value.front(); }) && !c.value.empty() && c.value.front() == 0.0;
}

void divide(Column& column, plot::ColumnSource& source, const std::string& over) {
    if (over.empty()) return;
    char* end = nullptr;
    const double number = std::strtod(over.c_str(), &end);
    if (end != over.c_str() && *end == '\0') {
        for (double& v : column.value) v /= number;
        column.unit.clear();
        return;
    }
    const Column by = source.column(over);
    for (std::size_t k = 0; k < column.value.size(); ++k) column.value[k] /= plot::value_at(by, column.time[k]);
    column.unit = column.unit == by.unit ? "" : column.unit + "/" + by.unit;
}

/// The energy residual means something over the largest energy only.
void make_relative(Column& column, plot::ColumnSource& source) {
    const Column kinetic = source.column("kinetic"), potential = source.column("potential");
    double largest = 0.0;
    for (std::size_t k = 0; k < kinetic.value.size(); ++k) largest = std::max(largest, std::abs(kinetic.value[k]) + std::abs(potential.value[k]));
    for (double& v : column.value) v = largest > 0.0 ? v / largest : 0.0;
    column.unit.clear();
}

std::vector<Column> columns_of(plot::ColumnSource& source, const Wanted& w) {
    std::vector<Column> columns;
    for (const std::string& name : w.preset ? w.preset->columns : w.y) {
        if (w.preset && is_total(name) && !source.has_every_step()) continue;
        Column column = source.column(name);
        if (w.preset && is_total(name) && (name.starts_with("wall") || name.starts_with("brought")) && is_zero(column)) continue;
        if (w.preset && name == "energy_residual") make_relative(column, source);
        divide(column, source, w.over);
        plot::cut_to(column, w.from, w.to);
        if (w.period) column = plot::by_phase(column, *w.period, w.bins);
        columns.push_back(std::move(column));
    }
    return columns;
}

plot::Curve curve_of(const Column& column, const Column* x, bool in_time) {
    plot::Curve curve{column.label, {}, {}, plot::CurveKind::line, "", false};
    for (std::size_t k = 0; k < column.time.size(); ++k) {
        curve.x.push_back(x ? plot::value_at(*x, column.time[k]) : column.time[k]);
        curve.y.push_back(column.value[k]);
    }
    if (in_time && column.peaks) plot::keep_peaks(curve);
    else plot::decimate(curve);
    return curve;
}

/// Mean over runs at the times of the first, and a band of one standard deviation to each side.
void add_spread(plot::Chart& chart, const std::vector<std::vector<Column>>& runs) {
    for (std::size_t c = 0; c < runs.front().size(); ++c) {
        const Column& first = runs.front()[c];
        plot::Curve mean{first.label + ", mean of " + std::to_string(runs.size()) + " runs", {}, {}, plot::CurveKind::line, plot::hue(c), false};
        plot::Curve band{"", {}, {}, plot::CurveKind::band, plot::hue(c), false};
        std::vector<double> low, at;
        for (const double t : first.time) {
            double sum = 0.0, squares = 0.0, count = 0.0;
            for (const auto& run : runs)
                if (const double v = plot::value_at(run[c], t); std::isfinite(v)) sum += v, squares += v * v, count += 1.0;
            if (count < 2.0) continue;
            const double middle = sum / count, deviation = std::sqrt(std::max(0.0, (squares - sum * middle) / (count - 1.0)));
            mean.x.push_back(t);
            mean.y.push_back(middle);
            band.x.push_back(t);
            band.y.push_back(middle + deviation);
            low.push_back(middle - deviation);
        }
        at = band.x;
        for (std::size_t k = at.size(); k-- > 0;) {
            band.x.push_back(at[k]);
            band.y.push_back(low[k]);
        }
        chart.curves.push_back(std::move(band));
        chart.curves.push_back(std::move(mean));
    }
}

std::string with_unit(const std::string& words, const std::string& unit) { return unit.empty() ? words : words + " [" + unit + "]"; }

/// What the y axis is called: the one quantity, or the unit they share.
std::string y_label(const std::vector<Column>& columns, const Wanted& w) {
    if (columns.empty()) return "";
    const bool alike = std::all_of(columns.begin(), columns.end(), [&](const Column& c) { return c.unit == columns.front().unit; });
    if (!alike) return "";
    const std::string words = w.preset ? w.preset->y_label : columns.size() == 1 ? columns.front().label : "";
    return words.empty() ? (columns.front().unit.empty() ? "" : "[" + columns.front().unit + "]") : with_unit(words, columns.front().unit);
}

/// Curves of one run; where several runs are drawn, they carry its name.
void add_run(plot::Chart& chart, plot::ColumnSource& source, const std::vector<Column>& columns, const Wanted& w, const std::string& run_label) {
    const bool in_time = w.x == "time";
    const Column x = in_time ? Column() : source.column(w.x);
    for (const Column& column : columns) {
        plot::Curve curve = curve_of(column, in_time ? nullptr : &x, in_time);
        if (!run_label.empty()) curve.label = columns.size() == 1 ? run_label : run_label + ": " + curve.label;
        else if (columns.size() == 1) curve.label.clear();   // the axis says it
        chart.curves.push_back(std::move(curve));
    }
    if (!in_time) chart.x.label = with_unit(x.label, x.unit);
}

std::vector<plot::RunData> runs_of(const plot::FigureData& data) {
    if (data.runs && !data.runs->empty()) return *data.runs;
    if (!data.reports || data.reports->empty()) throw InputError("figure `curves` needs step reports, and the run has none");
    plot::RunData run;
    run.name = "run";
    run.units = data.units;
    run.steps = [&] {
        std::vector<plot::StepRow> rows;
        for (const StepReport& report : *data.reports) rows.push_back({report, {}});
        return rows;
    };
    return {run};
}

void set_axes(plot::Chart& chart, plot::Options& o, const Wanted& w) {
    chart.title = o.text("title", w.preset ? w.preset->title : "none");
    if (chart.title == "none") chart.title.clear();
    chart.x.label = w.period ? "time in the period [s]" : "time [s]";
    chart.x.log = o.flag("logx", false);
    chart.y.log = o.flag("logy", w.preset && w.preset->log);
    chart.y.decades = 6.0;
    chart.width = o.number("width", 640.0);
    chart.height = o.number("height", 0.47 * chart.width);
    if (!(chart.width >= 200.0 && chart.width <= 4000.0 && chart.height >= 120.0 && chart.height <= 4000.0)) o.fail("width", "and `height` must lie between 200 (120) and 4000 pixels");
    if (const auto range = o.intervals("xrange"); !range.empty()) chart.x.low = range.front().first, chart.x.high = range.front().second;
    if (const auto range = o.intervals("yrange"); !range.empty()) chart.y.low = range.front().first, chart.y.high = range.front().second;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const Wanted w = read(options);
    const auto runs = runs_of(data);
    if (!w.labels.empty() && w.labels.size() != runs.size()) options.fail("labels", "must name each of the " + std::to_string(runs.size()) + " runs");
    plot::Chart chart;
    set_axes(chart, options, w);
    std::vector<std::vector<Column>> all;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        plot::ColumnSource source(runs[k], data.units);
        all.push_back(columns_of(source, w));
        const std::string label = !w.labels.empty() ? w.labels[k] : runs.size() > 1 ? runs[k].name : "";
        if (!w.spread) add_run(chart, source, all.back(), w, label);
    }
    if (w.spread && w.x != "time") options.fail("spread", "needs time along x");
    if (w.spread) add_spread(chart, all);
    chart.y.label = options.text("ylabel", y_label(all.front(), w));
    chart.x.label = options.text("xlabel", chart.x.label);
    return plot::draw_chart(chart);
}

plot::OptionList options() {
    return {{"what", "energy|law_error|contacts|overlap|speed|balance|sweeps", "a set of curves that belong together [energy]"},
            {"y", "COLUMN,…", "columns instead: of the step reports (kinetic, law_error, contacts, friction_total …), LABEL.NAME of a stored observable, force_x:BODY"},
            {"x", "COLUMN", "column along x [time]"},
            {"from", "T", "only from that time on [s]"},
            {"to", "T", "only up to that time [s]"},
            {"period", "T", "means by the part of a period [s] instead of the whole time"},
            {"bins", "N", "parts of the period [50]"},
            {"over", "X|COLUMN", "divide by a number, in the units shown, or by a column"},
            {"spread", "true|false", "several runs: their mean and a band of one standard deviation [false]"},
            {"labels", "TEXT,…", "names of the runs [their folders]"},
            {"logx", "true|false", "logarithmic x axis [false]"},
            {"logy", "true|false", "logarithmic y axis [false; true for errors]"},
            {"xrange", "A:B", "ends of the x axis"},
            {"yrange", "A:B", "ends of the y axis"},
            {"xlabel", "TEXT", "words along x"},
            {"ylabel", "TEXT", "words along y"},
            {"title", "TEXT|none", "title"},
            {"width", "PX", "width of the figure [640]"},
            {"height", "PX", "height of the figure [0.47 width]"}};
}

}  // namespace

void register_curves(FigureRegistry& registry) {
    registry.add("curves", {"step reports, wall forces and observables against time or each other; several runs overlaid", FigureRegistry::Of::runs,
                            options(), draw});
}

}  // namespace talus
