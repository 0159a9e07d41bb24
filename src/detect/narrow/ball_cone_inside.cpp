/// \file
/// Sphere and the side of a frustum (hopper), a surface without thickness.
///
/// By symmetry the question is plane: in the half-plane through the axis and the centre, the side is
/// a segment from (lower radius, 0) to (upper radius, height). The nearest point of that segment
/// gives the contact on the near side (feature 0); the mirrored segment the one on the far side
/// (feature 1), which matters where the hopper is about as narrow as the grain.
#include <algorithm>
#include <cmath>

#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

int touch(const double* sizes, const Vec<3>& centre, double radius, double limit, LocalTouches<3>& out) {
    const double rho = centre.head<2>().norm();
    const Vec<2> radial = rho > 0.0 ? Vec<2>(centre.head<2>() / rho) : Vec<2>::UnitX();
    int count = 0;
    for (int far = 0; far < 2; ++far) {
        const double mirror = far == 1 ? -1.0 : 1.0;
        const Vec<2> low(mirror * sizes[0], 0.0), high(mirror * sizes[1], sizes[2]), at(rho, centre[2]);
        const Vec<2> along = high - low;
        const double s = std::clamp((at - low).dot(along) / along.squaredNorm(), 0.0, 1.0);
        const Vec<2> d = at - (low + s * along);
        const double distance = d.norm();
        if (distance - radius > limit || distance == 0.0) continue;
        const Vec<2> n = d / distance;
        out[count++] = {Vec<3>(n[0] * radial[0], n[0] * radial[1], n[1]), distance - radius,
                        static_cast<std::uint32_t>(far)};
    }
    return count;
}

}  // namespace

void register_ball_cone_inside(PairRegistry& registry) { registry.add("cone_inside", nullptr, touch); }

}  // namespace talus
