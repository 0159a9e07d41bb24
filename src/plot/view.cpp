// Which part of the plane a drawing shows.

#include <algorithm>
#include <cmath>

#include "plot/drawing.h"

namespace talus::plot {

namespace {

struct View {
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

    void include(double x, double y, double r) {
        x_low = std::min(x_low, x - r);
        x_high = std::max(x_high, x + r);
        y_low = std::min(y_low, y - r);
        y_high = std::max(y_high, y + r);
    }
    [[nodiscard]] bool is_empty() const { return !(x_low <= x_high); }
    [[nodiscard]] double extent() const { return std::max(x_high - x_low, y_high - y_low); }
    [[nodiscard]] View grown(double by) const { return {x_low - by, x_high + by, y_low - by, y_high + by}; }
    [[nodiscard]] bool holds(const Point2& p) const { return p.x >= x_low && p.x <= x_high && p.y >= y_low && p.y <= y_high; }
};

/// Grains that are free (or held fixed) and pass `counts(x, y)`.
template <typename Counts>
void include_grains(View& view, const Drawing& drawing, bool fixed, Counts counts) {
    for (const Disk& disk : drawing.disks)
        if (std::isnan(disk.value) == fixed && counts({disk.x, disk.y})) view.include(disk.x, disk.y, disk.radius);
    for (const Patch& patch : drawing.patches)
        if (std::isnan(patch.value) == fixed && std::all_of(patch.points.begin(), patch.points.end(), counts))
            for (const Point2& p : patch.points) view.include(p.x, p.y, 0.0);
}

}  // namespace

void fit_view(Drawing& drawing, double margin) {
    View view;
    const auto all = [](const Point2&) { return true; };
    include_grains(view, drawing, false, all);
    if (view.is_empty()) include_grains(view, drawing, true, all);
    // A rough bed goes on beyond the pile: what is near the free grains belongs to the picture.
    const View close = view.is_empty() ? View{} : view.grown(0.12 * view.extent());
    include_grains(view, drawing, true, [&](const Point2& p) { return close.holds(p); });
    // So do walls unless they have gone far from the grains, like a gate that dropped.
    const View near = view.is_empty() ? View{-INFINITY, INFINITY, -INFINITY, INFINITY} : view.grown(view.extent());
    for (const auto* group : {&drawing.lines, &drawing.dashed})
        for (const auto& points : *group)
            if (std::all_of(points.begin(), points.end(), [&](const Point2& p) { return near.holds(p); }))
                for (const Point2& p : points) view.include(p.x, p.y, 0.0);
    if (view.is_empty()) view = {0.0, 1.0, 0.0, 1.0};
    view = view.grown(margin > 0.0 ? margin : 0.03 * std::max(view.extent(), 1e-300));
    drawing.x_low = view.x_low;
    drawing.x_high = view.x_high;
    drawing.y_low = view.y_low;
    drawing.y_high = view.y_high;
}

}  // namespace talus::plot
