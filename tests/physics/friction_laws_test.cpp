// Static and dynamic friction, and friction that depends on the direction [moreau1994, sec. 5, example 2].
#include "masonry.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3, r = 0.5;

/// Gravity on a slope of that tangent, falling in the direction `angle` of the plane (space only).
Vec<3> slope_gravity(double tangent, double angle) {
    return g / std::sqrt(1.0 + tangent * tangent) * Vec<3>(tangent * std::cos(angle), tangent * std::sin(angle), -1.0);
}

/// A ball that cannot turn: a block with one contact.
template <int Dim>
BodyId add_slider(Bench<Dim>& bench, const Vec<Dim>& velocity = Vec<Dim>::Zero()) {
    const BodyId id = bench.ball((1.0 - touching) * r * up<Dim>(), r, velocity);
    bench.lock_rotation(id);
    return id;
}

LawSpec sticky(double mu, double mu_static) {
    LawSpec law{"coulomb", mu, 0.0, 0.0};
    law.static_friction = mu_static;
    return law;
}

template <class D>
class StaticFriction : public ::testing::Test {};
TYPED_TEST_SUITE(StaticFriction, BothDimensions);

TYPED_TEST(StaticFriction, HoldsUpToTheStaticCoefficientAndSlidesWithTheDynamicOne) {
    constexpr int Dim = TypeParam::value;
    auto settings = exact_settings<Dim>(h);
    settings.solver.tolerance = settings.solver.tolerance_max = 1e-10;
    settings.gravity = g * in_xz<Dim>(std::sin(pi / 6.0), -std::cos(pi / 6.0));
    const double tangent = std::tan(pi / 6.0), slide = g * (std::sin(pi / 6.0) - 0.3 * std::cos(pi / 6.0));
    const auto run = [&](double mu_static, bool block, double start) {
        Bench<Dim> bench(settings, sticky(0.3, mu_static));
        bench.floor();
        const ShapeSpec cube{"box", std::vector<double>(Dim, 1.0)};
        const BodyId id = block ? add_block<Dim>(bench, cube, 0.5 * (1.0 - touching) * up<Dim>()) : add_slider(bench);
        bench.world.set_velocity(id, start * axis<Dim>(0), Spin<Dim>::Zero());
        bench.steps(50);
        if (start == 0.0 && mu_static > tangent) {
            for (const auto& c : bench.world.contacts()) EXPECT_EQ(c.status, ContactStatus::sticking);
        } else {
            for (const auto& c : bench.world.contacts()) EXPECT_EQ(c.status, ContactStatus::sliding);
        }
        return bench.velocity(id)[0];
    };
    for (const bool block : {false, true}) {
        // Four corners share the load as they like: near the threshold sweeps take ever longer to find how.
        const double off = block ? 0.03 : 1e-4;
        EXPECT_LT(std::abs(run(tangent * (1.0 + off), block, 0.0)), 1e-9);
        EXPECT_NEAR(run(tangent * (1.0 - off), block, 0.0), slide * 50 * h, 1e-8);
        // What moves goes on moving: static friction does not slow it down.
        EXPECT_NEAR(run(tangent * (1.0 + off), block, 0.1), 0.1 + slide * 50 * h, 1e-8);
    }
}

TYPED_TEST(StaticFriction, BelowItsFrictionIsRefused) {
    constexpr int Dim = TypeParam::value;
    EXPECT_THROW(Bench<Dim>(exact_settings<Dim>(h), sticky(0.3, 0.2)), InputError);
}

TYPED_TEST(StaticFriction, EqualCoefficientsAreCoulombsLaw) {
    // The same crowd with the plain law and as links with the same coefficients, restitutions in both directions.
    constexpr int Dim = TypeParam::value;
    const auto crowd = [&](const LawSpec& law) {
        auto settings = exact_settings<Dim>(h, 0.0);
        Bench<Dim> bench(settings, law);
        Random random(5);
        fill_crowded_box(bench, random, 12);
        const auto report = bench.world.step();
        EXPECT_TRUE(report.converged);
        std::vector<Vec<Dim>> v;
        for (std::size_t i = 0; i < bench.world.size(); ++i)
            if (!bench.world.is_wall(i)) v.push_back(bench.world.velocities()[i]);
        return v;
    };
    LawSpec plain{"coulomb", 0.3, 0.4, 0.2};
    LawSpec linked = plain;
    linked.static_friction = 0.3;
    const auto a = crowd(plain), b = crowd(linked);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT((a[i] - b[i]).norm(), 1e-8) << i;
}

LawSpec grained(double along, double across, double angle) {
    LawSpec law{"coulomb", along, 0.0, 0.0};
    law.friction_second = across;
    law.axis = {std::cos(angle), std::sin(angle), 0.0};
    return law;
}

