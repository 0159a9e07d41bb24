// Cause: of a rim in a curved container only the points of least gap counted as contacts. A coin in a bowl then
// touched on one side at a time, rocked from side to side, and each rock let the far side sink: it ended with three
// quarters of its thickness inside the wall, and fell through the side of a hopper.
#include <cmath>

#include "drop.h"

namespace talus {
namespace {

TEST(ACoin, RestsOnItsRimInABowl) {
    BodySpec<3> coin;
    coin.shape = {"cylinder", {0.1, 0.02}};
    coin.position = {0.01, 0.0, 0.04};
    Drop drop({"ball_inside", {0.4}}, {0.0, 0.0, 0.4}, coin, 1e-3);
    // Its lower rim lies on the bowl.
    const double exact = 0.4 - std::sqrt(0.4 * 0.4 - 0.1 * 0.1) + 0.01;
    EXPECT_NEAR(drop.height_after(3.0), exact, 5e-4);
}

TEST(ACoin, RestsOnItsRimInAHopper) {
    BodySpec<3> coin;
    coin.shape = {"cylinder", {0.2, 0.02}};
    coin.position = {0.01, 0.0, 0.3};
    Drop drop({"cone_inside", {0.1, 0.4, 0.5}}, Vec<3>::Zero(), coin, 1e-3);
    EXPECT_NEAR(drop.height_after(5.0), 0.5 / 3.0 + 0.01, 2e-3);
}

}  // namespace
}  // namespace talus
