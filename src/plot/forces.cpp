// The forces between grains as segments as wide as they are strong, over pale grains: force chains (moreau2001, fig. 3).

#include "plot/force_network.h"

namespace talus {

namespace {

/// Forces given from outside, in metres and newtons.
void add_given(plot::Drawing& drawing, const std::vector<plot::ForceSegment>& segments, double length, double newton) {
    for (const auto& f : segments)
        drawing.forces.push_back({f.x1 * length, f.y1 * length, f.x2 * length, f.y2 * length, f.force * newton, f.colour});
}

std::string draw(const plot::FigureData& data, plot::Options& options) {
    auto picture_options = plot::read_picture_options(options, "plain");
    const auto network = plot::read_network_options(options);
    picture_options.colouring.plain = "#e6ebef";
    picture_options.colouring.average = network.average;
    if (!picture_options.shade) picture_options.shade = false;
    return plot::with_frame(data, "forces", [&](const auto& snapshot) {
        auto picture = plot::draw_bodies(snapshot, picture_options, data, "Forces");
        if (picture_options.colouring.kind == "plain") picture.drawing.outline = "#b8c0c8";
        if (data.segments) add_given(picture.drawing, *data.segments, picture.length.factor, picture.newton.factor);
        else plot::add_network(picture, snapshot, network);
        return plot::draw_drawing(picture.drawing);
    });
}

}  // namespace

void register_forces(FigureRegistry& registry) {
    registry.add("forces", {"contact forces as segments as wide as strong, over pale grains", FigureRegistry::Of::frame,
                            plot::picture_options(plot::network_options()), draw});
}

}  // namespace talus
