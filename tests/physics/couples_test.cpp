// Rolling and pivoting resistance: a couple that opposes the relative spin, at most a length times the normal force
// [moreau2003, sec. 3.3].
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3, r = 0.5;

/// A ball at rest on a slope that gravity tells.
template <int Dim>
struct Slope {
    Bench<Dim> bench;
    BodyId ball;
    Slope(double tangent, const LawSpec& law) : bench(settings(tangent), law) {
        bench.floor();
        ball = bench.ball((1.0 - touching) * r * up<Dim>(), r);
    }
    static Settings<Dim> settings(double tangent) {
        auto s = exact_settings<Dim>(h);
        s.gravity = g * in_xz<Dim>(tangent, -1.0) / std::sqrt(1.0 + tangent * tangent);
        return s;
    }
};

LawSpec rough(double rolling, double pivoting = 0.0) {
    LawSpec law{"coulomb", 0.8, 0.0, 0.0};
    law.rolling = rolling;
    law.pivoting = pivoting;
    return law;
}

template <class D>
class Couples : public ::testing::Test {};
TYPED_TEST_SUITE(Couples, BothDimensions);

TYPED_TEST(Couples, ABallStartsToRollWhereTheSlopeExceedsTheResistance) {
    constexpr int Dim = TypeParam::value;
    for (const double resistance : {0.05, 0.3}) {
        Slope<Dim> below(resistance * (1.0 - 1e-6), rough(resistance));
        below.bench.steps(200);
        EXPECT_LT(largest_speed(below.bench.world), 1e-12);
        // Equilibrium: the couple is that of the weight about the contact.
        const auto contact = below.bench.world.contacts().at(0);
        EXPECT_EQ(contact.status, ContactStatus::sticking);
        EXPECT_NEAR(contact.couple.norm(), r * (contact.impulse - contact.normal_impulse() * contact.normal).norm(),
                    1e-9 * contact.couple.norm());
        Slope<Dim> above(resistance * 1.001, rough(resistance));
        above.bench.steps(200);
        EXPECT_GT(above.bench.velocity(above.ball)[0], 0.0);
    }
}

TYPED_TEST(Couples, ARollingBallAcceleratesByWhatResistanceLeaves) {
    // m a = m g sin - F,  kappa m a = F - resistance N,  kappa = I/(m r^2).
    constexpr int Dim = TypeParam::value;
    const double slope = 0.5, resistance = 0.1;
    LawSpec by_length = rough(0.0);
    by_length.rolling_length = resistance * r;  // against a wall the effective radius is the ball's
    for (const LawSpec& law : {rough(resistance), by_length}) {
        Slope<Dim> s(slope, law);
        s.bench.steps(500);
        const double a = g * (slope - resistance) / std::sqrt(1.0 + slope * slope) / (1.0 + solid<Dim>);
        EXPECT_NEAR(s.bench.velocity(s.ball)[0], a * 500 * h, 1e-9 * a);
        EXPECT_NEAR(s.bench.spin(s.ball).norm() * r, a * 500 * h, 1e-9 * a);
    }
}

TYPED_TEST(Couples, ARollingBallStopsAndStays) {
    // On the level it slows down by resistance g/(1 + kappa), and the books close.
    constexpr int Dim = TypeParam::value;
    const double resistance = 0.1, v0 = 0.5, a = resistance * g / (1.0 + solid<Dim>);
    Bench<Dim> bench(exact_settings<Dim>(h), rough(resistance));
    bench.floor();
    const BodyId ball = bench.ball((1.0 - touching) * r * up<Dim>(), r, v0 * axis<Dim>(0), -spin_at_bottom<Dim>(v0, r));
    const double before = kinetic_energy(bench.world);
    double lost = 0.0;
    for (int i = 0; i < 400; ++i) {
        const auto report = bench.world.step();
        lost += report.energy.friction;
        EXPECT_FALSE(report.energy_gained);
        EXPECT_NEAR(report.energy.residual, 0.0, 1e-12 * before);
    }
    EXPECT_NEAR(bench.velocity(ball)[0], v0 - a * 400 * h, 1e-9);
    EXPECT_NEAR(lost, before - kinetic_energy(bench.world), 1e-10 * before);
    bench.steps(400);
    EXPECT_LT(largest_speed(bench.world), 1e-12);
}

