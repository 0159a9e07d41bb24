#include "plot/cloud.h"

#include <algorithm>
#include <cmath>

#include "plot/chart.h"
#include "talus/error.h"

namespace talus::plot {
namespace {

using explore::BoundKind;

constexpr const char* set_colour = "#0072b2";
constexpr const char* stay_colour = "#009e73";
constexpr const char* move_colour = "#d55e00";
constexpr const char* found_colour = "#cc79a7";

/// Dashed lines at the bounds that there are; the first carries the label.
void add_bounds(Chart& chart, const explore::QuantityFound& q, bool upright, const explore::Window& w, bool& labelled) {
    for (const explore::BoundFound* b : {&q.least, &q.greatest}) {
        if (b->kind != BoundKind::attained) continue;
        Curve line{labelled ? "" : "exact bounds", {}, {}, CurveKind::line, "#999999", true};
        line.x = upright ? std::vector{b->value, b->value} : std::vector{w.x_low, w.x_high};
        line.y = upright ? std::vector{w.y_low, w.y_high} : std::vector{b->value, b->value};
        chart.curves.push_back(std::move(line));
        labelled = true;
    }
}

Curve points(const explore::Exploration& e, const explore::QuantityFound& x, const explore::QuantityFound& y) {
    Curve cloud{"", {}, {}, CurveKind::points, stay_colour, false};
    for (std::size_t i = 0; i < e.samples.size(); ++i) {
        if (e.samples.outcome[i] != static_cast<std::uint8_t>(explore::Outcome::stays)) continue;
        cloud.x.push_back(x.samples[i]);
        cloud.y.push_back(y.samples[i]);
    }
    cloud.label = std::to_string(cloud.x.size()) + " samples at rest";
    return cloud;
}

std::string axis_label(const explore::QuantityFound& q, bool goes_on) {
    return q.name + " [N]" + (goes_on ? ", without bound" : "");
}

/// Normal force of contact k in a row of forces.
double normal_of(const explore::Exploration& e, const explore::Flat& forces, std::size_t k) {
    double sum = 0.0;
    const auto d = static_cast<std::size_t>(e.dimension);
    for (std::size_t j = 0; j < d; ++j) sum += forces[k * d + j] * e.contacts.normal[k * d + j];
    return sum;
}

}  // namespace

std::string draw_cloud(const explore::Exploration& e) {
    if (!e.plane) throw InputError("the cloud needs two quantities");
    const explore::PlaneFound& p = *e.plane;
    const auto &x = e.quantities[p.x], &y = e.quantities[p.y];
    Chart chart;
    chart.title = e.existence == "none" ? "No equilibrium" : "Equilibrium forces";
    chart.x = {axis_label(x, p.x_goes_on), false, p.window.x_low, p.window.x_high};
    chart.y = {axis_label(y, p.y_goes_on), false, p.window.y_low, p.window.y_high};
    chart.height = 440.0;
    if (!p.projection.x.empty()) chart.curves.push_back({"exact set", p.projection.x, p.projection.y, CurveKind::area, set_colour, false});
    bool labelled = false;
    add_bounds(chart, x, true, p.window, labelled);
    add_bounds(chart, y, false, p.window, labelled);
    if (e.samples.stay > 0) chart.curves.push_back(points(e, x, y));
    if (e.found_rests) chart.curves.push_back({"as the state carries them", {x.found}, {y.found}, CurveKind::points, found_colour, false});
    return draw_chart(chart);
}

std::string draw_starts(const explore::Exploration& e) {
    const auto& s = e.samples;
    if (s.size() == 0) throw InputError("there are no samples to draw");
    const bool pair = e.contacts.size() == 2;
    Chart chart;
    chart.title = std::to_string(s.stay) + " of " + std::to_string(s.size()) + " starts stay at rest, " + std::to_string(s.move) + " do not";
    const auto label = [&](std::size_t k) {
        return "normal force started from, contact " + std::to_string(e.contacts.a[k]) + "," + std::to_string(e.contacts.b[k]) + " [N]";
    };
    chart.x.label = pair ? label(0) : "mean normal force started from [N]";
    chart.y.label = pair ? label(1) : "largest velocity after the step over g h";
    chart.y.log = !pair;
    chart.x.low = 0.0;
    chart.height = 440.0;
    Curve stay{"stays", {}, {}, CurveKind::points, stay_colour, false}, move{"moves", {}, {}, CurveKind::points, move_colour, false};
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.outcome[i] == static_cast<std::uint8_t>(explore::Outcome::unsolved)) continue;
        Curve& to = s.outcome[i] == static_cast<std::uint8_t>(explore::Outcome::stays) ? stay : move;
        double mean = 0.0;
        for (std::size_t k = 0; k < e.contacts.size(); ++k) mean += normal_of(e, s.start[i], k) / static_cast<double>(e.contacts.size());
        to.x.push_back(pair ? normal_of(e, s.start[i], 0) : mean);
        to.y.push_back(pair ? normal_of(e, s.start[i], 1) : std::max(s.velocity[i], 1e-17));
    }
    double highest = 0.0;
    for (const Curve* curve : {&stay, &move})
        for (const double x : curve->x) highest = std::max(highest, x);
    if (highest > 0.0) chart.x.high = 1.03 * highest;
    chart.curves = {stay, move};
    return draw_chart(chart);
}

}  // namespace talus::plot
