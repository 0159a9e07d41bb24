// One number of each run, grouped: bars at the mean of a group with whiskers of one standard deviation, and a point for every
// run. Runs that differ in their seed alone make a group: folders `…seed=3` as `talus run --seeds` names them.

#include <algorithm>
#include <cmath>
#include <regex>

#include "observe/result.h"
#include "plot/chart.h"
#include "plot/columns.h"
#include "plot/results.h"

namespace talus {

namespace {

struct Group {
    std::string name;
    std::vector<double> values;

    [[nodiscard]] double mean() const {
        double sum = 0.0;
        for (const double v : values) sum += v;
        return values.empty() ? NAN : sum / static_cast<double>(values.size());
    }
    [[nodiscard]] double deviation() const {
        double squares = 0.0;
        for (const double v : values) squares += (v - mean()) * (v - mean());
        return values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0.0;
    }
};

/// `friction=0.3_seed=2` without its seed; what is left of `seed=2` is nothing.
std::string without_seed(const std::string& name) {
    static const std::regex seed("[_-]?seed[=_-]?[0-9]+");
    return std::regex_replace(name, seed, "");
}

/// The last value of the column that can be had.
double last_value(const plot::Column& column) {
    for (std::size_t k = column.value.size(); k-- > 0;)
        if (std::isfinite(column.value[k])) return column.value[k];
    return NAN;
}

Group& group_named(std::vector<Group>& groups, const std::string& name) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
    if (found != groups.end()) return *found;
    groups.push_back({name, {}});
    return groups.back();
}

plot::Chart chart_of(const std::vector<Group>& groups) {
    plot::Chart chart;
    plot::Curve bars{"", {}, {}, plot::CurveKind::bars, "#9db8cc", false}, points{"", {}, {}, plot::CurveKind::points, "#0072b2", false};
    for (std::size_t k = 0; k < groups.size(); ++k) {
        const auto at = static_cast<double>(k);
        chart.x.names.push_back(groups[k].name.empty() ? "all" : groups[k].name);
        bars.x.push_back(at);
        bars.y.push_back(groups[k].mean());
        bars.error.push_back(groups[k].deviation());
        const auto count = static_cast<double>(groups[k].values.size());
        for (std::size_t j = 0; j < groups[k].values.size() && count > 1.0; ++j) {   // side by side, to be told apart
            points.x.push_back(at + 0.4 * ((static_cast<double>(j) + 0.5) / count - 0.5));
            points.y.push_back(groups[k].values[j]);
        }
    }
    const bool single = points.x.empty();
    bars.label = single ? "" : "mean and standard deviation";
    points.label = single ? "" : "runs";
    chart.curves = {bars};
    if (!single) chart.curves.push_back(points);
    return chart;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const std::string y = options.text("y", "");
    if (y.empty()) throw InputError("figure `bars` needs the number to show: y=LABEL.NAME");
    if (!data.runs || data.runs->empty()) throw InputError("figure `bars` needs runs");
    const auto labels = options.texts("labels");
    const std::string by = options.choice("group", {"seed", "none", "all"});
    std::vector<Group> groups;
    std::string words, unit;
    for (const auto& run : *data.runs) {
        plot::ColumnSource source(run, data.units);
        const plot::Column column = source.column(y);
        words = column.label;
        unit = column.unit;
        group_named(groups, by == "none" ? run.name : by == "all" ? "" : without_seed(run.name)).values.push_back(last_value(column));
    }
    if (!labels.empty() && labels.size() != groups.size()) options.fail("labels", "must name each of the " + std::to_string(groups.size()) + " groups");
    for (std::size_t k = 0; k < labels.size(); ++k) groups[k].name = labels[k];
    plot::Chart chart = chart_of(groups);
    if (const auto range = options.intervals("range"); !range.empty()) {
        const double right = static_cast<double>(groups.size()) - 0.4;
        const auto [low, high] = range.front();
        chart.curves.insert(chart.curves.begin(), {"accepted range", {-0.6, right, right, -0.6}, {low, low, high, high}, plot::CurveKind::band, "#009e73", false});
    }
    chart.y.label = options.text("ylabel", unit.empty() ? words : words + " [" + unit + "]");
    chart.title = plot::read_title(options, "none");
    chart.width = options.positive("width", std::clamp(130.0 * static_cast<double>(groups.size()) + 100.0, 360.0, 900.0));
    return plot::draw_chart(chart);
}

}  // namespace

void register_bars(FigureRegistry& registry) {
    registry.add("bars", {"one number of each run: bars by groups of seeds, with standard deviation and single runs", FigureRegistry::Of::runs,
                          {{"y", "COLUMN", "the number, its last value: LABEL.NAME of a stored observable, or a column of the step reports (needed)"},
                           {"group", "seed|none|all", "runs that differ in their seed alone together, every run for itself, or all together [seed]"},
                           {"range", "A:B", "accepted range, drawn as a band"},
                           {"labels", "TEXT,…", "names of the groups"},
                           {"ylabel", "TEXT", "words along y"},
                           {"title", "TEXT|none", "title"},
                           {"width", "PX", "width of the figure"}},
                          draw});
}

}  // namespace talus
