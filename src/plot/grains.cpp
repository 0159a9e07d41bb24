// All bodies of a frame: grains in colours or levels of grey that tell their load (moreau2001, fig. 1), speed
// (moreau2003, fig. 2), birth date (fig. 3) and more; boundaries; forces if asked.

#include "plot/force_network.h"

namespace talus {

namespace {

std::string draw(const plot::FigureData& data, plot::Options& options) {
    auto picture_options = plot::read_picture_options(options, "auto");
    const auto network = plot::read_network_options(options);
    const bool forces = options.flag("forces", false);
    picture_options.colouring.average = network.average;
    return plot::with_frame(data, "grains", [&](const auto& snapshot) {
        auto picture = plot::draw_bodies(snapshot, picture_options, data, "Grains");
        if (forces) plot::add_network(picture, snapshot, network);
        return plot::draw_drawing(picture.drawing);
    });
}

plot::OptionList options() {
    plot::OptionList own{{"forces", "true|false", "draw the contact forces over the grains [false]"}};
    const auto network = plot::network_options();
    own.insert(own.end(), network.begin(), network.end());
    return plot::picture_options(own);
}

}  // namespace

void register_grains(FigureRegistry& registry) {
    registry.add("grains", {"grains and boundaries of a frame, by load, speed, birth date, size, rotation, tag or material",
                            FigureRegistry::Of::frame, options(), draw});
}

}  // namespace talus
