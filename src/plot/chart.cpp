#include "plot/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/palette.h"
#include "plot/ticks.h"

namespace talus::plot {

namespace {

const Style frame_style{"none", "currentColor", 1.0, 0.55, "", false};
const Style grid_style{"none", "currentColor", 1.0, 0.12, "", false};
const Style zero_style{"none", "currentColor", 1.0, 0.4, "", false};

std::vector<double> places(std::size_t count) {
    std::vector<double> at(count);
    for (std::size_t k = 0; k < count; ++k) at[k] = static_cast<double>(k);
    return at;
}

struct Range {
    double low = INFINITY, high = -INFINITY;
    void add(double value, bool log) {
        if (!std::isfinite(value) || (log && value <= 0.0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Room around the data: whole decades on a log axis, else five per cent, and the zero line when the
/// data stand on it.
Range padded(Range range, const Axis& axis) {
    if (!(range.low <= range.high)) range = axis.log ? Range{0.1, 1.0} : Range{0.0, 1.0};
    if (axis.log) {
        const double top = std::ceil(std::log10(range.high) - 1e-9), bottom = std::floor(std::log10(range.low) + 1e-9);
        range.low = std::pow(10.0, std::max(bottom, top - axis.decades));
        range.high = std::pow(10.0, top);
        if (range.low == range.high) range.high *= 10.0;
    } else {
        const double size = range.high > range.low ? range.high - range.low : std::max(1e-300, std::abs(range.high));
        const bool on_zero = range.low >= 0.0 && range.low < 0.3 * range.high;
        range.low = on_zero ? 0.0 : range.low - 0.05 * size;
        range.high += 0.05 * size;
    }
    return {axis.low.value_or(range.low), axis.high.value_or(range.high)};
}

/// What the curves cover: whiskers and the feet of bars included.
void add_curve(const Chart& chart, const Curve& curve, Range& x, Range& y) {
    const bool bars = curve.kind == CurveKind::bars;
    for (const double value : curve.x)
        for (const double side : {-0.5, 0.5}) x.add(value + (bars ? side * curve.bar : 0.0), chart.x.log);
    for (std::size_t k = 0; k < curve.y.size(); ++k)
        for (const double side : {-1.0, 1.0})
            y.add(curve.y[k] + (k < curve.error.size() && std::isfinite(curve.error[k]) ? side * curve.error[k] : 0.0), chart.y.log);
    if (bars) y.add(0.0, chart.y.log);
}

Plane plane_of(const Chart& chart, double top) {
    Range x, y;
    for (const Curve& curve : chart.curves) add_curve(chart, curve, x, y);
    y = padded(y, chart.y);
    if (!(x.low < x.high)) x = padded(x, chart.x);
    if (!chart.x.names.empty()) x = {-0.6, static_cast<double>(chart.x.names.size()) - 0.4};
    const double below = 52.0 + 18.0 * static_cast<double>(chart.notes.size());
    Plane plane{78.0, top, chart.width - 78.0 - 18.0, chart.height - top - below, 0, 1, 0, 1, chart.x.log, chart.y.log};
    plane.x_low = chart.x.low.value_or(x.low);
    plane.x_high = chart.x.high.value_or(x.high);
    plane.y_low = y.low;
    plane.y_high = y.high;
    return plane;
}

void draw_line(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    const Style style{"none", colour, curve.width, 1.0, curve.dashed ? "6 4" : "", true};
    std::vector<Point2> piece;
    const auto flush = [&] {
        if (piece.size() > 1) svg.polyline(piece, style);
        piece.clear();
    };
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        const bool shown = std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]) && (!plane.y_log || curve.y[k] > 0.0) &&
                           (!plane.x_log || curve.x[k] > 0.0);
        if (shown) piece.push_back(plane.at(curve.x[k], curve.y[k]));
        else flush();
    }
    flush();
}

void draw_steps(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    std::vector<Point2> outline, filled;
    for (std::size_t k = 0; k < curve.y.size(); ++k) {
        outline.push_back(plane.at(curve.x[k], curve.y[k]));
        outline.push_back(plane.at(curve.x[k + 1], curve.y[k]));
    }
    if (outline.empty()) return;
    filled = outline;
    filled.push_back({filled.back().x, plane.y(std::max(0.0, plane.y_low))});
    filled.push_back({filled.front().x, filled.back().y});
    svg.polygon(filled, {colour, "none", 0.0, 0.18, "", false});
    svg.polyline(outline, {"none", colour, 1.8, 1.0, "", true});
}

void draw_area(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    std::vector<Point2> outline;
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) outline.push_back(plane.at(curve.x[k], curve.y[k]));
    if (outline.size() < 2) return;
    if (outline.size() > 2) svg.polygon(outline, {colour, "none", 0.0, 0.18, "", false});
    outline.push_back(outline.front());
    svg.polyline(outline, {"none", colour, 1.8, 1.0, curve.dashed ? "6 4" : "", true});
}

void draw_bars(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    const double foot = plane.y(std::clamp(0.0, plane.y_low, plane.y_high));
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k) {
        if (!std::isfinite(curve.y[k])) continue;
        const double left = plane.x(curve.x[k] - 0.5 * curve.bar), right = plane.x(curve.x[k] + 0.5 * curve.bar), at = plane.y(curve.y[k]);
        svg.rectangle({left, std::min(at, foot)}, right - left, std::abs(at - foot), {colour, colour, 1.0, 0.75, "", false});
    }
}

/// Whiskers; on bars in the page's own colour, to be seen.
void draw_errors(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    const Style style{"none", curve.kind == CurveKind::bars ? "currentColor" : colour, 1.2, 1.0, "", false};
    for (std::size_t k = 0; k < std::min({curve.x.size(), curve.y.size(), curve.error.size()}); ++k) {
        if (!std::isfinite(curve.y[k]) || !(curve.error[k] > 0.0)) continue;
        const double x = plane.x(curve.x[k]), high = plane.y(curve.y[k] + curve.error[k]);
        const double low = plane.y(plane.y_log ? std::max(plane.y_low, curve.y[k] - curve.error[k]) : curve.y[k] - curve.error[k]);
        svg.strokes({{{x, low}, {x, high}}, {{x - 3.5, low}, {x + 3.5, low}}, {{x - 3.5, high}, {x + 3.5, high}}}, style);
    }
}

void draw_band(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    std::vector<Point2> outline;
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k)
        if (std::isfinite(curve.x[k]) && std::isfinite(curve.y[k])) outline.push_back(plane.at(curve.x[k], curve.y[k]));
    if (outline.size() > 2) svg.polygon(outline, {colour, "none", 0.0, 0.2, "", false});
}

