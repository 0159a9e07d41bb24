/// \file
/// Ball and solid box, from outside: the nearest point of the box decides. A centre that got inside
/// leaves through the nearest face. The feature is the region (face, edge, corner) in base 3.
#include <algorithm>
#include <cmath>

#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

template <int Dim>
int leave_by_nearest_face(const Vec<Dim>& half, const Vec<Dim>& centre, double radius, LocalTouches<Dim>& out) {
    int axis = 0;
    for (int k = 1; k < Dim; ++k)
        if (half[k] - std::abs(centre[k]) < half[axis] - std::abs(centre[axis])) axis = k;
    const double side = centre[axis] < 0.0 ? -1.0 : 1.0;
    std::uint32_t region = 0;
    for (int k = 0; k < Dim; ++k) region = region * 3u + (k != axis ? 0u : side < 0.0 ? 1u : 2u);
    out[0] = {side * Vec<Dim>::Unit(axis), std::abs(centre[axis]) - half[axis] - radius, region};
    return 1;
}

template <int Dim>
int touch(const double* sizes, const Vec<Dim>& centre, double radius, double limit, LocalTouches<Dim>& out) {
    const Vec<Dim> half = 0.5 * Eigen::Map<const Vec<Dim>>(sizes);
    Vec<Dim> d;
    std::uint32_t region = 0;
    for (int k = 0; k < Dim; ++k) {
        d[k] = centre[k] - std::clamp(centre[k], -half[k], half[k]);
        region = region * 3u + (d[k] < 0.0 ? 1u : d[k] > 0.0 ? 2u : 0u);
    }
    if (region == 0) return leave_by_nearest_face<Dim>(half, centre, radius, out);
    const double distance = d.norm();
    if (distance - radius > limit) return 0;
    out[0] = {d / distance, distance - radius, region};
    return 1;
}

}  // namespace

void register_ball_box(PairRegistry& registry) { registry.add("box", touch<2>, touch<3>); }

}  // namespace talus
