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

}  // namespace
}  // namespace talus::test
