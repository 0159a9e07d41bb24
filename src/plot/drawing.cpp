#include "plot/drawing.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "observe/result.h"
#include "plot/chart.h"
#include "plot/cover.h"
#include "plot/ticks.h"

namespace talus::plot {

namespace {

constexpr double widest_force = 7.0;   // [px]
constexpr double force_quantum = 0.05; // forces whose widths differ by less are drawn as one element [px]
const Style wall_fill{"currentColor", "none", 0.0, 0.15, "", false};
const Style wall_line{"none", "currentColor", 2.2, 0.8, "", true};
const Style cell_line{"none", "currentColor", 1.2, 0.5, "5 4", true};

double left_margin(const Drawing& drawing) { return drawing.axes ? 78.0 : 14.0; }

/// A frame that holds the view at one scale: as wide as the page, unless that makes it too high.
Plane plane_of(const Drawing& drawing, double top) {
    const double wide = drawing.x_high - drawing.x_low, high = drawing.y_high - drawing.y_low;
    const double left = left_margin(drawing), room = std::max(60.0, drawing.width - left - 18.0);
    double width = room, height = width * high / wide;
    if (height > 0.89 * room) {
        height = 0.89 * room;
        width = height * wide / high;
    }
    return {left, top, width, height, drawing.x_low, drawing.x_high, drawing.y_low, drawing.y_high, false, false};
}

std::vector<Point2> placed(const Plane& plane, const std::vector<Point2>& points) {
    std::vector<Point2> on_page;
    for (const Point2& p : points) on_page.push_back(plane.at(p.x, p.y));
    return on_page;
}

void draw_walls(Svg& svg, const Plane& plane, const Drawing& drawing) {
    for (const auto& points : drawing.solids) svg.polygon(placed(plane, points), wall_fill);
    for (const auto& points : drawing.lines) svg.polyline(placed(plane, points), wall_line);
    for (const auto& points : drawing.dashed) svg.polyline(placed(plane, points), cell_line);
}

/// Whether a box around the points reaches into the picture; what does not is left out of the file.
bool is_in_view(const Plane& plane, const std::vector<Point2>& points) {
    const auto [left, right] = std::minmax_element(points.begin(), points.end(), [](const Point2& a, const Point2& b) { return a.x < b.x; });
    const auto [low, high] = std::minmax_element(points.begin(), points.end(), [](const Point2& a, const Point2& b) { return a.y < b.y; });
    return !points.empty() && right->x >= plane.x_low && left->x <= plane.x_high && high->y >= plane.y_low && low->y <= plane.y_high;
}

/// Fills a patch; `shade` of black over it, and an outline of its own where it differs from the group's.
void draw_patch(Svg& svg, const Plane& plane, const Drawing& drawing, const Patch& patch) {
    const auto points = placed(plane, patch.points);
    const bool fixed = std::isnan(patch.value);
    const std::string& fill = fixed ? fixed_fill : drawing.scale.colour(patch.value);
    svg.polygon(points, {fill, patch.round ? fill : fixed ? fixed_outline : drawing.outline, drawing.outline_width, 1.0, "", false});
    if (patch.shade > 0.0) svg.polygon(points, {"#000000", "none", 0.0, patch.shade, "", false});
}

struct Item {
    double depth;
    const Disk* disk;
    const Patch* patch;
};

/// From the farthest to the nearest, without disks that nearer ones hide.
std::vector<Item> order_of(const Plane& plane, const Drawing& drawing) {
    std::vector<Item> order;
    const std::vector<bool> hidden = hidden_disks(plane, drawing);
    for (std::size_t k = 0; k < drawing.disks.size(); ++k)
        if (!hidden[k]) order.push_back({drawing.disks[k].depth, &drawing.disks[k], nullptr});
    for (const Patch& patch : drawing.patches)
        if (is_in_view(plane, patch.points)) order.push_back({patch.depth, nullptr, &patch});
    std::stable_sort(order.begin(), order.end(), [](const Item& a, const Item& b) { return a.depth > b.depth; });
    return order;
}

void draw_grains(Svg& svg, const Plane& plane, const Drawing& drawing) {
    const double scale = plane.width / (plane.x_high - plane.x_low);
    enum class Group { none, free, fixed };
    Group open = Group::none;
    const auto close = [&] { if (open != Group::none) svg.end_group(); open = Group::none; };
    for (const Item& item : order_of(plane, drawing)) {
        if (item.patch != nullptr) {
            close();
            draw_patch(svg, plane, drawing, *item.patch);
            continue;
        }
        const Disk& disk = *item.disk;
        const Group wanted = std::isnan(disk.value) ? Group::fixed : Group::free;
        const std::string& colour = wanted == Group::fixed ? fixed_fill : drawing.scale.colour(disk.value);
        if (open != wanted) {
            close();
            svg.begin_group({"none", wanted == Group::fixed ? fixed_outline : drawing.outline, drawing.outline_width, 1.0, "", false});
            open = wanted;
        }
        svg.disk(plane.at(disk.x, disk.y), disk.radius * scale, drawing.balls ? svg.ball_fill(colour) : colour);
    }
    close();
}

double largest_force(const Drawing& drawing) {
    double largest = 0.0;
    for (const auto& segment : drawing.forces) largest = std::max(largest, segment.force);
    return largest;
}

/// Weak forces first, so that strong ones lie on top.
void draw_forces(Svg& svg, const Plane& plane, const Drawing& drawing) {
    const double largest = largest_force(drawing);
    std::map<std::pair<int, std::string>, std::vector<std::pair<Point2, Point2>>> alike;
    for (const auto& segment : drawing.forces) {
        const int width = static_cast<int>(std::lround(widest_force * segment.force / largest / force_quantum));
        if (width >= 2 && is_in_view(plane, {{segment.x1, segment.y1}, {segment.x2, segment.y2}}))  // thinner lines cannot be seen
            alike[{width, segment.colour.empty() ? drawing.force_colour : segment.colour}].push_back(
                {plane.at(segment.x1, segment.y1), plane.at(segment.x2, segment.y2)});
    }
    for (const auto& [key, lines] : alike) svg.strokes(lines, {"none", key.second, force_quantum * key.first, 1.0, "", true});
}

void draw_strokes(Svg& svg, const Plane& plane, const Strokes& strokes) {
    const Style style{"none", strokes.colour, strokes.width, 1.0, strokes.dashed ? "6 4" : "", true};
    std::vector<std::pair<Point2, Point2>> straight;
    for (const auto& line : strokes.lines) {
        if (line.size() == 2) straight.push_back({plane.at(line[0].x, line[0].y), plane.at(line[1].x, line[1].y)});
        else svg.polyline(placed(plane, line), style);
    }
    svg.strokes(straight, style);
    if (!(strokes.dot > 0.0)) return;
    svg.begin_group({strokes.colour, "none", 0.0, 1.0, "", false});
    for (const auto& line : strokes.lines)
        if (!line.empty()) svg.disk(plane.at(line.front().x, line.front().y), strokes.dot, strokes.colour);
    svg.end_group();
}

/// Words that have their place in the picture.
struct Placed {
    double left, right, baseline;
};

/// Moves words up or down, inside the picture, by as little as makes them clear of those before them; where nothing does they stay.
void make_way(Placed& words, double line, const Plane& plane, const std::vector<Placed>& others) {
    constexpr int most = 40;
    constexpr double step = 3.0;   // [px]
    const double wanted = words.baseline;
    const auto is_clear = [&](double baseline) {
        return std::none_of(others.begin(), others.end(), [&](const Placed& o) {
            return std::abs(o.baseline - baseline) < line && o.left < words.right && words.left < o.right;
        });
    };
    for (int k = 0; k <= most; ++k)
        for (const double baseline : {wanted + step * k, wanted - step * k}) {
            const bool inside = baseline > plane.top + line && baseline < plane.top + plane.height - 2.0;
            if (!is_clear(baseline) || (k > 0 && !inside)) continue;
            words.baseline = baseline;
            return;
        }
}

void draw_arrows(Svg& svg, const Plane& plane, const Drawing& drawing) {
    constexpr double size = 12.0, line = 12.0;
    for (const Arrow& arrow : drawing.arrows)
        svg.arrow(plane.at(arrow.from.x, arrow.from.y), plane.at(arrow.to.x, arrow.to.y), arrow.colour, arrow.width);
    std::vector<Placed> labels;
    for (const Arrow& arrow : drawing.arrows) {
        if (arrow.label.empty()) continue;
        const Point2 from = plane.at(arrow.from.x, arrow.from.y), to = plane.at(arrow.to.x, arrow.to.y);
        const bool rightwards = to.x >= from.x;
        const double wide = text_width(arrow.label, size), x = to.x + (rightwards ? 6.0 : -6.0);
        Placed label{rightwards ? x : x - wide, rightwards ? x + wide : x, to.y + (to.y > from.y ? 12.0 : -4.0)};
        make_way(label, line, plane, labels);
        svg.text({x, label.baseline}, arrow.label, {size, rightwards ? "start" : "end", 0.0, false, false, true});
        labels.push_back(label);
    }
}

/// A round length, about a fifth of the picture.
void draw_scale_bar(Svg& svg, const Plane& plane, const Drawing& drawing, double y) {
    const auto ticks = round_ticks(0.0, drawing.x_high - drawing.x_low, 5);
    if (ticks.size() < 2) return;
    const double length = ticks[1], left = plane.left, right = left + length * plane.width / (drawing.x_high - drawing.x_low);
    const Style style{"none", "currentColor", 1.6, 1.0, "", false};
    svg.line({left, y}, {right, y}, style);
    for (const double x : {left, right}) svg.line({x, y - 4.0}, {x, y + 4.0}, style);
    svg.text({right + 8.0, y + 4.0}, observe::format_number(length, 3) + " " + drawing.length_unit, {12.0, "start", 0.0, false, false});
}

/// Lines of at most `width` [px], broken at spaces.
void wrap(std::vector<std::string>& lines, const std::string& words, double width) {
    std::string line;
    for (std::size_t from = 0; from < words.size();) {
        const auto space = std::min(words.find(' ', from), words.size());
        const std::string word = words.substr(from, space - from);
        from = space + 1;
        if (!line.empty() && text_width(line + " " + word, 12.0) > width) {
            lines.push_back(line);
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty()) lines.push_back(line);
}

std::vector<std::string> words_below(const Drawing& drawing) {
    const double width = drawing.width - left_margin(drawing) - 18.0;
    std::vector<std::string> lines;
    for (const auto& note : drawing.notes) wrap(lines, note, width);
    if (!drawing.forces.empty())
        wrap(lines, (drawing.force_note.empty() ? "segments: normal forces, as wide as strong" : drawing.force_note) + "; the widest is " +
                        observe::format_number(largest_force(drawing), 3) + " " + drawing.force_unit, width);
    return lines;
}

/// Key of the lines that have a name.
double draw_stroke_key(Svg& svg, const Drawing& drawing, double left, double y, double right) {
    double x = left;
    bool any = false;
    for (const Strokes& strokes : drawing.strokes) {
        if (strokes.label.empty()) continue;
        const double wide = 40.0 + text_width(strokes.label, 12.0);
        if (any && x + wide > right) {
            x = left;
            y += 18.0;
        }
        svg.line({x, y}, {x + 20.0, y}, {"none", strokes.colour, std::max(1.6, strokes.width), 1.0, strokes.dashed ? "6 4" : "", false});
        svg.text({x + 26.0, y + 4.0}, strokes.label, {12.0, "start", 0.0, false, false});
        x += wide;
        any = true;
    }
    return any ? y + 20.0 : y;
}

bool has_stroke_key(const Drawing& drawing) {
    return std::any_of(drawing.strokes.begin(), drawing.strokes.end(), [](const Strokes& s) { return !s.label.empty(); });
}

/// Everything under the picture, from `y` on. Returns where it ends.
double draw_below(Svg& svg, const Plane& plane, const Drawing& drawing, double y, double right) {
    if (!drawing.axes) {
        draw_scale_bar(svg, plane, drawing, y + 6.0);
        y += 26.0;
    }
    if (const double high = key_height(drawing.scale, right - plane.left); high > 0.0) {
        draw_key(svg, drawing.scale, {plane.left, y}, right - plane.left);
        y += high;
    }
    if (has_stroke_key(drawing)) y = draw_stroke_key(svg, drawing, plane.left, y + 6.0, right);
    for (const std::string& words : words_below(drawing)) {
        svg.text({plane.left, y + 10.0}, words, {12.0, "start", 0.0, false, true});
        y += 18.0;
    }
    return y;
}

double width_of(const Drawing& drawing, const Plane& plane) {
    double wide = plane.left + plane.width + 18.0;
    const auto fits = [&](double length) { wide = std::max(wide, plane.left + length + 18.0); };
    fits(text_width(drawing.title, 14.5) * 1.05);
    for (const auto& words : words_below(drawing)) fits(text_width(words, 12.0));
    if (drawing.scale.names.empty() && !drawing.scale.label.empty())
        fits(40.0 + text_width(drawing.scale.label, 12.0) + (drawing.scale.spaced_evenly ? 52.0 : 26.0) * static_cast<double>(drawing.scale.colours.size()));
    return wide;
}

}  // namespace

std::string draw_drawing(const Drawing& drawing) {
    const double top = drawing.title.empty() ? 14.0 : 38.0;
    const Plane plane = plane_of(drawing, top);
    const double width = width_of(drawing, plane), below = plane.top + plane.height + (drawing.axes ? 60.0 : 14.0);
    Svg measured(width, 0.0, "");   // the height is known once everything has been placed
    const double bottom = draw_below(measured, plane, drawing, below, width - 10.0);
    Svg svg(width, bottom + 4.0, drawing.title);
    if (!drawing.title.empty()) svg.text({plane.left, 22.0}, drawing.title, {14.5, "start", 0.0, true, false});
    if (drawing.axes) draw_axes(svg, plane, {drawing.x_label, false, {}, {}}, {drawing.y_label, false, {}, {}});
    svg.begin_clip({plane.left, plane.top}, plane.width, plane.height);
    draw_walls(svg, plane, drawing);
    draw_grains(svg, plane, drawing);
    draw_forces(svg, plane, drawing);
    for (const Strokes& strokes : drawing.strokes) draw_strokes(svg, plane, strokes);
    draw_arrows(svg, plane, drawing);
    svg.end_clip();
    (void)draw_below(svg, plane, drawing, below, width - 10.0);
    return svg.finish();
}

}  // namespace talus::plot
