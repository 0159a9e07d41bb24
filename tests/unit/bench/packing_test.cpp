#include "bench/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "step/next_problem.h"

namespace talus::bench {
namespace {

/// Settled for a short while: enough for contacts, not for rest.
const Block& block() {
    static const Block made = settle_block(5, 4, 0.1, 1);
    return made;
}

TEST(Packing, TilingIsAsSquareAsItsFactorsAllow) {
    EXPECT_EQ(tiling_for(100, block()).in_x, 1);
    const Tiling twelve = tiling_for(1200, block());
    EXPECT_EQ(twelve.in_x, 4);
    EXPECT_EQ(twelve.in_y, 3);
}

TEST(Packing, TheSameSeedGivesTheSameBits) {
    const Block again = settle_block(5, 4, 0.1, 1);
    ASSERT_EQ(again.position.size(), block().position.size());
    for (std::size_t k = 0; k < again.position.size(); ++k) EXPECT_EQ(again.position[k], block().position[k]);
    EXPECT_EQ(tile(again, {2, 1}, 3).hash(), tile(block(), {2, 1}, 3).hash());
}

TEST(Packing, ATilingHasAsManyContactsAndTheSameForcesAsItsBlocks) {
    World<3> one = tile(block(), {1, 1}, 1), four = tile(block(), {2, 2}, 1);
    EXPECT_EQ(four.size() - 1, 4 * (one.size() - 1));
    const auto p1 = next_contact_problem(one), p4 = next_contact_problem(four);
    ASSERT_EQ(p4.contacts(), 4 * p1.contacts());
    const auto sum = [](const ContactProblem<3>& p) {
        return std::accumulate(p.balls.begin(), p.balls.end(), 0.0, [](double s, const auto& c) { return s + c.pn; });
    };
    EXPECT_GT(sum(p1), 0.0);
    EXPECT_NEAR(sum(p4), 4.0 * sum(p1), 1e-12 * sum(p4));  // the same terms in another order
}

TEST(Packing, TiltingKeepsTheSizeOfGravityAndTurnsItByTwoDegrees) {
    World<3> world = tile(block(), {1, 1}, 1);
    tilt_gravity(world);
    const Vec<3> g = world.settings().gravity;
    EXPECT_NEAR(g.norm(), gravity, 1e-14 * gravity);
    EXPECT_NEAR(std::atan2(g.x(), -g.z()), 2.0 * std::acos(-1.0) / 180.0, 1e-15);
}

TEST(NextContactProblem, LeavesTheWorldAsItWas) {
    World<3> watched = tile(block(), {1, 1}, 1), alone = tile(block(), {1, 1}, 1);
    for (int k = 0; k < 3; ++k) {
        static_cast<void>(next_contact_problem(watched));
        watched.step();
        alone.step();
        EXPECT_EQ(watched.hash(), alone.hash());
    }
}

}  // namespace
}  // namespace talus::bench
