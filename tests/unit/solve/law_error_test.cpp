// The law error that a step reports is what anyone can recompute from bodies and contacts alone
// [design, sec. 3]: e = |H (S - S*)|, S* the exact impulse with the others held, over v_ref = g h (plus its
// own |U_N-| for a contact that collides); mean over contacts with S or e, and the largest.
#include "../../physics/testbed.h"

namespace talus::test {
namespace {

struct Recomputed {
    double mean = 0.0, max = 0.0;
    int working = 0;
};

/// One contact of solid balls, or of a ball and a fixed plane: H = diag(H_N, H_T ...).
template <int Dim>
std::pair<double, double> delassus(const World<Dim>& w, const Contact<Dim>& c) {
    double inverse_mass = 0.0;
    for (const BodyId id : {c.a, c.b}) {
        const std::size_t i = w.index_of(id);
        if (!w.is_wall(i)) inverse_mass += 1.0 / w.masses()[i];
    }
    return {inverse_mass, tangential_factor<Dim> * inverse_mass};
}

/// Velocity of a's surface against b's from the bodies as they are now.
template <int Dim>
Vec<Dim> relative_velocity(const World<Dim>& w, const Contact<Dim>& c) {
    const std::size_t a = w.index_of(c.a), b = w.index_of(c.b);
    Vec<Dim> u = w.velocities()[a] + cross(w.spins()[a], Vec<Dim>(-w.radii()[a] * c.normal));
    if (!w.is_wall(b)) u -= w.velocities()[b] + cross(w.spins()[b], Vec<Dim>(w.radii()[b] * c.normal));
    return u;
}

template <int Dim>
double local_error(const World<Dim>& w, const Contact<Dim>& c) {
    const auto [hn, ht] = delassus(w, c);
    Contact<Dim> now = c;
    now.velocity_after = relative_velocity(w, c);
    const Vec<Dim> V = formal_velocity(now);
    const double sn = c.impulse.dot(c.normal), vn = V.dot(c.normal);
    const Vec<Dim> st = c.impulse - sn * c.normal, vt = V - vn * c.normal;
    const double best_n = std::max(0.0, sn - vn / hn);
    Vec<Dim> best_t = st - vt / ht;
    if (best_t.norm() > c.friction * best_n) best_t *= c.friction * best_n / best_t.norm();
    return std::hypot(hn * (sn - best_n), ht * (st - best_t).norm());
}

template <int Dim>
Recomputed recompute(const World<Dim>& w, double h, double gravity) {
    double reference = gravity * h;
    if (gravity == 0.0) {
        double sum = 0.0;
        int loaded = 0;
        for (const Contact<Dim>& c : w.contacts()) {
            if (c.impulse.norm() == 0.0) continue;
            const auto [hn, ht] = delassus(w, c);
            const double sn = c.impulse.dot(c.normal);
            sum += std::hypot(hn * sn, ht * (c.impulse - sn * c.normal).norm());
            ++loaded;
        }
        reference = sum / loaded;
    }
    Recomputed out;
    for (const Contact<Dim>& c : w.contacts()) {
        const double e = local_error(w, c);
        // Rounding of a recomputed velocity is not an error of an idle contact.
        if (c.impulse.norm() == 0.0 && e < 1e-15) continue;
        const double relative = e / (reference + std::max(0.0, -c.velocity_before.dot(c.normal)));
        ++out.working;
        out.mean += relative;
        out.max = std::max(out.max, relative);
    }
    if (out.working > 0) out.mean /= out.working;
    return out;
}

template <class D>
class LawErrorReport : public ::testing::Test {};
TYPED_TEST_SUITE(LawErrorReport, BothDimensions);

TYPED_TEST(LawErrorReport, IsWhatBodiesAndContactsSay) {
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3;
    for (const char* solver : {"nlgs", "accelerated"})
        for (const double gravity : {g, 0.0})
            for (const int sweeps : {1, 2, 5, 20}) {
                Settings<Dim> settings = exact_settings<Dim>(h, gravity);
                settings.solver.name = solver;
                settings.solver.tolerance = 0.0;  // exactly this many sweeps: large, known errors
                settings.solver.tolerance_max = 0.0;
                settings.solver.max_sweeps = sweeps;
                Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
                Random random(101);
                fill_crowded_box(bench, random, 40);
                for (int i = 0; i < 10; ++i) {
                    const StepReport report = bench.world.step();
                    const Recomputed expected = recompute(bench.world, h, gravity);
                    EXPECT_EQ(report.sweeps, sweeps);
                    EXPECT_NEAR(report.law.mean, expected.mean, 1e-9 * expected.mean + 1e-13) << solver << ", " << sweeps << " sweeps, g = " << gravity;
                    EXPECT_NEAR(report.law.max, expected.max, 1e-9 * expected.max + 1e-12);
                    EXPECT_EQ(report.law.working, expected.working);
                }
            }
}

TYPED_TEST(LawErrorReport, VelocitiesOfContactsAreThoseOfBodies) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    Random random(102);
    fill_crowded_box(bench, random, 30);
    const World<Dim>& w = bench.world;
    for (int i = 0; i < 5; ++i) {
        const std::vector<Vec<Dim>> v(w.velocities().begin(), w.velocities().end());
        const std::vector<Spin<Dim>> s(w.spins().begin(), w.spins().end());
        bench.world.step();
        for (const Contact<Dim>& c : w.contacts()) {
            EXPECT_LT((c.velocity_after - relative_velocity(w, c)).norm(), 1e-12);
            const std::size_t a = w.index_of(c.a), b = w.index_of(c.b);
            Vec<Dim> before = v[a] + cross(s[a], Vec<Dim>(-w.radii()[a] * c.normal));
            if (!w.is_wall(b)) before -= v[b] + cross(s[b], Vec<Dim>(w.radii()[b] * c.normal));
            EXPECT_LT((c.velocity_before - before).norm(), 1e-12);
        }
    }
}

TYPED_TEST(LawErrorReport, ImpulsesAreInTheConeWhateverTheTolerance) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    settings.solver.max_sweeps = 2;
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    Random random(103);
    fill_crowded_box(bench, random, 40);
    for (int i = 0; i < 20; ++i) {
        bench.world.step();
        for (const Contact<Dim>& c : bench.world.contacts()) {
            const double sn = c.normal_impulse();
            EXPECT_GE(sn, 0.0);
            EXPECT_LE((c.impulse - sn * c.normal).norm(), c.friction * sn * (1.0 + 1e-12) + 1e-300);
        }
    }
}

