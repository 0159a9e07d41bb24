// Boundaries of space: where they cut the plane of the picture.

#include <algorithm>
#include <cmath>

#include "plot/walls.h"
#include "record/boundary_mesh.h"

namespace talus::plot {

namespace {

/// Where the plane of the picture cuts a polygon: two points, or none.
std::vector<Vec<3>> section(const std::vector<Vec<3>>& polygon, const Camera<3>& camera) {
    std::vector<Vec<3>> ends;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec<3>&a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        const double da = camera.depth(a), db = camera.depth(b);
        if ((da < 0.0) != (db < 0.0)) ends.push_back(a + (da / (da - db)) * (b - a));
    }
    return ends;
}

/// All cuts of the boundaries, as lines of the drawing.
std::vector<std::vector<Point2>> cuts(const Snapshot<3>& snapshot, const Camera<3>& camera) {
    const record::VtpMesh mesh = record::boundary_mesh(snapshot);
    std::vector<std::vector<Point2>> lines;
    std::int64_t begin = 0;
    for (const std::int64_t end : mesh.polygons.offsets) {
        std::vector<Vec<3>> polygon;
        for (std::int64_t k = begin; k < end; ++k) {
            const double* x = mesh.points.data() + 3 * mesh.polygons.connectivity[static_cast<std::size_t>(k)];
            polygon.emplace_back(x[0], x[1], x[2]);
        }
        begin = end;
        const auto ends = section(polygon, camera);
        if (ends.size() == 2) lines.push_back({camera.at(ends[0]), camera.at(ends[1])});
    }
    return lines;
}

}  // namespace

/// None decides the view: grains do, and walls beyond them are cut off. A container is as wide as what it holds.
void add_finite_walls(Drawing&, const Snapshot<3>&, const Camera<3>&) {}

void add_endless_walls(Drawing& drawing, const Snapshot<3>& snapshot, const Camera<3>& camera) {
    if (!camera.is_flat) return;
    const double wide = 0.1 * std::max(drawing.x_high - drawing.x_low, drawing.y_high - drawing.y_low);
    auto lines = cuts(snapshot, camera);
    double x_low = drawing.x_low, x_high = drawing.x_high, y_low = drawing.y_low, y_high = drawing.y_high;
    for (const auto& line : lines)
        for (const Point2& p : line) {   // a wall just outside the grains is shown whole
            if (p.x > drawing.x_low - wide && p.x < drawing.x_high + wide) x_low = std::min(x_low, p.x - 0.1 * wide), x_high = std::max(x_high, p.x + 0.1 * wide);
            if (p.y > drawing.y_low - wide && p.y < drawing.y_high + wide) y_low = std::min(y_low, p.y - 0.1 * wide), y_high = std::max(y_high, p.y + 0.1 * wide);
        }
    drawing.x_low = x_low;
    drawing.x_high = x_high;
    drawing.y_low = y_low;
    drawing.y_high = y_high;
    drawing.lines.insert(drawing.lines.end(), lines.begin(), lines.end());
}

}  // namespace talus::plot
