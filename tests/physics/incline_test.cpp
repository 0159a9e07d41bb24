// A block and a ball on a slope, and a ball thrown without spin on a floor [validation B2, B3, B4].
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double slope = pi / 6.0;  // 30 degrees
constexpr double r = 0.5, h = 1e-3;

template <int Dim>
struct OnSlope {
    Bench<Dim> bench;
    Vec<Dim> normal, down;
    BodyId ball;

    OnSlope(double mu, bool rotates) : bench(exact_settings<Dim>(h), {"coulomb", mu, 0.0, 0.0}) {
        normal = in_xz<Dim>(std::sin(slope), std::cos(slope));
        down = in_xz<Dim>(std::cos(slope), -std::sin(slope));
        bench.plane(normal, Vec<Dim>::Zero());
        ball = bench.ball(r * (1.0 - touching) * normal, r);
        if (!rotates) bench.lock_rotation(ball);
    }
    double speed() const { return bench.velocity(ball).dot(down); }
    double slip() const { return bench.velocity_at(ball, -r * normal).dot(down); }
};

template <class D>
class Slope : public ::testing::Test {};
TYPED_TEST_SUITE(Slope, BothDimensions);

TYPED_TEST(Slope, ABlockStartsToSlideWhenItsTangentExceedsFriction) {
    constexpr int Dim = TypeParam::value;
    const double critical = std::tan(slope);
    for (const double mu : {0.578, critical * 1.001}) {
        OnSlope<Dim> sticking(mu, false);
        sticking.bench.steps(1000);
        EXPECT_LT(std::abs(sticking.speed()), 1e-9);  // creep; rounding gives less than 1e-12
    }
    for (const double mu : {0.576, critical * 0.999}) {
        OnSlope<Dim> sliding(mu, false);
        sliding.bench.steps(1000);
        const double a = g * (std::sin(slope) - mu * std::cos(slope));
        // The difference of two nearly equal numbers: 1e-9 of its terms, not of itself.
        EXPECT_NEAR(sliding.speed(), a * 1000 * h, 1e-9 * g);
    }
}

TYPED_TEST(Slope, ABlockThatSlidesHasTheAccelerationOfCoulomb) {
    constexpr int Dim = TypeParam::value;
    OnSlope<Dim> sliding(0.5, false);
    sliding.bench.steps(1000);
    const double a = g * (std::sin(slope) - 0.5 * std::cos(slope));
    ASSERT_NEAR(a, 0.65715, 5e-6);  // the number of validation B2
    EXPECT_NEAR(sliding.speed() / (1000 * h), a, 1e-9 * a);
}

TYPED_TEST(Slope, ABallRollsWhenFrictionExceedsItsShareOfTheTangent) {
    constexpr int Dim = TypeParam::value;
    const double critical = std::tan(slope) / tangential_factor<Dim>;
    const double rolling_acceleration = g * std::sin(slope) / (1.0 + solid<Dim>);
    ASSERT_NEAR(critical, Dim == 3 ? 0.16496 : 0.19245, 5e-6);
    ASSERT_NEAR(rolling_acceleration, Dim == 3 ? 3.5036 : 3.27, 5e-5);
    OnSlope<Dim> rolling(1.001 * critical, true);
    rolling.bench.steps(1000);
    EXPECT_NEAR(rolling.speed() / (1000 * h), rolling_acceleration, 1e-6 * rolling_acceleration);
    EXPECT_LT(std::abs(rolling.slip()), 1e-9);
    OnSlope<Dim> sliding(0.999 * critical, true);
    sliding.bench.steps(1000);
    EXPECT_GT(sliding.slip(), 1e-4);
    const double a = g * (std::sin(slope) - 0.999 * critical * std::cos(slope));
    EXPECT_NEAR(sliding.speed() / (1000 * h), a, 1e-6 * a);
}

TYPED_TEST(Slope, ABallThrownWithoutSpinEndsRollingAtAFixedShareOfItsSpeed) {
    constexpr int Dim = TypeParam::value;
    const double mu = 0.2;
    Bench<Dim> bench(exact_settings<Dim>(1e-4), {"coulomb", mu, 0.0, 0.0});
    bench.floor();
    const BodyId ball = bench.ball(in_xz<Dim>(0.0, r * (1.0 - touching)), r, axis<Dim>(0));
    const double share = 1.0 / (1.0 + solid<Dim>);              // 5/7, 2/3
    const double expected_time = (1.0 - share) / (mu * g);
    const double expected_path = (1.0 - share * share) / (2.0 * mu * g);
    if (Dim == 3) {
        ASSERT_NEAR(expected_time, 0.14562, 5e-6);
        ASSERT_NEAR(expected_path, 0.12482, 1e-5);
    } else {
        ASSERT_NEAR(expected_time, 0.16989, 5e-6);
    }
    double rolling_since = 0.0, path = 0.0;
    for (int i = 0; i < 3000; ++i) {
        bench.world.step();
        if (rolling_since == 0.0 && std::abs(bench.velocity_at(ball, -r * up<Dim>())[0]) < 1e-9) {
            rolling_since = bench.world.time();
            path = bench.position(ball)[0];
        }
    }
    EXPECT_NEAR(bench.velocity(ball)[0], share, 1e-9);  // angular momentum about the floor is kept
    EXPECT_NEAR(rolling_since, expected_time, 1.01e-4);  // one step
    EXPECT_NEAR(path, expected_path, 1.01e-4);           // the path of one step
}

}  // namespace
}  // namespace talus::test
