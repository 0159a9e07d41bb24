// The world as a library object: what it refuses, and what it tells about itself.
#include <map>
#include <tuple>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

template <class D>
class WorldInterface : public ::testing::Test {};
TYPED_TEST_SUITE(WorldInterface, BothDimensions);

TYPED_TEST(WorldInterface, RefusesImpossibleSettings) {
    constexpr int Dim = TypeParam::value;
    const auto refused = [](auto change) {
        Settings<Dim> s = exact_settings<Dim>(1e-3);
        change(s);
        EXPECT_THROW(World<Dim>{s}, InputError);
    };
    refused([](auto& s) { s.step = 0.0; });
    refused([](auto& s) { s.step = -1.0; });
    refused([](auto& s) { s.step = std::numeric_limits<double>::quiet_NaN(); });
    refused([](auto& s) { s.solver.name = "magic"; });
    refused([](auto& s) { s.solver.max_sweeps = 0; });
    refused([](auto& s) { s.periodic[0] = true; });  // the cell has no length
}

TYPED_TEST(WorldInterface, RefusesImpossibleBodies) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    const auto refused = [&](auto change) {
        BallSpec<Dim> ball;
        ball.radius = 0.1;
        ball.mass = 1.0;
        ball.material = bench.material;
        change(ball);
        EXPECT_THROW(bench.world.add_ball(ball), InputError);
    };
    refused([](auto& b) { b.radius = 0.0; });
    refused([](auto& b) { b.radius = -0.1; });
    refused([](auto& b) { b.mass = -1.0; });
    refused([](auto& b) { b.mass = 0.0; });      // nor a density
    refused([](auto& b) { b.material = 7; });
    refused([](auto& b) { b.glued_to = 1000; });
    EXPECT_THROW(bench.boundary({"teapot", {1.0}}), InputError);
    EXPECT_THROW(bench.boundary({"box", {1.0}}), InputError);
    EXPECT_THROW(bench.boundary({"ball_inside", {-1.0}}), InputError);
    EXPECT_THROW(bench.world.fix(12345, 0), InputError);
    const BodyId wall = bench.floor();
    EXPECT_THROW(bench.world.release(wall, 0), InputError);  // it has no mass
    EXPECT_THROW(bench.world.set_law(bench.material, 9, {}), InputError);
}

TYPED_TEST(WorldInterface, RefusesImpossibleLaws) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    for (const LawSpec& law : {LawSpec{"coulomb", -0.1, 0.0, 0.0}, LawSpec{"coulomb", 0.1, 1.5, 0.0},
                               LawSpec{"coulomb", 0.1, -0.5, 0.0}, LawSpec{"coulomb", 0.1, 0.0, 1.5},
                               LawSpec{"glue", 0.1, 0.0, 0.0}})
        EXPECT_THROW(bench.world.set_law(bench.material, bench.material, law), InputError) << law.name;
}

TYPED_TEST(WorldInterface, MassesAndInertiaAreThoseOfSolidBalls) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    const BodyId ball = bench.ball(Vec<Dim>::Zero(), 0.2);
    EXPECT_NEAR(bench.mass(ball), 1000.0 * (Dim == 3 ? 4.0 / 3.0 * pi * 0.008 : pi * 0.04), 1e-10);
}

TYPED_TEST(WorldInterface, TimeIsTheNumberOfStepsTimesTheStep) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(0.1), {"coulomb", 0.3, 0.0, 0.0});
    for (int i = 1; i <= 100; ++i) {
        const StepReport report = bench.world.step();
        EXPECT_EQ(report.step, i);
        EXPECT_NEAR(report.time, 0.1 * i, 1e-12);
        EXPECT_EQ(bench.world.steps(), i);
        EXPECT_EQ(bench.world.time(), report.time);
    }
}

