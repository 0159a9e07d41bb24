// Unequal restitutions can create energy where the normal and the tangent are coupled [validation B7 and
// pitfall C3]. Free balls never couple them; a ball held in one direction does.
//
// A ball on a horizontal rail (free: x and its spin) meets a slope of 45 degrees. In the normal and the
// tangent t of the slope its operator is H = 1/m [[1/2, -1/2], [-1/2, 1/2 + k]], k = m r^2/I. With rho = 1
// and tau = 0, U- = (-1, 1) m/s, sticking: H S = (2, -1) m/s. The energy created is S_T U_T-/2 > 0.
#include "testbed.h"

namespace talus::test {
namespace {

template <int Dim>
struct Rail {
    Bench<Dim> bench;
    BodyId ball = -1;
    double k = 1.0 / solid<Dim>;

    Rail(double rho, double tau) : bench(exact_settings<Dim>(1e-6, 0.0), {"coulomb", 0.9, rho, tau}) {
        const double c = std::sqrt(0.5), r = 0.5;
        const Vec<Dim> n = in_xz<Dim>(c, c);
        bench.plane(n, Vec<Dim>::Zero());
        BallSpec<Dim> spec;
        spec.position = (r - 1e-4) * n;
        spec.radius = r;
        spec.mass = 1.0;
        spec.material = bench.material;
        spec.velocity = -std::sqrt(2.0) * axis<Dim>(0);
        ball = bench.world.add_ball(spec);
        for (int j = 1; j < Dim; ++j) bench.world.fix(ball, j);
        if (Dim == 3) {  // only the spin about y is left
            bench.world.fix(ball, 3);
            bench.world.fix(ball, 5);
        }
    }
};

template <class D>
class EnergyGain : public ::testing::Test {};
TYPED_TEST_SUITE(EnergyGain, BothDimensions);

TYPED_TEST(EnergyGain, IsReportedWhenUnequalRestitutionsCreateIt) {
    constexpr int Dim = TypeParam::value;
    Rail<Dim> rail(1.0, 0.0);
    const double before = kinetic_energy(rail.bench.world);
    const StepReport report = rail.bench.world.step();
    const double det = 0.5 * (0.5 + rail.k) - 0.25;
    const double S_t = (-0.5 * 1.0 + 0.5 * 2.0) / det, S_n = ((0.5 + rail.k) * 2.0 - 0.5) / det;
    ASSERT_LT(S_t, 0.9 * S_n);
    const auto contacts = rail.bench.world.contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_EQ(contacts[0].status, ContactStatus::sticking);
    EXPECT_NEAR(contacts[0].normal_impulse(), S_n, 1e-12 * S_n);
    EXPECT_NEAR(kinetic_energy(rail.bench.world) - before, 0.5 * S_t, 1e-12);
    EXPECT_TRUE(report.energy_gained);
    EXPECT_LT(std::abs(report.energy.residual), 1e-12);  // the gain is booked as friction of the wrong sign
    EXPECT_NEAR(report.energy.friction, -0.5 * S_t, 1e-12);
}

TYPED_TEST(EnergyGain, DoesNotOccurWithEqualRestitutions) {
    constexpr int Dim = TypeParam::value;
    for (const double rho : {0.0, 0.5, 1.0}) {
        Rail<Dim> rail(rho, rho);
        const double before = kinetic_energy(rail.bench.world);
        const StepReport report = rail.bench.world.step();
        EXPECT_LE(kinetic_energy(rail.bench.world), before * (1.0 + 1e-14));
        EXPECT_FALSE(report.energy_gained);
    }
}

}  // namespace
}  // namespace talus::test
