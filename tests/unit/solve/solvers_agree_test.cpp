// Every solver answers to the same laws. Where the answer is unique (velocities without friction, forces of an
// isostatic stack) they agree; where it is not, each satisfies the judge.
#include "../../physics/testbed.h"

namespace talus::test {
namespace {

const char* const solvers[] = {"nlgs", "accelerated", "auto", "newton", "bipotential", "projected_gradient"};

template <int Dim>
Settings<Dim> solved_by(const char* name, double h) {
    Settings<Dim> s = exact_settings<Dim>(h);
    s.solver.name = name;
    s.solver.tolerance = 1e-11;
    s.solver.tolerance_max = 1e-10;
    return s;
}

template <class D>
class Solvers : public ::testing::Test {};
TYPED_TEST_SUITE(Solvers, BothDimensions);

TYPED_TEST(Solvers, AgreeOnVelocitiesWithoutFriction) {
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::vector<std::vector<Vec<Dim>>> answers;
        for (const char* name : {"nlgs", "accelerated", "auto", "newton", "bipotential", "projected_gradient", "qp"}) {
            Bench<Dim> bench(solved_by<Dim>(name, 1e-3), {"frictionless", 0.0, 0.4, 0.0});
            Random random(seed);
            fill_crowded_box(bench, random, 60);
            ASSERT_TRUE(bench.world.step().converged) << name;
            answers.emplace_back(bench.world.velocities().begin(), bench.world.velocities().end());
        }
        for (const auto& answer : answers)
            for (std::size_t i = 0; i < answer.size(); ++i) EXPECT_LT((answers[0][i] - answer[i]).norm(), 1e-8);
    }
}

TYPED_TEST(Solvers, AgreeOnTheForcesOfAnIsostaticPile) {
    // A ball in the notch of fixed ones, with friction too weak to make it hyperstatic: frictionless.
    constexpr int Dim = TypeParam::value;
    std::vector<std::vector<Contact<Dim>>> answers;
    for (const char* name : solvers) {
        Bench<Dim> bench(solved_by<Dim>(name, 1e-3), {"frictionless", 0.0, 0.0, 0.0});
        for (int i = 0; i < Dim; ++i) {
            const double a = 2.0 * pi * i / Dim;
            Vec<Dim> c = 0.55 * std::cos(a) * axis<Dim>(0);
            if (Dim == 3) c[1] = 0.55 * std::sin(a);
            bench.fixed_ball(c, 0.5);
        }
        bench.ball(std::sqrt(1.0 - 0.55 * 0.55) * (1.0 - 1e-9) * up<Dim>(), 0.5);
        bench.steps(3);
        answers.push_back(bench.world.contacts());
    }
    ASSERT_EQ(answers[0].size(), static_cast<std::size_t>(Dim));
    for (const auto& answer : answers) {
        ASSERT_EQ(answer.size(), answers[0].size());
        for (std::size_t k = 0; k < answer.size(); ++k)
            EXPECT_LT((answers[0][k].impulse - answer[k].impulse).norm(), 1e-8 * answers[0][k].impulse.norm());
    }
}

TYPED_TEST(Solvers, SatisfyTheLawsOfAFrictionalCrowd) {
    constexpr int Dim = TypeParam::value;
    for (const char* name : solvers) {
        Settings<Dim> settings = solved_by<Dim>(name, 1e-3);
        settings.solver.tolerance = 1e-8;
        settings.solver.tolerance_max = 1e-6;
        settings.solver.max_sweeps = 20000;
        Bench<Dim> bench(settings, {"coulomb", 0.4, 0.3, 0.0});
        Random random(9);
        fill_crowded_box(bench, random, 60);
        const Vec<Dim> wall_free = momentum(bench.world);
        for (int i = 0; i < 10; ++i) {
            const StepReport report = bench.world.step();
            EXPECT_TRUE(report.converged) << name << ", step " << i;
            EXPECT_LT(report.momentum_residual, 1e-11);
            EXPECT_LE(report.law.max, 1e-6);
        }
        EXPECT_NE(wall_free, momentum(bench.world));
    }
}

TYPED_TEST(Solvers, TakeOneSweepForAProblemThatIsSolved) {
    constexpr int Dim = TypeParam::value;
    for (const char* name : {"nlgs", "accelerated", "auto"}) {
        Settings<Dim> settings = solved_by<Dim>(name, 1e-3);
        settings.solver.tolerance = 1e-8;
        settings.solver.tolerance_max = 0.0;
        Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
        bench.floor();
        for (int i = 0; i < 6; ++i) bench.ball((0.5 + i) * (1.0 - touching) * up<Dim>(), 0.5);
        bench.steps(20);
        EXPECT_EQ(bench.world.step().sweeps, 1) << name;
    }
}

TEST(AcceleratedSolver, NeedsFewerSweepsForAColumn) {
    std::vector<std::int64_t> sweeps;
    for (const char* name : {"nlgs", "accelerated"}) {
        Settings<3> settings = solved_by<3>(name, 1e-3);
        settings.solver.tolerance = 1e-4;
        settings.solver.tolerance_max = 0.0;
        settings.solver.max_sweeps = 100000;
        Bench<3> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
        bench.floor();
        for (int i = 0; i < 100; ++i) bench.ball((0.5 + i) * (1.0 - touching) * up<3>(), 0.5);
        const StepReport report = bench.world.step();
        EXPECT_TRUE(report.converged) << name;
        sweeps.push_back(report.sweeps);
    }
    EXPECT_LT(2 * sweeps[1], sweeps[0]);
}

TYPED_TEST(Solvers, TheAccurateOnesStandATallColumn) {
    // 300 balls on end: sweeps carry weight down one ball at a time, a factorisation carries it at once.
    constexpr int Dim = TypeParam::value;
    constexpr int n = 300;
    for (const char* name : {"newton", "auto"}) {
        Settings<Dim> settings = solved_by<Dim>(name, 1e-3);
        settings.solver.tolerance = 1e-10;
        settings.solver.max_sweeps = 5000;
        Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
        bench.floor();
        for (int i = 0; i < n; ++i) bench.ball((0.5 + i) * (1.0 - touching) * up<Dim>(), 0.5);
        const StepReport report = bench.world.step();
        EXPECT_TRUE(report.converged) << name << " " << report.law.mean;
        EXPECT_LT(largest_speed(bench.world), 1e-9 * g * 1e-3 * n);
        EXPECT_NEAR(bench.world.contact_impulse(bench.world.ids()[0]).norm(), n * bench.world.masses()[1] * g * 1e-3,
                    1e-8 * n * bench.world.masses()[1] * g * 1e-3);
    }
}

TEST(AcceleratedSolver, RefusesOtherOrders) {
    Settings<3> settings = solved_by<3>("accelerated", 1e-3);
    settings.solver.order = SweepOrder::random;
    const auto use = [&] {
        Bench<3> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
        bench.floor();
        bench.ball(0.49 * up<3>(), 0.5);
        bench.world.step();
    };
    EXPECT_THROW(use(), InputError);
}

}  // namespace
}  // namespace talus::test
