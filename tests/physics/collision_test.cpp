// Collisions with three parameters: normal and tangential restitution and friction [validation B5, B6,
// B17b]. With psi = -u_T / u_N(before) a solid ball slides through the impact when |psi| is large,
// psi' = psi - k mu (1+e), and sticks otherwise, psi' = -tau psi; k = 7/2 for spheres, 3 for disks,
// whatever the masses and radii.
#include "testbed.h"

namespace talus::test {
namespace {

struct Parameters {
    double e, mu, tau;
};

/// Expected (u_T, u_N) after, from those before (u_N < 0).
std::pair<double, double> after_impact(double ut, double un, const Parameters& p, double k) {
    const double reversal = k * p.mu * (1.0 + p.e) * std::abs(un);  // most that friction can change u_T by
    const bool sticks = std::abs(ut) * (1.0 + p.tau) <= reversal;
    return {sticks ? -p.tau * ut : ut - std::copysign(reversal, ut), -p.e * un};
}

/// Normal and tangential relative velocity of a at the contact.
template <int Dim>
std::pair<Vec<Dim>, double> split(const Vec<Dim>& u, const Vec<Dim>& n) {
    return {u - u.dot(n) * n, u.dot(n)};
}

template <int Dim>
void expect_impact(const Vec<Dim>& before, const Vec<Dim>& after, const Vec<Dim>& n, const Parameters& p) {
    const auto [t0, n0] = split<Dim>(before, n);
    const auto [t1, n1] = split<Dim>(after, n);
    const auto [t, normal] = after_impact(t0.norm(), n0, p, tangential_factor<Dim>);
    // One contact with a diagonal operator is solved in closed form: only rounding is left.
    EXPECT_NEAR(n1, normal, 1e-12);
    EXPECT_LT((t1 - t * t0.normalized()).norm(), 1e-12);
}

const Parameters cases[] = {{0.97, 0.092, 0.44}, {0.87, 0.25, 0.43}, {0.0, 0.3, 0.0},
                            {1.0, 0.5, 1.0},     {0.5, 0.1, 0.9},   {0.3, 2.0, -0.5}};

template <class D>
class Collision : public ::testing::Test {};
TYPED_TEST_SUITE(Collision, BothDimensions);

TYPED_TEST(Collision, OfTwoBallsOfUnequalMassObeysTheThreeParameters) {
    constexpr int Dim = TypeParam::value;
    Random random(5);
    for (const Parameters& p : cases)
        for (int trial = 0; trial < 40; ++trial) {
            Bench<Dim> bench(exact_settings<Dim>(1e-5, 0.0), {"coulomb", p.mu, p.e, p.tau});
            const Vec<Dim> line = random.direction<Dim>();
            const double ra = random.uniform(0.1, 1.0), rb = random.uniform(0.1, 1.0);
            // Enough overlap that they still touch at the midpoint, which is h/2 away.
            const BodyId a = bench.ball(Vec<Dim>::Zero(), ra, random.vector<Dim>(-1, 1) - 2.5 * line,
                                        random.spin<Dim>(3.0 / ra));
            const BodyId b = bench.ball(-(ra + rb - 1e-4) * line, rb, random.vector<Dim>(-1, 1) + 2.5 * line,
                                        random.spin<Dim>(3.0 / rb));
            const Vec<Dim> n = (bench.position(a) - bench.position(b) + 0.5e-5 * (bench.velocity(a) - bench.velocity(b))).normalized();
            const Vec<Dim> before = bench.velocity_at(a, -ra * n) - bench.velocity_at(b, rb * n);
            bench.world.step();
            const Vec<Dim> after = bench.velocity_at(a, -ra * n) - bench.velocity_at(b, rb * n);
            expect_impact<Dim>(before, after, n, p);
        }
}

TYPED_TEST(Collision, OfABallAndAPlaneObeysTheThreeParameters) {
    constexpr int Dim = TypeParam::value;
    Random random(6);
    for (const Parameters& p : cases)
        for (int trial = 0; trial < 40; ++trial) {
            Bench<Dim> bench(exact_settings<Dim>(1e-5, 0.0), {"coulomb", p.mu, p.e, p.tau});
            const Vec<Dim> n = random.direction<Dim>();
            bench.plane(n, Vec<Dim>::Zero());
            const double r = random.uniform(0.1, 1.0);
            const BodyId a = bench.ball((r - 1e-4) * n, r, random.vector<Dim>(-1, 1) - 2.5 * n, random.spin<Dim>(3.0 / r));
            const Vec<Dim> before = bench.velocity_at(a, -r * n);
            bench.world.step();
            expect_impact<Dim>(before, bench.velocity_at(a, -r * n), n, p);
        }
}

TEST(CollisionOfSpheres, SwitchesFromStickingToSlidingWhereMeasured) {
    // Glass and acetate spheres [validation B5, after Foerster et al. 1994]: psi* = (7/2) mu (1+e)/(1+tau).
    EXPECT_NEAR(3.5 * 0.092 * 1.97 / 1.44, 0.4405, 5e-5);
    EXPECT_NEAR(3.5 * 0.25 * 1.87 / 1.43, 1.144, 5e-4);
    for (const auto& [p, critical] : {std::pair{cases[0], 0.4405}, std::pair{cases[1], 1.1442}})
        for (const double side : {0.999, 1.001}) {
            Bench<3> bench(exact_settings<3>(1e-6, 0.0), {"coulomb", p.mu, p.e, p.tau});
            bench.floor();
            bench.ball({0, 0, 1.0 - 1e-5}, 1.0, {side * critical, 0, -1.0});
            bench.world.step();
            const auto contacts = bench.world.contacts();
            ASSERT_EQ(contacts.size(), 1u);
            EXPECT_EQ(contacts[0].status, side < 1.0 ? ContactStatus::sticking : ContactStatus::sliding);
        }
}

TYPED_TEST(Collision, ABallWithBackspinReturnsAsTangentialRestitutionSays) {
    // e = 0.8, thrown with v = (1, -1) and a spin that gives the contact u_T = 4, friction 1 (1.5 for the
    // disk, which k = 3 leaves less grip than 7/2): every bounce sticks, and v_k = v_inf + (v_0 - v_inf)(-tau)^k with v_inf = v_0 - u_T/k.
    constexpr int Dim = TypeParam::value;
    for (const double tau : {0.0, 0.5}) {
        Bench<Dim> bench(exact_settings<Dim>(1e-4), {"coulomb", Dim == 3 ? 1.0 : 1.5, 0.8, tau});
        const double r = 0.1;
        bench.floor();
        const BodyId ball = bench.ball(in_xz<Dim>(0.0, r + 1e-6), r, in_xz<Dim>(1.0, -1.0), spin_at_bottom<Dim>(3.0, r));
        const double end = 1.0 - 4.0 / tangential_factor<Dim>;
        if (Dim == 3) {
            ASSERT_NEAR(end, -0.142857, 1e-6);
        }
        double expected = 1.0;
        int bounces = 0;
        double before = -1.0;
        for (int i = 0; i < 20000 && bounces < 4; ++i) {
            bench.world.step();
            const double v = bench.velocity(ball)[Dim - 1];
            if (before < 0.0 && v > 0.0) {
                ++bounces;
                expected = end + (expected - end) * -tau;
                EXPECT_NEAR(bench.velocity(ball)[0], expected, 1e-9) << "bounce " << bounces << ", tau = " << tau;
            }
            before = v;
        }
        EXPECT_EQ(bounces, 4);
    }
}

TYPED_TEST(Collision, TangentialRestitutionMayChangeFromStepToStep) {
    // Its constants are held only while some law has it: none before the ball comes down, there at the first bounce, none at the second.
    constexpr int Dim = TypeParam::value;
    const auto law = [](double tau) { return LawSpec{"coulomb", 1.5, 0.8, tau}; };
    Bench<Dim> bench(exact_settings<Dim>(1e-4), law(0.0));
    const double r = 0.1;
    bench.floor();
    bench.ball(in_xz<Dim>(5.0, r), r);
    const BodyId ball = bench.ball(in_xz<Dim>(0.0, r + 0.01), r, in_xz<Dim>(1.0, -1.0), spin_at_bottom<Dim>(3.0, r));
    const double end = 1.0 - 4.0 / tangential_factor<Dim>;
    for (int i = 0; i < 20; ++i) bench.world.step();
    EXPECT_EQ(bench.velocity(ball)[0], 1.0);
    double expected = 1.0;
    for (const double tau : {0.5, 0.0}) {
        bench.world.set_law(bench.material, bench.material, law(tau));
        for (int i = 0; i < 20000 && bench.velocity(ball)[Dim - 1] > 0.0; ++i) bench.world.step();   // up and over the top
        for (int i = 0; i < 20000 && bench.velocity(ball)[Dim - 1] < 0.0; ++i) bench.world.step();
        expected = end + (expected - end) * -tau;
        EXPECT_NEAR(bench.velocity(ball)[0], expected, 1e-9) << "tau = " << tau;
    }
}

TYPED_TEST(Collision, WithAMovingWallAddsItsVelocityOncePlusRestitution) {
    // v+ = -e v- + (1+e) V along the normal, and along the wall likewise with tau at the contact point.
    constexpr int Dim = TypeParam::value;
    Random random(7);
    for (int trial = 0; trial < 60; ++trial) {
        const double e = random.uniform(0, 1), tau = random.uniform(0, 1);
        Bench<Dim> bench(exact_settings<Dim>(1e-5, 0.0), {"coulomb", 1e3, e, tau});
        const Vec<Dim> n = random.direction<Dim>(), wall = random.vector<Dim>(-1, 1);
        const BodyId plane = bench.plane(n, Vec<Dim>::Zero());
        for (int k = 0; k < Dim; ++k) bench.world.drive(plane, k, linear(wall[k]));
        const double r = random.uniform(0.1, 1.0);
        const BodyId a = bench.ball((r - 1e-4) * n, r, random.vector<Dim>(-1, 1) - 3.0 * n, random.spin<Dim>(1.0 / r));
        const Vec<Dim> before = bench.velocity_at(a, -r * n);
        bench.world.step();
        const Vec<Dim> after = bench.velocity_at(a, -r * n);
        const auto [tb, nb] = split<Dim>(before, n);
        const auto [ta, na] = split<Dim>(after, n);
        const auto [tw, nw] = split<Dim>(wall, n);
        EXPECT_NEAR(na, -e * nb + (1.0 + e) * nw, 1e-12);
        EXPECT_LT((ta + tau * tb - (1.0 + tau) * tw).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace talus::test
