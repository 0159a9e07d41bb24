// Cause: a rod across the common edge of two triangles is nearest to each of them sideways, towards the other; both
// contacts were refused as those of an inner edge, and nothing was put in their place.
#include <cmath>

#include "drop.h"

namespace talus {
namespace {

/// A pit whose sides fall by 0.3 along both axes, in squares of a third cut into two triangles.
ShapeSpec pit() {
    ShapeSpec mesh{"mesh", {}};
    const auto add = [&](int i, int j) {
        const double x = i / 3.0 - 1.0, y = j / 3.0 - 1.0;
        mesh.sizes.insert(mesh.sizes.end(), {x, y, 0.3 * (std::abs(x) + std::abs(y))});
    };
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
            add(i, j); add(i + 1, j); add(i + 1, j + 1);
            add(i, j); add(i + 1, j + 1); add(i, j + 1);
        }
    return mesh;
}

TEST(ARod, IsHeldByTheTrianglesItLiesAcross) {
    for (const double shift : {-0.004, -0.002, 0.0, 0.002, 0.004}) {
        BodySpec<3> rod;
        rod.shape = {"cylinder", {0.00784, 0.0784}};
        rod.position = {0.64464 + shift, 0.25804, 0.2994};
        rod.rotation.q = Eigen::Quaterniond(Eigen::AngleAxisd(90.79 * M_PI / 180.0, Vec<3>(0.7274, 0.6861, 0.0).normalized()));
        rod.velocity = {0.0, 0.0, -2.85};
        Drop drop(pit(), Vec<3>::Zero(), rod, 5e-4);
        EXPECT_GT(drop.height_after(0.3), 0.0) << shift;
    }
}

}  // namespace
}  // namespace talus
