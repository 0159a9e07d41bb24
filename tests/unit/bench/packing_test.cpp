#include "bench/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "step/next_problem.h"

namespace talus::bench {
namespace {

/// Settled for a short while: enough for contacts, not for rest.
template <int Dim = 3>
Block<Dim> settled(Grains grains) { return settle_block<Dim>({.grains = grains, .across = 5, .layers = 4, .duration = 0.1}); }

const Block<3>& block() {
    static const Block<3> made = settled(Grains::spheres);
    return made;
}

/// Sum of the impulses that the next step starts from.
template <int Dim>
double starting_impulse(World<Dim>& world) {
    const auto p = next_contact_problem(world);
    const double of_balls = std::accumulate(p.balls.begin(), p.balls.end(), 0.0, [](double s, const auto& c) { return s + c.pn; });
    return std::accumulate(p.generals.begin(), p.generals.end(), of_balls, [](double s, const auto& c) { return s + c.S[0]; });
}

template <int Dim>
void expect_repeated(Grains grains, const Tiling& tiling) {
    const Block<Dim> made = settled<Dim>(grains);
    const auto copies = static_cast<std::size_t>(tiling.in_x * tiling.in_y);
    World<Dim> one = tile(made, {1, 1}, 1), many = tile(made, tiling, 1);
    EXPECT_EQ(many.size() - 1, copies * (one.size() - 1));
    EXPECT_EQ(next_contact_problem(many).contacts(), copies * next_contact_problem(one).contacts()) << name_of(grains);
    double settled_impulse = 0.0;
    for (const auto& contact : made.contacts) settled_impulse += contact.normal_impulse();
    const double sum = starting_impulse(one);
    EXPECT_GT(sum, 0.5 * settled_impulse) << name_of(grains);   // all but contacts that opened in half a step
    EXPECT_NEAR(starting_impulse(many), static_cast<double>(copies) * sum, 1e-12 * static_cast<double>(copies) * sum) << name_of(grains);   // the same terms in another order
}

TEST(Packing, TilingIsAsSquareAsItsFactorsAllow) {
    EXPECT_EQ(tiling_for(100, settled<2>(Grains::disks)).in_y, 1);
    EXPECT_EQ(tiling_for(100, block()).in_x, 1);
    const Tiling twelve = tiling_for(1200, block());
    EXPECT_EQ(twelve.in_x, 4);
    EXPECT_EQ(twelve.in_y, 3);
}

TEST(Packing, TheSameSeedGivesTheSameBits) {
    const Block<3> again = settled(Grains::spheres);
    ASSERT_EQ(again.position.size(), block().position.size());
    for (std::size_t k = 0; k < again.position.size(); ++k) EXPECT_EQ(again.position[k], block().position[k]);
    EXPECT_EQ(tile(again, {2, 1}, 3).hash(), tile(block(), {2, 1}, 3).hash());
}

TEST(Packing, ATilingHasAsManyContactsAndTheSameForcesAsItsBlocks) {
    expect_repeated<3>(Grains::spheres, {2, 2});
    expect_repeated<3>(Grains::polyhedra, {2, 2});
    expect_repeated<2>(Grains::disks, {3, 1});
    expect_repeated<2>(Grains::polygons, {3, 1});
}

TEST(Packing, GrainsHaveNames) {
    for (const Grains grains : {Grains::spheres, Grains::disks, Grains::polygons, Grains::polyhedra}) EXPECT_EQ(grains_named(name_of(grains)), grains);
    EXPECT_THROW(static_cast<void>(grains_named("cubes")), InputError);
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
