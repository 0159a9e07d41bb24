/// \file
/// Disk and segment.
#include "detect/narrow/ball_flat.h"

namespace talus {
namespace {

int touch(const double* sizes, const Vec<2>& centre, double radius, double limit, LocalTouches<2>& out) {
    return touch_flat<2>({0.5 * sizes[0], 0.0}, centre, radius, limit, out);
}

}  // namespace

void register_ball_segment(PairRegistry& registry) { registry.add("segment", touch, nullptr); }

}  // namespace talus
