// The sweeping process [moreau2003, sec. 2; validation B19].
#include <gtest/gtest.h>

#include <cmath>

#include "math/nonnegative.h"
#include "physics/testbed.h"
#include "talus/sweeping.h"

namespace talus::test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

/// A disc of radius 1 whose centre moves along x at speed 1.
Inequality moved_disc() {
    return {[](double t, const VectorXd& q) { return (q - Vector2d(t, 0.0)).squaredNorm() - 1.0; },
            [](double t, const VectorXd& q) -> VectorXd { return 2.0 * (q - Vector2d(t, 0.0)); },
            [](double t, const VectorXd& q) { return -2.0 * (q[0] - t); }};
}

/// y after the disc has moved by 2, from the point that its rear reaches last: tan(theta/2) = e^-s.
double swept_height(double h, bool by_projection, SweepScheme scheme = SweepScheme::catching_up) {
    const auto nearest = [](double t, const VectorXd& q) -> VectorXd {
        const Vector2d c(t, 0.0);
        const double r = (q - c).norm();
        return r <= 1.0 ? q : VectorXd(c + (q - c) / r);
    };
    MovingSet set = by_projection ? MovingSet(nearest) : MovingSet(std::vector<Inequality>{moved_disc()});
    SweepingProcess process(set, 0.0, Vector2d(0.0, 1.0), scheme);
    const int n = static_cast<int>(std::lround(2.0 / h));
    for (int k = 0; k < n; ++k) {
        const SweepReport r = process.step(h);
        EXPECT_TRUE(r.converged);
        if (scheme == SweepScheme::catching_up) {
            EXPECT_LT(r.violation, 1e-12);
        }
    }
    return process.position()[1];
}

TEST(Sweeping, AMovedDiscCarriesThePointAlongTheTractrix) {
    const double exact = 1.0 / std::cosh(2.0);
    ASSERT_NEAR(exact, 0.26580, 1e-5);
    const double coarse = swept_height(1e-2, true) - exact, fine = swept_height(1e-3, true) - exact;
    EXPECT_NEAR(std::abs(coarse), 0.0017, 1e-4);
    EXPECT_NEAR(std::abs(fine), 0.00017, 1e-5);
    EXPECT_NEAR(std::log10(coarse / fine), 1.0, 0.1);  // first order
}

TEST(Sweeping, InequalitiesGiveThePathOfTheProjection) {
    EXPECT_NEAR(swept_height(1e-2, false), swept_height(1e-2, true), 1e-10);
}

TEST(Sweeping, TheExplicitSchemeIsOfFirstOrderToo) {
    const double exact = 1.0 / std::cosh(2.0);
    const double coarse = swept_height(1e-2, false, SweepScheme::explicit_velocity) - exact;
    const double fine = swept_height(1e-3, false, SweepScheme::explicit_velocity) - exact;
    EXPECT_LT(std::abs(coarse), 0.01);
    EXPECT_NEAR(std::log10(std::abs(coarse / fine)), 1.0, 0.1);
}

TEST(Sweeping, OfAnIntervalIsThePlayOperator) {
    // C(t) = [a(t) - 1, a(t) + 1]: q lags by the half-width, with hysteresis, whatever the pace.
    const auto a = [](double t) { return 3.0 * std::sin(t); };
    std::vector<Inequality> ends(2);
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? 1.0 : -1.0;
        ends[k] = {[=](double t, const VectorXd& q) { return s * (q[0] - a(t)) - 1.0; },
                   [=](double, const VectorXd&) -> VectorXd { return VectorXd::Constant(1, s); },
                   [=](double t, const VectorXd&) { return -s * 3.0 * std::cos(t); }};
    }
    SweepingProcess process(MovingSet(ends), 0.0, VectorXd::Zero(1));
    const double h = 1e-3;
    double q = 0.0;
    for (int k = 1; k <= 10000; ++k) {
        const SweepReport r = process.step(h);
        q = std::max(a(process.time()) - 1.0, std::min(a(process.time()) + 1.0, q));  // the play operator itself
        ASSERT_NEAR(process.position()[0], q, 1e-12);
        ASSERT_LE(r.active.size(), 1u);
    }
    // 0 to 2, to -2, to 2, and so on: the way swept until t = 10 is 2 + 4 + 4 and the last part.
    EXPECT_NEAR(process.swept(), 2.0 + 4.0 + 4.0 + (2.0 - q), 1e-3);
}

