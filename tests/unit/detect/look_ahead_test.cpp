// The `gap` rule counts pairs that may close within a step: those whose ways differ, and their neighbours, whatever all of
// them do together.
#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <int Dim>
Settings<Dim> gap_settings(double h) {
    Settings<Dim> settings = exact_settings<Dim>(h, 0.0);
    settings.rule = ContactRule::gap;
    settings.solver = {};
    settings.solver.tolerance = 1e-10;
    settings.solver.max_sweeps = 10000;
    return settings;
}

/// Two clouds of balls that fly into each other, all of it carried along.
template <int Dim>
Bench<Dim> clouds(const Vec<Dim>& carried) {
    Bench<Dim> bench(gap_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    Random random(7);
    for (int k = 0; k < 60; ++k) {
        const Vec<Dim> side = (k % 2 == 0 ? 1.0 : -1.0) * Vec<Dim>::Unit(0);
        bench.ball(Vec<Dim>(4.0 * (k / 2) * Vec<Dim>::Unit(Dim - 1) / 10.0 - 0.6 * side + random.vector<Dim>(-0.02, 0.02)), 0.15,
                   Vec<Dim>(carried + 20.0 * side + random.vector<Dim>(-1.0, 1.0)));
    }
    return bench;
}

template <class D>
class LookAhead : public ::testing::Test {};
TYPED_TEST_SUITE(LookAhead, BothDimensions);

TYPED_TEST(LookAhead, GrainsThatFlyTogetherHaveNoContacts) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(gap_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    for (int k = 0; k < 20; ++k) bench.ball(Vec<Dim>(0.21 * k * Vec<Dim>::Unit(0)), 0.1, Vec<Dim>(300.0 * Vec<Dim>::Unit(0)));
    for (int step = 0; step < 5; ++step) EXPECT_EQ(bench.world.step().contacts, 0);
}

TYPED_TEST(LookAhead, TheMotionIsTheSameForWhoeverMovesAlong) {
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = Vec<Dim>::Constant(64.0);
    Bench<Dim> still = clouds<Dim>(Vec<Dim>::Zero()), carried = clouds<Dim>(along);
    std::int64_t working = 0;
    for (int step = 0; step < 40; ++step) {
        working += still.world.step().working_contacts;
        EXPECT_LT(carried.world.step().max_overlap, 1e-9);
        for (std::size_t i = 0; i < still.world.size(); ++i)   // 1e-10 of the speeds is what the solver leaves
            ASSERT_LT((carried.world.velocities()[i] - along - still.world.velocities()[i]).norm(), 1e-6) << "step " << step;
    }
    EXPECT_GT(working, 20);
}

/// The last of a row is held; the others come, so fast and so near that all of them are stopped in one step.
TYPED_TEST(LookAhead, ARowThatIsStoppedAtItsEndDoesNotOverlap) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(gap_settings<Dim>(1e-2), {"coulomb", 0.3, 0.0, 0.0});
    bench.fixed_ball(Vec<Dim>(Vec<Dim>::Zero()), 0.5);
    for (int k = 1; k <= 12; ++k) bench.ball(Vec<Dim>((0.05 + 1.004 * k) * Vec<Dim>::Unit(0)), 0.5, Vec<Dim>(-10.0 * Vec<Dim>::Unit(0)));
    for (int step = 0; step < 5; ++step) EXPECT_LT(bench.world.step().max_overlap, 1e-9);
    EXPECT_LT(bench.world.velocities()[12].norm(), 1e-6);
}

/// A fast grain among slow ones makes a new list, and is not missed.
TYPED_TEST(LookAhead, AFastGrainIsSeenBeforeItArrives) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(gap_settings<Dim>(1e-2), {"coulomb", 0.0, 0.0, 0.0});
    bench.fixed_ball(Vec<Dim>(Vec<Dim>::Zero()), 0.5);
    for (int k = 0; k < 5; ++k) bench.ball(Vec<Dim>(Vec<Dim>::Unit(0) * (3.0 + 2.0 * k) + 9.0 * Vec<Dim>::Unit(Dim - 1)), 0.5, Vec<Dim>(Vec<Dim>::Zero()));
    const BodyId fast = bench.ball(Vec<Dim>(30.0 * Vec<Dim>::Unit(0)), 0.5, Vec<Dim>(-170.0 * Vec<Dim>::Unit(0)));
    for (int step = 0; step < 40; ++step) EXPECT_LT(bench.world.step().max_overlap, 1e-9);
    EXPECT_NEAR(bench.position(fast)[0], 1.0, 1e-6);   // it rests on the held one
}

