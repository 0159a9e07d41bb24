#pragma once
/// \file
/// A picture of the bodies of a frame, the ground on which figures draw forces, displacements and cuts: grains of all
/// shapes in colours that mean something, fixed grains, boundaries.

#include "plot/camera.h"
#include "plot/colouring.h"
#include "plot/drawing.h"
#include "plot/figure.h"

namespace talus::plot {

struct PictureOptions {
    CameraOptions camera;
    Colouring colouring;
    std::vector<double> region;      ///< of the picture: x low, y low, x high, y high, in the drawing's units; empty: all
    std::string title = "auto";      ///< `none`: none
    bool axes = true, axes_said = false;
    std::optional<bool> shade;       ///< grains as lit balls; else where the view has depth
    double width = 726.0;            ///< [px]
};

/// Options that all pictures share. Figures add their own.
[[nodiscard]] OptionList picture_options(OptionList own);
/// `kind`: the colouring where none is asked for.
[[nodiscard]] PictureOptions read_picture_options(Options& options, const std::string& kind);

/// The bodies of a frame, drawn.
template <int Dim>
struct BodyPicture {
    Camera<Dim> camera;
    Drawing drawing;
    observe::Unit length, newton;
};

/// `what` opens the title: "Grains", "Forces".
template <int Dim>
[[nodiscard]] BodyPicture<Dim> draw_bodies(const Snapshot<Dim>& snapshot, const PictureOptions& options, const FigureData& data,
                                           const std::string& what);

/// Draws with `figure<Dim>(snapshot)` for the frame there is. \throws InputError when there is none.
template <typename Figure>
std::string with_frame(const FigureData& data, const std::string& name, Figure figure) {
    if (data.plane) return figure(*data.plane);
    if (data.space) return figure(*data.space);
    throw InputError("figure `" + name + "` needs a frame");
}

}  // namespace talus::plot
