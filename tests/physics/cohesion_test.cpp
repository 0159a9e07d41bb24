// Cohesion: a contact bears a pull up to C, and the cone of friction has its apex there; brittle bonds are lost for
// good when they open.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3, r = 0.5;

LawSpec sticky(double C, bool brittle = false, double mu = 0.4) {
    LawSpec law{"coulomb", mu, 0.0, 0.0};
    law.cohesion = C;
    law.brittle = brittle;
    return law;
}

/// Weight of the balls of this file [N].
template <int Dim>
double weight() { return 1000.0 * (Dim == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r) * g; }

template <int Dim>
BodyId ceiling(Bench<Dim>& bench) { return bench.plane(-up<Dim>(), Vec<Dim>::Zero()); }

template <class D>
class Cohesion : public ::testing::Test {};
TYPED_TEST_SUITE(Cohesion, BothDimensions);

TYPED_TEST(Cohesion, ABallHangsUpToTheThreshold) {
    constexpr int Dim = TypeParam::value;
    const double W = weight<Dim>();
    for (const std::string name : {"nlgs", "accelerated"}) {
        auto settings = exact_settings<Dim>(h);
        settings.solver.name = name;
        Bench<Dim> holds(settings, sticky(W * (1.0 + 1e-9)));
        ceiling(holds);
        const BodyId ball = holds.ball(-(1.0 - touching) * r * up<Dim>(), r);
        const auto report = holds.steps(100);
        EXPECT_LT(holds.velocity(ball).norm(), 1e-12);
        const auto contact = holds.world.contacts().at(0);
        EXPECT_NEAR(contact.normal_impulse(), -W * h, 1e-12 * W);  // the true impulse is a pull
        EXPECT_EQ(contact.status, ContactStatus::sticking);
        EXPECT_EQ(contact.bond, BondState::intact);
        EXPECT_NEAR(contact.cohesion, W, 1e-6 * W);
        EXPECT_LT(report.momentum_residual, 1e-12);
        EXPECT_FALSE(report.energy_gained);
        // Pulled by more: what is left of the force accelerates it.
        Bench<Dim> falls(settings, sticky(0.9 * W));
        ceiling(falls);
        const BodyId other = falls.ball(-(1.0 - touching) * r * up<Dim>(), r);
        falls.world.step();
        EXPECT_NEAR(falls.velocity(other)[Dim - 1], -0.1 * g * h, 1e-12);
        EXPECT_NEAR(falls.world.contacts().at(0).normal_impulse(), -0.9 * W * h, 1e-12 * W);
        falls.steps(100);
        EXPECT_TRUE(falls.world.contacts().empty());
    }
}

TYPED_TEST(Cohesion, AChainBreaksAtTheTop) {
    constexpr int Dim = TypeParam::value;
    const double W = weight<Dim>();
    for (const double C : {3.0 * W * (1.0 + 1e-6), 3.0 * W * (1.0 - 1e-3)}) {
        Bench<Dim> bench(exact_settings<Dim>(h), sticky(C));
        ceiling(bench);
        std::vector<BodyId> balls;
        for (int k = 0; k < 3; ++k) balls.push_back(bench.ball(-(1.0 - touching) * (2 * k + 1) * r * up<Dim>(), r));
        bench.world.step();
        for (const auto& c : bench.world.contacts())  // each bears what hangs below it
            if (C > 3.0 * W) { EXPECT_NEAR(c.normal_impulse() / (W * h), std::round(c.normal_impulse() / (W * h)), 1e-9); }
        bench.steps(200);
        if (C > 3.0 * W) {
            EXPECT_EQ(bench.world.contacts().size(), 3u);
            EXPECT_LT(largest_speed(bench.world), 1e-9);
        } else {
            EXPECT_EQ(bench.world.contacts().size(), 2u);  // three balls fall as one
            for (const BodyId b : balls) EXPECT_NEAR(bench.velocity(b)[Dim - 1], bench.velocity(balls[0])[Dim - 1], 1e-9);
            EXPECT_LT(bench.velocity(balls[0])[Dim - 1], -0.9 * g * 150 * h);
        }
    }
}

