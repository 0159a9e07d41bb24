// A heavy top on a ball joint precesses regularly: I3 w3 W - I1 W^2 cos(a) = m g l about the joint.
#include "joint_support.h"

namespace talus::test {
namespace {

/// Error of the angle of precession and largest nutation after 2 s with step h, both [rad].
std::pair<double, double> precess(double h) {
    const double a = 0.5, l = 0.1, rate = 2.0, side = 0.1, height = 0.04, mass = 1.0;
    const double I3 = mass / 6.0 * side * side, I1 = mass / 12.0 * (side * side + height * height) + mass * l * l;
    const double w3 = (mass * g * l / rate + I1 * rate * std::cos(a)) / I3;
    Bench<3> bench(exact_settings<3>(h), no_law_matters);
    auto settings = bench.world.settings();
    settings.solver.tolerance = settings.solver.tolerance_max = 1e-9;
    bench.world.set_settings(settings);
    const Vec<3> e(std::sin(a), 0.0, std::cos(a));
    BodySpec<3> spec;
    spec.shape = {"box", {side, side, height}};
    spec.rotation.q = Eigen::AngleAxisd(a, Vec<3>::UnitY());
    spec.position = l * e;
    spec.mass = mass;
    spec.material = bench.material;
    const Vec<3> spin = rate * Vec<3>::UnitZ() + (w3 - rate * std::cos(a)) * e;
    spec.spin = spin;
    spec.velocity = spin.cross(l * e);
    const BodyId top = bench.world.add_body(spec);
    JointSpec<3> j;
    j.a = top;
    bench.world.add_joint(j);
    double nutation = 0.0, angle = 0.0;
    Vec<3> before = l * e;
    while (bench.world.time() < 2.0 - 0.5 * h) {
        bench.world.step();
        const Vec<3> x = bench.position(top);
        EXPECT_NEAR(x.norm(), l, 1e-13);
        angle += std::atan2(before[0] * x[1] - before[1] * x[0], before[0] * x[0] + before[1] * x[1]);
        nutation = std::max(nutation, std::abs(std::acos(x[2] / l) - a));
        before = x;
    }
    return {std::abs(angle - 2.0 * rate), nutation};
}

TEST(Top, OnABallJointPrecessesRegularly) {
    const auto coarse = precess(2.5e-4), fine = precess(1.25e-4);
    // It turns by 0.038 rad a step. The gyroscopic term acts before the impulses, not with them: first order.
    EXPECT_LT(fine.first, 5e-3);   // of 4 rad
    EXPECT_LT(fine.second, 0.035);
    EXPECT_NEAR(coarse.first / fine.first, 2.0, 0.2);
    EXPECT_NEAR(coarse.second / fine.second, 2.0, 0.2);
}

}  // namespace
}  // namespace talus::test
