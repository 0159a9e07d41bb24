// Joints at rest: their forces and moments are those of statics.
#include "joint_support.h"

namespace talus::test {
namespace {

template <class D>
class Statics : public ::testing::Test {};
TYPED_TEST_SUITE(Statics, BothDimensions);

template <int Dim>
void hang_a_chain(const std::string& solver) {
    const double h = 1e-3, link = 0.1;
    const int n = 12;
    auto settings = exact_settings<Dim>(h);
    settings.solver.name = solver;
    Bench<Dim> bench(settings, no_law_matters);
    BodyId above = ground;
    for (int k = 0; k < n; ++k) {
        const Vec<Dim> top = -k * link * up<Dim>();
        const BodyId bar = add_bar<Dim>(bench, top, -0.5 * pi, link, 0.1 * (k + 1));
        JointSpec<Dim> j;
        j.kind = JointKind::ball;
        j.a = bar;
        j.b = above;
        j.at = top;
        bench.world.add_joint(j);
        above = bar;
    }
    const StepReport report = bench.steps(20);
    EXPECT_TRUE(report.converged);
    double below = 0.0;
    const auto joints = bench.world.joints();
    for (int k = n - 1; k >= 0; --k) {
        below += 0.1 * (k + 1) * g;
        EXPECT_NEAR(joints[k].impulse[Dim - 1] / h, below, 1e-8 * below);
        EXPECT_LT((joints[k].impulse - joints[k].impulse[Dim - 1] * up<Dim>()).norm() / h, 1e-8 * below);
    }
    EXPECT_LT(report.momentum_residual, 1e-12);
}

TYPED_TEST(Statics, EachJointOfAHangingChainCarriesTheWeightBelow) {
    for (const std::string solver : {"nlgs", "accelerated"}) hang_a_chain<TypeParam::value>(solver);
}

TEST(JointsInACell, ReachAcrossItsEdge) {
    // Two balls on both sides of the edge of the cell, joined over it, fall together.
    auto settings = exact_settings<2>(1e-3);
    settings.periodic = {true, false};
    settings.cell_high = Vec<2>(1.0, 0.0);
    Bench<2> bench(settings, no_law_matters);
    const BodyId a = bench.ball(Vec<2>(0.95, 0.0), 0.04, Vec<2>(1.0, 0.0)), b = bench.ball(Vec<2>(0.05, 0.0), 0.04, Vec<2>(1.0, 0.0));
    JointSpec<2> rod;
    rod.kind = JointKind::rod;
    rod.a = a;
    rod.b = b;
    rod.at = bench.position(a);
    rod.to = bench.position(b);
    bench.world.add_joint(rod);
    EXPECT_NEAR(bench.world.joints()[0].length, 0.1, 1e-12);
    for (int k = 0; k < 300; ++k) ASSERT_LT(std::abs(bench.world.step().energy.residual), 1e-12);
    EXPECT_NEAR(bench.velocity(a)[0], 1.0, 1e-12);
    EXPECT_NEAR(bench.position(a)[0], 0.25, 1e-12);
    EXPECT_NEAR(bench.position(b)[0], 0.35, 1e-12);
    EXPECT_LT(bench.world.joints()[0].position_error, 1e-14);
}

TYPED_TEST(Statics, ACantileverOfFixedJointsCarriesForceAndMoment) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3, link = 0.2;
    const int n = 5;
    Bench<Dim> bench(exact_settings<Dim>(h), no_law_matters);
    BodyId before = ground;
    for (int k = 0; k < n; ++k) {
        const Vec<Dim> left = k * link * axis<Dim>(0);
        const BodyId bar = add_bar<Dim>(bench, left, 0.0, link, 1.0);
        JointSpec<Dim> j;
        j.kind = JointKind::fixed;
        j.a = bar;
        j.b = before;
        j.at = left;
        bench.world.add_joint(j);
        before = bar;
    }
    bench.steps(50);
    const auto joints = bench.world.joints();
    for (int k = 0; k < n; ++k) {
        const double bars = n - k, force = bars * g, moment = bars * g * 0.5 * bars * link;
        EXPECT_NEAR(joints[k].impulse[Dim - 1] / h, force, 1e-8 * force);
        // The moment that holds a bar up turns +x into +up: about +z in the plane, about -y in space.
        const double held = Dim == 2 ? joints[k].moment[0] : -joints[k].moment[spin_size<Dim> - 2];
        EXPECT_NEAR(held / h, moment, 1e-7 * moment);
    }
    for (std::size_t i = 0; i < bench.world.size(); ++i) EXPECT_LT(bench.world.velocities()[i].norm(), 1e-9);
}

TYPED_TEST(Statics, TwoRodsOfATrussAreTwoForceMembers) {
    constexpr int Dim = TypeParam::value;
    // A ball held by rods to the left and right at 30 and 60 degrees from the horizontal.
    const double h = 1e-3, left = pi / 6.0, right = pi / 3.0;
    Bench<Dim> bench(exact_settings<Dim>(h), no_law_matters);
    const BodyId ball = bench.ball(Vec<Dim>::Zero(), 0.1);
    for (int k = 0; k < freedoms<Dim>; ++k)
        if (k >= Dim || (Dim == 3 && k == 1)) bench.world.fix(ball, k);  // stays in the plane of the truss
    for (const double angle : {pi - left, right}) {
        JointSpec<Dim> rod;
        rod.kind = JointKind::rod;
        rod.a = ball;
        rod.to = in_xz<Dim>(std::cos(angle), std::sin(angle));
        bench.world.add_joint(rod);
    }
    bench.steps(20);
    const auto joints = bench.world.joints();
    const double weight = bench.mass(ball) * g, sum = std::sin(left + right);
    EXPECT_NEAR(joints[0].impulse.norm() / h, weight * std::cos(right) / sum, 1e-8 * weight);
    EXPECT_NEAR(joints[1].impulse.norm() / h, weight * std::cos(left) / sum, 1e-8 * weight);
    for (const auto& j : joints) {
        const Vec<Dim> along = (j.point_b - j.point_a).normalized();
        EXPECT_NEAR(j.impulse.normalized().dot(along), 1.0, 1e-12);  // tension, along the rod
    }
}

TEST(Door, OnAVerticalHingeStandsStillAndLoadsItWithItsWeightAndMoment) {
    const double h = 1e-3, width = 0.9, height = 2.0, mass = 20.0;
    Bench<3> bench(exact_settings<3>(h), no_law_matters);
    BodySpec<3> spec;
    spec.shape = {"box", {width, 0.04, height}};
    spec.position = Vec<3>(0.5 * width, 0.0, 0.5 * height);
    spec.mass = mass;
    spec.material = bench.material;
    const BodyId door = bench.world.add_body(spec);
    JointSpec<3> hinge;
    hinge.kind = JointKind::hinge;
    hinge.a = door;
    hinge.at = Vec<3>(0.0, 0.0, 0.5 * height);
    hinge.axis = Vec<3>::UnitZ();
    bench.world.add_joint(hinge);
    bench.steps(20);
    Joint<3> j = bench.world.joints()[0];
    EXPECT_LT((j.impulse / h - Vec<3>(0, 0, mass * g)).norm(), 1e-8 * mass * g);
    EXPECT_LT((j.moment / h - Vec<3>(0, -mass * g * 0.5 * width, 0)).norm(), 1e-8 * mass * g);
    // Pushed, it turns about the hinge and nothing else: its spin stays, the force turns with it.
    bench.world.set_velocity(door, Vec<3>(0.0, 0.5 * width, 0.0), Vec<3>::UnitZ());
    bench.steps(1000);
    j = bench.world.joints()[0];
    EXPECT_NEAR(bench.spin(door)[2], 1.0, 1e-5);
    EXPECT_LT(bench.spin(door).head<2>().norm(), 1e-9);
    EXPECT_NEAR(j.impulse.head<2>().norm() / h, mass * 0.5 * width, 1e-5 * mass);  // the centripetal force
    EXPECT_NEAR(bench.position(door)[2], 0.5 * height, 1e-12);
    EXPECT_LT(j.position_error, 1e-13);
}

TEST(Door, OnATiltedHingeSwingsAsAPendulumInTheTiltedPlane) {
    // The hinge leans by `tilt`: gravity across it is g sin(tilt). Small swings: T = 2 pi sqrt(I_O/(m g sin(tilt) W/2)).
    const double h = 1e-3, width = 1.0, tilt = 0.3, start = 0.05;
    Bench<3> bench(exact_settings<3>(h), no_law_matters);
    auto settings = bench.world.settings();
    settings.gravity = g * Vec<3>(std::sin(tilt), 0.0, -std::cos(tilt));
    bench.world.set_settings(settings);
    BodySpec<3> spec;
    spec.shape = {"box", {width, 0.02, 1.0}};
    spec.position = 0.5 * width * Vec<3>(std::cos(start), std::sin(start), 0.0);
    spec.rotation.q = Eigen::AngleAxisd(start, Vec<3>::UnitZ());
    spec.mass = 1.0;
    spec.material = bench.material;
    const BodyId door = bench.world.add_body(spec);
    JointSpec<3> hinge;
    hinge.kind = JointKind::hinge;
    hinge.a = door;
    hinge.axis = Vec<3>::UnitZ();
    bench.world.add_joint(hinge);
    const double inertia = (width * width + 0.02 * 0.02) / 12.0 + 0.25 * width * width;
    const double T = 4.0 * std::comp_ellint_1(std::sin(0.5 * start)) * std::sqrt(inertia / (g * std::sin(tilt) * 0.5 * width));
    const int quarter = static_cast<int>(0.25 * T / h);
    bench.steps(quarter);
    // Within a step of the vertical, where it passes with sqrt(2 m g_t (W/2) (1 - cos start)/I_O).
    const double rate = std::sqrt(2.0 * g * std::sin(tilt) * 0.5 * width * (1.0 - std::cos(start)) / inertia);
    EXPECT_NEAR(bench.spin(door)[2], -rate, 1e-4 * rate);
    EXPECT_LT(std::abs(bench.position(door)[1]), 0.5 * width * rate * h);
}

}  // namespace
}  // namespace talus::test
