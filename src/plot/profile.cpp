// Free surface of a pile and the line fitted to it. Parameters are those of the observable `slope`.

#include <cmath>

#include "plot/chart.h"
#include "plot/result_figures.h"
#include "plot/results.h"

namespace talus {

namespace {

std::string draw(const plot::FigureData& data, plot::Options& options) { return plot::draw_profile(plot::measured(data, options, "slope", {})); }

}  // namespace

std::string plot::draw_profile(const observe::Result& result) {
    const observe::Table* table = result.table("profile");
    const double slope = result.value("slope");
    if (!table || !std::isfinite(slope)) throw InputError("figure `profile`: this frame holds no pile");
    const std::string unit = need_column(*table, "radius").unit;
    plot::Chart chart;
    chart.title = "Free surface at t = " + observe::format_number(result.time, 4) + " s";
    chart.x.label = "distance from the axis [" + unit + "]";
    chart.y.label = "height above the ground [" + unit + "]";
    chart.x.low = chart.y.low = 0.0;
    chart.curves.push_back({"highest grains, mean of a bin", need_column(*table, "radius").values, need_column(*table, "height").values,
                            plot::CurveKind::points, "", false});
    chart.curves.push_back({"slope " + observe::format_number(slope, 3) + "°", {0.0, result.value("base_radius")},
                            {result.value("crown"), 0.0}, plot::CurveKind::line, "", true});
    chart.height = 300.0;
    return plot::draw_chart(chart);
}

void register_profile(FigureRegistry& registry) {
    registry.add("profile", {"free surface of a pile and its slope", FigureRegistry::Of::frame,
                             plot::result_options({}, {{"axis", "X,Y", "a point of the axis [origin]"},
                                                       {"walls", "TAG,…", "what the ground is made of [all walls]"},
                                                       {"ground", "Z", "height of the ground [measured]"},
                                                       {"bin", "D", "width of a bin of the surface [mean diameter]"},
                                                       {"from", "X", "start of the fit, over the base radius [0.2]"},
                                                       {"to", "X", "end of the fit, over the base radius [0.8]"}}),
                             draw});
}

}  // namespace talus
