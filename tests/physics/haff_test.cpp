// A gas of smooth inelastic balls cools as T/T0 = (1 + t/tau)^-2 [Haff 1983; validation B22], with
// 1/tau = (1-e^2) w0/(2D), w0 the collision frequency of Enskog at the start. Periodic box, so that no
// wall biases it.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double fraction = 0.1, e = 0.9;

/// Collision frequency per ball at unit diameter, unit temperature and mass.
template <int Dim>
double collision_frequency() {
    if (Dim == 3) {
        const double density = 6.0 * fraction / pi, contact = (1.0 - fraction / 2.0) / std::pow(1.0 - fraction, 3);
        return 4.0 * std::sqrt(pi) * density * contact;
    }
    const double density = 4.0 * fraction / pi, contact = (1.0 - 7.0 * fraction / 16.0) / std::pow(1.0 - fraction, 2);
    return 2.0 * std::sqrt(pi) * density * contact;
}

/// `count` balls of unit diameter at random without overlap, velocities normal with variance one and no
/// mean, in a periodic cube.
template <int Dim>
Bench<Dim> gas(int count, std::uint64_t seed, double h) {
    const double volume = count * (Dim == 3 ? pi / 6.0 : pi / 4.0) / fraction, side = std::pow(volume, 1.0 / Dim);
    Settings<Dim> settings = exact_settings<Dim>(h, 0.0);
    settings.solver.tolerance = 1e-6;
    settings.solver.tolerance_max = 0.0;
    settings.solver.max_sweeps = 1000;
    settings.periodic.fill(true);
    settings.cell_high.setConstant(side);
    Bench<Dim> bench(settings, {"frictionless", 0.0, e, 0.0});
    Random random(seed);
    std::vector<Vec<Dim>> centres, speeds;
    Vec<Dim> mean = Vec<Dim>::Zero();
    while (static_cast<int>(centres.size()) < count) {
        const Vec<Dim> c = random.vector<Dim>(0.0, side);
        const bool clear = std::all_of(centres.begin(), centres.end(), [&](const Vec<Dim>& o) {
            Vec<Dim> d = c - o;
            for (int k = 0; k < Dim; ++k) d[k] -= side * std::round(d[k] / side);
            return d.norm() > 1.0001;
        });
        if (!clear) continue;
        Vec<Dim> v;
        for (int k = 0; k < Dim; ++k)
            v[k] = std::sqrt(-2.0 * std::log(random.uniform(1e-16, 1.0))) * std::cos(random.uniform(0.0, 2.0 * pi));
        centres.push_back(c);
        speeds.push_back(v);
        mean += v / count;
    }
    for (int i = 0; i < count; ++i) bench.ball(centres[i], 0.5, speeds[i] - mean);
    return bench;
}

template <class D>
class HaffGas : public ::testing::Test {};
TYPED_TEST_SUITE(HaffGas, BothDimensions);

TYPED_TEST(HaffGas, CoolsByTheLawOfHaff) {
    constexpr int Dim = TypeParam::value;
    const double h = 0.02;  // a ball covers a fiftieth of its diameter in a step
    Bench<Dim> bench = gas<Dim>(1000, 22, h);
    const double start = kinetic_energy(bench.world) / 1000 * 2.0 / Dim / bench.world.masses()[0];
    const double tau = 2.0 * Dim / ((1.0 - e * e) * collision_frequency<Dim>() * std::sqrt(start));
    const double energy0 = kinetic_energy(bench.world);
    const auto run_to = [&](double t) {
        while (bench.world.time() < t) bench.world.step();
        return kinetic_energy(bench.world) / energy0;
    };
    // 1000 balls collide some 10^4 times: a percent of noise; the rest of the 10 % is correlations and
    // the finite step (validation B22, quick form).
    EXPECT_NEAR(run_to(tau), 0.25, 0.025);
    EXPECT_NEAR(run_to(4.0 * tau), 0.04, 0.004);
    EXPECT_LT(momentum(bench.world).norm(), 1e-10 * momentum_scale(bench.world));
}

}  // namespace
}  // namespace talus::test
