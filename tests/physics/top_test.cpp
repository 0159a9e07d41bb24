// Free rotation in space [validation B18]: energy and angular momentum stay, a symmetric top precesses at
// the rate of theory, an asymmetric one flips about its middle axis, and large spins do no harm.
#include <Eigen/Geometry>

#include "masonry.h"

namespace talus::test {
namespace {

struct Top {
    Bench<3> bench;
    BodyId id;
    Top(const Vec<3>& sides, const Vec<3>& spin, double h) : bench(exact_settings<3>(h, 0.0), {"coulomb", 0.5, 0.0, 0.0}) {
        id = add_block<3>(bench, {"box", {sides[0], sides[1], sides[2]}}, Vec<3>::Zero());
        bench.world.set_velocity(id, Vec<3>::Zero(), spin);
    }
    Mat<3> axes() const { return bench.world.rotations()[0].q.toRotationMatrix(); }
    Vec<3> inertia() const { return bench.world.inertias()[0]; }
    Vec<3> body_spin() const { return axes().transpose() * bench.spin(id); }
    Vec<3> momentum() const { return axes() * inertia().cwiseProduct(body_spin()); }
    double energy() const { return 0.5 * body_spin().dot(inertia().cwiseProduct(body_spin())); }
};

TEST(Top, KeepsEnergyAndTheSizeOfItsMomentum) {
    for (const Vec<3>& spin : {Vec<3>(1.0, 0.2, 0.1), Vec<3>(0.3, 1.0, 0.2), Vec<3>(0.5, 0.5, 0.7)}) {
        const double h = 0.01 / spin.norm();
        Top top({1.0, 2.0, 3.0}, spin, h);
        const double energy = top.energy(), momentum = top.momentum().norm();
        const Vec<3> direction = top.momentum() / momentum;
        const int steps = static_cast<int>(100.0 * 2.0 * pi / 0.01);
        double drift = 0.0;
        for (int i = 0; i < steps; ++i) {
            const StepReport report = top.bench.world.step();
            ASSERT_LT(std::abs(report.energy.residual), 1e-12 * energy);
            if (i % 100 == 0) drift = std::max(drift, (top.momentum() / momentum - direction).norm());
        }
        EXPECT_NEAR(top.energy(), energy, 1e-10 * energy);
        EXPECT_NEAR(top.momentum().norm(), momentum, 1e-10 * momentum);
        EXPECT_LT(drift, 1e-3);  // its direction follows to the order of the scheme
    }
}

TEST(Top, PrecessesAtTheRateOfTheory) {
    // I1 = I2: the transverse spin turns in body axes at (I3 - I1) w3 / I1.
    Top top({1.0, 1.0, 2.0}, {0.1, 0.0, 1.0}, 0.01);
    const Vec<3> I = top.inertia();
    const double rate = (I[2] - I[0]) / I[0] * 1.0;
    const int steps = 20000;
    top.bench.steps(steps);
    const Vec<3> w = top.body_spin();
    EXPECT_NEAR(w[2], 1.0, 1e-10);
    EXPECT_NEAR(std::hypot(w[0], w[1]), 0.1, 1e-10);
    const double angle = rate * steps * 0.01;
    // Second order in w h = 0.01: a relative error of the angle of a few 1e-6.
    const double turned = std::atan2(w[1], w[0]);
    EXPECT_LT(std::abs(std::remainder(turned - angle, 2.0 * pi)), 1e-4 * std::abs(angle));
}

TEST(Top, FlipsAboutItsMiddleAxis) {
    // The middle moment of inertia of a 1 x 2 x 3 box is that about y.
    Top top({1.0, 2.0, 3.0}, {1e-3, 1.0, 0.0}, 0.01);
    double least = 1.0, greatest = -1.0;
    for (int i = 0; i < 20000; ++i) {
        top.bench.world.step();
        least = std::min(least, top.body_spin()[1]);
        greatest = std::max(greatest, top.body_spin()[1]);
    }
    EXPECT_LT(least, -0.99);
    EXPECT_GT(greatest, 0.99);
    for (const int axis : {0, 2}) {  // the other two are stable
        Top steady({1.0, 2.0, 3.0}, Vec<3>::Unit(axis) + 1e-3 * Vec<3>::UnitY(), 0.01);
        for (int i = 0; i < 20000; ++i) {
            steady.bench.world.step();
            ASSERT_GT(steady.body_spin()[axis], 0.99);
        }
    }
}

TEST(Top, IsStableAtLargeSpins) {
    for (const double turn : {0.5, 3.0, 40.0}) {  // radians a step
        Top top({1.0, 2.0, 3.0}, Vec<3>(0.6, 0.64, 0.48) * turn / 0.01, 0.01);
        const double energy = top.energy(), momentum = top.momentum().norm();
        top.bench.steps(1000);
        EXPECT_NEAR(top.energy(), energy, 1e-9 * energy) << turn;
        EXPECT_NEAR(top.momentum().norm(), momentum, 1e-9 * momentum) << turn;
    }
}

}  // namespace
}  // namespace talus::test
