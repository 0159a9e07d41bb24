// Observables that add up bodies and contacts.
#include <gtest/gtest.h>

#include "frames.h"

namespace talus::observe {

TEST(WeightBalance, IsOneWhenWallsCarryTheGrains) {
    auto frame = empty_frame<3>(10.0);
    const BodyId floor = add_wall(frame);
    const BodyId low = add_grain<3>(frame, {0, 0, 1}, 1, 2.0), high = add_grain<3>(frame, {0, 0, 3}, 1, 3.0);
    add_contact<3>(frame, low, floor, {0, 0, 0}, Vec<3>::UnitZ(), {0, 0, 50});
    add_contact<3>(frame, low, high, {0, 0, 2}, -Vec<3>::UnitZ(), {0, 0, -30});  // between grains: no wall
    const Result result = measure(spec("weight_balance"), frame);
    EXPECT_NEAR(result.value("wall_force_over_weight"), 1.0, 1e-14);
    EXPECT_NEAR(result.value("sideways_over_weight"), 0.0, 1e-14);
    EXPECT_NEAR(result.value("weight"), 50.0, 1e-13);
}

TEST(WeightBalance, DoesNotDependOnWhichBodyIsCalledA) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame), grain = add_grain<2>(frame, {0, 1});
    add_contact<2>(frame, floor, grain, {0, 0}, -Vec<2>::UnitY(), {0, -10});   // the grain gives the wall -10
    EXPECT_NEAR(measure(spec("weight_balance"), frame).value("wall_force_over_weight"), 1.0, 1e-14);
}

TEST(Contacts, CountsPotentialEffectiveSlidingAndRattlers) {
    auto frame = empty_frame<2>();
    const BodyId floor = add_wall(frame);
    const BodyId a = add_grain<2>(frame, {0, 1}), b = add_grain<2>(frame, {2, 1});
    add_grain<2>(frame, {9, 9});  // touches nothing
    add_contact<2>(frame, a, floor, {0, 0}, Vec<2>::UnitY(), {0, 1});
    add_contact<2>(frame, b, floor, {2, 0}, Vec<2>::UnitY(), {0, 1});
    add_contact<2>(frame, a, b, {1, 1}, -Vec<2>::UnitX(), {-1, 0});
    add_contact<2>(frame, b, floor, {2, 0}, Vec<2>::UnitY(), {0, 0});  // touches without force
    frame.contacts[0].status = ContactStatus::sliding;
    const Result result = measure(spec("contacts"), frame);
    EXPECT_EQ(result.value("potential"), 4);
    EXPECT_EQ(result.value("effective"), 3);
    EXPECT_NEAR(result.value("coordination"), 4.0 / 3.0, 1e-15);
    EXPECT_NEAR(result.value("coordination_without_rattlers"), 2.0, 1e-15);
    EXPECT_NEAR(result.value("neighbours"), result.value("coordination"), 1e-15);  // balls: one contact a pair
    EXPECT_EQ(result.value("rattlers"), 1);
    EXPECT_NEAR(result.value("sliding_fraction"), 1.0 / 3.0, 1e-15);
}

TEST(Overlap, IsMeasuredInSmallerDiameters) {
    auto frame = empty_frame<3>();
    const BodyId floor = add_wall(frame);
    const BodyId big = add_grain<3>(frame, {0, 0, 0}, 2.0), small = add_grain<3>(frame, {2.4, 0, 0}, 0.5);
    add_contact<3>(frame, big, small, {2, 0, 0}, -Vec<3>::UnitX(), Vec<3>::Zero());
    add_contact<3>(frame, big, floor, {0, 0, -2}, Vec<3>::UnitZ(), Vec<3>::Zero());
    frame.contacts[0].gap = -0.1;
    frame.contacts[1].gap = 0.01;
    const Result result = measure(spec("overlap"), frame);
    EXPECT_NEAR(result.value("max_overlap"), 0.1, 1e-15);   // over the diameter 1
    EXPECT_NEAR(result.value("mean_overlap"), 0.05, 1e-15);
    EXPECT_NEAR(result.value("max_depth"), 0.1, 1e-15);
}

TEST(Energy, OfARollingBallHasSevenTenths) {
    auto frame = empty_frame<3>(10.0);
    add_grain<3>(frame, {0, 0, 3}, 0.5, 2.0);
    frame.velocity[0] = {4, 0, 0};
    frame.spin[0] = {0, 8, 0};   // rolls: v = r w
    const Result result = measure(spec("energy"), frame);
    EXPECT_NEAR(result.value("kinetic"), 0.7 * 2.0 * 16.0, 1e-13);
    EXPECT_NEAR(result.value("potential"), 60.0, 1e-13);
    EXPECT_NEAR(result.value("kinetic_over_mgd"), 22.4 / 20.0, 1e-14);
    EXPECT_EQ(result.value("max_speed"), 4.0);
}

