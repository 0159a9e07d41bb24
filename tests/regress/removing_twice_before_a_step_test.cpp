// Cause: the ranks of removed bodies stayed at the end of their list; removing more before the next step then looked up bodies
// beyond the last one.
#include <gtest/gtest.h>

#include "talus/talus.h"

namespace talus {
namespace {

TEST(RemovingTwiceBeforeAStep, KeepsTheContactsOfTheOthers) {
    Settings<3> settings;
    settings.gravity = {0, 0, -9.81};
    settings.step = 1e-3;
    World<3> world(settings);
    const MaterialId stuff = world.add_material("stuff");
    world.set_law(stuff, stuff, {"coulomb", 0.5, 0.0, 0.0});
    world.add_boundary({.shape = {"plane", {0.0, 0.0, 1.0}}, .material = stuff});
    std::vector<BodyId> balls;
    for (int k = 0; k < 200; ++k)
        balls.push_back(world.add_ball({.position = Vec<3>(0.02 * (k % 20), 0.02 * (k / 20), 0.005), .radius = 0.005, .density = 2500, .material = stuff}));
    for (int k = 0; k < 20; ++k) world.step();
    world.remove(std::span(balls).first(90));
    world.remove(std::span(balls).subspan(90, 90));
    EXPECT_EQ(world.size(), 21u);
    EXPECT_EQ(world.contacts().size(), 20u);   // of the last step, without those of the removed
    EXPECT_EQ(world.step().contacts, 20);
}

}  // namespace
}  // namespace talus
