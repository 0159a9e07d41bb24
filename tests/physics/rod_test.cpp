// A rod that touches with its tip: energy from unequal restitutions, the frictional catastrophe of
// Painleve, and the bar wedged between two walls [validation B7, B10, B11].
#include "masonry.h"

namespace talus::test {
namespace {

/// A rod of mass 1 and half-length 1 at `angle` below its own x axis, its lower tip in the origin.
struct Rod {
    Bench<2> bench;
    BodyId rod;
    Rod(double angle, const Settings<2>& s, const LawSpec& law) : bench(s, law) {
        bench.floor();
        BodySpec<2> spec;
        spec.shape = bar();
        spec.position = Vec<2>(-std::cos(angle), std::sin(angle) - (s.touch > 0.0 ? 0.0 : 1e-9));
        spec.rotation = {-angle};
        spec.mass = 1.0;
        spec.inertia = Spin<2>(1.0 / 3.0);
        spec.material = bench.material;
        rod = bench.world.add_body(spec);
    }
    double kinetic() const {
        return 0.5 * bench.velocity(rod).squaredNorm() + bench.spin(rod).squaredNorm() / 6.0;
    }
};

/// The tip touches to rounding; nothing moves to speak of within the step.
Settings<2> touching_settings() {
    auto s = exact_settings<2>(1e-13, 0.0);
    s.touch = 1e-9;
    return s;
}

TEST(Rod, GainsEnergyFromUnequalRestitutionsAndSaysSo) {
    for (const double mu : {0.37, 1.0}) {
        Rod r(pi / 4.0, touching_settings(), {"coulomb", mu, 1.0, 0.0});
        r.bench.world.set_velocity(r.rod, {-0.6, -1.0}, Spin<2>(0.0));  // the whole rod moves with U-
        const double before = r.kinetic();
        const StepReport report = r.bench.world.step();
        const auto contacts = r.bench.world.contacts();
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_NEAR(contacts[0].normal_impulse(), 1.025, 1e-12);
        EXPECT_NEAR(std::abs(contacts[0].impulse[0]), 0.375, 1e-12);
        EXPECT_NEAR(r.kinetic() - before, 0.1125, 1e-12);
        EXPECT_TRUE(report.energy_gained);
        EXPECT_LT(std::abs(report.energy.residual), 1e-12);
    }
}

TEST(Rod, GainsNothingFromEqualRestitutions) {
    Rod r(pi / 4.0, touching_settings(), {"coulomb", 1.0, 1.0, 1.0});
    r.bench.world.set_velocity(r.rod, {-0.6, -1.0}, Spin<2>(0.0));
    const double before = r.kinetic();
    const StepReport report = r.bench.world.step();
    EXPECT_LE(r.kinetic(), before + 1e-12);
    EXPECT_FALSE(report.energy_gained);
}

// --- B10 -----------------------------------------------------------------------------------------------------------

TEST(Painleve, ARodPushedAheadJamsInOneStepAboveTheCriticalFriction) {
    for (const double mu : {1.34, 2.0, 10.0})
        for (const double h : {1e-6, 1e-5, 1e-4}) {
            Rod r(std::atan(2.0), exact_settings<2>(h), {"coulomb", mu, 0.0, 0.0});
            r.bench.world.set_velocity(r.rod, {1.0, 0.0}, Spin<2>(0.0));
            r.bench.world.step();
            const auto contacts = r.bench.world.contacts();
            ASSERT_EQ(contacts.size(), 1u);
            EXPECT_EQ(contacts[0].status, ContactStatus::sticking);
            EXPECT_LT(contacts[0].velocity_after.norm(), 1e-10);
            const double allowed = 1e-3 * std::max(1.0, h / 1e-6);
            EXPECT_NEAR(contacts[0].normal_impulse(), 0.3, allowed);
            EXPECT_NEAR(std::abs(contacts[0].impulse[0]), 0.4, allowed);
            EXPECT_NEAR(r.bench.spin(r.rod).norm(), 0.6708, allowed);
        }
}

TEST(Painleve, BelowTheCriticalFrictionItSlides) {
    const double h = 1e-6;
    Rod r(std::atan(2.0), exact_settings<2>(h), {"coulomb", 1.0, 0.0, 0.0});
    r.bench.world.set_velocity(r.rod, {1.0, 0.0}, Spin<2>(0.0));
    r.bench.world.step();
    const auto contacts = r.bench.world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].status, ContactStatus::sliding);
    EXPECT_NEAR(contacts[0].normal_impulse() / h, 24.525, 1e-3 * 24.525);
}

// --- B11 -----------------------------------------------------------------------------------------------------------

/// A horizontal bar of mass 1 between two walls that converge upward by `beta` from the vertical.
struct WedgedBar {
    static constexpr double h = 1e-3, beta = pi / 18.0, mu = 0.4;
    Bench<2> bench;
    BodyId bar_id, left, right;
    WedgedBar() : bench(exact_settings<2>(h), {"coulomb", mu, 0.0, 0.0}) {
        left = bench.plane({std::cos(beta), -std::sin(beta)}, {-1.0 + 1e-9, 0.0});
        right = bench.plane({-std::cos(beta), -std::sin(beta)}, {1.0 - 1e-9, 0.0});
        BodySpec<2> spec;
        spec.shape = bar();
        spec.mass = 1.0;
        spec.inertia = Spin<2>(1.0 / 3.0);
        spec.material = bench.material;
        bar_id = bench.world.add_body(spec);
    }
};

TEST(WedgedBar, FallsFreelyFromAZeroStart) {
    WedgedBar w;
    w.bench.world.step();
    EXPECT_EQ(w.bench.world.contacts().size(), 2u);
    EXPECT_DOUBLE_EQ(w.bench.velocity(w.bar_id)[1], -g * WedgedBar::h);
    EXPECT_EQ(w.bench.velocity(w.bar_id)[0], 0.0);
}

TEST(WedgedBar, StaysOrFallsByItsHistory) {
    WedgedBar w;
    (void)w.bench.world.check_equilibrium();
    const auto touching_now = w.bench.world.contacts();
    ASSERT_EQ(touching_now.size(), 2u);
    const double least = g / (2.0 * std::tan(std::atan(WedgedBar::mu) - WedgedBar::beta));
    ASSERT_NEAR(least, 23.476, 1e-3);
    Random random(11);
    int stuck = 0;
    double smallest = 1e300;
    for (int trial = 0; trial < 400; ++trial) {
        auto history = touching_now;
        for (auto& c : history) {
            const double p = random.uniform(0.0, 20.0 * g * WedgedBar::h);
            const Vec<2> tangent(-c.normal[1], c.normal[0]);
            c.impulse = p * c.normal + random.uniform(-1.0, 1.0) * WedgedBar::mu * p * tangent;
        }
        w.bench.world.set_history(history);
        const Equilibrium e = w.bench.world.check_equilibrium(1e-9);
        if (!e.holds) continue;
        ++stuck;
        for (const auto& c : w.bench.world.contacts()) {
            EXPECT_NEAR(c.impulse[1] / WedgedBar::h, 0.5 * g, 1e-8 * g);
            smallest = std::min(smallest, std::abs(c.impulse[0]) / WedgedBar::h);
        }
    }
    EXPECT_GE(smallest, least - 1e-6);
    EXPECT_GT(stuck, 40);         // both outcomes occur
    EXPECT_LT(stuck, 400 - 4);
    RecordProperty("stuck", stuck);
    RecordProperty("least_thrust", std::to_string(smallest));
}

}  // namespace
}  // namespace talus::test
