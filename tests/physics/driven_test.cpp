// Boundaries whose motion is given: they act through their velocity at the contact point, taken in the
// middle of the step, and their work is booked.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr int spin_about_z(int dim) { return dim == 2 ? 2 : 5; }

template <class D>
class Driven : public ::testing::Test {};
TYPED_TEST_SUITE(Driven, BothDimensions);

TYPED_TEST(Driven, BoundariesAreWhereTheirMotionPutsThem) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId moved = bench.boundary({"ball_inside", {1.0}}, 2.0 * axis<Dim>(0));
    bench.world.drive(moved, 0, linear(0.5));
    bench.world.drive(moved, Dim - 1, sine(0.1, 3.0, 0.4));
    for (int i = 1; i <= 500; ++i) {
        bench.world.step();
        const double t = i * h;
        // The closed form at t + h, whatever came before: errors do not accumulate.
        EXPECT_NEAR(bench.position(moved)[0], 2.0 + 0.5 * t, 1e-13);
        EXPECT_NEAR(bench.position(moved)[Dim - 1], 0.1 * (std::sin(6.0 * pi * t + 0.4) - std::sin(0.4)), 1e-13);
    }
}

TYPED_TEST(Driven, ADriveThatStartsLaterGoesOnFromWhereTheBodyStands) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId wall = bench.floor(1.0);
    bench.steps(100);
    bench.world.drive(wall, Dim - 1, linear(2.0));
    bench.steps(100);
    EXPECT_NEAR(bench.position(wall)[Dim - 1], 1.2, 1e-12);
    bench.world.fix(wall, Dim - 1);
    bench.steps(100);
    EXPECT_NEAR(bench.position(wall)[Dim - 1], 1.2, 1e-12);
}

TYPED_TEST(Driven, ABeltCarriesABlockThatSticks) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3, amplitude = 0.01, frequency = 2.0, w = 2.0 * pi * frequency;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});  // sticks while A w^2 < mu g
    const BodyId belt = bench.floor();
    bench.world.drive(belt, 0, sine(amplitude, frequency, 0.5 * pi));  // starts at rest
    const BodyId block = bench.ball(0.5 * (1.0 - touching) * up<Dim>(), 0.5);
    bench.lock_rotation(block);
    for (int i = 0; i < 1000; ++i) {
        bench.world.step();
        const double middle = bench.world.time() - 0.5 * h;
        ASSERT_NEAR(bench.velocity(block)[0], amplitude * w * std::cos(w * middle + 0.5 * pi), 1e-12);
    }
}

TYPED_TEST(Driven, ABeltThatIsTooFastDragsABlockByFriction) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.5, 0.0, 0.0});
    bench.world.drive(bench.floor(), 0, linear(100.0));
    const BodyId block = bench.ball(0.5 * (1.0 - touching) * up<Dim>(), 0.5);
    bench.lock_rotation(block);
    bench.steps(1000);
    EXPECT_NEAR(bench.velocity(block)[0], 0.5 * g, 1e-9);
}

TYPED_TEST(Driven, ADrumMovesABlockWithTheVelocityOfItsSurface) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-4, rate = 0.7, R = 2.0, r = 0.3;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 1e6, 0.0, 0.0});  // it sticks at once
    // The axis of rotation is z: in space the cylinder stands, gravity presses against its side.
    const ShapeSpec shape = Dim == 2 ? ShapeSpec{"ball_inside", {R}}
                                     : ShapeSpec{"cylinder_inside", {R, std::numeric_limits<double>::infinity()}};
    Settings<Dim> settings = bench.world.settings();
    settings.gravity = -g * axis<Dim>(1);
    bench.world.set_settings(settings);
    const BodyId drum = bench.boundary(shape);
    bench.world.drive(drum, spin_about_z(Dim), linear(rate));
    const BodyId block = bench.ball(-(R - r + 1e-6) * axis<Dim>(1), r);
    bench.lock_rotation(block);
    bench.world.step();
    EXPECT_NEAR(bench.velocity(block)[0], rate * R, 1e-9);  // its surface, at radius R, moves along +x
    EXPECT_NEAR(bench.velocity(block)[1], 0.0, 1e-9);
}

