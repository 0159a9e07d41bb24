#include "plot/sweep_picture.h"

#include <cmath>

#include "plot/chart.h"
#include "plot/svg.h"

namespace talus::plot {

namespace {

constexpr int columns = 240;
const std::string rock = "#b7a58d", water = "#2b6cb0";

bool is_rock(const scene::SweepScene& scene, double t, double x) {
    Eigen::VectorXd q = Eigen::VectorXd::Constant(scene.dimension, scene.section);
    q[0] = x;
    for (const auto& f : scene.set)
        if (f.value(t, q) > 0.0) return true;
    return false;
}

/// Where rock begins or ends between two depths, by halving.
double edge(const scene::SweepScene& scene, double x, double low, double high) {
    const bool below = is_rock(scene, high, x);
    for (int k = 0; k < 30; ++k) {
        const double middle = 0.5 * (low + high);
        (is_rock(scene, middle, x) == below ? high : low) = middle;
    }
    return high;
}

/// Rock by columns: upright strips between the depths at which it begins and ends.
void draw_rock(Svg& svg, const Plane& plane, const scene::SweepScene& scene) {
    const double width = (scene.window[1] - scene.window[0]) / columns, deep = (scene.until - scene.from) / 400.0;
    for (int c = 0; c < columns; ++c) {
        const double x = scene.window[0] + (c + 0.5) * width;
        double top = scene.from;
        bool inside = is_rock(scene, scene.from, x);
        const auto fill = [&](double bottom) {
            const Point2 a = plane.at(x - 0.5 * width, -top), b = plane.at(x + 0.5 * width, -bottom);
            svg.rectangle(a, b.x - a.x + 0.4, b.y - a.y, {rock, "none", 0.0, 1.0, "", false});
        };
        for (double t = scene.from + deep; t <= scene.until + 0.5 * deep; t += deep) {
            const bool now = is_rock(scene, t, x);
            if (now == inside) continue;
            const double at = edge(scene, x, t - deep, t);
            if (inside) fill(at);
            top = at;
            inside = now;
        }
        if (inside) fill(scene.until);
    }
}

void draw_path(Svg& svg, const Plane& plane, const scene::SweepPath& path) {
    std::vector<Point2> part;
    const auto flush = [&](bool on_rock) {
        if (part.size() > 1) svg.polyline(part, {"none", water, on_rock ? 3.0 : 1.4, 1.0, on_rock ? "" : "1 3", true});
        if (!part.empty()) part = {part.back()};
    };
    bool on_rock = false;
    for (std::size_t k = 0; k < path.time.size(); ++k) {
        if (const bool now = !path.active[k].empty(); now != on_rock) {
            flush(on_rock);
            on_rock = now;
        }
        part.push_back(plane.at(path.position[k][0], -path.time[k]));
    }
    flush(on_rock);
}

}  // namespace

std::string draw_sweep(const scene::SweepScene& scene, const std::vector<scene::SweepPath>& paths) {
    const double across = scene.window[1] - scene.window[0], deep = scene.until - scene.from;
    const double width = 560.0, height = std::min(1200.0, std::max(200.0, width * deep / across));
    Svg svg(width + 100.0, height + 90.0, scene.title.empty() ? "Sweeping process" : scene.title);
    Plane plane{70.0, 36.0, width, height, scene.window[0], scene.window[1], -scene.until, -scene.from};
    svg.text({plane.left, 22.0}, scene.title, {14.0, "start", 0.0, true});
    svg.begin_clip({plane.left, plane.top}, plane.width, plane.height);
    draw_rock(svg, plane, scene);
    for (const auto& path : paths) draw_path(svg, plane, path);
    svg.end_clip();
    draw_axes(svg, plane, {"x", false, {}, {}}, {"-t (t points down)", false, {}, {}});
    return svg.finish();
}

}  // namespace talus::plot
