// How often contact forces of a size occur, over their mean: weak ones (below it) and strong ones, whose number falls off
// exponentially. Parameters are those of the observable `force_distribution`.

#include <cmath>

#include "plot/chart.h"
#include "plot/result_figures.h"
#include "plot/results.h"

namespace talus {

namespace {

/// Exponential tail that holds as many strong forces as there are: density β (1 − weak) exp(−β (x − 1)).
plot::Curve tail_of(const observe::Result& result, double end) {
    const double beta = result.value("tail"), strong = 1.0 - result.value("weak_fraction");
    plot::Curve curve{"exp(−" + observe::format_number(beta, 3) + " f/⟨f⟩)", {}, {}, plot::CurveKind::line, "#b2182b", true};
    for (int k = 0; k <= 60; ++k) {
        const double x = 1.0 + (end - 1.0) * k / 60.0;
        curve.x.push_back(x);
        curve.y.push_back(beta * strong * std::exp(-beta * (x - 1.0)));
    }
    return curve;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const auto result = plot::measured(data, options, "force_distribution", {});
    return plot::draw_histogram(result, plot::read_title(options, "Normal forces at t = " + observe::format_number(result.time, 4) + " s"));
}

}  // namespace

std::string plot::draw_histogram(const observe::Result& result, const std::string& title) {
    const observe::Table& table = need_table(result, "histogram");
    const auto &low = need_column(table, "low").values, &high = need_column(table, "high").values, &density = need_column(table, "density").values;
    if (low.empty()) throw InputError("figure `histogram`: there are no forces");
    Chart chart;
    chart.title = title;
    chart.x.label = "normal force over the mean, f/⟨f⟩";
    chart.y.label = "probability density";
    chart.y.log = true;
    chart.x.low = 0.0;
    chart.height = 340.0;
    Curve points{observe::format_number(result.value("contacts"), 6) + " contacts", {}, {}, CurveKind::points, "", false};
    double lowest = INFINITY, highest = 0.0;
    for (std::size_t k = 0; k < low.size(); ++k) {
        if (!(density[k] > 0.0)) continue;
        points.x.push_back(0.5 * (low[k] + high[k]));
        points.y.push_back(density[k]);
        lowest = std::min(lowest, density[k]);
        highest = std::max(highest, density[k]);
    }
    if (points.x.empty()) throw InputError("figure `histogram`: there are no forces");
    chart.y.low = std::pow(10.0, std::floor(std::log10(lowest)));
    chart.y.high = std::pow(10.0, std::ceil(std::log10(highest) + 1e-9));
    chart.curves.push_back(std::move(points));
    if (std::isfinite(result.value("tail")) && result.value("tail") > 0.0) chart.curves.push_back(tail_of(result, high.back()));
    chart.curves.push_back({"mean " + observe::format_number(result.value("mean_normal"), 3), {1.0, 1.0}, {*chart.y.low, *chart.y.high}, CurveKind::line, "#777777", true});
    return draw_chart(chart);
}

void register_histogram(FigureRegistry& registry) {
    registry.add("histogram", {"distribution of contact forces over their mean, with its exponential tail", FigureRegistry::Of::frame,
                               plot::result_options({}, {{"region", "{…}", "part of space, as for observables [everywhere]"},
                                                         {"average", "true|false", "over the frame's interval [false]"},
                                                         {"walls", "true|false", "contacts with walls too [false]"},
                                                         {"bins", "N", "classes [30]"},
                                                         {"max", "X", "largest force shown, over the mean [6]"}}),
                               draw});
}

}  // namespace talus