void draw_curve(Svg& svg, const Plane& plane, const Curve& curve, const std::string& colour) {
    if (curve.kind == CurveKind::bars) draw_bars(svg, plane, curve, colour);
    draw_errors(svg, plane, curve, colour);
    if (curve.kind == CurveKind::bars) return;
    if (curve.kind == CurveKind::band) return draw_band(svg, plane, curve, colour);
    if (curve.kind == CurveKind::steps) return draw_steps(svg, plane, curve, colour);
    if (curve.kind == CurveKind::line) return draw_line(svg, plane, curve, colour);
    if (curve.kind == CurveKind::area) return draw_area(svg, plane, curve, colour);
    for (std::size_t k = 0; k < std::min(curve.x.size(), curve.y.size()); ++k)
        if (std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]) && (!plane.y_log || curve.y[k] > 0.0) && (!plane.x_log || curve.x[k] > 0.0))
            svg.circle(plane.at(curve.x[k], curve.y[k]), 3.2, {colour, "none", 0.0, 0.9, "", false});
}

/// Entries in lines above the frame, so that the legend never hides data. Returns its height.
double draw_legend(Svg* svg, const Chart& chart, const std::vector<std::string>& colours, double top) {
    double x = 78.0, y = top;
    bool any = false;
    for (std::size_t k = 0; k < chart.curves.size(); ++k) {
        const Curve& curve = chart.curves[k];
        if (curve.label.empty()) continue;
        const double width = 34.0 + text_width(curve.label, 12.5);
        if (any && x + width > chart.width - 10.0) {
            x = 78.0;
            y += 18.0;
        }
        if (svg) {
            const bool filled = curve.kind == CurveKind::bars || curve.kind == CurveKind::band;
            if (curve.kind == CurveKind::points) svg->circle({x + 10.0, y - 4.0}, 3.2, {colours[k], "none", 0.0, 0.9, "", false});
            else if (filled) svg->rectangle({x + 2.0, y - 10.0}, 17.0, 11.0, {colours[k], "none", 0.0, curve.kind == CurveKind::band ? 0.25 : 0.75, "", false});
            else svg->line({x, y - 4.0}, {x + 20.0, y - 4.0}, {"none", colours[k], 2.4, 1.0, curve.dashed ? "6 4" : "", false});
            svg->text({x + 26.0, y}, curve.label, {12.5, "start", 0.0, false, false});
        }
        x += width + 8.0;
        any = true;
    }
    return any ? y - top + 18.0 : 0.0;
}

}  // namespace

double Plane::x(double value) const {
    const double share = x_log ? std::log(value / x_low) / std::log(x_high / x_low) : (value - x_low) / (x_high - x_low);
    return left + width * share;
}

double Plane::y(double value) const {
    const double share = y_log ? std::log(value / y_low) / std::log(y_high / y_low) : (value - y_low) / (y_high - y_low);
    return top + height * (1.0 - share);
}