TYPED_TEST(Cohesion, MovesTheApexOfTheCone) {
    // On an upright wall nothing presses: friction carries the weight up to mu C.
    constexpr int Dim = TypeParam::value;
    const double W = weight<Dim>(), mu = 0.4;
    for (const bool linked : {false, true})
        for (const double factor : {1.0 + 1e-6, 0.5}) {
            LawSpec law = sticky(factor * W / mu, false, mu);
            if (linked) law.rolling = 0.1;  // the same through the richer kind of contact
            Bench<Dim> bench(exact_settings<Dim>(h), law);
            bench.plane(axis<Dim>(0), Vec<Dim>::Zero());
            const BodyId ball = bench.ball((1.0 - touching) * r * axis<Dim>(0), r);
            bench.lock_rotation(ball);
            bench.steps(100);
            const double expected = factor > 1.0 ? 0.0 : -(1.0 - factor) * g * 100 * h;
            EXPECT_NEAR(bench.velocity(ball)[Dim - 1], expected, 1e-9);
            EXPECT_EQ(bench.world.contacts().at(0).status, factor > 1.0 ? ContactStatus::sticking : ContactStatus::sliding);
        }
}

/// A ball on the floor that is thrown up and falls back; then gravity is turned round.
template <int Dim>
struct Thrown {
    Bench<Dim> bench;
    BodyId ball;
    explicit Thrown(bool brittle) : bench(exact_settings<Dim>(h), sticky(2.0 * weight<Dim>(), brittle)) {
        bench.floor();
        ball = bench.ball((1.0 - touching) * r * up<Dim>(), r);
    }
    void throw_up() {
        bench.world.step();
        EXPECT_EQ(bench.world.contacts().at(0).bond, BondState::intact);
        bench.world.set_velocity(ball, 1.0 * up<Dim>(), Spin<Dim>::Zero());
        bench.steps(400);
        EXPECT_LT(largest_speed(bench.world), 1e-9);
    }
    void turn_gravity() { turn_gravity(bench.world); }
    static void turn_gravity(World<Dim>& world) {
        auto settings = world.settings();
        settings.gravity *= -1.0;
        world.set_settings(settings);
        for (int i = 0; i < 100; ++i) world.step();
    }
};

TYPED_TEST(Cohesion, ComesBackUnlessItIsBrittle) {
    constexpr int Dim = TypeParam::value;
    for (const bool brittle : {false, true}) {
        Thrown<Dim> t(brittle);
        t.throw_up();
        EXPECT_EQ(t.bench.world.contacts().at(0).bond, brittle ? BondState::broken : BondState::intact);
        t.turn_gravity();
        EXPECT_NEAR(t.bench.velocity(t.ball)[Dim - 1], brittle ? g * 100 * h : 0.0, 1e-9);
    }
}

TYPED_TEST(Cohesion, BrittleBondsHoldWhatWasThereFromTheStart) {
    constexpr int Dim = TypeParam::value;
    Thrown<Dim> t(true);
    t.bench.world.step();
    const BodyId late = t.bench.ball(3.0 * axis<Dim>(0) + (1.0 - touching) * r * up<Dim>(), r);
    t.bench.world.step();
    t.turn_gravity();
    EXPECT_LT(t.bench.velocity(t.ball).norm(), 1e-12);
    EXPECT_NEAR(t.bench.velocity(late)[Dim - 1], g * 100 * h, 1e-9);
}

TYPED_TEST(Cohesion, ALawThatBecomesBrittleBondsWhatTouchesThen) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), LawSpec{"coulomb", 0.4, 0.0, 0.0});
    bench.floor();
    const BodyId ball = bench.ball((1.0 - touching) * r * up<Dim>(), r);
    bench.steps(5);
    EXPECT_EQ(bench.world.contacts().at(0).bond, BondState::none);
    bench.world.set_law(bench.material, bench.material, sticky(2.0 * weight<Dim>(), true));
    bench.world.step();
    bench.world.set_law(bench.material, bench.material, sticky(2.0 * weight<Dim>(), true));  // as a stage repeats it
    Thrown<Dim>::turn_gravity(bench.world);
    EXPECT_LT(bench.velocity(ball).norm(), 1e-12);
}

