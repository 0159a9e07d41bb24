/// \file
/// Sphere and rectangular plate.
#include "detect/narrow/ball_flat.h"

namespace talus {
namespace {

int touch(const double* sizes, const Vec<3>& centre, double radius, double limit, LocalTouches<3>& out) {
    return touch_flat<3>({0.5 * sizes[0], 0.5 * sizes[1], 0.0}, centre, radius, limit, out);
}

}  // namespace

void register_ball_plate(PairRegistry& registry) { registry.add("plate", nullptr, touch); }

}  // namespace talus
