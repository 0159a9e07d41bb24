// Free surface of a pile and the line fitted to it. Parameters are those of the observable `slope`.

#include "observe/registry.h"
#include "plot/chart.h"
#include "plot/figure.h"
#include "plot/result_figures.h"

namespace talus {

namespace {

std::string draw(const plot::FigureData& data, observe::Parameters& parameters) {
    const observe::Spec spec = parameters.as("slope");
    if (!data.plane && !data.space) throw InputError("figure `profile` needs a frame");
    const observe::Result result = data.plane ? observe::measure(spec, *data.plane) : observe::measure(spec, *data.space);
    return plot::draw_profile(observe::in_units(result, data.units));
}

}  // namespace

std::string plot::draw_profile(const observe::Result& result) {
    const observe::Table* table = result.table("profile");
    const double slope = result.value("slope");
    if (!table || !std::isfinite(slope)) throw InputError("figure `profile`: this frame holds no pile");
    const std::string unit = table->column("radius")->unit;
    plot::Chart chart;
    chart.title = "Free surface at t = " + observe::format_number(result.time, 4) + " s";
    chart.x.label = "distance from the axis [" + unit + "]";
    chart.y.label = "height above the ground [" + unit + "]";
    chart.x.low = chart.y.low = 0.0;
    chart.curves.push_back({"highest grains, mean of a bin", table->column("radius")->values, table->column("height")->values,
                            plot::CurveKind::points, "", false});
    chart.curves.push_back({"slope " + observe::format_number(slope, 3) + " deg", {0.0, result.value("base_radius")},
                            {result.value("crown"), 0.0}, plot::CurveKind::line, "", true});
    chart.height = 300.0;
    return plot::draw_chart(chart);
}

void register_profile(FigureRegistry& registry) {
    registry.add("profile", "free surface of a pile and its slope", draw);
}

}  // namespace talus
