#include "plot/colour_scale.h"

#include <algorithm>
#include <cmath>

#include "observe/result.h"
#include "plot/palette.h"
#include "plot/ticks.h"

namespace talus::plot {

namespace {

constexpr double letters = 12.0;   // [px]

std::string pick(Palette palette, double share) {
    if (palette == Palette::grey) return grey(0.04 + 0.96 * share);
    return palette == Palette::diverging ? diverging(2.0 * share - 1.0) : ramp(share);
}

/// Where each named square stands, from left to right in as many lines as needed.
std::vector<Point2> places(const ColourScale& scale, double width) {
    std::vector<Point2> at;
    const double indent = text_width(scale.label, letters) + 14.0;
    double x = indent, y = 0.0;
    for (const std::string& name : scale.names) {
        const double wide = 34.0 + text_width(name, letters);
        if (x + wide > width && x > indent) {
            x = indent;
            y += 18.0;
        }
        at.push_back({x, y});
        x += wide;
    }
    return at;
}

void draw_kinds(Svg& svg, const ColourScale& scale, Point2 corner, double width) {
    const auto at = places(scale, width);
    for (std::size_t k = 0; k < scale.names.size(); ++k) {
        const Point2 place{corner.x + at[k].x, corner.y + at[k].y};
        svg.rectangle(place, 13.0, 12.0, {scale.colours[k], "#555555", 0.6, 1.0, "", false});
        svg.text({place.x + 19.0, place.y + 10.5}, scale.names[k], {letters, "start", 0.0, false, false});
    }
}

std::vector<std::string> bound_labels(const ColourScale& scale) {
    auto labels = tick_labels(scale.bounds);
    if (scale.spaced_evenly)
        for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = observe::format_number(scale.bounds[k], 2);
    if (scale.open && !labels.empty()) labels.back() = "≥ " + labels.back();
    return labels;
}

void draw_bar(Svg& svg, const ColourScale& scale, Point2 corner) {
    const double width = scale.spaced_evenly ? 52.0 : 26.0;   // room for a label at every bound
    const double x = corner.x + 16.0 + text_width(scale.label, letters);
    const auto labels = bound_labels(scale);
    const std::size_t stride = scale.spaced_evenly || labels.size() < 4 ? 1 : 2;
    for (std::size_t k = 0; k < scale.colours.size(); ++k)
        svg.rectangle({x + width * static_cast<double>(k), corner.y}, width, 12.0, {scale.colours[k], "none", 0.0, 1.0, "", false});
    svg.rectangle({x, corner.y}, width * static_cast<double>(scale.colours.size()), 12.0, {"none", "#555555", 0.6, 1.0, "", false});
    for (std::size_t k = 0; k < labels.size(); k += stride) {
        const double at = x + width * static_cast<double>(k);
        svg.line({at, corner.y + 12.0}, {at, corner.y + 15.5}, {"none", "#555555", 0.6, 1.0, "", false});
        svg.text({at, corner.y + 27.0}, labels[k], {11.0, "middle", 0.0, false, false});
    }
}

}  // namespace

const std::string& ColourScale::colour(double value) const {
    if (colours.empty()) return fixed_fill;
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), value);
    const auto k = std::distance(bounds.begin(), above) - 1;
    return colours[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 0, static_cast<std::ptrdiff_t>(colours.size()) - 1))];
}

ColourScale single_colour(std::string colour) {
    ColourScale scale;
    scale.bounds = {0.0};
    scale.colours = {std::move(colour)};
    return scale;
}

ColourScale even_scale(std::string label, double low, double high, int count, Palette palette) {
    if (!(high > low)) return single_colour(pick(palette, 0.35));   // one value: one colour and no bar
    ColourScale scale;
    scale.label = std::move(label);
    for (int k = 0; k <= count; ++k) scale.bounds.push_back(low + (high - low) * k / count);
    for (int k = 0; k < count; ++k) scale.colours.push_back(pick(palette, count > 1 ? static_cast<double>(k) / (count - 1) : 0.5));
    return scale;
}

ColourScale speed_scale(std::string label, double highest, Palette palette) {
    if (!(highest > 0.0)) return single_colour(pick(palette, 0.35));
    ColourScale scale;
    scale.label = std::move(label);
    scale.bounds = {0.0};
    scale.spaced_evenly = true;
    for (int power = 4; power >= 0; --power) scale.bounds.push_back(highest * std::pow(0.18, power));
    // Fast grains dark, as in the paper: the ramp backwards, short of its brightest end.
    for (int k = 0; k < 5; ++k) scale.colours.push_back(palette == Palette::grey ? grey(0.25 * k) : ramp(0.92 - 0.22 * k));
    return scale;
}

double key_height(const ColourScale& scale, double width) {
    if (!scale.names.empty()) return places(scale, width).back().y + 22.0;
    return scale.label.empty() ? 0.0 : 36.0;
}

void draw_key(Svg& svg, const ColourScale& scale, Point2 corner, double width) {
    if (scale.label.empty() && scale.names.empty()) return;
    svg.text({corner.x, corner.y + 10.5}, scale.label, {letters, "start", 0.0, false, false});
    if (scale.names.empty()) draw_bar(svg, scale, corner);
    else draw_kinds(svg, scale, corner, width);
}

}  // namespace talus::plot