/// A segment that may turn about its centre, fixed there.
BodyId paddle(Bench<2>& bench, double length, double spin) {
    BoundarySpec<2> spec;
    spec.shape = {"segment", {length}};
    spec.material = bench.material;
    spec.mass = 100.0;
    spec.inertia = Spin<2>::Constant(1000.0);
    spec.spin = Spin<2>::Constant(spin);
    const BodyId id = bench.world.add_boundary(spec);
    bench.world.release(id, 2);
    return id;
}

/// A carrier is hit at one end; the ball glued to its other end comes up by a radius in the same step.
TEST(LookAheadPlane, AGluedBallIsSeenWhereItsCarrierTurnsIt) {
    Bench<2> bench(gap_settings<2>(1e-2), {"coulomb", 0.0, 0.0, 0.0});
    const BodyId carrier = paddle(bench, 0.2, 0.0);
    for (const double x : {-2.0, 2.0}) {
        BallSpec<2> spec;
        spec.position = {x, 0.0};
        spec.radius = 0.1;
        spec.density = 1000.0;
        spec.material = bench.material;
        spec.glued_to = carrier;
        bench.world.add_ball(spec);
    }
    bench.ball(Vec<2>(-2.0, 0.451), 0.5, Vec<2>(0.0, -10.0));   // at q_m it touches to a millimetre
    bench.ball(Vec<2>(2.0, 0.23), 0.1);
    EXPECT_EQ(bench.world.step().contacts, 2);
}

/// A boundary that turns by itself, far from its centre.
TEST(LookAheadPlane, ABoundaryThatTurnsFreelySeesWhatItWillMeet) {
    Bench<2> bench(gap_settings<2>(1e-2), {"coulomb", 0.0, 0.0, 0.0});
    paddle(bench, 4.0, 5.0);
    const BodyId ball = bench.ball(Vec<2>(1.8, 0.33), 0.1);
    double overlap = 0.0;
    for (int step = 0; step < 10; ++step) overlap = std::max(overlap, bench.world.step().max_overlap);
    EXPECT_LT(overlap, 0.05);   // that of the arc: second order in the turn
    EXPECT_GT(bench.velocity(ball).norm(), 1.0);
}

/// Two heavy balls close on a small one and squeeze it out, far beyond any push that could be guessed from their speed, straight into something that
/// waits above. `target`: adds that, with its lowest point at the height given. \returns the least gap between the two seen [m].
template <int Dim, class AddTarget>
double squeeze_into(AddTarget&& target) {
    Bench<Dim> bench(gap_settings<Dim>(1e-2), {"coulomb", 0.0, 0.0, 0.0});
    const Vec<Dim> x = Vec<Dim>::Unit(0), y = Vec<Dim>::Unit(Dim - 1);
    for (const double side : {-1.0, 1.0}) bench.ball(Vec<Dim>(side * 0.545 * x), 0.5, Vec<Dim>(-side * 3.0 * x));
    const BodyId small = bench.ball(Vec<Dim>(0.08 * y), 0.05), other = target(bench, 0.24);
    double least = 1.0;
    for (int step = 0; step < 4; ++step) {
        bench.world.step();
        least = std::min(least, bench.world.gap(small, other, 1.0));
    }
    EXPECT_GT(bench.velocity(other)[Dim - 1], 0.0);   // it was hit
    return least;
}

TYPED_TEST(LookAhead, WhatIsSqueezedOutMeetsABallThatNobodyCounted) {
    constexpr int Dim = TypeParam::value;
    const auto ball = [](Bench<Dim>& bench, double height) { return bench.ball(Vec<Dim>((height + 0.05) * Vec<Dim>::Unit(Dim - 1)), 0.05); };
    EXPECT_GT(squeeze_into<Dim>(ball), -1e-9);
}

TYPED_TEST(LookAhead, WhatIsSqueezedOutMeetsABlockThatNobodyCounted) {
    constexpr int Dim = TypeParam::value;
    const auto block = [](Bench<Dim>& bench, double height) {
        BodySpec<Dim> spec;
        spec.shape = {"box", std::vector<double>(Dim, 0.1)};
        spec.position = (height + 0.05) * Vec<Dim>::Unit(Dim - 1);
        spec.density = 1000.0;
        spec.material = bench.material;
        return bench.world.add_body(spec);
    };
    EXPECT_GT(squeeze_into<Dim>(block), -1e-9);
}

/// One large ball among small ones costs no more than a look at all of them.
TYPED_TEST(LookAhead, AMillionFoldSizeIsNoTrouble) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(gap_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    bench.ball(Vec<Dim>(1e3 * up<Dim>()), 1e3);
    for (int k = 0; k < 100; ++k) bench.ball(Vec<Dim>((1.0 + 3e-3 * k) * Vec<Dim>::Unit(0)), 1e-3);
    for (int step = 0; step < 3; ++step) EXPECT_GE(bench.world.step().contacts, 0);
}

}  // namespace
}  // namespace talus::test
