// Fossil layers: the grains set down in given intervals, in a meridian slice, the mean course of each layer, and the direction of
// the force through cylinders about the axis (moreau2003, fig. 5: both run alike). Courses and directions are those of the
// observable `fossil`; in the slice they are drawn to both sides of the axis.

#include <cmath>
#include <map>
#include <numbers>

#include "observe/registry.h"
#include "observe/result.h"
#include "plot/body_picture.h"
#include "plot/palette.h"
#include "plot/results.h"

namespace talus {

namespace {

using plot::Point2;

/// Mean height of each layer at its bins, a line to each side of the axis.
void add_courses(plot::Drawing& drawing, const observe::Table& table, double axis) {
    const auto &layer = plot::need_column(table, "layer").values, &radius = plot::need_column(table, "radius").values, &height = plot::need_column(table, "height").values;
    std::map<double, std::vector<Point2>> courses;
    for (std::size_t k = 0; k < table.rows(); ++k)
        if (std::isfinite(height[k])) courses[layer[k]].push_back({radius[k], height[k]});
    plot::Strokes strokes;
    strokes.colour = "#0072b2";
    strokes.width = 2.4;
    strokes.label = "mean course of a layer";
    for (const auto& [k, points] : courses)
        for (const double side : {-1.0, 1.0}) {
            strokes.lines.emplace_back();
            for (const Point2& p : points) strokes.lines.back().push_back({axis + side * p.x, p.y});
        }
    drawing.strokes.push_back(std::move(strokes));
}

/// Short segments along the forces; angles are counted from the outward horizontal.
void add_directions(plot::Drawing& drawing, const observe::Table& table, double axis, double length) {
    const observe::Column* angle = table.column("force_angle");
    if (angle == nullptr) return;
    const auto &radius = plot::need_column(table, "radius").values, &height = plot::need_column(table, "height").values;
    plot::Strokes strokes;
    strokes.colour = "#b2182b";
    strokes.width = 3.0;
    strokes.label = "force through the cylinder there";
    for (std::size_t k = 0; k < table.rows(); ++k) {
        if (!std::isfinite(angle->values[k]) || !std::isfinite(height[k])) continue;
        const double a = angle->unit == "rad" ? angle->values[k] : angle->values[k] * std::numbers::pi / 180.0;
        const double dx = 0.5 * length * std::cos(a), dy = 0.5 * length * std::sin(a);
        for (const double side : {-1.0, 1.0})
            strokes.lines.push_back({{axis + side * (radius[k] - dx), height[k] - dy}, {axis + side * (radius[k] + dx), height[k] + dy}});
    }
    if (!strokes.lines.empty()) drawing.strokes.push_back(std::move(strokes));
}

observe::Spec fossil_spec(const plot::Options& options) {
    observe::Spec spec = options.as("fossil");
    nlohmann::json parameters = nlohmann::json::object();
    for (const char* key : {"axis", "bin", "cut_height", "walls", "average"})
        if (spec.parameters.contains(key)) parameters[key] = spec.parameters.at(key);
    auto layers = nlohmann::json::array();
    for (const auto& [low, high] : options.intervals("layers")) layers.push_back({low, high});
    parameters["layers"] = std::move(layers);
    spec.parameters = std::move(parameters);
    return spec;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    if (!options.has("layers")) throw InputError("figure `fossil` needs the birth dates of the layers: layers=15.5:18.7,40:43");
    if (!data.space) throw InputError("figure `fossil` is for runs in space");
    auto look = plot::read_picture_options(options, "layers");
    if (look.camera.axis.empty()) look.camera.axis = {0.0, 0.0};   // as the observable has it
    auto picture = plot::draw_bodies(*data.space, look, data, "Fossil layers");
    const auto measured = options.has("of") ? plot::stored_result(data.run("fossil"), options.text("of", ""), data.space->time) : observe::measure(fossil_spec(options), *data.space);
    const auto result = observe::in_units(measured, data.units);
    const observe::Table& table = plot::need_table(result, "layers");
    const double axis = picture.camera.at(picture.camera.origin).x;
    add_courses(picture.drawing, table, axis);
    add_directions(picture.drawing, table, axis, 0.05 * (picture.drawing.x_high - picture.drawing.x_low));
    if (const double median = result.value("median_difference"); std::isfinite(median))
        picture.drawing.notes.push_back("median angle between force and layer: " + observe::format_number(median, 3) + "°");
    return plot::draw_drawing(picture.drawing);
}

}  // namespace

void register_fossil(FigureRegistry& registry) {
    registry.add("fossil", {"layers of grains by birth date in a meridian slice, with the directions of forces", FigureRegistry::Of::frame,
                            plot::picture_options({{"of", "LABEL", "a result that the run has stored, instead of measuring the frame"},
                                                   {"bin", "D", "width of the bins of a layer [2 mean diameters]"},
                                                   {"cut_height", "D", "height of the cylinders that forces go through [4 mean diameters]"},
                                                   {"walls", "TAG,…", "what the ground is made of [all walls]"},
                                                   {"average", "true|false", "over the frame's interval [false]"}}),
                            draw});
}

}  // namespace talus
