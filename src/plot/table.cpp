// Any table of any observable: one column against another, of one run or several. `of` names a result that the run has stored,
// or an observable to be measured now on the frame.

#include <cmath>

#include "plot/chart.h"
#include "plot/results.h"

namespace talus {

namespace {

const std::vector<std::string> own_keys{"table", "x", "y", "error", "kind", "logx", "logy", "labels", "xlabel", "ylabel", "height"};

/// The table that is asked for, or the only one.
const observe::Table& table_of(const observe::Result& result, const std::string& name) {
    if (!name.empty()) return plot::need_table(result, name);
    if (result.tables.empty()) throw InputError("the measurement `" + result.label + "` has no table; its numbers over time are drawn by `curves`");
    return result.tables.front();
}

std::string heading(const observe::Column& column) {
    return column.unit.empty() ? observe::humanize(column.name) : observe::humanize(column.name) + " [" + column.unit + "]";
}

plot::CurveKind kind_of(const std::string& kind) {
    if (kind == "points") return plot::CurveKind::points;
    if (kind == "bars") return plot::CurveKind::bars;
    return kind == "steps" ? plot::CurveKind::steps : plot::CurveKind::line;
}

/// Bars as wide as the places are apart; steps need the end of the last one.
void shape(plot::Curve& curve) {
    if (curve.x.size() < 2) return;
    double gap = INFINITY;
    for (std::size_t k = 1; k < curve.x.size(); ++k) gap = std::min(gap, std::abs(curve.x[k] - curve.x[k - 1]));
    curve.bar = 0.8 * gap;
    if (curve.kind == plot::CurveKind::steps) curve.x.push_back(2.0 * curve.x.back() - curve.x[curve.x.size() - 2]);
}

struct Wanted {
    std::string table, x, error, kind;
    std::vector<std::string> y, labels;
};

void add_run(plot::Chart& chart, const observe::Table& table, const Wanted& w, const std::string& run) {
    const observe::Column& x = w.x.empty() ? table.columns.front() : plot::need_column(table, w.x);
    auto names = w.y;
    if (names.empty()) names = {table.columns.size() > 1 ? table.columns[1].name : table.columns.front().name};
    for (const auto& name : names) {
        const observe::Column& y = plot::need_column(table, name);
        const std::string words = observe::humanize(name);
        plot::Curve curve{run.empty() ? (names.size() > 1 ? words : "") : names.size() > 1 ? run + ": " + words : run, x.values, y.values, kind_of(w.kind), "", false};
        if (!w.error.empty()) curve.error = plot::need_column(table, w.error).values;
        shape(curve);
        chart.curves.push_back(std::move(curve));
        chart.y.label = names.size() == 1 ? heading(y) : y.unit.empty() ? "" : "[" + y.unit + "]";
    }
    chart.x.label = heading(x);
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const std::string of = options.text("of", "");
    if (of.empty()) throw InputError("figure `table` needs the measurement: of=LABEL");
    const Wanted w{options.text("table", ""), options.text("x", ""), options.text("error", ""), options.choice("kind", {"line", "points", "steps", "bars"}), options.texts("y"), options.texts("labels")};
    plot::Chart chart;
    chart.x.log = options.flag("logx", false);
    chart.y.log = options.flag("logy", false);
    chart.width = options.positive("width", 640.0);
    chart.height = options.positive("height", 0.52 * chart.width);
    const auto all = plot::measured_runs(data, options, of, own_keys);
    if (!w.labels.empty() && w.labels.size() != all.size()) options.fail("labels", "must name each of the " + std::to_string(all.size()) + " runs");
    for (std::size_t k = 0; k < all.size(); ++k)
        add_run(chart, table_of(all[k].result, w.table), w, !w.labels.empty() ? w.labels[k] : all.size() > 1 ? all[k].run : "");
    chart.title = plot::read_title(options, observe::humanize(all.front().result.label) + " at t = " + observe::format_number(all.front().result.time, 4) + " s");
    chart.x.label = options.text("xlabel", chart.x.label);
    chart.y.label = options.text("ylabel", chart.y.label);
    return plot::draw_chart(chart);
}

}  // namespace

void register_table(FigureRegistry& registry) {
    registry.add("table", {"columns of a table that an observable gives, of one run or several", FigureRegistry::Of::frame,
                           {{"of", "LABEL", "the measurement: stored in the run, or an observable to measure on the frame (needed)"},
                            {"table", "NAME", "which of its tables [the first]"},
                            {"x", "COLUMN", "column along x [the first]"},
                            {"y", "COLUMN,…", "columns along y [the second]"},
                            {"error", "COLUMN", "column with half the length of whiskers"},
                            {"kind", "line|points|steps|bars", "how values are drawn [line]"},
                            {"logx", "true|false", "logarithmic x axis [false]"},
                            {"logy", "true|false", "logarithmic y axis [false]"},
                            {"labels", "TEXT,…", "names of the runs [their folders]"},
                            {"xlabel", "TEXT", "words along x"},
                            {"ylabel", "TEXT", "words along y"},
                            {"title", "TEXT|none", "title [what and when]"},
                            {"width", "PX", "width of the figure [640]"},
                            {"height", "PX", "height of the figure [0.52 width]"}},
                           draw});
}

}  // namespace talus