TYPED_TEST(LawErrorReport, AStepThatMissesItsToleranceSaysSo) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    settings.solver.max_sweeps = 1;
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.5, 0.2});
    Random random(104);
    fill_crowded_box(bench, random, 40);
    const StepReport missed = bench.world.step();
    EXPECT_FALSE(missed.converged);
    EXPECT_GT(missed.law.mean, settings.solver.tolerance);
    settings.solver.max_sweeps = 100000;
    bench.world.set_settings(settings);
    const StepReport met = bench.world.step();
    EXPECT_TRUE(met.converged);
    EXPECT_LE(met.law.mean, settings.solver.tolerance);
    EXPECT_LE(met.law.max, settings.solver.tolerance_max);
}

TYPED_TEST(LawErrorReport, ContactsObeyTheLawOfCoulombOnceConverged) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    Random random(105);
    fill_crowded_box(bench, random, 40);
    int sliding = 0, sticking = 0, open = 0;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(bench.world.step().converged);
        for (const Contact<Dim>& c : bench.world.contacts()) {
            const double un = c.velocity_after.dot(c.normal), sn = c.normal_impulse();
            const Vec<Dim> ut = c.velocity_after - un * c.normal, st = c.impulse - sn * c.normal;
            EXPECT_GE(un, -1e-9);
            if (c.status == ContactStatus::open) {
                ++open;
                EXPECT_EQ(sn, 0.0);
            } else {
                EXPECT_NEAR(un, 0.0, 1e-9);
            }
            if (c.status == ContactStatus::sticking) {
                ++sticking;
                EXPECT_LT(ut.norm(), 1e-9);
            }
            if (c.status == ContactStatus::sliding) {
                ++sliding;
                EXPECT_NEAR(st.norm(), c.friction * sn, 1e-9 * sn + 1e-12);
                EXPECT_LE(st.dot(ut), 1e-9 * sn);
            }
        }
    }
    EXPECT_GT(sliding, 10);
    EXPECT_GT(sticking, 10);
    EXPECT_GT(open, 10);
}

}  // namespace
}  // namespace talus::test
