// Cuts through the grains and the force that each transmits, as arrows: segments in the plane (moreau-jean1996, fig. 2;
// moreau2001, fig. 4), ribbons about an axis in a meridian slice (moreau2003, fig. 4). The forces are measured by the observable
// `cut`: what the side behind the cut's normal gives the side before it; of ribbons the meridian part.

#include <algorithm>
#include <cmath>

#include "observe/registry.h"
#include "observe/result.h"
#include "plot/force_network.h"
#include "plot/results.h"

namespace talus {

namespace {

using nlohmann::json;
using plot::Point2;

const std::string cut_colour = "#0072b2", force_colour = "#b2182b";

struct Cut {
    Point2 from, to;
    std::string label;
    bool ribbon = false;
};

Point2 point_of(const plot::Options& options, const json& shape, const char* key, const char* kind) {
    if (!shape.is_object() || !shape.contains(key) || !shape.at(key).is_array() || shape.at(key).size() != 2 || !shape.at(key)[0].is_number() || !shape.at(key)[1].is_number())
        options.fail("cuts", std::string("needs ") + kind + ": {from: [a, b], to: [c, d]}");
    return {shape.at(key)[0].get<double>(), shape.at(key)[1].get<double>()};
}

/// Geometry of the cuts as the observable's parameters state it; those that have no line in the picture are left out.
std::vector<Cut> read_cuts(const plot::Options& options, const json& list) {
    std::vector<Cut> cuts;
    if (!list.is_array()) options.fail("cuts", "must be a list such as [{\"segment\": {\"from\": [0, 0], \"to\": [0, 3]}}]");
    for (const auto& entry : list) {
        const bool ribbon = entry.is_object() && entry.contains("ribbon");
        if (!entry.is_object() || (!ribbon && !entry.contains("segment"))) options.fail("cuts", "can draw `segment` and `ribbon`, not " + entry.dump());
        const json& shape = entry.at(ribbon ? "ribbon" : "segment");
        const char* kind = ribbon ? "ribbon" : "segment";
        cuts.push_back({point_of(options, shape, "from", kind), point_of(options, shape, "to", kind), entry.value("label", ""), ribbon});
    }
    return cuts;
}

/// The cuts to draw: `cuts`, `segment=`, `ribbon=`, or those of the scene's observable labelled `of`.
json cut_list(const plot::FigureData& data, const plot::Options& options) {
    const observe::Spec given = options.as("cut");
    json list = given.parameters.value("cuts", json::array());
    for (const char* kind : {"segment", "ribbon"})
        if (options.has(kind)) {
            const auto x = options.numbers(kind, 4);
            list.push_back({{kind, {{"from", {x[0], x[1]}}, {"to", {x[2], x[3]}}}}});
        }
    if (!list.empty()) return list;
    const std::string of = options.text("of", "cut");
    if (data.runs && !data.runs->empty())
        for (const auto& spec : data.runs->front().names().observables)
            if ((spec.label.empty() ? spec.name : spec.label) == of && spec.parameters.contains("cuts")) return spec.parameters.at("cuts");
    throw InputError("figure `cuts` needs cuts: segment=X1,Y1,X2,Y2 or ribbon=R1,Z1,R2,Z2, cuts=[…], or of=LABEL of an observable `cut` of the scene");
}

/// The force through cut k, per length or area, in the picture's directions.
Point2 force_of(const observe::Table& table, std::size_t k, bool ribbon) {
    if (ribbon) return {plot::need_column(table, "radial_density").values.at(k), plot::need_column(table, "axial_density").values.at(k)};
    const double area = plot::need_column(table, "area").values.at(k);
    return {plot::need_column(table, "force_x").values.at(k) / area, plot::need_column(table, "force_y").values.at(k) / area};
}

void add_cuts(plot::Drawing& drawing, const std::vector<Cut>& cuts, const observe::Table& table, double axis) {
    plot::Strokes lines;
    lines.colour = cut_colour;
    lines.width = 3.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < cuts.size() && k < table.rows(); ++k) {
        const Point2 f = force_of(table, k, cuts[k].ribbon);
        largest = std::max(largest, std::hypot(f.x, f.y));
    }
    const double longest = 0.3 * std::min(drawing.x_high - drawing.x_low, drawing.y_high - drawing.y_low);
    for (std::size_t k = 0; k < cuts.size(); ++k) {
        const double shift = cuts[k].ribbon ? axis : 0.0;
        const Point2 a{cuts[k].from.x + shift, cuts[k].from.y}, b{cuts[k].to.x + shift, cuts[k].to.y}, middle{0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
        lines.lines.push_back({a, b});
        if (k >= table.rows() || !(largest > 0.0)) continue;
        const Point2 f = force_of(table, k, cuts[k].ribbon);
        drawing.arrows.push_back({middle, {middle.x + longest * f.x / largest, middle.y + longest * f.y / largest}, force_colour, 2.4, cuts[k].label});
    }
    drawing.strokes.push_back(std::move(lines));
    const std::string& unit = plot::need_column(table, cuts.front().ribbon ? "axial_density" : "normal_density").unit;
    drawing.notes.push_back("arrows: force through each cut over its " + std::string(cuts.front().ribbon ? "area" : "length") + "; the longest is " + observe::format_number(largest, 3) + " " + unit);
}

observe::Spec cut_spec(const plot::Options& options, const json& list) {
    observe::Spec spec = options.as("cut");
    json parameters = {{"cuts", list}};
    for (const char* key : {"average", "walls"})
        if (spec.parameters.contains(key)) parameters[key] = spec.parameters.at(key);
    spec.parameters = std::move(parameters);
    return spec;
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    auto look = plot::read_picture_options(options, "plain");
    const bool forces = options.flag("forces", false);
    const auto network = plot::read_network_options(options);
    const json list = cut_list(data, options);
    const auto cuts = read_cuts(options, list);
    look.colouring.plain = "#e8e8e8";
    if (!look.shade) look.shade = false;
    return plot::with_frame(data, "cuts", [&](const auto& snapshot) {
        auto picture = plot::draw_bodies(snapshot, look, data, "Cuts");
        if (look.colouring.kind == "plain") picture.drawing.outline = "#bdbdbd";
        if (forces) plot::add_network(picture, snapshot, network);
        const auto result = observe::in_units(observe::measure(cut_spec(options, list), snapshot), data.units);
        const Point2 axis = picture.camera.at(picture.camera.origin);
        add_cuts(picture.drawing, cuts, plot::need_table(result, "cuts"), look.camera.axis.empty() ? 0.0 : axis.x);
        return plot::draw_drawing(picture.drawing);
    });
}

plot::OptionList options() {
    plot::OptionList own{{"segment", "X1,Y1,X2,Y2", "one cut in the plane"},
                         {"ribbon", "R1,Z1,R2,Z2", "one cut in space: a segment of the meridian plane, turned about the axis"},
                         {"cuts", "[…]", "several, as for the observable `cut`"},
                         {"of", "LABEL", "the cuts of that observable of the scene [cut]"},
                         {"walls", "true|false", "fixed grains count too [false]"},
                         {"forces", "true|false", "draw the contact forces over the grains [false]"}};
    const auto network = plot::network_options();
    own.insert(own.end(), network.begin(), network.end());
    return plot::picture_options(own);
}

}  // namespace

void register_cuts(FigureRegistry& registry) {
    registry.add("cuts", {"grains with cuts and the force through each, as arrows", FigureRegistry::Of::frame, options(), draw});
}

}  // namespace talus
