// Coefficients that depend on the velocity of impact [moreau1994, sec. 6]: evaluated at U- and frozen for
// the step.
#include "testbed.h"

namespace talus::test {
namespace {

Coefficient points(std::vector<double> speed, std::vector<double> value) {
    Coefficient c;
    c.speed = std::move(speed);
    c.at_speed = std::move(value);
    return c;
}

TEST(Coefficient, IsInterpolatedAndConstantOutside) {
    const Coefficient c = points({0.1, 1.0, 3.0}, {0.9, 0.6, 0.2});
    EXPECT_DOUBLE_EQ(c.at(0.0), 0.9);
    EXPECT_DOUBLE_EQ(c.at(0.1), 0.9);
    EXPECT_DOUBLE_EQ(c.at(0.55), 0.75);
    EXPECT_DOUBLE_EQ(c.at(2.0), 0.4);
    EXPECT_DOUBLE_EQ(c.at(10.0), 0.2);
    EXPECT_DOUBLE_EQ(Coefficient(0.3).at(5.0), 0.3);
}

template <class D>
class VelocityDependent : public ::testing::Test {};
TYPED_TEST_SUITE(VelocityDependent, BothDimensions);

TYPED_TEST(VelocityDependent, RestitutionFallsWithTheSpeedOfImpact) {
    constexpr int Dim = TypeParam::value;
    LawSpec law;
    law.friction = 10.0;
    law.restitution = points({0.0, 2.0}, {1.0, 0.0});
    law.tangential_restitution = points({0.0, 2.0}, {0.5, 0.1});
    for (const double v : {0.2, 1.0, 1.7, 2.5}) {
        Bench<Dim> bench(exact_settings<Dim>(1e-5, 0.0), law);
        bench.floor();
        const double r = 0.5;
        const BodyId ball = bench.ball((r - 1e-4) * up<Dim>(), r, in_xz<Dim>(0.3, -v));
        bench.world.step();
        const double rho = std::max(0.0, 1.0 - v / 2.0), tau = std::max(0.1, 0.5 - 0.2 * v);
        EXPECT_NEAR(bench.velocity(ball)[Dim - 1], rho * v, 1e-12);
        EXPECT_NEAR(bench.velocity_at(ball, -r * up<Dim>())[0], -tau * 0.3, 1e-12);
        const auto contacts = bench.world.contacts();
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_NEAR(contacts[0].restitution, rho, 1e-12);
        EXPECT_NEAR(contacts[0].tangential_restitution, tau, 1e-12);
    }
}

TYPED_TEST(VelocityDependent, StaticFrictionHoldsWhatDynamicFrictionLetsGo) {
    // On a slope of tangent 0.5 with friction 0.6 at rest and 0.4 in motion.
    constexpr int Dim = TypeParam::value;
    const double h = 1e-3, angle = std::atan(0.5);
    LawSpec law;
    law.friction = points({0.0, 0.01}, {0.6, 0.4});
    for (const double start : {0.0, 0.1}) {
        Settings<Dim> settings = exact_settings<Dim>(h);
        settings.gravity = in_xz<Dim>(g * std::sin(angle), -g * std::cos(angle));
        Bench<Dim> bench(settings, law);
        bench.floor();
        const BodyId block = bench.ball(0.5 * (1.0 - touching) * up<Dim>(), 0.5, start * axis<Dim>(0));
        bench.lock_rotation(block);
        bench.steps(100);
        const double a = g * (std::sin(angle) - 0.4 * std::cos(angle));
        EXPECT_NEAR(bench.velocity(block)[0], start == 0.0 ? 0.0 : start + 100 * h * a, 1e-10);
    }
}

/// Laws that are the same at all speeds are put into the contacts by a shorter way: a function of speed that is constant must give the same.
TYPED_TEST(VelocityDependent, AConstantIsAFunctionThatDoesNotChange) {
    constexpr int Dim = TypeParam::value;
    const auto after = [](const Coefficient& friction, const Coefficient& restitution, ContactRule rule) {
        LawSpec law;
        law.friction = friction;
        law.restitution = restitution;
        Settings<Dim> settings = exact_settings<Dim>(1e-3);
        settings.rule = rule;
        Bench<Dim> bench(settings, law);
        bench.floor();
        std::vector<BodyId> balls;
        for (int k = 0; k < 5; ++k) balls.push_back(bench.ball((0.5 + 1.01 * k) * up<Dim>() + 0.02 * k * axis<Dim>(0), 0.5, in_xz<Dim>(0.1 * k, -1.0)));
        bench.steps(60);
        std::vector<Vec<Dim>> velocities;
        for (const BodyId ball : balls) velocities.push_back(bench.velocity(ball));
        return velocities;
    };
    for (const auto rule : {ContactRule::moreau, ContactRule::gap}) {
        const double e = rule == ContactRule::gap ? 0.0 : 0.4;
        const auto plain = after(0.3, e, rule), tabled = after(points({0.0, 1.0}, {0.3, 0.3}), points({0.0, 1.0}, {e, e}), rule);
        for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_LT((plain[k] - tabled[k]).norm(), 1e-9) << k;   // rounding, which impacts enlarge
    }
}

TYPED_TEST(VelocityDependent, TheLawOfAPairIsThatOfItsMaterials) {
    constexpr int Dim = TypeParam::value;
    World<Dim> world(exact_settings<Dim>(1e-5, 0.0));
    const MaterialId a = world.add_material("a"), b = world.add_material("b"), c = world.add_material("c");
    world.set_law(a, b, {"frictionless", 0.0, 0.25, 0.0});
    world.set_law(c, a, {"coulomb", 0.1, 0.75, 0.0});
    const auto wall = [&](MaterialId m, double side) {
        BoundarySpec<Dim> spec;
        spec.shape = {"plane", std::vector<double>(Dim, 0.0)};
        spec.shape.sizes[0] = -side;
        spec.position = side * 2.0 * axis<Dim>(0);
        spec.material = m;
        return world.add_boundary(spec);
    };
    wall(b, 1.0);
    wall(c, -1.0);
    BallSpec<Dim> ball;
    ball.radius = 0.5;
    ball.mass = 1.0;
    ball.material = a;
    ball.position = 1.5001 * axis<Dim>(0);
    ball.velocity = axis<Dim>(0);
    const BodyId right = world.add_ball(ball);
    ball.position = -1.5001 * axis<Dim>(0);
    ball.velocity = -axis<Dim>(0);
    const BodyId left = world.add_ball(ball);
    world.step();
    EXPECT_NEAR(world.velocities()[world.index_of(right)][0], -0.25, 1e-12);
    EXPECT_NEAR(world.velocities()[world.index_of(left)][0], 0.75, 1e-12);
}

TYPED_TEST(VelocityDependent, AContactWithoutALawIsAnError) {
    constexpr int Dim = TypeParam::value;
    World<Dim> world(exact_settings<Dim>(1e-3));
    const MaterialId a = world.add_material("glass");
    BallSpec<Dim> ball;
    ball.radius = 0.5;
    ball.mass = 1.0;
    ball.material = a;
    world.add_ball(ball);
    ball.position = 0.9 * axis<Dim>(0);
    world.add_ball(ball);
    EXPECT_THROW(world.step(), InputError);
}

}  // namespace
}  // namespace talus::test
