/// \file
/// Ball in a drum (2D) or a spherical vessel (3D).
#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

template <int Dim>
int touch(const double* sizes, const Vec<Dim>& centre, double radius, double limit, LocalTouches<Dim>& out) {
    const double distance = centre.norm();
    const double gap = sizes[0] - distance - radius;
    if (gap > limit) return 0;
    // At the very centre every direction is as good: take the last axis.
    const Vec<Dim> n = distance > 0.0 ? Vec<Dim>(-centre / distance) : Vec<Dim>::Unit(Dim - 1);
    out[0] = {n, gap, 0};
    return 1;
}

}  // namespace

void register_ball_ball_inside(PairRegistry& registry) { registry.add("ball_inside", touch<2>, touch<3>); }

}  // namespace talus
