/// \file
/// Ball in a box: each face is a half-space of its own. Feature 2k is the low face of axis k, 2k+1
/// the high one. Infinite sides have no faces.
#include <cmath>

#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

template <int Dim>
int touch(const double* sizes, const Vec<Dim>& centre, double radius, double limit, LocalTouches<Dim>& out) {
    int count = 0;
    for (int k = 0; k < Dim; ++k) {
        if (std::isinf(sizes[k])) continue;
        for (int high = 0; high < 2; ++high) {
            const double side = high == 1 ? 1.0 : -1.0;
            const double gap = 0.5 * sizes[k] - side * centre[k] - radius;
            if (gap > limit) continue;
            out[count++] = {-side * Vec<Dim>::Unit(k), gap, static_cast<std::uint32_t>(2 * k + high)};
        }
    }
    return count;
}

}  // namespace

void register_ball_box_inside(PairRegistry& registry) { registry.add("box_inside", touch<2>, touch<3>); }

}  // namespace talus
