// The problem of the next step, taken out of the world: its two forms agree, its answer is the step, and the step does not notice.
#include "step/next_problem.h"

#include "../../physics/testbed.h"
#include "solve/residual.h"

namespace talus::test {
namespace {

/// Balls, a block that is not round, a ball that may not turn, a driven floor and a wall that slides freely, all
/// bouncing: every kind of freedom and of contact that a problem may have.
template <int Dim>
Bench<Dim> mixed_bench(double friction) {
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", friction, 0.3, 0.2});
    const BodyId floor = bench.floor();
    bench.world.drive(floor, 0, sine(0.01, 20.0, 0.3));
    Random random(11);
    BodyId last = -1;
    for (int i = 0; i < 12; ++i)
        last = bench.ball(in_xz<Dim>(0.95 * (i % 4), 0.45 + 0.9 * (i / 4)), 0.5, random.vector<Dim>(-0.5, 0.5),
                          random.spin<Dim>(0.5));
    bench.lock_rotation(last);
    BodySpec<Dim> block;
    block.shape = {"box", std::vector<double>(Dim, 1.0)};
    block.position = in_xz<Dim>(-1.0, 0.49);
    block.density = 1000.0;
    block.material = bench.material;
    block.spin = random.spin<Dim>(0.5);
    block.velocity = 0.5 * axis<Dim>(0);
    const BodyId box = bench.world.add_body(block);
    bench.world.fix(box, freedoms<Dim> - 1);
    BoundarySpec<Dim> wall;
    wall.shape = {"plane", {}};
    const Vec<Dim> normal = -axis<Dim>(0);
    wall.shape.sizes.assign(normal.data(), normal.data() + Dim);
    wall.position = 3.3 * axis<Dim>(0);
    wall.material = bench.material;
    wall.mass = 5.0;
    bench.world.release(bench.world.add_boundary(wall), 0);
    return bench;
}

template <class D>
class NextStep : public ::testing::Test {};
TYPED_TEST_SUITE(NextStep, BothDimensions);

TYPED_TEST(NextStep, TheGlobalFormCondensedIsTheLocalForm) {
    constexpr int Dim = TypeParam::value;
    auto bench = mixed_bench<Dim>(0.4);
    for (int step = 0; step < 5; ++step) {
        const auto next = next_problem(bench.world);
        ASSERT_GT(next.local.contacts(), 10U);
        const auto condensed = condense(next.global);
        const Eigen::MatrixXd W(to_sparse<Dim>(next.local.W)), other(to_sparse<Dim>(condensed.problem.W));
        EXPECT_LT((W - other).norm(), 1e-13 * W.norm());  // rounding: the same sums in another order
        EXPECT_LT((W - W.transpose()).norm(), 1e-14 * W.norm());
        const Eigen::VectorXd q = to_stacked<Dim>(next.local.q), p = to_stacked<Dim>(condensed.problem.q);
        EXPECT_LT((q - p).norm(), 1e-13 * q.norm());
        EXPECT_EQ(next.local.mu, next.global.mu);
        bench.world.step();
    }
}

TYPED_TEST(NextStep, FreedomsAreThoseThatAreFree) {
    constexpr int Dim = TypeParam::value;
    auto bench = mixed_bench<Dim>(0.4);
    const auto next = next_problem(bench.world);
    // 12 balls, the block and the wall; the last ball does not turn, the block lacks a rotation, the wall has one freedom.
    EXPECT_EQ(next.bodies, 14);
    EXPECT_EQ(next.global.M.rows(), 11 * freedoms<Dim> + Dim + (freedoms<Dim> - 1) + 1);
    EXPECT_EQ(next.step, 0);
    EXPECT_EQ(next.time, 0.0);
}

TYPED_TEST(NextStep, LookingAtItDoesNotChangeIt) {
    constexpr int Dim = TypeParam::value;
    auto plain = mixed_bench<Dim>(0.4), watched = mixed_bench<Dim>(0.4);
    for (int step = 0; step < 20; ++step) {
        (void)next_problem(watched.world);
        plain.world.step();
        watched.world.step();
        ASSERT_EQ(plain.world.hash(), watched.world.hash()) << "step " << step;
    }
}

TYPED_TEST(NextStep, ItsAnswerIsTheStep) {
    // Without friction the velocities are unique [moreau2003, sec. 4.3]: whoever solves the problem finds those of the step.
    constexpr int Dim = TypeParam::value;
    auto bench = mixed_bench<Dim>(0.0);
    bench.steps(3);
    auto next = next_problem(bench.world);
    ASSERT_GT(next.local.contacts(), 5U);
    auto condensed = condense(next.global);
    SolverSettings settings = exact_settings<Dim>(1e-3).solver;
    settings.error = ErrorKind::full;
    ASSERT_TRUE(solver_registry().make<Dim>("nlgs")->solve(condensed.problem, settings).converged);
    const Eigen::VectorXd v = condensed.velocities();
    bench.world.step();
    // Bodies in the order of ids, each with its free freedoms.
    Eigen::Index k = 0;
    const auto driven = bench.world.driven();
    for (std::size_t i = 0; i < bench.world.size(); ++i)
        for (int f = 0; f < freedoms<Dim>; ++f) {
            if (driven[i] >> f & 1u) continue;
            const double found = f < Dim ? bench.world.velocities()[i][f] : bench.world.spins()[i][f - Dim];
            EXPECT_NEAR(v[k++], found, 1e-9) << "body " << i << ", freedom " << f;  // tolerance of the two solves over a spectral gap
        }
    EXPECT_EQ(k, v.size());
}

}  // namespace
}  // namespace talus::test
