#include "plot/drawing.h"

#include <algorithm>
#include <cmath>

#include "observe/result.h"
#include "plot/chart.h"
#include "plot/palette.h"
#include "plot/ticks.h"

namespace talus::plot {

namespace {

constexpr double widest_force = 7.0;   // [px]
const std::string fixed_grey = "#b9b9b9";

/// The part of the plane that is shown.
struct View {
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

    void include(double x, double y, double r) {
        x_low = std::min(x_low, x - r);
        x_high = std::max(x_high, x + r);
        y_low = std::min(y_low, y - r);
        y_high = std::max(y_high, y + r);
    }
    [[nodiscard]] double extent() const { return std::max(x_high - x_low, y_high - y_low); }
    [[nodiscard]] View grown(double by) const { return {x_low - by, x_high + by, y_low - by, y_high + by}; }
    [[nodiscard]] bool holds(const Point2& p) const { return p.x >= x_low && p.x <= x_high && p.y >= y_low && p.y <= y_high; }
};

/// A frame that holds the view at one scale: as wide as the page, unless that makes it too high.
Plane plane_of(const Drawing& drawing, double top) {
    const double wide = drawing.x_high - drawing.x_low, high = drawing.y_high - drawing.y_low;
    double width = 630.0, height = width * high / wide;
    if (height > 560.0) {
        height = 560.0;
        width = height * wide / high;
    }
    Plane plane{78.0, top, width, height, 0, 1, 0, 1, false, false};
    plane.x_low = drawing.x_low;
    plane.x_high = drawing.x_high;
    plane.y_low = drawing.y_low;
    plane.y_high = drawing.y_high;
    return plane;
}

void draw_walls(Svg& svg, const Plane& plane, const Drawing& drawing) {
    const auto placed = [&](const std::vector<Point2>& points) {
        std::vector<Point2> on_page;
        for (const Point2& p : points) on_page.push_back(plane.at(p.x, p.y));
        return on_page;
    };
    for (const auto& points : drawing.solids) svg.polygon(placed(points), {"currentColor", "none", 0.0, 0.15, "", false});
    for (const auto& points : drawing.lines) svg.polyline(placed(points), {"none", "currentColor", 2.2, 0.8, "", true});
    for (const auto& points : drawing.dashed) svg.polyline(placed(points), {"none", "currentColor", 1.2, 0.5, "5 4", true});
}

void draw_disk(Svg& svg, const Plane& plane, const Drawing& drawing, const Disk& disk) {
    const double scale = plane.width / (plane.x_high - plane.x_low);
    const std::string& fill = std::isnan(disk.value) ? fixed_grey : drawing.scale.colour(disk.value);
    svg.circle(plane.at(disk.x, disk.y), disk.radius * scale, {fill, "#ffffff", 0.5, 1.0, "", false});
}

void draw_patch(Svg& svg, const Plane& plane, const Drawing& drawing, const Patch& patch) {
    std::vector<Point2> points;
    for (const Point2& p : patch.points) points.push_back(plane.at(p.x, p.y));
    const std::string& fill = std::isnan(patch.value) ? fixed_grey : drawing.scale.colour(patch.value);
    svg.polygon(points, {fill, patch.round ? fill : "#ffffff", 0.5, 1.0, "", false});
    if (patch.shade > 0.0) svg.polygon(points, {"#000000", "none", 0.0, patch.shade, "", false});
}

/// From the farthest to the nearest.
void draw_grains(Svg& svg, const Plane& plane, const Drawing& drawing) {
    struct Item { double depth; const Disk* disk; const Patch* patch; };
    std::vector<Item> order;
    for (const Disk& disk : drawing.disks) order.push_back({disk.depth, &disk, nullptr});
    for (const Patch& patch : drawing.patches) order.push_back({patch.depth, nullptr, &patch});
    std::stable_sort(order.begin(), order.end(), [](const Item& a, const Item& b) { return a.depth > b.depth; });
    for (const Item& item : order) {
        if (item.disk != nullptr) draw_disk(svg, plane, drawing, *item.disk);
        else draw_patch(svg, plane, drawing, *item.patch);
    }
}

double largest_force(const Drawing& drawing) {
    double largest = 0.0;
    for (const auto& segment : drawing.forces) largest = std::max(largest, segment.force);
    return largest;
}

void draw_forces(Svg& svg, const Plane& plane, const Drawing& drawing) {
    const double largest = largest_force(drawing);
    for (const auto& segment : drawing.forces) {
        const double width = widest_force * segment.force / largest;
        if (width >= 0.08)  // thinner lines cannot be seen
            svg.line(plane.at(segment.x1, segment.y1), plane.at(segment.x2, segment.y2), {"none", "#d55e00", width, 0.9, "", true});
    }
}

void draw_colour_bar(Svg& svg, const ColourScale& scale, Point2 corner) {
    const double width = scale.spaced_evenly ? 52.0 : 26.0;   // room for a label at every bound
    svg.text({corner.x, corner.y + 10.0}, scale.label, {12.5, "start", 0.0, false, false});
    double x = corner.x + 12.0 + 6.8 * static_cast<double>(scale.label.size());
    const auto labels = [&] {
        if (!scale.spaced_evenly) return tick_labels(scale.bounds);
        std::vector<std::string> words;
        for (const double bound : scale.bounds) words.push_back(observe::format_number(bound, 2));
        return words;
    }();
    const std::size_t stride = scale.spaced_evenly ? 1 : 2;
    for (std::size_t k = 0; k < scale.colours.size(); ++k)
        svg.rectangle({x + width * static_cast<double>(k), corner.y}, width, 12.0, {scale.colours[k], "none", 0.0, 1.0, "", false});
    for (std::size_t k = 0; k < labels.size(); k += stride)
        svg.text({x + width * static_cast<double>(k), corner.y + 25.0}, labels[k], {11.0, "middle", 0.0, false, false});
}

}  // namespace

const std::string& ColourScale::colour(double value) const {
    if (colours.empty()) return fixed_grey;
    const auto above = std::upper_bound(bounds.begin(), bounds.end(), value);
    const auto k = std::distance(bounds.begin(), above) - 1;
    return colours[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 0, static_cast<std::ptrdiff_t>(colours.size()) - 1))];
}

