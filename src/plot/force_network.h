#pragma once
/// \file
/// Contact forces of a frame as segments between the centres of the bodies they act on, as wide as they are strong
/// [moreau2001, fig. 3]. Only compression is drawn.

#include "plot/body_picture.h"

namespace talus::plot {

struct NetworkOptions {
    bool average = false;          ///< over the frame's interval
    std::string strong = "all";    ///< all; mark: forces above the mean in a colour of their own; only: nothing but those
    std::string part = "normal";   ///< normal or tangential
    std::string style = "centres"; ///< centres; contact: short segments across the contact, along the force
    double least = 0.0;            ///< over the mean
};

[[nodiscard]] OptionList network_options();
[[nodiscard]] NetworkOptions read_network_options(Options& options);

template <int Dim>
void add_network(BodyPicture<Dim>& picture, const Snapshot<Dim>& snapshot, const NetworkOptions& options);

}  // namespace talus::plot
