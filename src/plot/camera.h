#pragma once
/// \file
/// From where bodies are seen. In the plane there is one view; in space
///   slab     a vertical slice through an axis, seen from the side (moreau2003, fig. 3)
///   side     everything, from the side
///   top      from above
///   oblique  from the side and above (moreau2003, fig. 2)
/// All are parallel projections, so that lengths can be measured in the picture.

#include <limits>
#include <string>

#include "observe/forces.h"
#include "plot/options.h"
#include "plot/svg.h"
#include "step/snapshot.h"

namespace talus::plot {

struct CameraOptions {
    std::string view = "slab";
    std::optional<double> slab;    ///< thickness [m]; else five mean diameters where the view is a slab
    double turn = 0.0;             ///< about the vertical [deg]
    double tilt = 28.0;            ///< of the oblique view: how far above the horizon [deg]
    std::vector<double> axis;      ///< a point of the axis, horizontal coordinates [m]; empty: through the mass centre
};

/// Unit vectors of the picture; `through` points away from the reader and is zero in the plane.
template <int Dim>
struct Camera {
    Vec<Dim> origin = Vec<Dim>::Zero(), right = Vec<Dim>::Unit(0), up = Vec<Dim>::Unit(1), through = Vec<Dim>::Zero();
    double half = std::numeric_limits<double>::infinity();   ///< of the slab [m]
    double scale = 1.0;                                      ///< metres to the drawing's unit
    bool is_flat = true;                                     ///< coordinates can be read off the picture
    std::string x_name = "x", y_name = "y";

    [[nodiscard]] double depth(const Vec<Dim>& x) const { return through.dot(x - origin); }
    [[nodiscard]] bool holds(const Vec<Dim>& x) const { return std::abs(depth(x)) <= half; }
    [[nodiscard]] Point2 at(const Vec<Dim>& x) const { return {right.dot(x) * scale, up.dot(x) * scale}; }
};

[[nodiscard]] Camera<2> make_camera(const Snapshot<2>& snapshot, const CameraOptions& options, double scale);
[[nodiscard]] Camera<3> make_camera(const Snapshot<3>& snapshot, const CameraOptions& options, double scale);

/// Where the grains are; the origin when there are none.
template <int Dim>
[[nodiscard]] Vec<Dim> mass_centre(const Snapshot<Dim>& snapshot);

}  // namespace talus::plot