ColourScale even_scale(std::string label, double low, double high, int count) {
    ColourScale scale{std::move(label), {}, {}, false};
    if (!(high > low)) {  // one value: one colour and no bar
        scale.label.clear();
        scale.bounds = {low};
        scale.colours = {ramp(0.35)};
        return scale;
    }
    for (int k = 0; k <= count; ++k) scale.bounds.push_back(low + (high - low) * k / count);
    for (int k = 0; k < count; ++k) scale.colours.push_back(ramp(count > 1 ? static_cast<double>(k) / (count - 1) : 0.5));
    return scale;
}

ColourScale speed_scale(std::string label, double highest) {
    if (!(highest > 0.0)) return even_scale("", 0.0, 0.0, 1);
    ColourScale scale{std::move(label), {0.0}, {}, true};
    for (int power = 4; power >= 0; --power) scale.bounds.push_back(highest * std::pow(0.18, power));
    // Fast grains dark, as in the paper: the ramp backwards, short of its brightest end.
    for (int k = 0; k < 5; ++k) scale.colours.push_back(ramp(0.92 - 0.22 * k));
    return scale;
}

void fit_view(Drawing& drawing, double margin) {
    View view;
    for (const Disk& disk : drawing.disks) view.include(disk.x, disk.y, disk.radius);
    for (const Patch& patch : drawing.patches)
        for (const Point2& p : patch.points) view.include(p.x, p.y, 0.0);
    // Walls belong to the picture unless they have gone far from the grains, like a gate that dropped.
    const View near = view.grown(drawing.disks.empty() && drawing.patches.empty() ? INFINITY : view.extent());
    for (const auto* group : {&drawing.lines, &drawing.dashed})
        for (const auto& points : *group)
            if (std::all_of(points.begin(), points.end(), [&](const Point2& p) { return near.holds(p); }))
                for (const Point2& p : points) view.include(p.x, p.y, 0.0);
    if (!(view.x_low <= view.x_high)) view = {0.0, 1.0, 0.0, 1.0};
    view = view.grown(margin > 0.0 ? margin : 0.03 * std::max(view.extent(), 1e-300));
    drawing.x_low = view.x_low;
    drawing.x_high = view.x_high;
    drawing.y_low = view.y_low;
    drawing.y_high = view.y_high;
}

std::string draw_drawing(const Drawing& drawing) {
    const double top = drawing.title.empty() ? 14.0 : 38.0;
    const Plane plane = plane_of(drawing, top);
    const bool has_bar = !drawing.scale.label.empty();
    const double width = std::max(drawing.forces.empty() ? 440.0 : 560.0, plane.left + plane.width + 18.0);
    double notes = plane.top + plane.height + 60.0;
    Svg svg(width, notes + (has_bar ? 34.0 : 0.0) + (drawing.forces.empty() ? 0.0 : 22.0), drawing.title);
    if (!drawing.title.empty()) svg.text({78.0, 22.0}, drawing.title, {14.5, "start", 0.0, true, false});
    draw_axes(svg, plane, {drawing.x_label, false, {}, {}}, {drawing.y_label, false, {}, {}});
    svg.begin_clip({plane.left, plane.top}, plane.width, plane.height);
    draw_walls(svg, plane, drawing);
    draw_grains(svg, plane, drawing);
    draw_forces(svg, plane, drawing);
    svg.end_clip();
    if (has_bar) {
        draw_colour_bar(svg, drawing.scale, {78.0, notes});
        notes += 34.0;
    }
    if (!drawing.forces.empty())
        svg.text({78.0, notes + 10.0}, "segments: normal forces, as wide as strong; the widest is " +
                 observe::format_number(largest_force(drawing), 3) + " " + drawing.force_unit, {12.0, "start", 0.0, false, true});
    return svg.finish();
}

}  // namespace talus::plot
