// Pendulums: the period is that of the elliptic integral to second order in h, nothing drifts.
#include "joint_support.h"

namespace talus::test {
namespace {

template <class D>
class Pendulum : public ::testing::Test {};
TYPED_TEST_SUITE(Pendulum, BothDimensions);

constexpr double length = 1.0, start = 1.2;  // of the bar [m], angle from straight down [rad]

/// Period of a bar on a pin: T = 4 K(sin(start/2)) sqrt(I_O / (m g L/2)).
double closed_period() {
    const double inertia = bar_inertia(length) + 0.25 * length * length;
    return 4.0 * std::comp_ellint_1(std::sin(0.5 * start)) * std::sqrt(inertia / (g * 0.5 * length));
}

template <int Dim>
struct Swing {
    Bench<Dim> bench;
    BodyId bar;
    explicit Swing(double h) : bench(exact_settings<Dim>(h), no_law_matters) {
        bar = add_bar<Dim>(bench, Vec<Dim>::Zero(), start - 0.5 * pi, length);
        bench.world.add_joint(pin<Dim>(bar, ground, Vec<Dim>::Zero()));
    }
    [[nodiscard]] double angle() const { return swing_angle<Dim>(bench.position(bar), Vec<Dim>::Zero()); }
};

/// Mean over `count` periods, from crossings of the vertical found by cubic interpolation.
template <int Dim>
double measured_period(double h, int count) {
    Swing<Dim> s(h);
    double previous = s.angle(), first = -1.0, last = -1.0;
    const auto rate = [&] { return Dim == 2 ? s.bench.spin(s.bar)[0] : -s.bench.spin(s.bar)[spin_size<Dim> - 2]; };
    double rate_before = 0.0;
    int crossings = 0;
    while (crossings <= count) {
        s.bench.world.step();
        const double now = s.angle(), rate_now = rate();
        if (previous > 0.0 && now <= 0.0) {
            // Hermite: the root to fourth order, so that the crossing adds nothing to the error of the step.
            double x = previous / (previous - now);
            for (int k = 0; k < 20; ++k) {
                const double y = 1.0 - x;
                const double value = previous * y * y * (1.0 + 2.0 * x) + now * x * x * (3.0 - 2.0 * x) + h * (rate_before * x * y * y - rate_now * x * x * y);
                const double slope = 6.0 * x * y * (now - previous) + h * (rate_before * y * (1.0 - 3.0 * x) - rate_now * x * (2.0 - 3.0 * x));
                x -= value / slope;
            }
            last = s.bench.world.time() - h + x * h;
            if (first < 0.0) first = last;
            ++crossings;
        }
        previous = now;
        rate_before = rate_now;
    }
    return (last - first) / count;
}

TYPED_TEST(Pendulum, HasThePeriodOfTheEllipticIntegralToSecondOrder) {
    constexpr int Dim = TypeParam::value;
    const double T = closed_period();
    const double coarse = measured_period<Dim>(4e-3, 3) / T - 1.0, fine = measured_period<Dim>(2e-3, 3) / T - 1.0;
    EXPECT_LT(std::abs(fine), 2e-5);  // (h/T)^2 = 1.3e-6 with a factor that depends on the amplitude
    EXPECT_NEAR(coarse / fine, 4.0, 0.2);
}

/// What a hundred swings do to a pendulum.
struct Hundred {
    double length = 0.0, joint = 0.0, residual = 0.0;  // largest errors [m], [m], [J]
    double lost = 0.0;                                 // over the energy of the swing
    double gained = 0.0;                               // given by the joint within a step, the same
};

template <int Dim>
Hundred swing_a_hundred_times(double h) {
    Swing<Dim> s(h);
    Hundred out;
    const double energy = total_energy(s.bench.world), swing = g * 0.5 * length * (1.0 - std::cos(start));
    const int steps = static_cast<int>(100.0 * closed_period() / h);
    for (int k = 0; k < steps; ++k) {
        const StepReport r = s.bench.world.step();
        out.residual = std::max(out.residual, std::abs(r.energy.residual));
        out.joint = std::max(out.joint, s.bench.world.joints()[0].position_error);
        out.length = std::max(out.length, std::abs(s.bench.position(s.bar).norm() - 0.5 * length));
        out.gained = std::max(out.gained, -r.energy.impact / swing);
    }
    out.lost = (energy - total_energy(s.bench.world)) / swing;
    return out;
}

TYPED_TEST(Pendulum, KeepsItsLengthAndItsEnergyForAHundredSwings) {
    constexpr int Dim = TypeParam::value;
    const Hundred coarse = swing_a_hundred_times<Dim>(1e-2), fine = swing_a_hundred_times<Dim>(5e-3);
    EXPECT_LT(coarse.length, 1e-10);
    EXPECT_LT(coarse.joint, 1e-14);
    EXPECT_LT(coarse.residual, 1e-13);
    // The joint itself does no work. Bringing velocities back to its tangent takes energy away, of third order in h:
    // 5e-6 of that of the swing each swing of 358 steps.
    EXPECT_NEAR(fine.lost, 5.1e-4, 1e-5);
    EXPECT_NEAR(coarse.lost / fine.lost, 8.0, 0.2);
    EXPECT_LT(coarse.gained, 1e-12);
}

TEST(DoublePendulum, KeepsItsEnergy) {
    const double h = 1e-3;
    Bench<2> bench(exact_settings<2>(h), no_law_matters);
    const BodyId upper = add_bar<2>(bench, Vec<2>::Zero(), 0.3, 1.0);
    const Vec<2> knee(std::cos(0.3), std::sin(0.3));
    const BodyId lower = add_bar<2>(bench, knee, 1.4, 0.7, 0.5);
    bench.world.add_joint(pin<2>(upper, ground, Vec<2>::Zero()));
    bench.world.add_joint(pin<2>(lower, upper, knee));
    const double energy = total_energy(bench.world);
    double worst = 0.0;
    for (int k = 0; k < 10000; ++k) {
        const StepReport r = bench.world.step();
        ASSERT_LT(std::abs(r.energy.residual), 1e-12);
        ASSERT_LT(r.joint_error, 1e-14);
        worst = std::max(worst, std::abs(total_energy(bench.world) - energy));
    }
    // Ten seconds of chaotic motion; the error is of second order: (omega h)^2 with omega about 10/s.
    EXPECT_LT(worst, 1e-3 * g);
}

TEST(Conical, PendulumOfABallGoesRoundAtItsSpeed) {
    // A sphere that does not spin on a ball joint at its own centre's distance: omega^2 = g/(L cos a) for a rod.
    const double L = 1.0, a = 0.5, omega = std::sqrt(g / (L * std::cos(a))), h = 1e-3;
    Bench<3> bench(exact_settings<3>(h), no_law_matters);
    const Vec<3> x(L * std::sin(a), 0.0, -L * std::cos(a));
    const BodyId ball = bench.ball(x, 0.05, Vec<3>(0.0, omega * L * std::sin(a), 0.0));
    JointSpec<3> rod;
    rod.kind = JointKind::rod;
    rod.a = ball;
    rod.at = x;
    bench.world.add_joint(rod);
    double tension = 0.0, height = 0.0;
    const int steps = static_cast<int>(2.0 * pi / omega / h);
    for (int k = 0; k < steps; ++k) {
        bench.world.step();
        const Joint<3> j = bench.world.joints()[0];
        tension = std::max(tension, std::abs(j.impulse.norm() / h / (bench.mass(ball) * g / std::cos(a)) - 1.0));
        height = std::max(height, std::abs(bench.position(ball)[2] - x[2]));
    }
    EXPECT_LT(tension, 1e-5);  // (omega h)^2 = 1.1e-5
    EXPECT_LT(height, 1e-5);
}

}  // namespace
}  // namespace talus::test