TYPED_TEST(WorldInterface, ClearanceIsTheSmallestGap) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.3, 0.0, 0.0});
    EXPECT_EQ(bench.world.clearance(Vec<Dim>::Zero(), 1.0), std::numeric_limits<double>::infinity());
    Random random(121);
    bench.floor(-10.0);
    for (int i = 0; i < 50; ++i) bench.ball(random.vector<Dim>(-5, 5), random.uniform(0.05, 1.0));
    bench.world.step();  // lists of neighbours exist by now
    for (int trial = 0; trial < 100; ++trial) {
        const Vec<Dim> p = random.vector<Dim>(-6, 6);
        double expected = p[Dim - 1] + 10.0;
        for (std::size_t i = 0; i < bench.world.size(); ++i)
            if (bench.world.is_ball(i)) expected = std::min(expected, (p - bench.world.positions()[i]).norm() - bench.world.radii()[i]);
        EXPECT_NEAR(bench.world.clearance(p, 0.2), expected - 0.2, 1e-12);
    }
}

TYPED_TEST(WorldInterface, SumsOfImpulsesAreTheSumsOfTheSteps) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.4, 0.6, 0.0});
    Random random(122);
    fill_crowded_box(bench, random, 20);
    bench.steps(3);
    bench.world.accumulate_contacts(true);
    using Key = std::tuple<BodyId, BodyId, std::uint32_t>;
    std::map<Key, Vec<Dim>> expected;
    for (int i = 0; i < 50; ++i) {
        bench.world.step();
        for (const Contact<Dim>& c : bench.world.contacts()) {
            auto [it, fresh] = expected.try_emplace({c.a, c.b, c.feature}, Vec<Dim>::Zero());
            it->second += c.impulse;
        }
    }
    std::map<Key, Vec<Dim>> sums;
    for (const ContactSum<Dim>& s : bench.world.contact_sums()) {
        auto [it, fresh] = sums.try_emplace({s.a, s.b, s.feature}, Vec<Dim>::Zero());
        it->second += s.impulse;
    }
    double scale = 0.0;
    for (const auto& [key, value] : expected) scale = std::max(scale, value.norm());
    for (const auto& [key, value] : expected) {
        if (value.norm() == 0.0) continue;
        ASSERT_TRUE(sums.count(key));
        EXPECT_LT((sums[key] - value).norm(), 1e-12 * scale);
    }
    bench.world.clear_contact_sums();
    for (const ContactSum<Dim>& s : bench.world.contact_sums()) EXPECT_EQ(s.impulse.norm(), 0.0);
}

TYPED_TEST(WorldInterface, TheImpulseOnABodyIsTheSumOfItsContacts) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.4, 0.6, 0.0});
    Random random(123);
    fill_crowded_box(bench, random, 20);
    bench.steps(3);
    for (const BodyId id : bench.world.ids()) {
        Vec<Dim> expected = Vec<Dim>::Zero();
        for (const Contact<Dim>& c : bench.world.contacts()) {
            if (c.a == id) expected += c.impulse;
            if (c.b == id) expected -= c.impulse;
        }
        EXPECT_LT((bench.world.contact_impulse(id) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    }
}

TYPED_TEST(WorldInterface, ContactsNameTheGrainFirstAgainstAWallElseTheLowerId) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.4, 0.6, 0.0});
    Random random(124);
    fill_crowded_box(bench, random, 20);
    bench.fixed_ball(Vec<Dim>::Constant(1.0), 0.5);
    bench.steps(3);
    for (const Contact<Dim>& c : bench.world.contacts()) {
        const std::size_t a = bench.world.index_of(c.a), b = bench.world.index_of(c.b);
        EXPECT_FALSE(bench.world.is_wall(a));
        if (!bench.world.is_wall(b)) {
            EXPECT_LT(c.a, c.b);
        }
        // The normal points towards a.
        if (bench.world.is_ball(b)) {
            EXPECT_GT(c.normal.dot(bench.world.positions()[a] - bench.world.positions()[b]), 0.0);
        }
    }
}

TYPED_TEST(WorldInterface, OverlapIsMeasuredInDiametersOfTheSmallerBody) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-6, 0.0), {"coulomb", 0.4, 0.0, 0.0});
    bench.ball(Vec<Dim>::Zero(), 0.5);
    bench.ball((2.5 - 0.02) * axis<Dim>(0), 2.0);
    bench.ball(-(0.6 - 0.01) * axis<Dim>(0), 0.1);
    const StepReport report = bench.world.step();
    EXPECT_NEAR(report.max_overlap, 0.05, 1e-12);
    EXPECT_NEAR(report.mean_overlap, 0.5 * (0.02 + 0.05), 1e-12);
}

}  // namespace
}  // namespace talus::test
