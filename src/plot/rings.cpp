// Pressure on the ground by rings [moreau2003, fig. 6], with the hydrostatic value. Parameters are
// those of the observable `rings`.

#include "observe/registry.h"
#include "plot/chart.h"
#include "plot/figure.h"
#include "plot/result_figures.h"

namespace talus {

namespace {

plot::Curve ring_curve(const observe::Table& table) {
    plot::Curve curve{"pressure on the ground", table.column("inner")->values, table.column("pressure")->values,
                      plot::CurveKind::steps, "", false};
    if (!curve.x.empty()) curve.x.push_back(table.column("outer")->values.back());
    return curve;
}

plot::Curve level(const std::string& label, double value, const std::vector<double>& x, const char* colour) {
    return {label, {x.front(), x.back()}, {value, value}, plot::CurveKind::line, colour, true};
}

std::string draw(const plot::FigureData& data, observe::Parameters& parameters) {
    const observe::Spec spec = parameters.as("rings");
    if (!data.plane && !data.space) throw InputError("figure `rings` needs a frame");
    const observe::Result result = data.plane ? observe::measure(spec, *data.plane) : observe::measure(spec, *data.space);
    return plot::draw_rings(observe::in_units(result, data.units));
}

}  // namespace

std::string plot::draw_rings(const observe::Result& result) {
    const observe::Table* table = result.table("rings");
    if (!table) throw InputError("figure `rings`: this frame holds no pile to divide into rings");
    plot::Chart chart;
    chart.title = "Pressure on the ground at t = " + observe::format_number(result.time, 4) + " s";
    chart.x.label = "distance from the axis [" + table->column("inner")->unit + "]";
    chart.y.label = "pressure [" + table->column("pressure")->unit + "]";
    chart.y.low = 0.0;
    chart.curves.push_back(ring_curve(*table));
    const auto x = chart.curves.front().x;
    if (const double hydrostatic = result.value("hydrostatic_pressure"); std::isfinite(hydrostatic))
        chart.curves.push_back(level("hydrostatic " + observe::format_number(hydrostatic, 4), hydrostatic, x, "#d55e00"));
    chart.curves.push_back(level("centre " + observe::format_number(result.value("centre_pressure"), 4),
                                 result.value("centre_pressure"), x, "#009e73"));
    for (double value : table->column("pressure")->values)  // the sign of a pull is worth seeing
        if (value < 0.0) chart.y.low.reset();
    return plot::draw_chart(chart);
}

void register_rings(FigureRegistry& registry) {
    registry.add("rings", "pressure on the ground by rings about the axis, with the hydrostatic value", draw);
}

}  // namespace talus
