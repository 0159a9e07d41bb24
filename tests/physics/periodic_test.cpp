// Space that repeats: a grain that leaves on one side enters on the other, contacts act across the seam,
// and where the seam lies does not matter.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

template <int Dim>
Settings<Dim> cell(double side, int axes, double gravity = 0.0) {
    Settings<Dim> s = exact_settings<Dim>(h, gravity);
    s.solver.tolerance = 1e-9;
    s.solver.tolerance_max = 0.0;
    for (int k = 0; k < axes; ++k) {
        s.periodic[k] = true;
        s.cell_low[k] = -0.5;
        s.cell_high[k] = side - 0.5;
    }
    return s;
}

template <int Dim>
Vec<Dim> unwrapped(const Bench<Dim>& bench, BodyId id) {
    const auto i = bench.world.index_of(id);
    const Settings<Dim>& s = bench.world.settings();
    return bench.world.positions()[i] +
           (s.cell_high - s.cell_low).cwiseProduct(bench.world.images()[i].template cast<double>());
}

template <class D>
class Periodic : public ::testing::Test {};
TYPED_TEST_SUITE(Periodic, BothDimensions);

TYPED_TEST(Periodic, AGrainThatCrossesTheSeamComesBackOnTheOtherSide) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(cell<Dim>(4.0, Dim), {"coulomb", 0.3, 0.5, 0.0});
    const Vec<Dim> start = Vec<Dim>::Constant(0.25), v = 3.0 * axis<Dim>(0) - 7.0 * axis<Dim>(1);
    const BodyId ball = bench.ball(start, 0.2, v);
    for (int i = 1; i <= 5000; ++i) {
        bench.world.step();
        const Vec<Dim>& q = bench.position(ball);
        for (int k = 0; k < Dim; ++k) {
            ASSERT_GE(q[k], -0.5);
            ASSERT_LT(q[k], 3.5);
        }
        ASSERT_LT((unwrapped(bench, ball) - start - i * h * v).norm(), 1e-10);  // 5000 roundings of 1e-15
    }
    EXPECT_EQ(bench.world.images()[0][0], 3);   // 15 m of path in cells of 4 m, from 0.75 m after the seam
    EXPECT_EQ(bench.world.images()[0][1], -9);  // -35 m
}

TYPED_TEST(Periodic, TwoBallsCollideAcrossTheSeamAsTheyDoInTheMiddle) {
    constexpr int Dim = TypeParam::value;
    const auto collide = [&](double where) {
        Bench<Dim> bench(cell<Dim>(4.0, Dim), {"coulomb", 0.4, 0.6, 0.3});
        const Vec<Dim> seam = where * axis<Dim>(0) + 0.3 * axis<Dim>(1);
        const BodyId a = bench.ball(seam - 0.49 * axis<Dim>(0), 0.5, 2.0 * axis<Dim>(0));
        Vec<Dim> other = seam + 0.49 * axis<Dim>(0);
        if (other[0] >= 3.5) other[0] -= 4.0;
        const BodyId b = bench.ball(other, 0.5, -1.0 * axis<Dim>(0) + 0.5 * axis<Dim>(1));
        EXPECT_EQ(bench.world.step().contacts, 1);
        return std::pair{bench.velocity(a), bench.velocity(b)};
    };
    const auto [a_middle, b_middle] = collide(1.5);
    const auto [a_seam, b_seam] = collide(3.5);
    EXPECT_LT((a_middle - a_seam).norm(), 1e-12);
    EXPECT_LT((b_middle - b_seam).norm(), 1e-12);
    EXPECT_LT(a_middle[0], 2.0);  // they did collide
}

/// A crowd in a periodic cell, every centre moved by `shift` and put back into the cell.
template <int Dim>
Bench<Dim> shifted_crowd(const Vec<Dim>& shift, double side, int count) {
    Bench<Dim> bench(cell<Dim>(side, Dim), {"coulomb", 0.4, 0.5, 0.2});
    Random random(41);
    for (int i = 0; i < count; ++i) {
        Vec<Dim> c = random.vector<Dim>(-0.5, side - 0.5) + shift;
        for (int k = 0; k < Dim; ++k) c[k] -= side * std::floor((c[k] + 0.5) / side);
        bench.ball(c, random.uniform(0.35, 0.5), random.vector<Dim>(-1, 1), random.spin<Dim>(1.0));
    }
    return bench;
}

TYPED_TEST(Periodic, WhereTheSeamLiesDoesNotMatter) {
    constexpr int Dim = TypeParam::value;
    const double side = 5.0;
    const int count = Dim == 3 ? 100 : 24;
    Bench<Dim> reference = shifted_crowd<Dim>(Vec<Dim>::Zero(), side, count);
    Random random(42);
    std::vector<Bench<Dim>> moved;
    for (int i = 0; i < 3; ++i) moved.push_back(shifted_crowd<Dim>(random.vector<Dim>(0.0, side), side, count));
    for (int step = 0; step < 20; ++step) {
        const StepReport a = reference.world.step();
        ASSERT_GT(a.contacts, 10);
        for (Bench<Dim>& bench : moved) {
            const StepReport b = bench.world.step();
            ASSERT_EQ(a.contacts, b.contacts) << "step " << step;
            // The contacts come in another order, so impulses differ by the solver's tolerance; where
            // they are not unique (hyperstatic) velocities still agree to it.
            for (std::size_t i = 0; i < reference.world.size(); ++i)
                ASSERT_LT((reference.world.velocities()[i] - bench.world.velocities()[i]).norm(), 1e-4) << "step " << step;
        }
    }
}

