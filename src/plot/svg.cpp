#include "plot/svg.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace talus::plot {

namespace {

std::string points_of(const std::vector<Point2>& points) {
    std::string list;
    for (const Point2& p : points) {
        if (!list.empty()) list += ' ';
        list += coordinate(p.x) + ',' + coordinate(p.y);
    }
    return list;
}

std::string style_of(const Style& style) {
    std::string text = fmt::format(" fill=\"{}\"", style.fill);
    if (style.stroke != "none") text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", style.stroke, coordinate(style.width));
    if (style.opacity < 1.0) text += fmt::format(" opacity=\"{}\"", coordinate(style.opacity));
    if (!style.dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", style.dash);
    if (style.round) text += " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    return text;
}

/// FNV-1a: figures of different content get different names.
std::uint64_t digest(std::string_view text) {
    std::uint64_t hash = 1469598103934665603ull;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return hash;
}

}  // namespace

std::string escape(std::string_view text) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') safe += c;  // XML has no other controls
    }
    return safe;
}

std::string coordinate(double value) {
    if (!std::isfinite(value)) return "0";
    std::string text = fmt::format("{:.2f}", value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

Svg::Svg(double width, double height, std::string_view title)
    : width_(width), height_(height), body_(fmt::format("<title>{}</title>\n", escape(title))) {}

void Svg::element(std::string_view name, const std::string& attributes, const Style& style) {
    body_ += fmt::format("<{}{}{}/>\n", name, attributes, style_of(style));
}

void Svg::line(Point2 from, Point2 to, const Style& style) {
    element("line", fmt::format(" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", coordinate(from.x), coordinate(from.y),
                                coordinate(to.x), coordinate(to.y)), style);
}

void Svg::polyline(const std::vector<Point2>& points, const Style& style) {
    if (!points.empty()) element("polyline", " points=\"" + points_of(points) + "\"", style);
}

void Svg::polygon(const std::vector<Point2>& points, const Style& style) {
    if (!points.empty()) element("polygon", " points=\"" + points_of(points) + "\"", style);
}

void Svg::circle(Point2 centre, double radius, const Style& style) {
    element("circle", fmt::format(" cx=\"{}\" cy=\"{}\" r=\"{}\"", coordinate(centre.x), coordinate(centre.y), coordinate(radius)), style);
}

void Svg::rectangle(Point2 corner, double width, double height, const Style& style) {
    element("rect", fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", coordinate(corner.x), coordinate(corner.y),
                                coordinate(width), coordinate(height)), style);
}

void Svg::text(Point2 at, std::string_view words, const TextStyle& style) {
    std::string attributes = fmt::format(" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"", coordinate(at.x),
                                         coordinate(at.y), coordinate(style.size), style.anchor);
    if (style.turn != 0.0)
        attributes += fmt::format(" transform=\"rotate({} {} {})\"", coordinate(style.turn), coordinate(at.x), coordinate(at.y));
    if (style.bold) attributes += " font-weight=\"600\"";
    if (style.soft) attributes += " opacity=\"0.7\"";
    body_ += fmt::format("<text{}>{}</text>\n", attributes, escape(words));
}

void Svg::begin_clip(Point2 corner, double width, double height) {
    if (id_.empty()) id_ = fmt::format("{:x}", digest(body_));
    const std::string name = fmt::format("clip-{}-{}", id_, clips_++);
    body_ += fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n<g clip-path=\"url(#{})\">\n",
                         name, coordinate(corner.x), coordinate(corner.y), coordinate(width), coordinate(height), name);
}

void Svg::end_clip() { body_ += "</g>\n"; }

std::string Svg::finish() {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" color=\"#222\" "
        "fill=\"currentColor\" font-family=\"'Source Sans 3','Helvetica Neue',Arial,'DejaVu Sans',sans-serif\">\n"
        "<rect class=\"paper\" width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{2}</svg>\n",
        coordinate(width_), coordinate(height_), body_);
}

}  // namespace talus::plot
