// A step that follows the motion: a body travels no more than the stated part of its radius, a contact's normal turns
// no more than the stated angle, the lengths are powers of two apart, and nothing but the state decides.
#include "testbed.h"

namespace talus::test {
namespace {

template <class D>
class Adaptive : public ::testing::Test {};
TYPED_TEST_SUITE(Adaptive, BothDimensions);

constexpr double longest = 1e-2, radius = 0.1;

template <int Dim>
Settings<Dim> following(double shortest = 1e-5) {
    Settings<Dim> s = exact_settings<Dim>(longest);
    s.adaptive.min = shortest;
    return s;
}

/// The midpoint rule is exact for a parabola, so the fall is the same whatever the steps; they get shorter as it speeds up.
TYPED_TEST(Adaptive, AFallKeepsItsBoundAndItsLaw) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(following<Dim>(), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId ball = bench.ball(100.0 * up<Dim>(), radius);
    double shortest = longest;
    while (bench.world.time() < 2.0) {
        const Vec<Dim> before = bench.world.positions()[bench.world.index_of(ball)];
        bench.world.step();
        const double h = bench.world.step_length(), t = bench.world.time();
        const Vec<Dim> now = bench.world.positions()[bench.world.index_of(ball)];
        ASSERT_LE((now - before).norm(), bench.world.settings().adaptive.travel * radius * (1.0 + 1e-9));
        int halvings = 0;
        ASSERT_EQ(std::frexp(longest / h, &halvings), 0.5) << "lengths are powers of two apart";
        shortest = std::min(shortest, h);
        // 1e-10: some thousand steps, each with a rounding of 100 m.
        ASSERT_NEAR(now[Dim - 1], 100.0 - 0.5 * g * t * t, 1e-10);
    }
    // 0.01 m at 19.6 m/s is 5.1e-4 s: of 1e-2/2^k the longest below is 1e-2/32.
    EXPECT_EQ(shortest, longest / 32.0);
    EXPECT_EQ(bench.world.settings().step, longest) << "the setting stays what it was";
}

TYPED_TEST(Adaptive, WhatRestsTakesTheLongestStep) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(following<Dim>(), {"coulomb", 0.5, 0.0, 0.0});
    bench.floor();
    bench.ball((1.0 - touching) * radius * up<Dim>(), radius);
    for (int i = 0; i < 20; ++i) bench.world.step();
    EXPECT_EQ(bench.world.step_length(), longest);
}

TYPED_TEST(Adaptive, TheShortestStepIsNotUndercut) {
    constexpr int Dim = TypeParam::value;
    const double shortest = 1e-3;
    Bench<Dim> bench(following<Dim>(shortest), {"coulomb", 0.5, 0.0, 0.0});
    bench.ball(Vec<Dim>::Zero(), radius, 1000.0 * axis<Dim>(0));
    for (int i = 0; i < 20; ++i) {
        bench.world.step();
        ASSERT_GE(bench.world.step_length(), shortest);
        ASSERT_LT(bench.world.step_length(), 2.0 * shortest);
    }
}

/// A ball that slides without friction around the inside of a ring: its normal turns by v h/(R - r) a step.
TYPED_TEST(Adaptive, ACurvedWallBoundsTheTurnOfTheNormal) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(longest, 0.0);
    settings.adaptive = {1e-6, 1e3, 0.02};  // the travel does not bound it here
    Bench<Dim> bench(settings, {"coulomb", 0.0, 0.0, 0.0});
    const double ring = 0.5, speed = 10.0;
    bench.boundary({"ball_inside", {ring}});
    bench.ball(-(ring - radius) * (1.0 + touching) * up<Dim>(), radius, speed * axis<Dim>(0));
    for (int i = 0; i < 10; ++i) bench.world.step();
    for (int i = 0; i < 200; ++i) {
        bench.world.step();
        // Some of the speed goes with the first steps, which are too long; a hundredth covers the chord against the arc.
        const double v = bench.world.velocities().back().norm();
        ASSERT_LE(bench.world.step_length() * v / (ring - radius), 0.02 * 1.01) << i;
    }
}

TYPED_TEST(Adaptive, AResumedRunTakesTheSameSteps) {
    constexpr int Dim = TypeParam::value;
    const auto make = [] {
        Bench<Dim> bench(following<Dim>(), {"coulomb", 0.4, 0.5, 0.0});
        bench.floor();
        for (int i = 0; i < 6; ++i) bench.ball(in_xz<Dim>(0.05 * i, 0.3 + 0.25 * i), radius, in_xz<Dim>(1.0, 0.0));
        return bench;
    };
    Bench<Dim> whole = make();
    std::vector<std::byte> bytes;
    for (int i = 0; i < 150; ++i) {
        whole.world.step();
        if (i == 70) bytes = whole.world.checkpoint();
    }
    Bench<Dim> resumed = make();
    resumed.world.restore(bytes);
    for (int i = 71; i < 150; ++i) resumed.world.step();
    EXPECT_EQ(resumed.world.time(), whole.world.time());
    EXPECT_EQ(resumed.world.step_length(), whole.world.step_length());
    EXPECT_EQ(resumed.world.hash(), whole.world.hash());
}

TYPED_TEST(Adaptive, BoundsThatMakeNoSenseAreRefused) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> s = following<Dim>(2.0 * longest);
    EXPECT_THROW(World<Dim>{s}, InputError);
    s = following<Dim>();
    s.adaptive.travel = 0.0;
    EXPECT_THROW(World<Dim>{s}, InputError);
}

}  // namespace
}  // namespace talus::test