TEST(Energy, OfARollingDiskHasThreeQuarters) {
    auto frame = empty_frame<2>();
    add_grain<2>(frame, {0, 0}, 0.5, 2.0);
    frame.velocity[0] = {4, 0};
    frame.spin[0][0] = 8;
    EXPECT_NEAR(measure(spec("energy"), frame).value("kinetic"), 0.75 * 2.0 * 16.0, 1e-13);
}

TEST(Momentum, OfTwoGrainsAboutAPoint) {
    auto frame = empty_frame<2>();
    add_grain<2>(frame, {1, 0}, 0.5, 2.0);
    add_grain<2>(frame, {-1, 0}, 0.5, 1.0);
    frame.velocity[0] = {0, 3};
    frame.spin[1][0] = 4;
    const Result result = measure(spec("momentum"), frame);
    EXPECT_EQ(result.value("x"), 0.0);
    EXPECT_EQ(result.value("y"), 6.0);
    EXPECT_NEAR(result.value("angular"), 6.0 + 0.5 * 0.25 * 4.0, 1e-15);
    EXPECT_NEAR(result.value("centre_x"), 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(measure(spec("momentum", {{"about", {1, 0}}}), frame).value("angular"), 0.5, 1e-15);
}

TEST(WallForce, IsSummedByTagAndByBody) {
    auto frame = empty_frame<2>();
    const BodyId left = add_wall(frame, 7), right = add_wall(frame, 7), floor = add_wall(frame, 8);
    const BodyId grain = add_grain<2>(frame, {0, 1});
    add_contact<2>(frame, grain, left, {-1, 1}, Vec<2>::UnitX(), {5, 1});
    add_contact<2>(frame, grain, right, {1, 1}, -Vec<2>::UnitX(), {-5, 1});
    add_contact<2>(frame, grain, floor, {0, 0}, Vec<2>::UnitY(), {0, 8});
    const Result by_tag = measure(spec("wall_force"), frame);
    EXPECT_EQ(by_tag.value("force_y"), -10.0);
    const Table& tags = *by_tag.table("walls");
    ASSERT_EQ(tags.rows(), 2u);
    EXPECT_EQ(tags.column("force_x")->values[0], 0.0);    // the two sides cancel
    EXPECT_EQ(tags.column("pushing")->values[0], 10.0);   // their normal forces do not
    EXPECT_EQ(tags.column("force_y")->values[1], -8.0);
    const Result by_body = measure(spec("wall_force", {{"by", "body"}, {"walls", 7}}), frame);
    ASSERT_EQ(by_body.table("walls")->rows(), 2u);
    EXPECT_EQ(by_body.table("walls")->column("force_x")->values[0], -5.0);
}

TEST(Stress, OfASqueezedBallIsForceTimesDiameterOverVolume) {
    auto frame = empty_frame<3>(0.0);
    const BodyId wall = add_wall(frame), grain = add_grain<3>(frame, {0, 0, 0}, 0.5);
    add_contact<3>(frame, grain, wall, {-0.5, 0, 0}, Vec<3>::UnitX(), {6, 0, 0});
    add_contact<3>(frame, grain, wall, {0.5, 0, 0}, -Vec<3>::UnitX(), {-6, 0, 0});
    const Spec asked = spec("stress", {{"region", {{"box", {{"low", {-1, -1, -1}}, {"high", {1, 1, 1}}}}}}});
    const Result result = measure(asked, frame);
    EXPECT_NEAR(result.value("principal_1"), 6.0 / 8.0, 1e-15);   // compression is positive
    EXPECT_NEAR(result.value("principal_3"), 0.0, 1e-15);
    EXPECT_NEAR(result.value("pressure"), 0.25, 1e-15);
    EXPECT_NEAR(result.value("major_from_vertical"), 90.0, 1e-6);
    EXPECT_NEAR(result.value("asymmetry"), 0.0, 1e-15);
}

TEST(Stress, SeesForcesAcrossAPeriodicBorder) {
    auto frame = empty_frame<2>(0.0);
    frame.periodic = {true, false};
    frame.cell_high = {2, 2};
    // Two grains of radius 0.5 in a row that closes on itself through the border, squeezed by 3 N.
    const BodyId a = add_grain<2>(frame, {0.5, 1}, 0.5), b = add_grain<2>(frame, {1.5, 1}, 0.5);
    add_contact<2>(frame, a, b, {1, 1}, -Vec<2>::UnitX(), {-3, 0});
    add_contact<2>(frame, a, b, {0, 1}, Vec<2>::UnitX(), {3, 0});
    const Spec asked = spec("stress", {{"region", {{"box", {{"low", {0, 0}}, {"high", {2, 2}}}}}}});
    EXPECT_NEAR(measure(asked, frame).value("stress_xx"), 3.0 * 2.0 / 4.0, 1e-15);   // F L / A: 3 N over a height of 2
}

}  // namespace talus::observe
