// A ball that bounces infinitely often in finite time [validation B1].
// Dropped from H with restitution e it rests after T = sqrt(2H/g) (1+e)/(1-e), and its k-th apex is at
// e^(2k) H. A time-stepping scheme passes the accumulation point without seeing it.
#include "testbed.h"

namespace talus::test {
namespace {

struct Bounces {
    double rest_time = 0.0;            // last time the speed exceeds 2 g h
    std::vector<double> apexes;        // height of the lowest point of the ball
    double worst_overlap = 0.0;        // over the distance the fastest impact covers in a step
};

template <int Dim>
Bounces drop(double e, double h) {
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.3, e, 0.0});
    const double r = 0.05, fastest = std::sqrt(2.0 * g);
    bench.floor();
    const BodyId ball = bench.ball(in_xz<Dim>(0.0, 1.0 + r), r);
    const double end = 1.2 * std::sqrt(2.0 / g) * (1.0 + e) / (1.0 - e);
    Bounces out;
    double before = 0.0;
    while (bench.world.time() < end) {
        const StepReport report = bench.world.step();
        const double v = bench.velocity(ball)[Dim - 1];
        if (std::abs(v) > 2.0 * g * h) out.rest_time = bench.world.time();
        if (before > 0.0 && v <= 0.0 && out.apexes.size() < 3)
            out.apexes.push_back(bench.position(ball)[Dim - 1] - r);
        before = v;
        out.worst_overlap = std::max(out.worst_overlap, report.max_overlap * 2.0 * r / (fastest * h));
    }
    return out;
}

template <class D>
class BouncingBall : public ::testing::Test {};
TYPED_TEST_SUITE(BouncingBall, BothDimensions);

TYPED_TEST(BouncingBall, RestsAfterTheTimeOfZeno) {
    constexpr int Dim = TypeParam::value;
    for (const double e : {0.5, 0.8, 0.9}) {
        const double expected = std::sqrt(2.0 / g) * (1.0 + e) / (1.0 - e);
        // An impact is seen up to one step late, and bounces shorter than a step are summed: the
        // relative error is first order in h (tolerances of validation B1).
        EXPECT_NEAR(drop<Dim>(e, 1e-3).rest_time, expected, 0.015 * expected) << "e = " << e;
    }
    const double expected = std::sqrt(2.0 / g) * 1.8 / 0.2;
    EXPECT_NEAR(drop<Dim>(0.8, 1e-4).rest_time, expected, 0.002 * expected);
}

TYPED_TEST(BouncingBall, ApexesFallByTheSquareOfRestitution) {
    constexpr int Dim = TypeParam::value;
    for (const double e : {0.5, 0.8, 0.9}) {
        const Bounces b = drop<Dim>(e, 1e-4);
        ASSERT_EQ(b.apexes.size(), 3u);
        for (int k = 1; k <= 3; ++k)
            EXPECT_NEAR(b.apexes[k - 1], std::pow(e, 2 * k), 0.005 * std::pow(e, 2 * k)) << "e = " << e << ", k = " << k;
    }
}

TYPED_TEST(BouncingBall, SinksNoDeeperThanOneStepOfTheImpact) {
    constexpr int Dim = TypeParam::value;
    for (const double e : {0.0, 0.8}) EXPECT_LE(drop<Dim>(e, 1e-3).worst_overlap, 1.0) << "e = " << e;
}

}  // namespace
}  // namespace talus::test
