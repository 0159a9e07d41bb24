// Boundaries of the plane.

#include <cmath>
#include <numbers>

#include "plot/walls.h"

namespace talus::plot {

namespace {

/// Local coordinates of a body to the drawing's.
struct Pose {
    Vec<2> origin;
    double cosine, sine, scale;

    [[nodiscard]] Point2 at(double x, double y) const {
        return {(origin.x() + cosine * x - sine * y) * scale, (origin.y() + sine * x + cosine * y) * scale};
    }
};

std::vector<Point2> rectangle(const Pose& pose, double x, double y) {
    return {pose.at(-x, -y), pose.at(x, -y), pose.at(x, y), pose.at(-x, y), pose.at(-x, -y)};
}

std::vector<Point2> ring(const Pose& pose, double radius) {
    std::vector<Point2> points;
    for (int k = 0; k <= 180; ++k) {
        const double angle = k * std::numbers::pi / 90.0;
        points.push_back(pose.at(radius * std::cos(angle), radius * std::sin(angle)));
    }
    return points;
}

/// Radius marks, so that a turning drum is seen to turn.
void add_drum(Drawing& drawing, const Pose& pose, double radius) {
    drawing.lines.push_back(ring(pose, radius));
    for (int k = 0; k < 4; ++k) {
        const double angle = k * std::numbers::pi / 2.0, c = std::cos(angle), s = std::sin(angle);
        drawing.lines.push_back({pose.at(radius * c, radius * s), pose.at(1.04 * radius * c, 1.04 * radius * s)});
    }
}

/// A wall with finite size; an infinite side of a box has no faces.
void add_finite(Drawing& drawing, const ShapeSpec& shape, const Pose& pose) {
    const auto& s = shape.sizes;
    if (shape.name == "segment") drawing.lines.push_back({pose.at(-0.5 * s[0], 0.0), pose.at(0.5 * s[0], 0.0)});
    if (shape.name == "ball_inside") add_drum(drawing, pose, s[0]);
    if (shape.name == "box") drawing.solids.push_back(rectangle(pose, 0.5 * s[0], 0.5 * s[1]));
    if (shape.name == "box" || (shape.name == "box_inside" && std::isfinite(s[0]) && std::isfinite(s[1])))
        drawing.lines.push_back(rectangle(pose, 0.5 * s[0], 0.5 * s[1]));
}

/// A plane as a line through the view with its solid side shaded; needs the view.
void add_plane(Drawing& drawing, const Pose& pose, double nx, double ny) {
    const double size = 2.0 * (drawing.x_high - drawing.x_low + drawing.y_high - drawing.y_low) / pose.scale;
    // Its foot is moved along the plane to the middle of the view, which may be far from its origin.
    const Point2 o = pose.at(0.0, 0.0), t0 = pose.at(-ny, nx);
    const double tx = (t0.x - o.x) / pose.scale, ty = (t0.y - o.y) / pose.scale;
    const double shift = ((0.5 * (drawing.x_low + drawing.x_high) - o.x) * tx + (0.5 * (drawing.y_low + drawing.y_high) - o.y) * ty) / pose.scale;
    const auto place = [&](double along, double across) {
        return pose.at(-ny * along + nx * across, nx * along + ny * across);
    };
    const Point2 a = place(shift - size, 0.0), b = place(shift + size, 0.0);
    drawing.lines.push_back({a, b});
    drawing.solids.push_back({a, b, place(shift + size, -size), place(shift - size, -size)});
}

Pose pose_of(const Snapshot<2>& snapshot, std::size_t i, double scale) {
    const double angle = snapshot.rotation[i].angle;
    return {snapshot.position[i], std::cos(angle), std::sin(angle), scale};
}

const ShapeSpec& shape_of(const Snapshot<2>& snapshot, std::size_t i) { return snapshot.shapes[static_cast<std::size_t>(snapshot.shape[i])]; }

/// The two faces of a channel are planes that look inwards.
void add_channel(Drawing& drawing, const Pose& pose, const std::vector<double>& sizes) {
    const bool across_x = std::isfinite(sizes[0]);
    if (!std::isfinite(across_x ? sizes[0] : sizes[1])) return;
    for (const double side : {-1.0, 1.0}) {
        Pose face = pose;
        const Point2 foot = across_x ? pose.at(side * 0.5 * sizes[0], 0.0) : pose.at(0.0, side * 0.5 * sizes[1]);
        face.origin = Vec<2>(foot.x, foot.y) / pose.scale;
        add_plane(drawing, face, across_x ? -side : 0.0, across_x ? 0.0 : -side);
    }
}

void add_cell(Drawing& drawing, const Snapshot<2>& snapshot, double scale) {
    for (int k = 0; k < 2; ++k) {
        if (!snapshot.periodic[static_cast<std::size_t>(k)]) continue;
        for (const double at : {snapshot.cell_low[k] * scale, snapshot.cell_high[k] * scale}) {
            if (k == 0) drawing.dashed.push_back({{at, drawing.y_low}, {at, drawing.y_high}});
            else drawing.dashed.push_back({{drawing.x_low, at}, {drawing.x_high, at}});
        }
    }
}

}  // namespace

void add_finite_walls(Drawing& drawing, const Snapshot<2>& snapshot, const Camera<2>& camera) {
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (!(snapshot.radius[i] > 0.0)) add_finite(drawing, shape_of(snapshot, i), pose_of(snapshot, i, camera.scale));
}

void add_endless_walls(Drawing& drawing, const Snapshot<2>& snapshot, const Camera<2>& camera) {
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (snapshot.radius[i] > 0.0) continue;
        const ShapeSpec& shape = shape_of(snapshot, i);
        const Pose pose = pose_of(snapshot, i, camera.scale);
        const auto& s = shape.sizes;
        if (shape.name == "plane") add_plane(drawing, pose, s[0], s[1]);
        if (shape.name == "box_inside" && !(std::isfinite(s[0]) && std::isfinite(s[1]))) add_channel(drawing, pose, s);
    }
    add_cell(drawing, snapshot, camera.scale);
}

}  // namespace talus::plot
