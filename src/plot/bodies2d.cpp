// All bodies of a run in the plane: grains by birth, speed, tag or size, boundaries, and the forces
// between them as segments (moreau2001, fig. 1).

#include <cmath>
#include <numbers>

#include "observe/result.h"
#include "plot/colouring.h"
#include "plot/figure.h"
#include "shapes/outline.h"

namespace talus {

namespace {

using plot::Point2;

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
void add_drum(plot::Drawing& drawing, const Pose& pose, double radius) {
    drawing.lines.push_back(ring(pose, radius));
    for (int k = 0; k < 4; ++k) {
        const double angle = k * std::numbers::pi / 2.0, c = std::cos(angle), s = std::sin(angle);
        drawing.lines.push_back({pose.at(radius * c, radius * s), pose.at(1.04 * radius * c, 1.04 * radius * s)});
    }
}

/// A wall with finite size; an infinite side of a box has no faces.
void add_finite(plot::Drawing& drawing, const ShapeSpec& shape, const Pose& pose) {
    const auto& s = shape.sizes;
    if (shape.name == "segment") drawing.lines.push_back({pose.at(-0.5 * s[0], 0.0), pose.at(0.5 * s[0], 0.0)});
    if (shape.name == "ball_inside") add_drum(drawing, pose, s[0]);
    if (shape.name == "box") drawing.solids.push_back(rectangle(pose, 0.5 * s[0], 0.5 * s[1]));
    if (shape.name == "box" || (shape.name == "box_inside" && std::isfinite(s[0]) && std::isfinite(s[1])))
        drawing.lines.push_back(rectangle(pose, 0.5 * s[0], 0.5 * s[1]));
}

/// A plane as a line through the view with its solid side shaded; needs the view.
void add_plane(plot::Drawing& drawing, const Pose& pose, double nx, double ny) {
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

void add_walls(plot::Drawing& drawing, const Snapshot<2>& snapshot, double scale, bool planes) {
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (snapshot.radius[i] > 0.0) continue;
        const ShapeSpec& shape = snapshot.shapes[static_cast<std::size_t>(snapshot.shape[i])];
        const double angle = snapshot.rotation[i].angle;
        const Pose pose{snapshot.position[i], std::cos(angle), std::sin(angle), scale};
        const auto& s = shape.sizes;
        if (!planes) {
            add_finite(drawing, shape, pose);
            continue;
        }
        if (shape.name == "plane") add_plane(drawing, pose, s[0], s[1]);
        if (shape.name != "box_inside" || (std::isfinite(s[0]) && std::isfinite(s[1]))) continue;
        for (const double side : {-1.0, 1.0}) {  // the two faces of a channel are planes that look inwards
            const bool across_x = std::isfinite(s[0]);
            if (!std::isfinite(across_x ? s[0] : s[1])) continue;
            Pose face = pose;
            const Point2 foot = across_x ? pose.at(side * 0.5 * s[0], 0.0) : pose.at(0.0, side * 0.5 * s[1]);
            face.origin = Vec<2>(foot.x, foot.y) / scale;
            add_plane(drawing, face, across_x ? -side : 0.0, across_x ? 0.0 : -side);
        }
    }
}

void add_solid(plot::Drawing& drawing, const Snapshot<2>& snapshot, std::size_t i, double scale, double value) {
    const double angle = snapshot.rotation[i].angle;
    const Pose pose{snapshot.position[i], std::cos(angle), std::sin(angle), scale};
    for (const auto& piece : snapshot.solid(i).pieces) {
        plot::Patch patch;
        for (const Vec<2>& x : outline(piece)) patch.points.push_back(pose.at(x.x(), x.y()));
        patch.value = value;
        if (snapshot.wall[i] == 0) {
            drawing.patches.push_back(std::move(patch));
            continue;
        }
        drawing.solids.push_back(patch.points);
        patch.points.push_back(patch.points.front());
        drawing.lines.push_back(std::move(patch.points));
    }
}

void add_cell(plot::Drawing& drawing, const Snapshot<2>& snapshot, double scale) {
    for (int k = 0; k < 2; ++k) {
        if (!snapshot.periodic[static_cast<std::size_t>(k)]) continue;
        for (const double at : {snapshot.cell_low[k] * scale, snapshot.cell_high[k] * scale}) {
            if (k == 0) drawing.dashed.push_back({{at, drawing.y_low}, {at, drawing.y_high}});
            else drawing.dashed.push_back({{drawing.x_low, at}, {drawing.x_high, at}});
        }
    }
}

void add_forces(plot::Drawing& drawing, const Snapshot<2>& snapshot, double scale, double newton, bool average) {
    for (const auto& contact : observe::contact_forces(snapshot, average)) {
        const Vec<2> p = contact.point;
        const auto end = [&](std::ptrdiff_t i) -> Vec<2> {
            const auto k = static_cast<std::size_t>(i);
            // Across a periodic border the other grain is drawn elsewhere: stop at the contact point.
            const bool near = snapshot.radius[k] > 0.0 && (snapshot.position[k] - p).norm() < 1.5 * snapshot.radius[k];
            return near ? snapshot.position[k] : p;
        };
        const Vec<2> from = end(contact.a) * scale, to = end(contact.b) * scale;
        drawing.forces.push_back({from.x(), from.y(), to.x(), to.y(), std::max(0.0, contact.force.dot(contact.normal)) * newton});
    }
}

std::string draw(const plot::FigureData& data, observe::Parameters& parameters) {
    if (!data.plane) throw InputError("figure `bodies2d` needs a frame of a run in the plane; use `section` in space");
    const Snapshot<2>& snapshot = *data.plane;
    const bool forces = parameters.flag("forces", false), average = parameters.flag("average", false);
    const std::string colouring = plot::pick_colouring(snapshot, parameters.choice("colour", plot::colourings));
    parameters.finish();
    const observe::Unit length = observe::unit_in(data.units, "m"), newton = observe::unit_in(data.units, "N");
    plot::Drawing drawing;
    drawing.title = data.title.empty() ? "Bodies at t = " + observe::format_number(snapshot.time, 4) + " s" : data.title;
    drawing.x_label = "x [" + length.name + "]";
    drawing.y_label = "y [" + length.name + "]";
    drawing.force_unit = newton.name;
    drawing.scale = plot::colour_scale(snapshot, colouring, length.factor, length.name);
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        const Vec<2> at = snapshot.position[i] * length.factor;
        if (!(snapshot.radius[i] > 0.0)) continue;
        const double value = plot::colour_value(snapshot, i, colouring, length.factor);
        if (snapshot.is_ball(i)) drawing.disks.push_back({at.x(), at.y(), snapshot.radius[i] * length.factor, 0.0, value});
        else add_solid(drawing, snapshot, i, length.factor, value);
    }
    add_walls(drawing, snapshot, length.factor, false);
    plot::fit_view(drawing, 0.0);
    add_walls(drawing, snapshot, length.factor, true);
    add_cell(drawing, snapshot, length.factor);
    if (forces) {
        if (data.segments == nullptr) add_forces(drawing, snapshot, length.factor, newton.factor, average);
        else
            for (const auto& f : *data.segments)
                drawing.forces.push_back({f.x1 * length.factor, f.y1 * length.factor, f.x2 * length.factor, f.y2 * length.factor, f.force * newton.factor});
        if (colouring == "plain") drawing.scale.colours = {"#c9d6df"};
    }
    return plot::draw_drawing(drawing);
}

}  // namespace

void register_bodies2d(FigureRegistry& registry) {
    registry.add("bodies2d", "all grains and boundaries of a run in the plane, with forces", draw);
}

}  // namespace talus
