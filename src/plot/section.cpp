// The grains of a vertical slab through an axis (moreau2003, fig. 3: a slice 2 cm thick that holds Oz),
// with the forces between them if asked. In space only; `bodies2d` draws runs in the plane.

#include <numbers>

#include "observe/result.h"
#include "observe/space.h"
#include "plot/colouring.h"
#include "plot/figure.h"
#include "math/rotation.h"
#include "shapes/outline.h"

namespace talus {

namespace {

struct Options {
    Vec<3> axis = Vec<3>::Zero();
    double thickness = 0.0, turn = 0.0;   ///< [m], [deg]
    std::string colouring;
    bool forces = false, average = false;
};

/// Coordinates of the slab: along, up, and depth through it.
struct Slab {
    Vec<3> origin, along, up, through;
    double half = 0.0;
    double scale = 1.0;   ///< metres to the drawing's unit

    [[nodiscard]] double depth(const Vec<3>& x) const { return through.dot(x - origin); }
    [[nodiscard]] bool holds(const Vec<3>& x) const { return std::abs(depth(x)) <= half; }
    [[nodiscard]] plot::Point2 at(const Vec<3>& x) const { return {along.dot(x - origin) * scale, up.dot(x) * scale}; }
};

Slab make_slab(const Snapshot<3>& snapshot, const Options& options, double scale) {
    Slab slab;
    const auto axis = observe::vertical(snapshot, options.axis);
    const Vec<3> e = observe::across(axis.up);
    const double angle = options.turn * std::numbers::pi / 180.0;
    slab.origin = options.axis;
    slab.up = axis.up;
    slab.along = std::cos(angle) * e + std::sin(angle) * axis.up.cross(e);
    slab.through = slab.up.cross(slab.along);
    slab.half = 0.5 * options.thickness;
    slab.scale = scale;
    return slab;
}

void add_forces(plot::Drawing& drawing, const Snapshot<3>& snapshot, const Slab& slab, bool average, double newton) {
    for (const auto& contact : observe::contact_forces(snapshot, average)) {
        const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
        if (!slab.holds(contact.point)) continue;
        const auto end = [&](std::size_t i) { return slab.at(snapshot.radius[i] > 0.0 ? snapshot.position[i] : contact.point); };
        const plot::Point2 from = end(a), to = end(b);
        drawing.forces.push_back({from.x, from.y, to.x, to.y, std::max(0.0, contact.force.dot(contact.normal)) * newton});
    }
}

/// The faces of a solid that look at the reader, darker the more they look aside.
void add_solid(plot::Drawing& drawing, const Snapshot<3>& snapshot, std::size_t i, const Slab& slab, double value) {
    const Mat<3> axes = matrix_of<3>(snapshot.rotation[i]);
    for (const auto& piece : snapshot.solid(i).pieces) {
        const Surface faces = surface(piece);
        for (const auto& loop : faces.faces) {
            plot::Patch patch;
            std::vector<Vec<3>> x;
            for (const std::int32_t k : loop) x.push_back(snapshot.position[i] + axes * faces.points[static_cast<std::size_t>(k)]);
            const Vec<3> normal = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
            const double facing = -normal.dot(slab.through);
            if (!(facing > 1e-9)) continue;
            for (const Vec<3>& p : x) {
                patch.points.push_back(slab.at(p));
                patch.depth += slab.depth(p) / static_cast<double>(x.size());
            }
            patch.value = value;
            patch.round = piece.kind == Piece<3>::Kind::frustum ? loop.size() <= 4 : piece.polytope.vertices.size() <= 2;
            patch.shade = 0.5 * (1.0 - facing) + 0.08 * (1.0 - normal.dot(slab.up));
            drawing.patches.push_back(std::move(patch));
        }
    }
}

/// Walls are left out but for fixed grains, which show where the grains are, not how far they go.
void add_grains(plot::Drawing& drawing, const Snapshot<3>& snapshot, const Slab& slab, const std::string& colouring) {
    plot::Drawing fixed;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!(snapshot.radius[i] > 0.0) || !slab.holds(snapshot.position[i])) continue;
        const plot::Point2 at = slab.at(snapshot.position[i]);
        const double value = plot::colour_value(snapshot, i, colouring, slab.scale);
        if (!snapshot.is_ball(i)) {
            add_solid(std::isnan(value) ? fixed : drawing, snapshot, i, slab, value);
            continue;
        }
        auto& list = std::isnan(value) ? fixed.disks : drawing.disks;
        list.push_back({at.x, at.y, snapshot.radius[i] * slab.scale, slab.depth(snapshot.position[i]), value});
    }
    plot::fit_view(drawing, 0.0);
    for (const plot::Patch& patch : fixed.patches) drawing.patches.push_back(patch);
    for (const plot::Disk& disk : fixed.disks)
        if (disk.x + disk.radius >= drawing.x_low && disk.x - disk.radius <= drawing.x_high) {
            drawing.disks.push_back(disk);
            drawing.y_low = std::min(drawing.y_low, disk.y - 1.5 * disk.radius);
        }
}

/// Where the grains are: the slab goes through their mass centre unless an axis is given.
Vec<3> mass_centre(const Snapshot<3>& snapshot) {
    Vec<3> sum = Vec<3>::Zero();
    double mass = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        sum += snapshot.mass[i] * snapshot.position[i];
        mass += snapshot.mass[i];
    }
    return mass > 0.0 ? Vec<3>(sum / mass) : sum;
}

std::string draw(const plot::FigureData& data, observe::Parameters& parameters) {
    if (!data.space) throw InputError("figure `section` needs a frame of a run in space; use `bodies2d` in the plane");
    const Snapshot<3>& snapshot = *data.space;
    Options options;
    options.axis = parameters.point<3>("axis", mass_centre(snapshot));
    options.thickness = parameters.positive_length("thickness").value_or(5.0 * observe::grain_totals(snapshot).mean_diameter);
    options.turn = parameters.number("turn", 0.0);
    options.colouring = plot::pick_colouring(snapshot, parameters.choice("colour", plot::colourings));
    options.forces = parameters.flag("forces", false);
    options.average = parameters.flag("average", false);
    parameters.finish();

    const observe::Unit length = observe::unit_in(data.units, "m");
    const Slab slab = make_slab(snapshot, options, length.factor);
    plot::Drawing drawing;
    drawing.title = "Section " + observe::format_number(options.thickness * length.factor, 3) + " " + length.name +
                    " thick at t = " + observe::format_number(snapshot.time, 4) + " s";
    drawing.x_label = "along the section [" + length.name + "]";
    drawing.y_label = "height [" + length.name + "]";
    drawing.force_unit = observe::unit_in(data.units, "N").name;
    drawing.scale = plot::colour_scale(snapshot, options.colouring, length.factor, length.name);
    add_grains(drawing, snapshot, slab, options.colouring);
    if (options.forces) {
        add_forces(drawing, snapshot, slab, options.average, observe::unit_in(data.units, "N").factor);
        if (options.colouring == "plain") drawing.scale.colours = {"#c9d6df"};
    }
    return plot::draw_drawing(drawing);
}

}  // namespace

void register_section(FigureRegistry& registry) {
    registry.add("section", "grains of a vertical slab, by birth, speed, tag or size, with forces", draw);
}

}  // namespace talus