void draw_axes(Svg& svg, const Plane& plane, const Axis& x, const Axis& y) {
    const double bottom = plane.top + plane.height, right = plane.left + plane.width;
    const int wanted_x = std::max(3, static_cast<int>(plane.width / 80.0)), wanted_y = std::max(3, static_cast<int>(plane.height / 45.0));
    const auto x_ticks = !x.names.empty() ? places(x.names.size()) : x.log ? log_ticks(plane.x_low, plane.x_high, wanted_x) : round_ticks(plane.x_low, plane.x_high, wanted_x);
    const auto y_ticks = y.log ? log_ticks(plane.y_low, plane.y_high, wanted_y) : round_ticks(plane.y_low, plane.y_high, wanted_y);
    const auto x_labels = !x.names.empty() ? x.names : x.log ? log_tick_labels(x_ticks) : tick_labels(x_ticks);
    const auto y_labels = y.log ? log_tick_labels(y_ticks) : tick_labels(y_ticks);
    for (std::size_t k = 0; k < x_ticks.size(); ++k) {
        const double at = plane.x(x_ticks[k]);
        if (x.names.empty()) svg.line({at, plane.top}, {at, bottom}, grid_style);
        svg.line({at, bottom}, {at, bottom + 5.0}, frame_style);
        svg.text({at, bottom + 19.0}, x_labels[k], {12.0, "middle", 0.0, false, false});
    }
    for (std::size_t k = 0; k < y_ticks.size(); ++k) {
        const double at = plane.y(y_ticks[k]);
        svg.line({plane.left, at}, {right, at}, grid_style);
        svg.line({plane.left - 5.0, at}, {plane.left, at}, frame_style);
        svg.text({plane.left - 9.0, at + 4.0}, y_labels[k], {12.0, "end", 0.0, false, false});
    }
    svg.rectangle({plane.left, plane.top}, plane.width, plane.height, frame_style);
    svg.text({plane.left + plane.width / 2.0, bottom + 41.0}, x.label, {13.0, "middle", 0.0, false, false});
    svg.text({plane.left - 58.0, plane.top + plane.height / 2.0}, y.label, {13.0, "middle", -90.0, false, false});
}

std::string draw_chart(const Chart& chart) {
    std::vector<std::string> colours;
    for (const Curve& curve : chart.curves) colours.push_back(curve.colour.empty() ? hue(colours.size()) : curve.colour);
    Svg svg(chart.width, chart.height, chart.title);
    const double legend_top = chart.title.empty() ? 20.0 : 42.0;
    if (!chart.title.empty()) svg.text({78.0, 22.0}, chart.title, {14.5, "start", 0.0, true, false});
    const double legend = draw_legend(&svg, chart, colours, legend_top);
    const Plane plane = plane_of(chart, legend_top - 10.0 + legend);
    draw_axes(svg, plane, chart.x, chart.y);
    if (!chart.y.log && plane.y_low < 0.0 && plane.y_high > 0.0)
        svg.line({plane.left, plane.y(0.0)}, {plane.left + plane.width, plane.y(0.0)}, zero_style);
    svg.begin_clip({plane.left, plane.top}, plane.width, plane.height);
    for (std::size_t k = 0; k < chart.curves.size(); ++k) draw_curve(svg, plane, chart.curves[k], colours[k]);
    svg.end_clip();
    for (std::size_t k = 0; k < chart.notes.size(); ++k)
        svg.text({78.0, plane.top + plane.height + 62.0 + 18.0 * static_cast<double>(k)}, chart.notes[k], {12.0, "start", 0.0, false, true});
    return svg.finish();
}

namespace {

/// Replaces the points of a curve by those that `choose(begin, end)` names for each stretch.
template <typename Choose>
void thin(Curve& curve, std::size_t stretches, Choose choose) {
    const std::size_t size = std::min(curve.x.size(), curve.y.size());
    std::vector<double> x, y;
    for (std::size_t s = 0; s < stretches; ++s)
        for (const std::size_t k : choose(s * size / stretches, (s + 1) * size / stretches)) {
            x.push_back(curve.x[k]);
            y.push_back(curve.y[k]);
        }
    curve.x = std::move(x);
    curve.y = std::move(y);
}

std::size_t highest(const Curve& curve, std::size_t begin, std::size_t end) {
    return static_cast<std::size_t>(std::max_element(curve.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     curve.y.begin() + static_cast<std::ptrdiff_t>(end)) - curve.y.begin());
}

std::size_t lowest(const Curve& curve, std::size_t begin, std::size_t end) {
    return static_cast<std::size_t>(std::min_element(curve.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                                     curve.y.begin() + static_cast<std::ptrdiff_t>(end)) - curve.y.begin());
}

}  // namespace

void decimate(Curve& curve, std::size_t most) {
    if (std::min(curve.x.size(), curve.y.size()) <= most || most < 4) return;
    thin(curve, most / 2, [copy = curve](std::size_t begin, std::size_t end) {
        const std::size_t low = lowest(copy, begin, end), high = highest(copy, begin, end);
        return std::array{std::min(low, high), std::max(low, high)};
    });
}

void keep_peaks(Curve& curve, std::size_t most) {
    if (std::min(curve.x.size(), curve.y.size()) <= most) return;
    thin(curve, most, [copy = curve](std::size_t begin, std::size_t end) { return std::array{highest(copy, begin, end)}; });
}

}  // namespace talus::plot
