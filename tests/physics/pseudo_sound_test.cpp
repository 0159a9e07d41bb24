// A solver that stops after a given number of sweeps N makes a chain of rigid balls elastic: with warm
// start, disturbances travel at c = K sqrt(N) d/h, K = 1 for an ordered sweep and 0.9 for a random one
// [Unger & Kertesz 2002; validation B21]. A solver that goes on until the law holds makes it rigid.
//
// Measured on the lowest standing wave of a chain that is pressed between two walls (pressed, so that no
// contact opens): it comes back to zero velocity after a quarter of its period, L/(2c).
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3, d = 1.0;
constexpr int n = 100;

template <int Dim>
Bench<Dim> pressed_chain(const SolverSettings& solver) {
    Settings<Dim> settings = exact_settings<Dim>(h, 0.0);
    settings.solver = solver;
    Bench<Dim> bench(settings, {"frictionless", 0.0, 0.0, 0.0});
    const double spacing = d * (1.0 - 1e-3);  // the wave moves balls by less than that
    bench.plane(axis<Dim>(0), Vec<Dim>::Zero());
    bench.plane(-axis<Dim>(0), spacing * n * axis<Dim>(0));
    for (int i = 0; i < n; ++i) bench.ball((i + 0.5) * spacing * axis<Dim>(0), 0.5 * d);
    return bench;
}

/// K from the time at which the middle ball stops for the first time.
template <int Dim>
double measured_factor(int sweeps, SweepOrder order) {
    SolverSettings solver;
    solver.tolerance = 0.0;
    solver.min_sweeps = sweeps;
    solver.max_sweeps = sweeps;
    solver.name = "nlgs";
    solver.order = order;
    Bench<Dim> bench = pressed_chain<Dim>(solver);
    bench.world.step();  // finds the contacts; nothing moves
    std::vector<Contact<Dim>> pressed = bench.world.contacts();
    const double speed = 1e-3, pressure = bench.world.masses()[bench.world.size() - 1];
    for (Contact<Dim>& c : pressed) c.impulse = pressure * c.normal;  // a thousand times what the wave needs
    bench.world.set_history(pressed);
    std::vector<BodyId> balls;
    for (std::size_t i = 0; i < bench.world.size(); ++i)
        if (bench.world.is_ball(i)) balls.push_back(bench.world.ids()[i]);
    for (int i = 0; i < n; ++i)
        bench.world.set_velocity(balls[i], speed * std::sin(pi * (i + 1) / (n + 1)) * axis<Dim>(0), Spin<Dim>::Zero());
    double before = speed;
    for (int step = 1; step < 1000; ++step) {
        bench.world.step();
        const double now = bench.velocity(balls[n / 2])[0];
        if (now < 0.0) {
            const double steps = step - 1 + before / (before - now);
            return (n + 1) / (2.0 * steps) / std::sqrt(sweeps);
        }
        before = now;
    }
    return 0.0;
}

template <class D>
class PseudoSound : public ::testing::Test {};
TYPED_TEST_SUITE(PseudoSound, BothDimensions);

TYPED_TEST(PseudoSound, GrowsAsTheRootOfTheNumberOfSweeps) {
    constexpr int Dim = TypeParam::value;
    for (const int sweeps : {1, 4, 16}) {
        EXPECT_NEAR(measured_factor<Dim>(sweeps, SweepOrder::forward), 1.0, 0.1) << sweeps;
        EXPECT_NEAR(measured_factor<Dim>(sweeps, SweepOrder::symmetric), 1.0, 0.1) << sweeps;
        EXPECT_NEAR(measured_factor<Dim>(sweeps, SweepOrder::random), 0.9, 0.09) << sweeps;
    }
}

TYPED_TEST(PseudoSound, IsInfiniteOnceTheSolverConverges) {
    // Hit at one end, a chain without restitution moves on as one in a single step.
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h, 0.0), {"frictionless", 0.0, 0.0, 0.0});
    const int count = 20;
    for (int i = 0; i < count; ++i) bench.ball(i * (1.0 - touching) * axis<Dim>(0), 0.5, (i == 0 ? 1.0 : 0.0) * axis<Dim>(0));
    // The hit ball would overlap its neighbour by h/2 at the midpoint, which changes nothing here.
    bench.world.step();
    for (const Vec<Dim>& v : bench.world.velocities()) EXPECT_LT((v - axis<Dim>(0) / count).norm(), 1e-9);
}

}  // namespace
}  // namespace talus::test