TYPED_TEST(Couples, BetweenTwoBallsTheEffectiveRadiusCounts) {
    // Two equal balls pressed together, one spun against the other: the couple is S_N rolling r/2 on each, and what
    // one loses of its angular momentum about its centre and by friction the other gets.
    constexpr int Dim = TypeParam::value;
    auto settings = exact_settings<Dim>(h, 0.0);
    LawSpec law = rough(0.2);
    law.friction = 0.0;
    Bench<Dim> bench(settings, law);
    const Spin<Dim> w = spin_at_bottom<Dim>(10.0, 1.0);
    const BodyId a = bench.ball(Vec<Dim>::Zero(), r, 1.0 * up<Dim>(), w);
    const BodyId b = bench.ball(2.0 * r * (1.0 - touching) * up<Dim>(), r, -1.0 * up<Dim>());
    bench.world.step();
    const auto contact = bench.world.contacts().at(0);
    EXPECT_NEAR(contact.normal_impulse(), bench.mass(a), 1e-9);
    EXPECT_NEAR(contact.couple.norm(), 0.2 * 0.5 * r * contact.normal_impulse(), 1e-12);
    const double I = solid<Dim> * bench.mass(a) * r * r;
    EXPECT_NEAR((bench.spin(a) - w).norm(), contact.couple.norm() / I, 1e-12);
    EXPECT_NEAR((bench.spin(a) + bench.spin(b) - w).norm(), 0.0, 1e-12);
    EXPECT_LT(bench.spin(a).norm(), w.norm());
}

TEST(PivotingResistance, ASpinningBallStopsInTheTimeOfTheCouple) {
    // I dw/dt = -pivoting r m g: at rest after 2 r w / (5 pivoting g).
    const double pivoting = 0.02, w0 = 2.0, stop = solid<3> * r * w0 / (pivoting * g);
    Bench<3> bench(exact_settings<3>(h), rough(0.0, pivoting));
    bench.floor();
    const BodyId ball = bench.ball((1.0 - touching) * r * up<3>(), r, Vec<3>::Zero(), {0.0, 0.0, w0});
    const int half = static_cast<int>(0.5 * stop / h);
    bench.steps(half);
    EXPECT_NEAR(bench.spin(ball)[2], w0 * (1.0 - half * h / stop), 1e-9);
    bench.steps(half + 3);
    EXPECT_LT(bench.spin(ball).norm(), 1e-12);
    EXPECT_LT(bench.velocity(ball).norm(), 1e-12);
}

TEST(PivotingResistance, IsRefusedInThePlane) {
    EXPECT_THROW(Bench<2>(exact_settings<2>(h), rough(0.0, 0.1)), InputError);
}

TYPED_TEST(Couples, OfADrivenWallDoTheWorkOfTheDrive) {
    // A turning wall (here a ball that drives turn) sets a ball spinning by its couple alone; the books close.
    constexpr int Dim = TypeParam::value;
    LawSpec law = rough(0.3);
    law.friction = 0.0;
    Bench<Dim> bench(exact_settings<Dim>(h), law);
    const BodyId wheel = bench.fixed_ball(Vec<Dim>::Zero(), r);
    const BodyId ball = bench.ball(2.0 * r * (1.0 - touching) * up<Dim>(), r);
    bench.world.drive(wheel, freedoms<Dim> - 1 - (spin_size<Dim> - 1) / 2, linear(3.0));
    double work = 0.0, lost = 0.0;
    for (int i = 0; i < 50; ++i) {
        const auto report = bench.world.step();
        work += report.energy.drive_work;
        lost += report.energy.friction;
        EXPECT_NEAR(report.energy.residual, 0.0, 1e-10);
    }
    EXPECT_GT(work, 0.0);
    EXPECT_GT(lost, 0.0);
    EXPECT_GT(bench.spin(ball).norm(), 0.1);
}

}  // namespace
}  // namespace talus::test
