// What a step must keep or may only lose, in states with many contacts at once: momentum exactly, energy
// never gained with equal restitutions, and the identity of moreau1994, eq. 6.5,
//     E- - E+ = (1/2) delta |u+ - u-|^2_A - sum Ua.S,   delta = (1-rho)/(1+rho),
// for one rho = tau everywhere, no force and fixed obstacles.
#include "testbed.h"

namespace talus::test {
namespace {

template <class D>
class Conservation : public ::testing::Test {};
TYPED_TEST_SUITE(Conservation, BothDimensions);

TYPED_TEST(Conservation, OfMomentumIsExactToRounding) {
    constexpr int Dim = TypeParam::value;
    Random random(11);
    Settings<Dim> settings = exact_settings<Dim>(1e-3, 0.0);
    settings.solver = {};  // the default tolerance: action and reaction do not wait for convergence
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    fill_crowded_box(bench, random, 60, false);
    const Vec<Dim> before = momentum(bench.world);
    const double scale = momentum_scale(bench.world);
    for (int i = 0; i < 200; ++i) EXPECT_LT(bench.world.step().momentum_residual, 1e-12);
    EXPECT_LT((momentum(bench.world) - before).norm(), 1e-13 * scale);
}

TYPED_TEST(Conservation, OfMomentumIncludesWeightAndWalls) {
    constexpr int Dim = TypeParam::value;
    Random random(12);
    const double h = 1e-3;
    Settings<Dim> settings = exact_settings<Dim>(h);
    settings.solver = {};
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    fill_crowded_box(bench, random, 40);
    double mass = 0.0;
    for (std::size_t i = 0; i < bench.world.size(); ++i)
        if (bench.world.is_ball(i)) mass += bench.world.masses()[i];
    for (int i = 0; i < 100; ++i) {
        const Vec<Dim> before = momentum(bench.world);
        const StepReport report = bench.world.step();
        Vec<Dim> walls = Vec<Dim>::Zero();
        for (const Contact<Dim>& c : bench.world.contacts())
            if (bench.world.is_wall(bench.world.index_of(c.b))) walls += c.impulse;
        const Vec<Dim> expected = before + walls - mass * g * h * up<Dim>();
        EXPECT_LT((momentum(bench.world) - expected).norm(), 1e-12 * (before.norm() + walls.norm() + mass * g * h));
        EXPECT_LT(report.momentum_residual, 1e-12);
    }
}

TYPED_TEST(Conservation, EnergyNeverGrowsWithEqualRestitutions) {
    constexpr int Dim = TypeParam::value;
    Random random(13);
    for (int trial = 0; trial < 40; ++trial) {
        const double rho = trial % 4 == 0 ? 1.0 : random.uniform(0.0, 1.0);
        Bench<Dim> bench(exact_settings<Dim>(1e-6, 0.0), {"coulomb", random.uniform(0.0, 1.2), rho, rho});
        fill_crowded_box(bench, random, 25);
        const double before = kinetic_energy(bench.world);
        const StepReport report = bench.world.step();
        EXPECT_LE(kinetic_energy(bench.world), before * (1.0 + 1e-10));  // ten times the solver's tolerance
        EXPECT_FALSE(report.energy_gained);
    }
}

TYPED_TEST(Conservation, EnergyLostIsThatOfMoreausIdentity) {
    constexpr int Dim = TypeParam::value;
    Random random(14);
    for (int trial = 0; trial < 30; ++trial) {
        const double rho = random.uniform(0.0, 1.0), delta = (1.0 - rho) / (1.0 + rho);
        Settings<Dim> settings = exact_settings<Dim>(1e-6, 0.0);
        settings.solver.name = "auto";  // sweeps alone go round for ever in one of these crowds
        Bench<Dim> bench(settings, {"coulomb", random.uniform(0.0, 1.2), rho, rho});
        fill_crowded_box(bench, random, 25);
        const World<Dim>& w = bench.world;
        const std::vector<Vec<Dim>> v(w.velocities().begin(), w.velocities().end());
        const std::vector<Spin<Dim>> s(w.spins().begin(), w.spins().end());
        const double before = kinetic_energy(w);
        bench.world.step();
        double jump = 0.0;
        for (std::size_t i = 0; i < w.size(); ++i) {
            if (!w.is_ball(i)) continue;
            const double m = w.masses()[i], r = w.radii()[i];
            jump += m * ((w.velocities()[i] - v[i]).squaredNorm() + solid<Dim> * r * r * (w.spins()[i] - s[i]).squaredNorm());
        }
        double dissipated = 0.0;
        for (const Contact<Dim>& c : w.contacts()) {
            const double term = -formal_velocity(c).dot(c.impulse) / (1.0 + rho);
            EXPECT_GE(term, -1e-11 * before);  // Coulomb dissipates at every contact
            dissipated += term;
        }
        EXPECT_GE(jump, 0.0);
        EXPECT_NEAR(before - kinetic_energy(w), 0.5 * delta * jump + dissipated, 1e-12 * before);
    }
}

TYPED_TEST(Conservation, TheLedgerClosesInACrowd) {
    constexpr int Dim = TypeParam::value;
    Random random(15);
    const double h = 1e-3;
    Settings<Dim> settings = exact_settings<Dim>(h);
    settings.solver = {};
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    fill_crowded_box(bench, random, 40);
    const auto potential = [&] {
        double e = 0.0;
        for (std::size_t i = 0; i < bench.world.size(); ++i)
            if (bench.world.is_ball(i)) e += bench.world.masses()[i] * g * bench.world.positions()[i][Dim - 1];
        return e;
    };
    double kinetic = kinetic_energy(bench.world), height = potential();
    const double scale = kinetic + std::abs(height);
    for (int i = 0; i < 100; ++i) {
        const EnergyLedger ledger = bench.world.step().energy;
        const double kinetic_now = kinetic_energy(bench.world), height_now = potential();
        EXPECT_NEAR(ledger.kinetic, kinetic_now, 1e-12 * scale);
        EXPECT_NEAR(ledger.potential, height_now, 1e-12 * scale);
        EXPECT_NEAR(kinetic_now + height_now - kinetic - height, -ledger.impact - ledger.friction, 1e-12 * scale);
        EXPECT_LT(std::abs(ledger.residual), 1e-12 * scale);
        kinetic = kinetic_now;
        height = height_now;
    }
}

}  // namespace
}  // namespace talus::test