TYPED_TEST(Periodic, MomentumIsKeptAcrossTheSeam) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench = shifted_crowd<Dim>(Vec<Dim>::Zero(), 5.0, Dim == 3 ? 100 : 24);
    const Vec<Dim> before = momentum(bench.world);
    const double scale = momentum_scale(bench.world);
    for (int i = 0; i < 200; ++i) EXPECT_LT(bench.world.step().momentum_residual, 1e-12);
    EXPECT_LT((momentum(bench.world) - before).norm(), 1e-13 * scale);
}

TYPED_TEST(Periodic, APositionNeverLiesOnTheUpperEdgeOfTheCell) {
    // Just below the lower edge, by less than the cell's rounding: adding the length gives the upper edge
    // itself, which belongs to the next cell.
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = cell<Dim>(4.0, Dim);
    settings.cell_low.setZero();
    settings.cell_high.setConstant(4.0);
    Bench<Dim> bench(settings, {"coulomb", 0.3, 0.5, 0.0});
    const BodyId ball = bench.ball(1.0 * axis<Dim>(1), 0.5, -1e-18 * axis<Dim>(0));
    bench.ball((1.0 - 1e-6) * axis<Dim>(0) + axis<Dim>(1), 0.5);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(bench.world.step().contacts, 1);
        EXPECT_GE(bench.position(ball)[0], 0.0);
        EXPECT_LT(bench.position(ball)[0], 4.0);
    }
}

TYPED_TEST(Periodic, AGrainGivenOutsideTheCellIsThatOfItsImage) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(cell<Dim>(4.0, Dim), {"coulomb", 0.3, 0.0, 0.0});
    const BodyId a = bench.ball(Vec<Dim>::Zero(), 0.5, 0.1 * axis<Dim>(0));
    const BodyId b = bench.ball(8.9 * axis<Dim>(0), 0.5);  // two cells further: overlaps the first by 0.1
    EXPECT_EQ(bench.world.step().contacts, 1);
    EXPECT_NEAR(bench.velocity(a)[0], 0.05, 1e-12);
    EXPECT_NEAR(bench.velocity(b)[0], 0.05, 1e-12);
    EXPECT_NEAR(bench.position(b)[0], 0.9, 1e-3);
    EXPECT_EQ(bench.world.images()[bench.world.index_of(b)][0], 2);
}

TYPED_TEST(Periodic, ADrivenGrainGoesOnPushingBeyondTheSeam) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(cell<Dim>(4.0, Dim), {"frictionless", 0.0, 0.0, 0.0});
    const BodyId pusher = bench.ball(Vec<Dim>::Zero(), 0.5), pushed = bench.ball(1.5 * axis<Dim>(0), 0.5);
    for (int k = 0; k < freedoms<Dim>; ++k) bench.world.fix(pusher, k);
    bench.world.drive(pusher, 0, linear(1.0));
    bench.steps(11000);  // 11 m: almost three cells
    EXPECT_NEAR(bench.velocity(pushed)[0], 1.0, 1e-12);
    EXPECT_NEAR(unwrapped(bench, pusher)[0], 11.0, 1e-9);
    EXPECT_NEAR(unwrapped(bench, pushed)[0], 12.0, 2e-3);  // caught within a step
    for (const BodyId id : {pusher, pushed}) {
        EXPECT_GE(bench.position(id)[0], -0.5);
        EXPECT_LT(bench.position(id)[0], 3.5);
    }
}

TYPED_TEST(Periodic, ASlopeWithoutEndKeepsItsEnergyLedgerClosed) {
    // A block slides down for several cells: its potential energy is that of the path, not of the cell.
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = cell<Dim>(2.0, 1);
    const double angle = pi / 6.0, mu = 0.2;
    settings.gravity = in_xz<Dim>(g * std::sin(angle), -g * std::cos(angle));
    Bench<Dim> bench(settings, {"coulomb", mu, 0.0, 0.0});
    bench.floor();
    const BodyId block = bench.ball(0.25 * (1.0 - touching) * up<Dim>(), 0.25);
    bench.lock_rotation(block);
    const double weight = bench.mass(block) * g;
    for (int i = 0; i < 2500; ++i) {
        const EnergyLedger ledger = bench.world.step().energy;
        ASSERT_LT(std::abs(ledger.residual), 1e-12 * weight * 10.0) << "step " << i;
    }
    const double a = g * (std::sin(angle) - mu * std::cos(angle)), t = 2500 * h;
    EXPECT_GT(bench.world.images()[bench.world.index_of(block)][0], 3);
    EXPECT_NEAR(unwrapped(bench, block)[0], 0.5 * a * t * t, 1e-9);
}

}  // namespace
}  // namespace talus::test
