/// \file
/// Ball and half-space: one contact along the fixed normal.
#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

template <int Dim>
int touch(const double* sizes, const Vec<Dim>& centre, double radius, double limit, LocalTouches<Dim>& out) {
    const Vec<Dim> n = Eigen::Map<const Vec<Dim>>(sizes);
    const double gap = n.dot(centre) - radius;
    if (gap > limit) return 0;
    out[0] = {n, gap, 0};
    return 1;
}

}  // namespace

void register_ball_plane(PairRegistry& registry) { registry.add("plane", touch<2>, touch<3>); }

}  // namespace talus
