// A block on a slope, the rocking block and its impacts [validation B2, B8, B9].
#include "masonry.h"

namespace talus::test {
namespace {

template <int Dim>
ShapeSpec cube(double side) { return {"box", std::vector<double>(Dim, side)}; }

/// A block at rest on a slope of 30 degrees, told by tilting gravity.
template <int Dim>
struct SlopedBlock {
    Bench<Dim> bench;
    BodyId block;
    explicit SlopedBlock(double mu) : bench(settings(), {"coulomb", mu, 0.0, 0.0}) {
        bench.floor();
        block = add_block<Dim>(bench, cube<Dim>(1.0), 0.5 * (1.0 - touching) * up<Dim>());
    }
    static Settings<Dim> settings() {
        auto s = exact_settings<Dim>(1e-3);
        s.gravity = g * in_xz<Dim>(std::sin(pi / 6.0), -std::cos(pi / 6.0));
        return s;
    }
};

template <class D>
class Block : public ::testing::Test {};
TYPED_TEST_SUITE(Block, BothDimensions);

TYPED_TEST(Block, SticksOnASlopeUpToItsFrictionAngle) {
    constexpr int Dim = TypeParam::value;
    for (const double mu : {0.578, std::tan(pi / 6.0) * 1.001}) {
        SlopedBlock<Dim> s(mu);
        s.bench.steps(1000);
        EXPECT_LT(s.bench.velocity(s.block).norm(), 1e-9);
        EXPECT_LT(s.bench.spin(s.block).norm(), 1e-9);
    }
    for (const double mu : {0.576, std::tan(pi / 6.0) * 0.999}) {
        SlopedBlock<Dim> s(mu);
        s.bench.steps(1000);
        EXPECT_NEAR(s.bench.velocity(s.block)[0], g * (std::sin(pi / 6.0) - mu * std::cos(pi / 6.0)), 1e-9 * g);
    }
}

TYPED_TEST(Block, SlidesWithTheAccelerationOfCoulomb) {
    constexpr int Dim = TypeParam::value;
    SlopedBlock<Dim> s(0.5);
    s.bench.steps(1000);
    const double a = g * (std::sin(pi / 6.0) - 0.5 * std::cos(pi / 6.0));
    EXPECT_NEAR(s.bench.velocity(s.block)[0], a, 1e-9 * a);
    EXPECT_LT(s.bench.spin(s.block).norm(), 1e-9);
    EXPECT_EQ(s.bench.world.contacts().size(), Dim == 2 ? 2u : 4u);
}

// --- B8: a block that turns about one lower corner meets the floor with the other ----------------------------------

/// Ratio of the spins after and before, both corners in contact. Half width 1/lambda, half height 1.
double impact_ratio(double lambda, double mu, double rho) {
    auto settings = exact_settings<2>(1e-12, 0.0);
    settings.touch = 1e-9;
    Bench<2> bench(settings, {"coulomb", mu, rho, 0.0});
    bench.floor();
    const double b = 1.0 / lambda;
    const BodyId block = add_block<2>(bench, rectangle(2.0 * b, 2.0), {0.0, 1.0});
    // Turning about the right corner, so that the left one comes down.
    const double w = 1.0;
    bench.world.set_velocity(block, {-w * 1.0, -w * b}, Spin<2>(w));
    bench.world.step();
    EXPECT_EQ(bench.world.contacts().size(), 2u);
    return bench.spin(block)[0] / w;
}

TEST(RockingImpact, KeepsTheSpinOfHousner) {
    for (const double lambda : {1.0, 2.0, 4.0, 7.0})
        for (const double rho : {0.0, 0.5}) {
            const double expected = 1.0 - 1.5 * (1.0 + rho) / (1.0 + lambda * lambda);
            // Friction that is needed for sticking without restitution, and then some.
            const double mu = 3.0 * lambda / (4.0 * lambda * lambda + 1.0) * (1.0 + rho) * 2.0 + 0.1;
            EXPECT_NEAR(impact_ratio(lambda, mu, rho), expected, 1e-10) << lambda << " " << rho;
        }
    EXPECT_NEAR(impact_ratio(2.0, 0.36, 0.0), 0.7, 1e-10);
    EXPECT_GT(std::abs(impact_ratio(2.0, 0.34, 0.0) - 0.7), 1e-3);  // below 0.353 it slips
}

TEST(RockingImpact, StopsDeadWhenFlat) {
    for (const double lambda : {0.3, 0.5, 0.7}) EXPECT_NEAR(impact_ratio(lambda, 2.0, 0.0), 0.0, 1e-10) << lambda;
}

TEST(RockingImpact, WithoutFriction) {
    for (const double lambda : {2.0, 4.0}) {
        const double l2 = lambda * lambda;
        EXPECT_NEAR(impact_ratio(lambda, 0.0, 0.0), (l2 - 2.0) / (l2 + 4.0), 1e-10) << lambda;
    }
    for (const double lambda : {0.5, 1.0, 1.4}) EXPECT_NEAR(impact_ratio(lambda, 0.0, 0.0), 0.0, 1e-10) << lambda;
}

// --- B9: free rocking and overturning ------------------------------------------------------------------------------

struct Rocker {
    Bench<2> bench;
    double b, h, alpha, R, p;
    BodyId block;
    Rocker(double b_, double h_, double tilt, const Settings<2>& s, double mu = 2.0)
        : bench(s, {"coulomb", mu, 0.0, 0.0}), b(b_), h(h_), alpha(std::atan2(b_, h_)), R(std::hypot(b_, h_)),
          p(std::sqrt(0.75 * g / R)) {
        bench.floor();
        // Tilted clockwise about the lower right corner, which stays at (b, 0).
        const Vec<2> centre = Vec<2>(b, 0.0) + R * Vec<2>(-std::sin(alpha - tilt), std::cos(alpha - tilt));
        block = add_block<2>(bench, rectangle(2.0 * b, 2.0 * h), centre - Vec<2>(0.0, 1e-9), false, {-tilt});
    }
};

Settings<2> rocking_settings(double step) {
    auto s = exact_settings<2>(step);
    s.solver.tolerance = 1e-10;
    s.solver.tolerance_max = 0.0;
    return s;
}

TEST(RockingBlock, HasThePeriodOfHousner) {
    Rocker r(0.25, 1.0, 0.5 * std::atan2(0.25, 1.0), rocking_settings(1e-4));
    const double period = 4.0 / r.p * std::acosh(2.0);
    ASSERT_NEAR(period, 1.972, 1e-3);
    double before = 0.0, impact = 0.0, ratio = 0.0;
    for (int i = 0; i < 20000 && ratio == 0.0; ++i) {
        before = r.bench.spin(r.block)[0];
        r.bench.world.step();
        // Both corners in contact: the impact. The spin after it is read a step later.
        if (impact == 0.0 && r.bench.world.contacts().size() == 2) {
            impact = r.bench.world.time();
            ratio = r.bench.spin(r.block)[0] / before;
        }
    }
    EXPECT_NEAR(4.0 * impact, period, 0.03 * period);
    EXPECT_NEAR(ratio * ratio, 0.8313, 0.01 * 0.8313);
}

/// A constant horizontal acceleration of the ground, told by tilting gravity.
bool tips(double acceleration, double mu) {
    auto s = rocking_settings(1e-3);
    s.gravity = {acceleration, -g};
    s.touch = 1e-6;
    Rocker r(0.25, 1.0, 0.0, s, mu);
    r.bench.steps(3000);
    return std::abs(r.bench.world.rotations()[r.bench.world.index_of(r.block)].angle) > 0.5;
}
bool slides(double acceleration, double mu) {
    auto s = rocking_settings(1e-3);
    s.gravity = {acceleration, -g};
    s.touch = 1e-6;
    Rocker r(0.25, 1.0, 0.0, s, mu);
    r.bench.steps(1000);
    return r.bench.position(r.block)[0] > 1e-3;
}

TEST(RockingBlock, TipsWhenTheResultantLeavesItsBase) {
    EXPECT_FALSE(tips(0.245 * g, 1.0));
    EXPECT_TRUE(tips(0.255 * g, 1.0));
}

TEST(RockingBlock, SlidesWhenFrictionIsExceeded) {
    EXPECT_FALSE(slides(0.098 * g, 0.1));
    EXPECT_TRUE(slides(0.102 * g, 0.1));
}

/// Half a sine of ground acceleration, then nothing; the ground is a driven plane.
bool overturns(double amplitude, double omega) {
    Rocker r(0.1, 1.0, 0.0, rocking_settings(5e-4), 3.0);
    const BodyId floor = 0;
    // Displacement of the ground: a = A sin(wt) up to t = pi/w, then constant speed 2A/w.
    const double A = amplitude, w = omega, t1 = pi / w;
    std::vector<double> times, places;
    for (int k = 0; k <= 4000; ++k) {
        const double t = 4.0 * k / 4000.0;
        times.push_back(t);
        places.push_back(t <= t1 ? A / w * t - A / (w * w) * std::sin(w * t)
                                 : A / w * t1 + 2.0 * A / w * (t - t1));
    }
    r.bench.world.drive(floor, 0, table(times, places));
    for (int i = 0; i < 7000; ++i) {
        r.bench.world.step();
        if (std::abs(r.bench.world.rotations()[r.bench.world.index_of(r.block)].angle) > 1.0) return true;
    }
    return false;
}

/// Least amplitude of a half sine that overturns a slender block, over g alpha; k = omega / p. The unstable
/// part of the tilt, y = theta - alpha + theta'/p, obeys y' = p (y + a/g); it starts at -alpha when the block
/// lifts off (a = g alpha) and must be 0 when the pulse ends: r exp(-(pi - asin(1/r))/k) + sqrt(r^2 - 1) = k.
/// Housner's sqrt(1 + k^2) leaves the exponential out, which is right for slow pulses (small k) only.
double critical_half_sine(double k) {
    double low = 1.0, high = std::sqrt(1.0 + k * k);
    for (int i = 0; i < 100; ++i) {
        const double r = 0.5 * (low + high);
        (r * std::exp(-(pi - std::asin(1.0 / r)) / k) + std::sqrt(r * r - 1.0) < k ? low : high) = r;
    }
    return low;
}

TEST(RockingBlock, OverturnsUnderAHalfSineAsTheorySays) {
    ASSERT_NEAR(critical_half_sine(0.5), std::sqrt(1.25), 0.01 * std::sqrt(1.25));  // Housner
    const double R = std::hypot(0.1, 1.0), p = std::sqrt(0.75 * g / R), alpha = std::atan2(0.1, 1.0);
    for (const double ratio : {0.5, 1.0, 3.0}) {
        const double omega = ratio * p, critical = g * alpha * critical_half_sine(ratio);
        EXPECT_FALSE(overturns(0.95 * critical, omega)) << ratio;
        EXPECT_TRUE(overturns(1.05 * critical, omega)) << ratio;
    }
}

}  // namespace
}  // namespace talus::test