TYPED_TEST(Cohesion, BondsSurviveACheckpointAndAStartFromContacts) {
    constexpr int Dim = TypeParam::value;
    for (const bool broken : {false, true}) {
        Thrown<Dim> t(true);
        if (broken) t.throw_up();
        else t.bench.world.step();
        Thrown<Dim> copy(true);
        copy.bench.world.restore(t.bench.world.checkpoint());
        EXPECT_EQ(copy.bench.world.hash(), t.bench.world.hash());
        Thrown<Dim> started(true);
        started.bench.world.set_history(t.bench.world.contacts());
        for (Thrown<Dim>* w : {&t, &copy, &started}) {
            w->turn_gravity();
            EXPECT_NEAR(w->bench.velocity(w->ball)[Dim - 1], broken ? g * 100 * h : 0.0, 1e-9);
        }
        EXPECT_EQ(copy.bench.world.hash(), t.bench.world.hash());
    }
}

TYPED_TEST(Cohesion, ABondThatTurnsKeepsItsBalls) {
    // A pair that turns about its centre opens by (v h)^2/(2 R) each step; the rule `gap`, or the correction of
    // positions, brings it back.
    constexpr int Dim = TypeParam::value;
    for (const bool by_gap : {true, false}) {
        auto settings = exact_settings<Dim>(h, 0.0);
        settings.touch = 1e-3;
        settings.rule = by_gap ? ContactRule::gap : ContactRule::moreau;
        settings.position_correction = !by_gap;
        Bench<Dim> bench(settings, sticky(1e4, true));
        const BodyId a = bench.ball(-(1.0 - touching) * r * axis<Dim>(0), r, -0.5 * up<Dim>(), spin_at_bottom<Dim>(0.5, r));
        const BodyId b = bench.ball((1.0 - touching) * r * axis<Dim>(0), r, 0.5 * up<Dim>(), spin_at_bottom<Dim>(0.5, r));
        bench.steps(2000);
        ASSERT_EQ(bench.world.contacts().size(), 1u);
        EXPECT_EQ(bench.world.contacts().at(0).bond, BondState::intact);
        EXPECT_NEAR((bench.position(a) - bench.position(b)).norm(), 2.0 * r, 2e-5);
        // The pull is the centripetal force.
        const double v = 0.5 * (bench.velocity(a) - bench.velocity(b)).norm();
        EXPECT_NEAR(-bench.world.contacts().at(0).normal_impulse(), bench.mass(a) * v * v / r * h, 2e-3 * bench.mass(a) * v * v / r * h);
    }
}

TYPED_TEST(Cohesion, NoLawCreatesEnergyAndTheBooksClose) {
    // Crowds that collide at once, all laws in one: without forces energy only goes, and every joule is booked.
    constexpr int Dim = TypeParam::value;
    for (int trial = 0; trial < 10; ++trial) {
        Random random(trial + 1);
        LawSpec law = sticky(random.uniform(0.0, 2000.0), trial % 3 == 0, random.uniform(0.0, 0.8));
        if (law.cohesion == 0.0) law.brittle = false;
        if (trial % 2 == 0) law.rolling = random.uniform(0.0, 0.5);
        if (Dim == 3 && trial % 4 < 2) {
            law.pivoting = random.uniform(0.0, 0.5);
            law.friction_second = random.uniform(0.0, 0.8);
            law.axis = {1.0, 0.5, 0.2};
        }
        if (trial % 5 == 0) law.static_friction = 1.2;
        auto settings = exact_settings<Dim>(h, 0.0);
        settings.solver.tolerance = settings.solver.tolerance_max = 1e-8;
        Bench<Dim> bench(settings, law);
        fill_crowded_box(bench, random, 10);
        double before = kinetic_energy(bench.world);
        for (int step = 0; step < 3; ++step) {
            const auto report = bench.world.step();
            EXPECT_TRUE(report.converged) << trial;
            EXPECT_FALSE(report.energy_gained) << trial;
            EXPECT_NEAR(report.energy.residual, 0.0, 1e-12 * before) << trial;
            EXPECT_LT(report.momentum_residual, 1e-12) << trial;
            const double now = kinetic_energy(bench.world);
            EXPECT_LE(now, before * (1.0 + 1e-9)) << trial;
            before = now;
        }
    }
}

}  // namespace
}  // namespace talus::test
