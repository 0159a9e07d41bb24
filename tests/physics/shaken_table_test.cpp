// A ball without restitution on a table that shakes as A sin(phi) [validation B17].
// It leaves where the table falls faster than gravity, sin(phi_0) = 1/Gamma with Gamma = A w^2/g, flies
// a parabola and lands on the table; the test solves that in closed form. A wrong sign of the wall's
// velocity cannot pass it.
#include "testbed.h"

namespace talus::test {
namespace {

struct Flight {
    double duration = 0.0;  // in periods
    double impact = 0.0;    // relative speed over A w
};

/// Root of the parabola against the sine, by marching and bisection in phase.
Flight closed_form(double gamma) {
    const double start = std::asin(1.0 / gamma);
    const auto height = [&](double p) {  // ball over table, in amplitudes; phase since leaving is p - start
        const double t = p - start;
        return std::sin(start) + std::cos(start) * t - 0.5 * t * t / gamma - std::sin(p);
    };
    double low = start + 0.5;
    while (height(low + 1e-3) > 0.0) low += 1e-3;
    double high = low + 1e-3;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (height(middle) > 0.0 ? low : high) = middle;
    }
    const double v = std::cos(start) - (low - start) / gamma - std::cos(low);
    return {(low - start) / (2.0 * pi), std::abs(v)};
}

template <class D>
class ShakenTable : public ::testing::Test {};
TYPED_TEST_SUITE(ShakenTable, BothDimensions);

TYPED_TEST(ShakenTable, ThrowsTheBallWhenItFallsFasterThanGravity) {
    constexpr int Dim = TypeParam::value;
    const double frequency = 25.0, w = 2.0 * pi * frequency;
    const int per_period = 2000;
    const double h = 1.0 / frequency / per_period;
    struct Published {
        double gamma, flight, impact;
    };
    for (const Published& p : {Published{1.3582, 0.4940, 0.905}, {2.0, 0.7415, 1.916}, {2.5152, 0.8604, 2.124}}) {
        const Flight expected = closed_form(p.gamma);
        ASSERT_NEAR(expected.duration, p.flight, 1e-4);
        ASSERT_NEAR(expected.impact, p.impact, 1e-3);
        const double amplitude = p.gamma * g / (w * w);
        Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.3, 0.0, 0.0});
        const BodyId table = bench.floor();
        // From the lowest point, where the table is at rest: on the way up the ball then lags by half a
        // step of the table's motion, stays in contact, and the moment of leaving is sharp.
        bench.world.drive(table, Dim - 1, sine(amplitude, frequency, -0.5 * pi));
        const double r = 1e-3;
        const BodyId ball = bench.ball(r * (1.0 - touching) * up<Dim>(), r);
        std::vector<double> force;
        double impact = 0.0, leave = 0.0, land = 0.0;
        for (int i = 0; i < 2 * per_period && land == 0.0; ++i) {
            const double before = bench.velocity(ball)[Dim - 1];
            const bool pressed = bench.world.step().working_contacts > 0;
            if (!pressed && leave == 0.0) leave = bench.world.time() - 0.5 * h;
            if (pressed && leave != 0.0) {
                land = bench.world.time() - 0.5 * h;
                const double wall = amplitude * w * std::cos(w * land - 0.5 * pi);
                impact = (wall - before) / (amplitude * w);
            }
        }
        const double phase = w * leave - 0.5 * pi;
        EXPECT_NEAR(phase, std::asin(1.0 / p.gamma), 2.0 * w * h) << "gamma " << p.gamma;
        EXPECT_NEAR((land - leave) * frequency, expected.duration, 2.0 / per_period) << "gamma " << p.gamma;
        // In two steps the relative velocity changes by at most two steps of g + A w^2.
        EXPECT_NEAR(impact, expected.impact, 2.0 * w * h * (1.0 + 1.0 / p.gamma)) << "gamma " << p.gamma;
    }
}

}  // namespace
}  // namespace talus::test
