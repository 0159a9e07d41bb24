// Impulses are the memory of a packing [moreau2003, sec. 8.2]: a problem that is solved already takes one
// sweep, and history given to a world from outside counts as its own.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3, r = 0.5;

template <int Dim>
Settings<Dim> tolerant() {
    Settings<Dim> s = exact_settings<Dim>(h);
    s.solver.tolerance = 1e-8;
    s.solver.tolerance_max = 0.0;
    return s;
}

/// A pyramid of `n` layers on a fixed base: hyperstatic, with friction at work.
template <int Dim>
void build_pyramid(Bench<Dim>& bench, int n) {
    const double d = 2.0 * r, spacing = d * (1.0 + touching), close = d * (1.0 - touching);
    const double rise = std::sqrt(close * close - (Dim - 1) * 0.25 * spacing * spacing);
    for (int layer = 0; layer < n; ++layer)
        for (int i = 0; i < n - layer; ++i)
            for (int j = 0; j < (Dim == 3 ? n - layer : 1); ++j) {
                Vec<Dim> c = spacing * (i + 0.5 * layer) * axis<Dim>(0) + layer * rise * up<Dim>();
                if (Dim == 3) c[1] = spacing * (j + 0.5 * layer);
                layer == 0 ? bench.fixed_ball(c, r) : bench.ball(c, r);
            }
}

template <class D>
class WarmStart : public ::testing::Test {};
TYPED_TEST_SUITE(WarmStart, BothDimensions);

TYPED_TEST(WarmStart, OfASolvedProblemTakesOneSweep) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
    build_pyramid(bench, 5);
    EXPECT_GT(bench.world.step().sweeps, 1);  // cold
    // At rest within 1e-8 g h every later step poses the same problem.
    for (int i = 0; i < 10; ++i) bench.world.step();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(bench.world.step().sweeps, 1);
}

TYPED_TEST(WarmStart, OffSolvesEveryStepFromZero) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = tolerant<Dim>();
    settings.solver.warm_start = false;
    Bench<Dim> bench(settings, {"coulomb", 0.6, 0.0, 0.0});
    build_pyramid(bench, 5);
    for (int i = 0; i < 5; ++i) EXPECT_GT(bench.world.step().sweeps, 3);
}

TYPED_TEST(WarmStart, SurvivesAChangeOfTheTimeStep) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
    build_pyramid(bench, 4);
    bench.steps(20);
    Settings<Dim> shorter = bench.world.settings();
    shorter.step = 0.5 * h;
    bench.world.set_settings(shorter);
    EXPECT_EQ(bench.world.step().sweeps, 1);  // forces are kept, so impulses are halved
}

/// Turned with its normal, an impulse of nothing may come out as a pull of a rounding error.
TYPED_TEST(WarmStart, FromAPullOfARoundingErrorIsANumber) {
    constexpr int Dim = TypeParam::value;
    for (const bool turns : {true, false}) {   // ball and general contacts
        Bench<Dim> bench(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
        bench.floor();
        const BodyId ball = bench.ball((1.0 - 1e-9) * r * up<Dim>(), r);
        if (!turns) bench.world.fix(ball, Dim);
        bench.world.step();
        auto history = bench.world.contacts();
        ASSERT_EQ(history.size(), 1U);
        history[0].impulse = -1e-25 * history[0].normal;
        bench.world.set_history(history);
        const StepReport report = bench.world.step();
        EXPECT_TRUE(std::isfinite(report.energy.kinetic));
        EXPECT_TRUE(report.converged);
    }
}

TYPED_TEST(WarmStart, FromHistoryGivenFromOutsideTakesOneSweep) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> first(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
    build_pyramid(first, 4);
    first.steps(20);
    const std::vector<Contact<Dim>> history = first.world.contacts();

    Bench<Dim> second(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
    build_pyramid(second, 4);
    second.world.set_history(history);
    EXPECT_EQ(second.world.step().sweeps, 1);
    const std::vector<Contact<Dim>> carried = second.world.contacts();
    ASSERT_EQ(carried.size(), history.size());
    for (std::size_t i = 0; i < carried.size(); ++i)
        EXPECT_LT((carried[i].impulse - history[i].impulse).norm(), 1e-6 * history[i].impulse.norm() + 1e-9 * h);
}

TYPED_TEST(WarmStart, IgnoresHistoryOfContactsThatAreNotThere) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(tolerant<Dim>(), {"coulomb", 0.6, 0.0, 0.0});
    const BodyId ball = bench.ball(10.0 * up<Dim>(), r);
    bench.floor();
    Contact<Dim> stale;
    stale.a = ball;
    stale.b = 1;
    stale.normal = up<Dim>();
    stale.impulse = 5.0 * up<Dim>();
    bench.world.set_history(std::span(&stale, 1));
    bench.world.step();
    EXPECT_NEAR(bench.velocity(ball)[Dim - 1], -g * h, 1e-15);
}

}  // namespace
}  // namespace talus::test