TEST(AnisotropicFriction, TheThresholdDependsOnTheDirection) {
    const double along = 0.3, across = 0.6, grain = 0.4;
    for (const double angle : {0.0, 0.3, 0.9, 1.3, 2.5}) {
        const double c = std::cos(angle - grain) / along, s = std::sin(angle - grain) / across;
        const double threshold = 1.0 / std::sqrt(c * c + s * s);
        for (const double factor : {0.9999, 1.0001}) {
            auto settings = exact_settings<3>(h);
            settings.gravity = slope_gravity(threshold * factor, angle);
            Bench<3> bench(settings, grained(along, across, grain));
            bench.floor();
            const BodyId id = add_slider(bench);
            bench.steps(20);
            if (factor < 1.0) EXPECT_LT(bench.velocity(id).norm(), 1e-12) << angle;
            else EXPECT_GT(bench.velocity(id).norm(), 1e-6) << angle;
        }
    }
}

TEST(AnisotropicFriction, SlipIsNormalToTheEllipse) {
    // S_T = -S_N M M U/|M U| with M = diag(along, across): closed form in U, whatever the load.
    const double along = 0.3, across = 0.6, grain = 0.4;
    const Vec<3> e1(std::cos(grain), std::sin(grain), 0.0), e2(-std::sin(grain), std::cos(grain), 0.0);
    for (const double angle : {0.0, 0.7, 1.5, 3.0, 5.0}) {
        Bench<3> bench(exact_settings<3>(h), grained(along, across, grain));
        bench.floor();
        const BodyId id = add_slider<3>(bench, {2.0 * std::cos(angle), 2.0 * std::sin(angle), 0.0});
        bench.steps(20);
        const auto contact = bench.world.contacts().at(0);
        EXPECT_EQ(contact.status, ContactStatus::sliding);
        const Vec<3> U = contact.velocity_after;
        const double u1 = along * U.dot(e1), u2 = across * U.dot(e2), size = std::sqrt(u1 * u1 + u2 * u2);
        const Vec<3> expected = contact.normal_impulse() * (contact.normal - along * u1 / size * e1 - across * u2 / size * e2);
        EXPECT_LT((contact.impulse - expected).norm(), 1e-12 * expected.norm()) << angle;
        EXPECT_NEAR(contact.normal_impulse(), bench.mass(id) * g * h, 1e-12);
    }
    // Along an axis the path is straight: each coefficient by itself.
    for (const bool first : {true, false}) {
        Bench<3> bench(exact_settings<3>(h), grained(along, across, grain));
        bench.floor();
        const BodyId id = add_slider<3>(bench, 2.0 * (first ? e1 : e2));
        bench.steps(100);
        EXPECT_LT((bench.velocity(id) - (2.0 - (first ? along : across) * g * 100 * h) * (first ? e1 : e2)).norm(), 1e-10);
    }
}

TEST(AnisotropicFriction, AGrooveGuides) {
    // No friction along, much across: a slider on a slope follows the groove.
    auto settings = exact_settings<3>(h);
    settings.gravity = slope_gravity(0.3, 0.0);
    const double groove = 0.5;
    Bench<3> bench(settings, grained(0.0, 2.0, groove));
    bench.floor();
    const BodyId id = add_slider(bench);
    bench.steps(200);
    const double a = settings.gravity[0] * std::cos(groove);
    EXPECT_LT((bench.velocity(id) - a * 200 * h * Vec<3>(std::cos(groove), std::sin(groove), 0.0)).norm(), 1e-9);
}

TEST(AnisotropicFriction, ASteepAxisLeavesTheSmallerCoefficient) {
    // Documented: where the axis is along the normal there is no direction, and the cone is round.
    LawSpec law = grained(0.5, 0.2, 0.0);
    law.axis = {0.0, 0.0, 1.0};
    Bench<3> bench(exact_settings<3>(h), law);
    bench.floor();
    const BodyId id = add_slider<3>(bench, {1.0, 1.0, 0.0});
    bench.steps(100);
    EXPECT_NEAR(bench.velocity(id).norm(), std::sqrt(2.0) - 0.2 * g * 100 * h, 1e-10);
}

TEST(AnisotropicFriction, IsRefusedInThePlaneAndWithoutAnAxis) {
    EXPECT_THROW(Bench<2>(exact_settings<2>(h), grained(0.3, 0.6, 0.0)), InputError);
    LawSpec law = grained(0.3, 0.6, 0.0);
    law.axis = {};
    EXPECT_THROW(Bench<3>(exact_settings<3>(h), law), InputError);
}

}  // namespace
}  // namespace talus::test
