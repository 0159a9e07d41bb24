// Mechanisms: sliders, linkages driven by a crank, and joints together with contacts.
#include "joint_support.h"

namespace talus::test {
namespace {

template <class D>
class Slider : public ::testing::Test {};
TYPED_TEST_SUITE(Slider, BothDimensions);

TYPED_TEST(Slider, OnAnInclineAcceleratesWithTheSlopeAndDoesNotTurn) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3, slope = 0.4;
    Bench<Dim> bench(exact_settings<Dim>(h), no_law_matters);
    const BodyId bar = add_bar<Dim>(bench, Vec<Dim>::Zero(), 0.3, 1.0);
    const Vec<Dim> x0 = bench.position(bar);
    JointSpec<Dim> j;
    j.kind = JointKind::slider;
    j.a = bar;
    j.at = Vec<Dim>::Zero();  // off the centre of mass: the slider carries a moment
    j.axis = in_xz<Dim>(std::cos(slope), -std::sin(slope));
    bench.world.add_joint(j);
    const int n = 500;
    bench.steps(n);
    const double t = n * h, a = g * std::sin(slope);
    EXPECT_LT((bench.position(bar) - x0 - 0.5 * a * t * t * j.axis).norm(), 1e-10);  // the midpoint rule is exact
    EXPECT_LT(bench.spin(bar).norm(), 1e-10);
    const Joint<Dim> joint = bench.world.joints()[0];
    EXPECT_NEAR(joint.impulse.norm() / h, g * std::cos(slope), 1e-8);
    EXPECT_NEAR(std::abs(joint.impulse.dot(j.axis)), 0.0, 1e-12);
}

TEST(FourBar, FollowsItsKinematics) {
    // Crank 0.3, coupler 1, rocker 0.8, ground 0.9: a crank-rocker. The crank turns at 2 rad/s.
    const double crank = 0.3, coupler = 1.0, rocker = 0.8, base = 0.9, omega = 2.0, h = 1e-3;
    const auto joints_at = [&](double theta) {
        const Vec<2> A(crank * std::cos(theta), crank * std::sin(theta)), D(base, 0.0);
        const Vec<2> d = D - A;
        const double r = d.norm(), x = (coupler * coupler - rocker * rocker + r * r) / (2.0 * r);
        const double y = std::sqrt(coupler * coupler - x * x);
        return std::pair<Vec<2>, Vec<2>>(A, A + x * d / r + y * Vec<2>(-d[1], d[0]) / r);
    };
    Bench<2> bench(exact_settings<2>(h), no_law_matters);
    const auto [A, B] = joints_at(0.5);
    const auto bar = [&](const Vec<2>& p, const Vec<2>& q) {
        return add_bar<2>(bench, p, std::atan2(q[1] - p[1], q[0] - p[0]), (q - p).norm());
    };
    const Vec<2> D(base, 0.0);
    const BodyId c = bar(Vec<2>::Zero(), A), k = bar(A, B), r = bar(D, B);
    bench.world.drive(c, 2, linear(omega));  // its centre is free: the pin makes it go round
    bench.world.add_joint(pin<2>(c, ground, Vec<2>::Zero()));
    bench.world.add_joint(pin<2>(k, c, A));
    bench.world.add_joint(pin<2>(r, k, B));
    bench.world.add_joint(pin<2>(r, ground, D));
    double work = 0.0;
    for (int step = 0; step < 3200; ++step) {
        const StepReport report = bench.world.step();
        ASSERT_LT(std::abs(report.energy.residual), 1e-12) << step;
        ASSERT_LT(report.joint_error, 1e-13);
        work += report.energy.drive_work - report.energy.impact + report.energy.correction;
        if (step % 100 != 0) continue;
        const auto [a, b] = joints_at(0.5 + omega * bench.world.time());
        // Joints are met at every step, so positions are those of the loop to rounding.
        ASSERT_LT((bench.position(k) - 0.5 * (a + b)).norm(), 1e-12);
        ASSERT_LT((bench.position(r) - 0.5 * (D + b)).norm(), 1e-12);
    }
    const double start = g * (0.5 * A[1] + 0.5 * (A[1] + B[1]) + 0.5 * B[1]);
    // What the drive worked is the energy now less that at the start, at rest. The driven rotation has no energy.
    const double driven = 0.5 * bar_inertia(crank) * omega * omega;
    EXPECT_NEAR(total_energy(bench.world) - driven - start, work, 1e-9);
}

TEST(Joints, PassAPendulumsBlowOnAWallAsTheClosedFormSays) {
    // A bar on a pin falls from the horizontal and meets, hanging, a ball of a wall at its lower end. About the pin:
    // J d = (1 + e) I_O omega.
    for (const double e : {0.0, 0.5, 1.0}) {
        const double h = 2e-5, L = 1.0, r = 0.05, thick = 0.02;
        auto settings = exact_settings<2>(h);
        settings.solver.tolerance = settings.solver.tolerance_max = 1e-9;  // rounding of 5 m/s over g h is 1e-11
        Bench<2> bench(settings, {"coulomb", 0.0, e, 0.0});
        const BodyId bar = add_bar<2>(bench, Vec<2>::Zero(), 0.0, L);
        bench.world.add_joint(pin<2>(bar, ground, Vec<2>::Zero()));
        const double d = 0.9;
        bench.fixed_ball(Vec<2>(-(r + 0.5 * thick), -d), r);
        const double inertia = bar_inertia(L) + 0.25 * L * L;
        double before = 0.0;
        for (int k = 0; k < 200000; ++k) {
            before = bench.spin(bar)[0];
            const StepReport report = bench.world.step();
            if (report.working_contacts == 0) continue;
            EXPECT_FALSE(report.energy_gained);
            const double J = bench.world.contacts()[0].impulse.norm();
            EXPECT_NEAR(J, (1.0 + e) * inertia * std::abs(before) / d, 1e-3 * J);
            EXPECT_NEAR(bench.spin(bar)[0] / before, -e, 1e-3);
            // The pin takes the rest: m (v+ - v-) = J + P, horizontally.
            const double P = bench.world.joints()[0].impulse[0];
            const double change = 0.5 * L * (1.0 + e) * std::abs(before);
            EXPECT_NEAR(P + J, change, 2e-3 * J);
            break;
        }
        EXPECT_NEAR(std::abs(before), std::sqrt(2.0 * g * 0.5 * L / inertia), 2e-3);
    }
}

TEST(Joints, OfTwoFreeBodiesKeepTheirMomenta) {
    Bench<2> bench(exact_settings<2>(1e-3, 0.0), no_law_matters);
    const BodyId a = add_bar<2>(bench, Vec<2>::Zero(), 0.0, 1.0), b = add_bar<2>(bench, Vec<2>(1.0, 0.0), 0.7, 0.8, 2.0);
    bench.world.add_joint(pin<2>(b, a, Vec<2>(1.0, 0.0)));
    bench.world.set_velocity(a, Vec<2>(0.3, 1.0), Spin<2>(2.0));
    bench.world.set_velocity(b, Vec<2>(-0.2, 0.0), Spin<2>(-3.0));  // does not fit the joint: the first step is a shock
    const auto momenta = [&] {
        Vec<3> p = Vec<3>::Zero();
        for (const BodyId i : {a, b}) {
            const Vec<2> x = bench.position(i), v = bench.velocity(i);
            const std::size_t k = bench.world.index_of(i);
            p.head<2>() += bench.mass(i) * v;
            p[2] += bench.mass(i) * (x[0] * v[1] - x[1] * v[0]) + bench.world.inertias()[k][0] * bench.spin(i)[0];
        }
        return p;
    };
    const double energy = total_energy(bench.world);
    bench.steps(1);
    const double after_shock = total_energy(bench.world);
    const Vec<3> start = momenta();
    EXPECT_LT(after_shock, energy);
    double worst = 0.0;
    for (int k = 0; k < 3000; ++k) {
        const StepReport r = bench.world.step();
        ASSERT_LT(r.momentum_residual, 1e-12);
        worst = std::max(worst, std::abs(total_energy(bench.world) - after_shock));
    }
    const Vec<3> end = momenta();
    EXPECT_LT((end - start).head<2>().norm(), 1e-11);
    EXPECT_NEAR(end[2], start[2], 1e-4);          // second order in h
    EXPECT_LT(worst, 1e-4 * energy);              // no drift over about ten turns
}

TEST(Joints, KeepTheirTwoBodiesApartFromContactUnlessAsked) {
    for (const bool collide : {false, true}) {
        Bench<2> bench(exact_settings<2>(1e-3), no_law_matters);
        const BodyId a = bench.ball(Vec<2>(0.0, 0.0), 0.5), b = bench.ball(Vec<2>(0.6, 0.0), 0.5);
        JointSpec<2> j;
        j.kind = JointKind::fixed;
        j.a = a;
        j.b = b;
        j.at = Vec<2>(0.3, 0.0);
        j.collide = collide;
        const JointId id = bench.world.add_joint(j);
        EXPECT_EQ(bench.world.step().contacts, collide ? 1 : 0);
        bench.world.remove_joint(id);
        EXPECT_EQ(bench.world.step().contacts, 1);
    }
}

TEST(Joints, GoWithTheirBodiesAndRefuseNonsense) {
    Bench<2> bench(exact_settings<2>(1e-3), no_law_matters);
    const BodyId a = bench.ball(Vec<2>(0.0, 0.0), 0.1), b = bench.ball(Vec<2>(1.0, 0.0), 0.1);
    JointSpec<2> rod;
    rod.kind = JointKind::rod;
    rod.a = a;
    rod.b = b;
    rod.to = Vec<2>(1.0, 0.0);
    rod.length = 2.0;
    EXPECT_THROW(bench.world.add_joint(rod), InputError);
    rod.length = 0.0;
    bench.world.add_joint(rod);
    EXPECT_NEAR(bench.world.joints()[0].length, 1.0, 1e-15);
    JointSpec<2> slider;
    slider.kind = JointKind::slider;
    slider.a = a;
    EXPECT_THROW(bench.world.add_joint(slider), InputError);  // no axis
    slider.a = ground;
    EXPECT_THROW(bench.world.add_joint(slider), InputError);
    EXPECT_THROW(bench.world.remove_joint(7), InputError);
    const BodyId gone[] = {b};
    bench.world.remove(gone);
    EXPECT_TRUE(bench.world.joints().empty());
    EXPECT_NO_THROW(bench.world.step());
}

TEST(Joints, GoOnWithTheSameBitsAfterACheckpoint) {
    const auto make = [] {
        Bench<3> bench(exact_settings<3>(1e-3), {"coulomb", 0.3, 0.2, 0.0});
        bench.floor(-0.6);
        BodyId above = ground;
        for (int k = 0; k < 4; ++k) {
            const Vec<3> p = k * 0.3 * axis<3>(0);
            const BodyId bar = add_bar<3>(bench, p, 0.0, 0.3, 1.0);
            JointSpec<3> j;
            j.kind = k == 2 ? JointKind::hinge : JointKind::ball;
            j.axis = Vec<3>(0.0, 1.0, 0.2);
            j.a = bar;
            j.b = above;
            j.at = p;
            bench.world.add_joint(j);
            above = bar;
        }
        return bench;
    };
    auto first = make(), second = make();
    first.steps(300);
    const auto bytes = first.world.checkpoint();
    first.steps(300);
    second.world.restore(bytes);
    second.steps(300);
    EXPECT_EQ(first.world.hash(), second.world.hash());
    EXPECT_LT(first.world.joints()[3].position_error, 1e-13);
}

TEST(Joints, ThatAreRedundantAreSharedAndMet) {
    // A bar on two hinges of one axis: the second repeats every row but one of the first.
    Bench<3> bench(exact_settings<3>(1e-3), no_law_matters);
    const BodyId bar = add_bar<3>(bench, Vec<3>::Zero(), 0.0, 1.0);
    for (const double y : {-0.2, 0.2}) {
        JointSpec<3> j;
        j.kind = JointKind::hinge;
        j.a = bar;
        j.at = Vec<3>(0.0, y, 0.0);
        j.axis = Vec<3>::UnitY();
        bench.world.add_joint(j);
    }
    const double energy = total_energy(bench.world);
    for (int k = 0; k < 2000; ++k) ASSERT_LT(bench.world.step().joint_error, 1e-12);
    EXPECT_NEAR(total_energy(bench.world), energy, 1e-4 * g);
    Vec<3> sum = Vec<3>::Zero();
    for (const auto& j : bench.world.joints()) sum += j.impulse;
    EXPECT_NEAR(sum[1], 0.0, 1e-12);
}

}  // namespace
}  // namespace talus::test
