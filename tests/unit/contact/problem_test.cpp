// The contact problem: applying impulses one by one or all afresh gives the same velocities, action equals
// reaction, and an impulse changes the velocity of its own contact by H.
#include "contact/problem.h"

#include "../../physics/testbed.h"
#include "solve/refresh.h"

namespace talus::test {
namespace {

/// Balls on a ring of contacts, the last body a wall.
template <int Dim>
ContactProblem<Dim> ring(Random& random, int bodies) {
    ContactProblem<Dim> problem;
    for (int i = 0; i < bodies; ++i) {
        BodyLine<Dim> line;
        if (i + 1 < bodies) {
            line.inv_mass = random.uniform(0.5, 2.0);
            line.inv_inertia = line.inv_mass / solid<Dim>;
            line.v = random.vector<Dim>(-1, 1);
            line.R = random.spin<Dim>(1.0);
        }
        problem.lines.push_back(line);
        problem.free_lines.push_back(motion_of(line));
    }
    for (int k = 0; k < 3 * bodies; ++k) {
        BallContact<Dim> c;
        c.a = k % (bodies - 1);
        c.b = (c.a + 1 + k / bodies) % bodies;
        if (c.b == c.a) c.b = bodies - 1;
        c.n = random.direction<Dim>();
        const double w = problem.lines[c.a].inv_mass + problem.lines[c.b].inv_mass;
        c.inv_wn = 1.0 / w;
        c.inv_wt = 1.0 / (tangential_factor<Dim> * w);
        problem.balls.push_back(c);
    }
    return problem;
}

template <class D>
class Problem : public ::testing::Test {};
TYPED_TEST_SUITE(Problem, BothDimensions);

TYPED_TEST(Problem, RefreshedVelocitiesAreThoseOfAMillionUpdates) {
    // Rounding of 10^6 adjustments stays below 1e-10 of the velocities [experiments A2, row f].
    constexpr int Dim = TypeParam::value;
    Random random(131);
    ContactProblem<Dim> problem = ring<Dim>(random, 20);
    for (int update = 0; update < 1000000; ++update) {
        const std::size_t k = static_cast<std::size_t>(update) % problem.balls.size();
        const BallContact<Dim> c = problem.balls[k];
        const double pn = random.uniform(0.0, 1.0);
        const Tangential<Dim> pt = tangential_of(random.vector<Dim>(-0.5, 0.5), c.n);
        apply(c, pn - c.pn, pt - c.pt, problem.lines[c.a], problem.lines[c.b]);
        problem.balls.set_impulse(k, pn, pt);
    }
    const std::vector<BodyLine<Dim>> updated = problem.lines;
    refresh_velocities(problem);
    for (std::size_t i = 0; i < updated.size(); ++i) {
        EXPECT_LT((updated[i].v - problem.lines[i].v).norm(), 1e-10);
        EXPECT_LT((updated[i].R - problem.lines[i].R).norm(), 1e-10);
    }
    EXPECT_EQ(problem.lines.back().v.norm(), 0.0);  // the wall did not move
}

TYPED_TEST(Problem, AnImpulseChangesItsOwnContactByTheDelassusOperator) {
    constexpr int Dim = TypeParam::value;
    Random random(132);
    ContactProblem<Dim> problem = ring<Dim>(random, 10);
    for (const BallContact<Dim> c : problem.balls) {
        const FormalVelocity<Dim> before = formal_velocity(c, problem.lines[c.a], problem.lines[c.b]);
        const double pn = random.uniform(0.0, 1.0);
        const Tangential<Dim> pt = tangential_of(random.vector<Dim>(-1, 1), c.n);
        apply(c, pn, pt, problem.lines[c.a], problem.lines[c.b]);
        const FormalVelocity<Dim> after = formal_velocity(c, problem.lines[c.a], problem.lines[c.b]);
        EXPECT_NEAR(after.n - before.n, pn / c.inv_wn, 1e-13);
        EXPECT_LT(std::sqrt((after.t - before.t - (1.0 / c.inv_wt) * pt).squared()), 1e-13);
    }
}

TYPED_TEST(Problem, ActionEqualsReaction) {
    constexpr int Dim = TypeParam::value;
    Random random(133);
    ContactProblem<Dim> problem = ring<Dim>(random, 10);
    for (const BallContact<Dim> c : problem.balls) {
        if (problem.lines[c.b].inv_mass == 0.0) continue;
        const auto momentum_of = [&] {
            return Vec<Dim>(problem.lines[c.a].v / problem.lines[c.a].inv_mass + problem.lines[c.b].v / problem.lines[c.b].inv_mass);
        };
        const Vec<Dim> before = momentum_of();
        apply(c, random.uniform(0.0, 1.0), tangential_of(random.vector<Dim>(-1, 1), c.n), problem.lines[c.a], problem.lines[c.b]);
        EXPECT_LT((momentum_of() - before).norm(), 1e-13);
    }
}

}  // namespace
}  // namespace talus::test
