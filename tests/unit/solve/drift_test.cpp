// Velocities are corrected contact by contact and rounding adds up: moreau2003 recomputes them from the impulses after a million
// corrections (eq. 39). Here a million are made without, to see what that would lose.
#include "../../physics/testbed.h"
#include "solve/sweeper.h"
#include "step/step_problem.h"

namespace talus::test {
namespace {

template <class D>
class Drift : public ::testing::Test {};
TYPED_TEST_SUITE(Drift, BothDimensions);

TYPED_TEST(Drift, AMillionCorrectionsLoseFewDigits) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-3), {"coulomb", 0.4, 0.0, 0.0});
    Random random(3);
    fill_crowded_box(bench, random, 60);
    (void)bench.world.step();
    ContactProblem<Dim> problem = bench.world.step_problem().problem;
    ASSERT_GT(problem.contacts(), 30u);
    for (std::size_t k = 0; k < problem.balls.size(); ++k) problem.balls.set_impulse(k, 1.5 * problem.balls.pn(k), problem.balls.pt(k));  // away from the solution, so that there is something to correct
    refresh_velocities(problem);
    Sweeper<Dim> sweeper;
    sweeper.begin(problem, Kernel::automatic);
    for (std::size_t made = 0; made < 1000000; made += problem.contacts()) sweeper.sweep(problem, nullptr);
    const auto corrected = problem.lines;
    refresh_velocities(problem);
    double drift = 0.0, fastest = 0.0;
    for (std::size_t i = 0; i < problem.lines.size(); ++i) {
        drift = std::max(drift, (corrected[i].v - problem.lines[i].v).norm());
        fastest = std::max(fastest, problem.lines[i].v.norm());
    }
    EXPECT_LT(drift, 1e-10 * fastest);   // A2 row f
}

}  // namespace
}  // namespace talus::test
