#include "plot/camera.h"

#include <cmath>
#include <numbers>

#include "math/portable.h"
#include "observe/space.h"

namespace talus::plot {

template <int Dim>
Vec<Dim> mass_centre(const Snapshot<Dim>& snapshot) {
    Vec<Dim> sum = Vec<Dim>::Zero();
    double mass = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        sum += snapshot.mass[i] * snapshot.position[i];
        mass += snapshot.mass[i];
    }
    return mass > 0.0 ? Vec<Dim>(sum / mass) : sum;
}

template Vec<2> mass_centre<2>(const Snapshot<2>&);
template Vec<3> mass_centre<3>(const Snapshot<3>&);

Camera<2> make_camera(const Snapshot<2>&, const CameraOptions&, double scale) {
    Camera<2> camera;
    camera.scale = scale;
    return camera;
}

Camera<3> make_camera(const Snapshot<3>& snapshot, const CameraOptions& options, double scale) {
    Camera<3> camera;
    camera.scale = scale;
    camera.origin = mass_centre(snapshot);
    for (std::size_t k = 0; k < options.axis.size() && k < 2; ++k) camera.origin[static_cast<int>(k)] = options.axis[k];
    const Vec<3> up = observe::vertical(snapshot, camera.origin).up, e = observe::across(up);
    const double angle = options.turn * std::numbers::pi / 180.0;
    camera.right = portable::cos(angle) * e + portable::sin(angle) * up.cross(e);
    const Vec<3> ahead = up.cross(camera.right);
    const bool is_top = options.view == "top", is_oblique = options.view == "oblique";
    const double tilt = is_oblique ? options.tilt * std::numbers::pi / 180.0 : 0.0, c = portable::cos(tilt), s = portable::sin(tilt);
    camera.through = is_top ? Vec<3>(-up) : Vec<3>(c * ahead - s * up);
    camera.up = is_top ? ahead : Vec<3>(s * ahead + c * up);
    camera.is_flat = !is_oblique;
    const bool turned = options.turn != 0.0;
    camera.x_name = turned ? "along the section" : "x";
    camera.y_name = is_top ? (turned ? "across" : "y") : "height";
    if (options.slab) camera.half = 0.5 * *options.slab;
    else if (options.view == "slab") camera.half = 2.5 * observe::grain_totals(snapshot).mean_diameter;
    return camera;
}

}  // namespace talus::plot