TEST(Sweeping, OfAConvexSetNeverTakesTwoPointsApart) {
    // A triangle that moves and turns.
    std::vector<Inequality> sides(3);
    for (int k = 0; k < 3; ++k) {
        const auto normal = [k](double t) { return Vector2d(std::cos(0.7 * t + 2.0 * k * pi / 3.0), std::sin(0.7 * t + 2.0 * k * pi / 3.0)); };
        const auto centre = [](double t) { return Vector2d(std::sin(1.3 * t), 0.5 * t); };
        sides[k].value = [=](double t, const VectorXd& q) { return normal(t).dot(q - centre(t)) - 0.5; };
        sides[k].gradient = [=](double t, const VectorXd&) -> VectorXd { return normal(t); };
    }
    Random random(5);
    for (int pair = 0; pair < 20; ++pair) {
        SweepingProcess a(MovingSet(sides), 0.0, random.vector<2>(-0.2, 0.2)), b(MovingSet(sides), 0.0, random.vector<2>(-0.2, 0.2));
        double apart = (a.position() - b.position()).norm();
        for (int k = 0; k < 500; ++k) {
            ASSERT_LT(a.step(0.01).violation, 1e-12);
            b.step(0.01);
            const double now = (a.position() - b.position()).norm();
            ASSERT_LE(now, apart + 1e-13);
            apart = now;
        }
    }
}

TEST(Sweeping, InACornerTwoInequalitiesPush) {
    // A quadrant whose corner moves along the diagonal takes the point with it.
    std::vector<Inequality> sides(2);
    for (int k = 0; k < 2; ++k)
        sides[k] = {[k](double t, const VectorXd& q) { return t - q[k]; },
                    [k](double, const VectorXd&) -> VectorXd { return -Vector2d::Unit(k); }, [](double, const VectorXd&) { return 1.0; }};
    for (const auto scheme : {SweepScheme::catching_up, SweepScheme::explicit_velocity}) {
        SweepingProcess process(MovingSet(sides), 0.0, Vector2d(0.0, 0.0), scheme);
        SweepReport r;
        for (int k = 0; k < 100; ++k) r = process.step(0.01);
        EXPECT_EQ(r.active, (std::vector<int>{0, 1}));
        EXPECT_LT((process.position() - Vector2d(1.0, 1.0)).norm(), 1e-12);
        EXPECT_NEAR(process.swept(), std::sqrt(2.0), 1e-12);
    }
}

/// Outside a ball of radius 1 whose top is at t = 0: t is the depth, and the point a trickle on a dome.
Inequality dome() {
    return {[](double t, const VectorXd& q) { return 1.0 - (t - 1.0) * (t - 1.0) - q.squaredNorm(); },
            [](double, const VectorXd& q) -> VectorXd { return -2.0 * q; },
            [](double t, const VectorXd&) { return -2.0 * (t - 1.0); }};
}

TEST(Sweeping, ATrickleLeavesTheDomeAtItsEquator) {
    for (const double h : {1e-2, 1e-3}) {
        SweepingProcess trickle(MovingSet(std::vector<Inequality>{dome()}), -0.5, Vector2d(0.03, 0.04));
        int detached = 0;
        double at_equator = 0.0;
        while (trickle.time() < 3.0 - 0.5 * h) {
            const double before = trickle.time();
            const SweepReport r = trickle.step(h);
            ASSERT_TRUE(r.converged);
            const Vector2d q = trickle.position();
            EXPECT_NEAR(q[1] / q[0], 4.0 / 3.0, 1e-9);  // down a meridian
            if (before < 1.0 && trickle.time() >= 1.0 - 1e-9) at_equator = q.norm();
            if (before > 1.0 + 1e-9) {
                EXPECT_EQ(r.moved, 0.0);  // falls freely below
                ++detached;
            }
        }
        EXPECT_NEAR(at_equator, 1.0, 1e-12);
        EXPECT_NEAR(trickle.position().norm(), 1.0, 1e-12);
        EXPECT_GT(detached, 100);
    }
}

TEST(Sweeping, SaysWhenTheSetIsEmpty) {
    std::vector<Inequality> sides(2);
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? 1.0 : -1.0;
        sides[k] = {[s](double, const VectorXd& q) { return s * q[0] + 1.0; },
                    [s](double, const VectorXd&) -> VectorXd { return VectorXd::Constant(1, s); }, {}};
    }
    SweepingProcess process(MovingSet(sides), 0.0, VectorXd::Zero(1));
    EXPECT_FALSE(process.step(0.1).converged);
    EXPECT_THROW(MovingSet(sides).velocity(0.0, VectorXd::Zero(1)), InputError);  // no rates
}

TEST(Nonnegative, MeetsTheConditionsOfComplementarity) {
    Random random(9);
    for (int trial = 0; trial < 500; ++trial) {
        const int n = 1 + random.below(8), rank = 1 + random.below(n);
        MatrixXd root(n, rank);
        for (double& x : root.reshaped()) x = random.uniform(-1.0, 1.0);
        VectorXd inside(rank), c(n);
        for (double& x : inside) x = random.uniform(-1.0, 1.0);
        c = root * inside + VectorXd::Constant(n, random.uniform(0.0, 0.2));  // bounded below
        bool converged = false;
        const MatrixXd M = root * root.transpose();
        const VectorXd x = minimise_nonnegative(M, c, converged);
        ASSERT_TRUE(converged);
        const VectorXd slope = M * x + c;
        EXPECT_GE(x.minCoeff(), 0.0);
        EXPECT_GE(slope.minCoeff(), -1e-11);
        EXPECT_LT(std::abs(x.dot(slope)), 1e-10 * (1.0 + x.norm()));
    }
}

}  // namespace
}  // namespace talus::test
