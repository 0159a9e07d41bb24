/// \file
/// Sphere in a cylinder with flat ends. Features: 0 side, 1 lower end, 2 upper end.
#include <cmath>

#include "detect/narrow/pair_registry.h"

namespace talus {
namespace {

int touch(const double* sizes, const Vec<3>& centre, double radius, double limit, LocalTouches<3>& out) {
    int count = 0;
    const double rho = centre.head<2>().norm();
    const double side = sizes[0] - rho - radius;
    if (side <= limit) {
        const Vec<3> n = rho > 0.0 ? Vec<3>(-centre[0] / rho, -centre[1] / rho, 0.0) : Vec<3>::UnitX();
        out[count++] = {n, side, 0};
    }
    if (std::isinf(sizes[1])) return count;
    const double low = 0.5 * sizes[1] + centre[2] - radius;
    const double high = 0.5 * sizes[1] - centre[2] - radius;
    if (low <= limit) out[count++] = {Vec<3>::UnitZ(), low, 1};
    if (high <= limit) out[count++] = {-Vec<3>::UnitZ(), high, 2};
    return count;
}

}  // namespace

void register_ball_cylinder_inside(PairRegistry& registry) { registry.add("cylinder_inside", nullptr, touch); }

}  // namespace talus
