// Cause: contacts of a step that was never finished were told, with velocities of the step before. Beside it: a step whose forces are beyond
// all numbers is not reported as solved, and leaves nothing behind in a world that is restored.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "talus/talus.h"

namespace talus {
namespace {

/// Three balls on the ground, the third on the two others.
World<2> three_balls() {
    Settings<2> settings;
    settings.gravity = {0, -9.81};
    settings.step = 1e-3;
    settings.solver.name = "accelerated";
    World<2> world(settings);
    const MaterialId stuff = world.add_material("stuff");
    world.set_law(stuff, stuff, {"coulomb", 0.5, 0.0, 0.0});
    world.add_boundary({.shape = {"plane", {0.0, 1.0}}, .material = stuff});
    for (const Vec<2>& x : {Vec<2>(0.0, 0.005), Vec<2>(0.01, 0.005), Vec<2>(0.005, 0.0136)})
        world.add_ball({.position = x, .radius = 0.005, .density = 2500, .material = stuff});
    return world;
}

TEST(AStepThatFails, TellsNoContacts) {
    World<2> world = three_balls();
    for (int k = 0; k < 10; ++k) world.step();
    ASSERT_FALSE(world.contacts().empty());
    const MaterialId other = world.add_material("other");   // touches 'stuff', and there is no law for the two
    world.add_ball({.position = Vec<2>(0.05, 0.0049), .radius = 0.005, .density = 2500, .material = other});
    EXPECT_THROW(world.step(), InputError);
    EXPECT_TRUE(world.contacts().empty());
}

TEST(AStepThatFails, IsNotReportedAsSolvedAndSpoilsNothingThatIsRestored) {
    World<2> straight = three_balls(), disturbed = three_balls();
    for (int k = 0; k < 10; ++k) {
        straight.step();
        disturbed.step();
    }
    const auto checkpoint = disturbed.checkpoint();
    std::vector<BodyId> balls;
    for (const BodyId id : disturbed.ids())
        if (disturbed.radii()[disturbed.index_of(id)] > 0.0) balls.push_back(id);
    // Squares of impulses of this size are no numbers any more.
    for (const BodyId id : balls) disturbed.set_loads(id, {{0, force(constant(1e300)), {}}, {1, force(constant(-1e300)), {}}});
    const StepReport report = disturbed.step();
    EXPECT_FALSE(report.converged);
    EXPECT_FALSE(report.law.mean == 0.0);
    for (const BodyId id : balls) disturbed.set_loads(id, {});
    disturbed.restore(checkpoint);
    for (int k = 0; k < 10; ++k) {
        straight.step();
        const StepReport after = disturbed.step();
        EXPECT_TRUE(std::isfinite(after.energy.kinetic));
    }
    EXPECT_EQ(straight.hash(), disturbed.hash());
}

}  // namespace
}  // namespace talus
