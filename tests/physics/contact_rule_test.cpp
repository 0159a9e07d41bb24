// Which pairs count as contacts [design, sec. 2]. `moreau`: those closed at the midpoint. `gap`: near pairs
// too, with U_N >= -gap/h, which keeps the next midpoint free of overlap; no restitution then.
#include "testbed.h"

namespace talus::test {
namespace {

template <class D>
class ContactRules : public ::testing::Test {};
TYPED_TEST_SUITE(ContactRules, BothDimensions);

TYPED_TEST(ContactRules, MoreauCountsWhatIsClosedAtTheMidpoint) {
    constexpr int Dim = TypeParam::value;
    const double h = 0.01, r = 0.5, v = 1.0;
    // At the midpoint a ball has covered v h/2 = 5 mm.
    for (const auto& [gap, contacts] : {std::pair{4.9e-3, 1}, std::pair{5.1e-3, 0}}) {
        Bench<Dim> bench(exact_settings<Dim>(h, 0.0), {"coulomb", 0.3, 0.5, 0.0});
        bench.floor();
        bench.ball((r + gap) * up<Dim>(), r, -v * up<Dim>());
        EXPECT_EQ(bench.world.step().contacts, contacts);
    }
}

TYPED_TEST(ContactRules, MoreauWithTouchCountsSmallGapsAsClosed) {
    constexpr int Dim = TypeParam::value;
    const double r = 0.5;
    for (const auto& [gap, contacts] : {std::pair{0.9e-3, 1}, std::pair{1.1e-3, 0}}) {
        Settings<Dim> settings = exact_settings<Dim>(1e-6);
        settings.touch = 1e-3;  // of the smaller diameter, here 1
        Bench<Dim> bench(settings, {"coulomb", 0.3, 0.0, 0.0});
        bench.floor();
        const BodyId ball = bench.ball((r + gap) * up<Dim>(), r);
        EXPECT_EQ(bench.world.step().contacts, contacts) << gap;
        EXPECT_NEAR(bench.velocity(ball)[Dim - 1], contacts ? 0.0 : -g * 1e-6, 1e-15);  // held, or falling
        // Between two balls the smaller one's diameter counts.
        Bench<Dim> pair(settings, {"coulomb", 0.3, 0.0, 0.0});
        pair.ball(Vec<Dim>::Zero(), 0.5);
        pair.ball((5.5 + gap) * axis<Dim>(0), 5.0);
        EXPECT_EQ(pair.world.step().contacts, contacts) << gap;
    }
}

TYPED_TEST(ContactRules, GapStopsABallExactlyAtTheSurface) {
    constexpr int Dim = TypeParam::value;
    const double h = 0.01, r = 0.5;
    Settings<Dim> settings = exact_settings<Dim>(h);
    settings.rule = ContactRule::gap;
    Bench<Dim> bench(settings, {"coulomb", 0.3, 0.0, 0.0});
    bench.floor();
    const BodyId ball = bench.ball((r + 0.3) * up<Dim>(), r, -2.0 * up<Dim>());
    double deepest = 1.0;
    for (int i = 0; i < 200; ++i) {
        EXPECT_LT(bench.world.step().max_overlap, 1e-12);
        deepest = std::min(deepest, bench.position(ball)[Dim - 1] - r + 0.5 * h * bench.velocity(ball)[Dim - 1]);
    }
    EXPECT_GT(deepest, -1e-12);
    EXPECT_NEAR(bench.position(ball)[Dim - 1], r, 1e-12);
    EXPECT_LT(bench.velocity(ball).norm(), 1e-12);
}

/// Largest overlap, in diameters, while a crowd falls into a box.
template <int Dim>
double worst_overlap_of_a_falling_crowd(ContactRule rule) {
    Settings<Dim> settings = exact_settings<Dim>(2e-3);
    settings.rule = rule;
    settings.solver.tolerance = 1e-6;
    settings.solver.tolerance_max = 1e-5;
    settings.solver.max_sweeps = 3000;
    Bench<Dim> bench(settings, {"coulomb", 0.4, 0.0, 0.0});
    Random random(71);
    bench.floor();
    for (int k = 0; k + 1 < Dim; ++k) {
        bench.plane(axis<Dim>(k), Vec<Dim>::Zero());
        bench.plane(-axis<Dim>(k), 0.4 * axis<Dim>(k));
    }
    for (int i = 0; i < (Dim == 3 ? 48 : 24); ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= 4) c[k] = 0.05 + 0.1 * (index % 4);
        c[Dim - 1] = 0.06 + 0.1 * index;
        bench.ball(c, random.uniform(0.03, 0.045), random.vector<Dim>(-2.0, 2.0));
    }
    double worst = 0.0;
    for (int i = 0; i < 250; ++i) worst = std::max(worst, bench.world.step().max_overlap);
    return worst;
}

TYPED_TEST(ContactRules, GapKeepsAFallingCrowdFreeOfOverlap) {
    // Exact for balls and flat walls: along a straight path the distance of two balls is convex, so the
    // linearised bound is on the safe side. What is left is the solver's: 1e-5 of an impact of 4 m/s over
    // a step of 2 ms, 8e-8 m or 1e-6 diameters, summed over the few steps in which a contact collides.
    constexpr int Dim = TypeParam::value;
    EXPECT_LT(worst_overlap_of_a_falling_crowd<Dim>(ContactRule::gap), 1e-5);
    EXPECT_GT(worst_overlap_of_a_falling_crowd<Dim>(ContactRule::moreau), 1e-2);  // v h/2, never undone
}

TYPED_TEST(ContactRules, GapRefusesRestitution) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(1e-3);
    settings.rule = ContactRule::gap;
    const auto use = [&](const LawSpec& law) {
        Bench<Dim> bench(settings, law);
        bench.floor();
        bench.ball(0.5 * up<Dim>(), 0.5, -up<Dim>());
        bench.world.step();
    };
    EXPECT_THROW(use({"coulomb", 0.3, 0.5, 0.0}), InputError);
    EXPECT_THROW(use({"frictionless", 0.0, 0.5, 0.0}), InputError);
    EXPECT_NO_THROW(use({"coulomb", 0.3, 0.0, 0.0}));
    // Nor can it be switched on under a law that has some.
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.5, 0.0});
    bench.floor();
    bench.ball(0.5 * up<Dim>(), 0.5, -up<Dim>());
    EXPECT_THROW((bench.world.set_settings(settings), bench.world.step()), InputError);
}

}  // namespace
}  // namespace talus::test
