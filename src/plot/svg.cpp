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

double text_width(std::string_view words, double size) {
    double em = 0.0;   // by kinds of letters, in DejaVu Sans: the widest of the fonts that a reader may have
    for (const char c : words) {
        if ((static_cast<unsigned char>(c) & 0xc0) == 0x80) continue;   // inside a letter of several bytes
        if (std::string_view("iljtfr.,;:!|'()[]/ ").find(c) != std::string_view::npos) em += 0.36;
        else if (std::string_view("mwMWGOQ%@").find(c) != std::string_view::npos) em += 0.9;
        else em += c >= 'A' && c <= 'Z' ? 0.69 : 0.62;
    }
    return em * size;
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

void Svg::disk(Point2 centre, double radius, std::string_view fill) {
    body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", coordinate(centre.x), coordinate(centre.y),
                         coordinate(radius), fill);
}

void Svg::strokes(const std::vector<std::pair<Point2, Point2>>& lines, const Style& style) {
    if (lines.empty()) return;
    std::string d;
    for (const auto& [from, to] : lines)
        d += 'M' + coordinate(from.x) + ' ' + coordinate(from.y) + 'L' + coordinate(to.x) + ' ' + coordinate(to.y);
    element("path", " d=\"" + d + "\"", style);
}

void Svg::arrow(Point2 tail, Point2 tip, const std::string& colour, double width) {
    const double length = std::hypot(tip.x - tail.x, tip.y - tail.y), head = 3.6 * width + 2.0;
    if (!(length > 0.0)) return;
    const double ex = (tip.x - tail.x) / length, ey = (tip.y - tail.y) / length;
    const auto place = [&](double back, double aside) { return Point2{tip.x - back * ex - aside * ey, tip.y - back * ey + aside * ex}; };
    if (length > head) line(tail, place(0.9 * head, 0.0), {"none", colour, width, 1.0, "", false});
    polygon({tip, place(head, 0.42 * head), place(head, -0.42 * head)}, {colour, "none", 0.0, 1.0, "", false});
}

namespace {

/// A colour mixed with white (share > 0) or black (share < 0).
std::string mixed(const std::string& colour, double share) {
    std::string out = "#";
    for (std::size_t k = 1; k + 1 < colour.size(); k += 2) {
        const double part = std::stoi(colour.substr(k, 2), nullptr, 16), to = share > 0.0 ? 255.0 : 0.0;
        out += fmt::format("{:02x}", static_cast<int>(std::lround(part + std::abs(share) * (to - part))));
    }
    return out;
}

}  // namespace

std::string Svg::ball_fill(const std::string& colour) {
    const std::string name = "ball-" + colour.substr(1);   // the same name for the same definition, on any page
    if (balls_.insert(colour).second)
        body_ += fmt::format("<radialGradient id=\"{}\" cx=\".38\" cy=\".34\" r=\".72\"><stop offset=\"0\" stop-color=\"{}\"/>"
                             "<stop offset=\".55\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/></radialGradient>\n",
                             name, mixed(colour, 0.42), colour, mixed(colour, -0.3));
    return "url(#" + name + ")";
}

void Svg::begin_group(const Style& style) { body_ += "<g" + style_of(style) + ">\n"; }

void Svg::text(Point2 at, std::string_view words, const TextStyle& style) {
    std::string attributes = fmt::format(" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"", coordinate(at.x),
                                         coordinate(at.y), coordinate(style.size), style.anchor);
    if (style.turn != 0.0)
        attributes += fmt::format(" transform=\"rotate({} {} {})\"", coordinate(style.turn), coordinate(at.x), coordinate(at.y));
    if (style.bold) attributes += " font-weight=\"600\"";
    if (style.soft) attributes += " opacity=\"0.7\"";
    if (style.halo) attributes += " stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
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
