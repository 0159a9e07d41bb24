// Pressure on the ground by rings [moreau2003, fig. 6], with the hydrostatic value. Parameters are
// those of the observable `rings`.

#include <algorithm>
#include <cmath>

#include "plot/chart.h"
#include "plot/result_figures.h"
#include "plot/results.h"

namespace talus {

namespace {

using observe::Result;

const std::string pressure_colour = "#0072b2", hydrostatic_colour = "#d55e00", centre_colour = "#009e73", single_run = "#9db8cc";

plot::Curve ring_curve(const Result& result) {
    const observe::Table& table = plot::need_table(result, "rings");
    plot::Curve curve{"pressure on the ground", plot::need_column(table, "inner").values, plot::need_column(table, "pressure").values,
                      plot::CurveKind::steps, pressure_colour, false};
    if (!curve.x.empty()) curve.x.push_back(plot::need_column(table, "outer").values.back());
    return curve;
}

plot::Curve level(const std::string& label, double value, const std::vector<double>& x, const std::string& colour) {
    return {label, {x.front(), x.back()}, {value, value}, plot::CurveKind::line, colour, true};
}

double mean_of(const std::vector<Result>& results, const std::string& name) {
    double sum = 0.0;
    for (const Result& result : results) sum += result.value(name) / static_cast<double>(results.size());
    return sum;
}

/// Steps of a run as a plain line, for many on one chart.
plot::Curve outline(const plot::Curve& steps) {
    plot::Curve line{"", {}, {}, plot::CurveKind::line, single_run, false};
    line.width = 1.0;
    for (std::size_t k = 0; k < steps.y.size(); ++k)
        for (const double x : {steps.x[k], steps.x[k + 1]}) {
            line.x.push_back(x);
            line.y.push_back(steps.y[k]);
        }
    return line;
}

/// Mean over runs, ring by ring, and whiskers of one standard deviation at the middles of the rings.
void add_mean(plot::Chart& chart, const std::vector<plot::Curve>& curves) {
    plot::Curve mean = curves.front();
    plot::Curve whiskers{"standard deviation between runs", {}, {}, plot::CurveKind::points, pressure_colour, false};
    const double n = static_cast<double>(curves.size());
    for (std::size_t k = 0; k < mean.x.size(); ++k) {
        mean.x[k] = 0.0;
        for (const auto& curve : curves) mean.x[k] += curve.x[k] / n;
    }
    for (std::size_t k = 0; k < mean.y.size(); ++k) {
        double sum = 0.0, squares = 0.0;
        for (const auto& curve : curves) sum += curve.y[k], squares += curve.y[k] * curve.y[k];
        mean.y[k] = sum / n;
        whiskers.x.push_back(0.5 * (mean.x[k] + mean.x[k + 1]));
        whiskers.y.push_back(mean.y[k]);
        whiskers.error.push_back(std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1.0))));
    }
    mean.label = "pressure on the ground, mean of " + std::to_string(curves.size()) + " runs";
    for (const auto& curve : curves) chart.curves.push_back(outline(curve));
    chart.curves.push_back(std::move(mean));
    chart.curves.push_back(std::move(whiskers));
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    std::vector<Result> results;
    for (auto& one : plot::measured_runs(data, options, "rings", {})) results.push_back(std::move(one.result));
    return plot::draw_rings(results, plot::read_title(options, "Pressure on the ground at t = " + observe::format_number(results.front().time, 4) + " s"));
}

}  // namespace

std::string plot::draw_rings(const observe::Result& result) {
    return draw_rings(std::vector{result}, "Pressure on the ground at t = " + observe::format_number(result.time, 4) + " s");
}

std::string plot::draw_rings(const std::vector<observe::Result>& results, const std::string& title) {
    if (!results.front().table("rings")) throw InputError("figure `rings`: this frame holds no pile to divide into rings");
    const observe::Table& table = *results.front().table("rings");
    plot::Chart chart;
    chart.title = title;
    chart.x.label = "distance from the axis [" + need_column(table, "inner").unit + "]";
    chart.y.label = "pressure [" + need_column(table, "pressure").unit + "]";
    chart.y.low = 0.0;
    std::vector<Curve> curves;
    for (const Result& result : results) curves.push_back(ring_curve(result));
    for (const Curve& curve : curves)
        if (curve.y.size() != curves.front().y.size()) throw InputError("figure `rings`: the runs have different numbers of rings");
    if (curves.size() == 1) chart.curves = curves;
    else add_mean(chart, curves);
    const auto x = curves.front().x;
    if (const double hydrostatic = mean_of(results, "hydrostatic_pressure"); std::isfinite(hydrostatic))
        chart.curves.push_back(level("hydrostatic " + observe::format_number(hydrostatic, 4), hydrostatic, x, hydrostatic_colour));
    const double centre = mean_of(results, "centre_pressure");
    chart.curves.push_back(level("centre " + observe::format_number(centre, 4), centre, x, centre_colour));
    for (const Curve& curve : curves)
        for (const double value : curve.y)
            if (value < 0.0) chart.y.low.reset();   // the sign of a pull is worth seeing
    return plot::draw_chart(chart);
}

void register_rings(FigureRegistry& registry) {
    registry.add("rings", {"pressure on the ground by rings about the axis, with the hydrostatic value; several runs: mean and spread", FigureRegistry::Of::frame,
                           plot::result_options({}, {{"count", "N", "rings of equal width [12]"},
                                                     {"radius", "R", "of the outermost ring [the base radius]"},
                                                     {"centre", "N", "so many inner rings give the pressure at the centre [2]"},
                                                     {"bulk_density", "X", "for the hydrostatic value [measured]"},
                                                     {"average", "true|false", "over the frame's interval [false]"},
                                                     {"axis", "X,Y", "a point of the axis [origin]"},
                                                     {"walls", "TAG,…", "what the ground is made of [all walls]"},
                                                     {"ground", "Z", "height of the ground [measured]"},
                                                     {"bin", "D", "width of a bin of the surface [mean diameter]"},
                                                     {"from", "X", "start of the slope's fit, over the base radius [0.2]"},
                                                     {"to", "X", "end of the slope's fit, over the base radius [0.8]"}}),
                           draw});
}

}  // namespace talus