TEST(Turntable, ABallThatRollsOnItCirclesAtTwoSeventhsOfItsRate) {
    // The classic of non-holonomic mechanics: dv/dt = (2/7) Omega x v for a solid sphere, wherever it is.
    const double h = 1e-4, rate = 5.0, r = 0.1;
    Bench<3> bench(exact_settings<3>(h), {"coulomb", 2.0, 0.0, 0.0});
    const BodyId table = bench.floor();
    bench.world.drive(table, 5, linear(rate));
    // Rolling from the start: v + omega x (-r n) = Omega x q.
    const Vec<3> start(0.3, 0.0, r * (1.0 - touching)), v(0.2, 0.0, 0.0);
    const Vec<3> surface(0.0, rate * start[0], 0.0), slip = surface - v;  // = omega x (-r z)
    const BodyId ball = bench.ball(start, r, v, {slip[1] / r, -slip[0] / r, 0.0});
    const double turn = 2.0 * pi / (2.0 / 7.0 * rate);
    const int steps = static_cast<int>(std::round(0.25 * turn / h));
    bench.steps(steps);
    // A quarter of its circle: v has turned by 90 degrees. The explicit contact point makes the speed
    // grow by (1/2)(2/7 Omega h)^2 a step, and turns it late by a step: first order, 2/7 Omega h = 1.4e-4.
    EXPECT_LT((bench.velocity(ball) - Vec<3>(0.0, 0.2, 0.0)).norm(), 0.2 * 2e-3);
    bench.steps(3 * steps);
    EXPECT_LT((bench.position(ball) - start).norm(), 2e-3);  // back where it started
}

TYPED_TEST(Driven, TheWorkOfDrivesClosesTheLedger) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3;
    Settings<Dim> settings = exact_settings<Dim>(h);
    settings.solver = {};
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.4, 0.1});
    const BodyId box = bench.boundary({"box_inside", std::vector<double>(Dim, 4.0)}, Vec<Dim>::Constant(2.0));
    bench.world.drive(box, Dim - 1, sine(0.2, 3.0, 0.0));
    bench.world.drive(box, 0, sine(0.1, 2.0, 1.0));
    Random random(51);
    for (int i = 0; i < (Dim == 3 ? 27 : 9); ++i) {
        Vec<Dim> c;
        for (int k = 0, index = i; k < Dim; ++k, index /= 3) c[k] = 0.8 + 1.2 * (index % 3);
        bench.ball(c, random.uniform(0.4, 0.55), random.vector<Dim>(-1, 1));
    }
    double work = 0.0, scale = 0.0;
    for (int i = 0; i < 2000; ++i) {
        const StepReport report = bench.world.step();
        scale = std::max(scale, report.energy.kinetic + std::abs(report.energy.potential));
        work += std::abs(report.energy.drive_work);
        ASSERT_LT(std::abs(report.energy.residual), 1e-12 * scale);
        ASSERT_LT(report.momentum_residual, 1e-11);
    }
    EXPECT_GT(work, 0.1 * scale);  // the drive does act
}

TYPED_TEST(Driven, AGrainMayBeDrivenAndPushOthers) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3, 0.0), {"coulomb", 0.0, 0.0, 0.0});
    const BodyId pusher = bench.ball(Vec<Dim>::Zero(), 0.5);
    for (int k = 0; k < freedoms<Dim>; ++k) bench.world.fix(pusher, k);
    bench.world.drive(pusher, 0, linear(0.3));
    const BodyId pushed = bench.ball((1.0 - touching) * axis<Dim>(0), 0.5);
    bench.steps(100);
    EXPECT_NEAR(bench.position(pusher)[0], 0.03, 1e-12);
    EXPECT_NEAR(bench.velocity(pushed)[0], 0.3, 1e-12);
}

TYPED_TEST(Driven, AFixedFreedomOfAGrainStaysAndTheOthersMove) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.5, 0.0, 0.0});
    bench.plane(in_xz<Dim>(std::sqrt(0.5), std::sqrt(0.5)), Vec<Dim>::Zero());
    const BodyId bead = bench.ball(0.51 * in_xz<Dim>(std::sqrt(0.5), std::sqrt(0.5)), 0.5, Vec<Dim>::Zero(), spin_at_bottom<Dim>(1.0, 0.5));
    bench.world.fix(bead, 0);  // a bead on a vertical rail falls on a slope and stops there
    const double x = bench.position(bead)[0];
    bench.steps(500);
    EXPECT_EQ(bench.position(bead)[0], x);
    EXPECT_EQ(bench.velocity(bead)[0], 0.0);
    EXPECT_LT(bench.velocity(bead).norm(), 1e-9);
    EXPECT_NEAR(bench.position(bead).dot(in_xz<Dim>(std::sqrt(0.5), std::sqrt(0.5))), 0.5, 1e-3);
    bench.world.release(bead, 0);
    bench.steps(100);
    EXPECT_GT(bench.velocity(bead)[0], 0.1);
}

}  // namespace
}  // namespace talus::test
