// Cause: what the `gap` rule had found out about the bodies stayed when the rule became `moreau`; lists were then made with
// the numbers of bodies that were no more, or of fewer than there were.
#include <gtest/gtest.h>

#include "talus/talus.h"

namespace talus {
namespace {

World<2> falling(ContactRule rule) {
    Settings<2> settings;
    settings.gravity = {0, -9.81};
    settings.step = 1e-3;
    settings.rule = rule;
    World<2> world(settings);
    const MaterialId stuff = world.add_material("stuff");
    world.set_law(stuff, stuff, {"coulomb", 0.5, 0.0, 0.0});
    world.add_boundary({.shape = {"plane", {0.0, 1.0}}, .material = stuff});
    for (int k = 0; k < 30; ++k)
        world.add_ball({.position = Vec<2>(0.011 * (k % 6), 0.006 + 0.011 * (k / 6)), .radius = 0.005, .density = 2500, .material = stuff});
    return world;
}

TEST(RuleChangesBetweenSteps, AndBodiesAreAdded) {
    World<2> straight = falling(ContactRule::gap), resumed = falling(ContactRule::gap);
    const auto go_on = [](World<2>& world, int steps) {
        for (int k = 0; k < steps; ++k) {
            if (k % 20 == 0)
                world.add_ball({.position = Vec<2>(0.02 + 0.001 * k, 0.2), .radius = 0.005, .density = 2500, .material = 0});
            world.step();
        }
    };
    for (World<2>* world : {&straight, &resumed}) {
        go_on(*world, 100);
        Settings<2> settings = world->settings();
        settings.rule = ContactRule::moreau;
        world->set_settings(settings);
        go_on(*world, 100);
    }
    resumed.restore(resumed.checkpoint());
    go_on(straight, 200);
    go_on(resumed, 200);
    EXPECT_EQ(straight.hash(), resumed.hash());
    for (const Vec<2>& x : straight.positions()) EXPECT_GT(x[1], -1e-3);
}

}  // namespace
}  // namespace talus
