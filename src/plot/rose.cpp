// Directions of contact normals: in the plane sectors of a circle with the fitted curve (moreau2001, fig. 2), in space the
// inclination. Parameters are those of the observable `rose`.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plot/chart.h"
#include "plot/result_figures.h"
#include "plot/results.h"
#include "plot/ticks.h"

namespace talus {

namespace {

using plot::Point2;

constexpr double size = 460.0, top = 46.0, radius = 176.0;   // of the polar picture [px]
const std::string sector_fill = "#c4c9ce", sector_line = "#7b858e", curve_colour = "#b2182b";

double in_degrees(const observe::Column& column, std::size_t k) {
    return column.unit == "rad" ? column.values[k] * 180.0 / std::numbers::pi : column.values[k];
}

/// A circle about the middle of the picture; `highest` is at its rim.
struct Polar {
    double highest = 1.0;
    [[nodiscard]] Point2 at(double degrees, double value) const {
        const double angle = degrees * std::numbers::pi / 180.0, r = radius * value / highest;
        return {0.5 * size + r * std::cos(angle), top + radius + 14.0 - r * std::sin(angle)};
    }
};

void draw_grid(plot::Svg& svg, const Polar& polar) {
    const plot::Style thin{"none", "currentColor", 0.8, 0.25, "", false};
    for (const double tick : plot::round_ticks(0.0, polar.highest, 3))
        if (tick > 0.0) svg.circle(polar.at(0.0, 0.0), radius * tick / polar.highest, thin);
    for (int k = 0; k < 12; ++k) {
        const Point2 rim = polar.at(30.0 * k, polar.highest), words = polar.at(30.0 * k, 1.1 * polar.highest);
        svg.line(polar.at(0.0, 0.0), rim, thin);
        svg.text({words.x, words.y + 4.0}, std::to_string(30 * k) + "°", {11.0, "middle", 0.0, false, true});
    }
}

void draw_ring_labels(plot::Svg& svg, const Polar& polar) {
    const auto ticks = plot::round_ticks(0.0, polar.highest, 3);
    const auto labels = plot::tick_labels(ticks);
    for (std::size_t k = 1; k < ticks.size(); ++k) {
        const Point2 at = polar.at(75.0, ticks[k]);
        svg.text({at.x, at.y + 4.0}, labels[k], {10.5, "middle", 0.0, false, false, true});
    }
}

/// Each sector filled up to a radius proportional to the density of its directions.
void draw_sectors(plot::Svg& svg, const Polar& polar, const observe::Table& table) {
    const auto &low = plot::need_column(table, "sector_low"), &high = plot::need_column(table, "sector_high"), &density = plot::need_column(table, "density");
    for (std::size_t k = 0; k < table.rows(); ++k) {
        std::vector<Point2> wedge{polar.at(0.0, 0.0)};
        const double a = in_degrees(low, k), b = in_degrees(high, k);
        for (int part = 0; part <= 8; ++part) wedge.push_back(polar.at(a + (b - a) * part / 8.0, density.values[k]));
        svg.polygon(wedge, {sector_fill, sector_line, 0.7, 1.0, "", true});
    }
}

std::vector<Point2> ring_of(const Polar& polar, double value) {
    std::vector<Point2> points;
    for (int k = 0; k <= 120; ++k) points.push_back(polar.at(3.0 * k, value));
    return points;
}

std::string draw_polar(const observe::Result& result, const std::string& title) {
    const observe::Table& table = plot::need_table(result, "rose");
    const auto& density = plot::need_column(table, "density").values;
    const observe::Table* fit = result.table("fit");
    Polar polar;
    polar.highest = density.empty() ? 0.0 : *std::max_element(density.begin(), density.end());
    if (fit) for (const double value : plot::need_column(*fit, "density").values) polar.highest = std::max(polar.highest, value);
    if (!(polar.highest > 0.0)) throw InputError("figure `rose`: there are no contacts");
    polar.highest *= 1.04;
    plot::Svg svg(size, top + 2.0 * radius + 92.0, title.empty() ? "Contact directions" : title);
    svg.text({18.0, 22.0}, title, {14.5, "start", 0.0, true, false});
    draw_grid(svg, polar);
    draw_sectors(svg, polar, table);
    svg.polyline(ring_of(polar, 0.5 / std::numbers::pi), {"none", "currentColor", 1.2, 0.7, "5 4", false});
    if (fit) {
        std::vector<Point2> curve;
        for (std::size_t k = 0; k < fit->rows(); ++k) curve.push_back(polar.at(in_degrees(plot::need_column(*fit, "angle"), k), plot::need_column(*fit, "density").values[k]));
        curve.push_back(curve.front());
        svg.polyline(curve, {"none", curve_colour, 2.2, 1.0, "", true});
    }
    draw_ring_labels(svg, polar);
    const double y = top + 2.0 * radius + 62.0;
    svg.rectangle({18.0, y - 9.0}, 14.0, 11.0, {sector_fill, sector_line, 0.7, 1.0, "", false});
    svg.text({38.0, y}, "density of directions [1/rad], " + observe::format_number(result.value("contacts"), 6) + " contacts", {12.0, "start", 0.0, false, false});
    svg.line({18.0, y + 14.0}, {32.0, y + 14.0}, {"none", curve_colour, 2.2, 1.0, "", false});
    svg.text({38.0, y + 18.0}, "fit by cos and sin of 2kθ", {12.0, "start", 0.0, false, false});
    svg.line({228.0, y + 14.0}, {248.0, y + 14.0}, {"none", "currentColor", 1.2, 0.7, "5 4", false});
    svg.text({254.0, y + 18.0}, "all directions alike", {12.0, "start", 0.0, false, false});
    return svg.finish();
}

/// In space: how often contacts lie at an inclination, over what all directions alike would give.
std::string draw_inclination(const observe::Result& result, const std::string& title) {
    const observe::Table& table = plot::need_table(result, "inclination");
    const auto &low = plot::need_column(table, "low"), &high = plot::need_column(table, "high");
    plot::Chart chart;
    chart.title = title;
    chart.x.label = "inclination to the vertical [°]";
    chart.y.label = "density over the isotropic one";
    chart.y.low = 0.0;
    chart.height = 320.0;
    plot::Curve steps{observe::format_number(result.value("contacts"), 6) + " contacts", {}, plot::need_column(table, "density").values, plot::CurveKind::steps, "", false};
    plot::Curve fit{"fit by Legendre polynomials", {}, {}, plot::CurveKind::line, curve_colour, false};
    for (std::size_t k = 0; k < table.rows(); ++k) {
        steps.x.push_back(in_degrees(low, k));
        fit.x.push_back(0.5 * (in_degrees(low, k) + in_degrees(high, k)));
    }
    if (table.rows() > 0) steps.x.push_back(in_degrees(high, table.rows() - 1));
    if (const auto* values = table.column("fit")) fit.y = values->values;
    chart.curves = {steps};
    if (!fit.y.empty()) chart.curves.push_back(fit);
    chart.curves.push_back({"all directions alike", {steps.x.empty() ? 0.0 : steps.x.front(), steps.x.empty() ? 90.0 : steps.x.back()}, {1.0, 1.0}, plot::CurveKind::line, "#555555", true});
    return plot::draw_chart(chart);
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    const auto result = plot::measured(data, options, "rose", {});
    return plot::draw_rose(result, plot::read_title(options, "Contact directions at t = " + observe::format_number(result.time, 4) + " s"));
}

}  // namespace

std::string plot::draw_rose(const observe::Result& rose, const std::string& title) {
    return rose.table("rose") ? draw_polar(rose, title) : draw_inclination(rose, title);
}

void register_rose(FigureRegistry& registry) {
    registry.add("rose", {"directions of contacts: sectors and the fitted curve; in space by inclination", FigureRegistry::Of::frame,
                          plot::result_options({}, {{"region", "{…}", "part of space, as for observables [everywhere]"},
                                                    {"which", "effective|all", "contacts with force, or all [effective]"},
                                                    {"walls", "true|false", "contacts with walls too [false]"},
                                                    {"sectors", "N", "in the plane [24]"},
                                                    {"bins", "N", "in space [9]"},
                                                    {"order", "N", "highest harmonic of the fit [3]"}}),
                          draw});
}

}  // namespace talus
