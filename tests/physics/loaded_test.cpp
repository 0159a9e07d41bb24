// Boundaries pushed by a stated force: the servo walls of a biaxial test. A wall at rest carries exactly
// its load; a pressure acts on the current length or area; the work of loads is booked.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

/// A lid above, facing down, free along the vertical.
template <int Dim>
BodyId add_lid(Bench<Dim>& bench, double height, double mass, bool has_weight = false) {
    BoundarySpec<Dim> spec;
    spec.shape = {"plane", std::vector<double>(Dim, 0.0)};
    spec.shape.sizes.back() = -1.0;
    spec.position = height * up<Dim>();
    spec.material = bench.material;
    spec.mass = mass;
    spec.has_weight = has_weight;
    const BodyId id = bench.world.add_boundary(spec);
    bench.world.release(id, Dim - 1);
    return id;
}

template <class D>
class Loaded : public ::testing::Test {};
TYPED_TEST_SUITE(Loaded, BothDimensions);

TYPED_TEST(Loaded, AWallWithoutContactFollowsNewton) {
    constexpr int Dim = TypeParam::value;
    for (const bool has_weight : {false, true}) {
        Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
        const BodyId lid = add_lid(bench, 10.0, 2.0, has_weight);
        bench.world.set_loads(lid, {{Dim - 1, force(constant(-3.0)), {}}});
        double work = 0.0;
        for (int i = 0; i < 1000; ++i) {
            const StepReport report = bench.world.step();
            work += report.energy.load_work;
            ASSERT_LT(std::abs(report.energy.residual), 1e-12 * 200.0);
        }
        const double a = -1.5 - (has_weight ? g : 0.0);
        EXPECT_NEAR(bench.velocity(lid)[Dim - 1], a, 1e-11);
        EXPECT_NEAR(bench.position(lid)[Dim - 1], 10.0 + 0.5 * a, 1e-11);
        EXPECT_NEAR(work, -3.0 * 0.5 * a, 1e-10);
    }
}

TYPED_TEST(Loaded, AWallAtRestCarriesItsLoad) {
    constexpr int Dim = TypeParam::value;
    for (const bool has_weight : {false, true}) {
        Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
        const BodyId floor = bench.floor(), lid = add_lid(bench, 1.001, 20.0, has_weight);
        const BodyId ball = bench.ball(0.5 * up<Dim>(), 0.5);
        const double load = 4000.0, weight = bench.mass(ball) * g, lid_weight = has_weight ? 20.0 * g : 0.0;
        bench.world.set_loads(lid, {{Dim - 1, force(constant(-load)), {}}});
        bench.steps(2000);
        EXPECT_NEAR(bench.world.contact_impulse(lid)[Dim - 1] / h, load + lid_weight, 1e-8 * load);
        EXPECT_NEAR(-bench.world.contact_impulse(floor)[Dim - 1] / h, load + lid_weight + weight, 1e-8 * load);
    }
}

/// Grains in a box with fixed sides and a loaded lid; every wall a plane.
template <int Dim>
struct Press {
    Bench<Dim> bench;
    BodyId floor, lid;
    std::vector<BodyId> sides;

    explicit Press(double mu) : bench(settings(), {"coulomb", mu, 0.0, 0.0}) {
        const double width = Dim == 3 ? 2.0 : 5.0;
        floor = bench.floor();
        for (int k = 0; k + 1 < Dim; ++k) {
            sides.push_back(bench.plane(axis<Dim>(k), Vec<Dim>::Zero()));
            sides.push_back(bench.plane(-axis<Dim>(k), width * axis<Dim>(k)));
        }
        Random random(61);
        const int across = Dim == 3 ? 2 : 5;
        int count = 1;
        for (int k = 0; k < Dim; ++k) count *= across;
        for (int i = 0; i < count; ++i) {
            Vec<Dim> c;
            for (int k = 0, index = i; k < Dim; ++k, index /= across) c[k] = 0.5 + index % across;
            bench.ball(c + random.vector<Dim>(-0.05, 0.05), random.uniform(0.3, 0.44));
        }
        lid = add_lid(bench, across + 0.1, 5000.0);
    }
    static Settings<Dim> settings() {
        Settings<Dim> s = exact_settings<Dim>(h, 0.0);
        s.solver.tolerance = 1e-5;
        s.solver.tolerance_max = 0.0;
        s.solver.max_sweeps = 1000;
        return s;
    }
};

TYPED_TEST(Loaded, APackingUnderALoadedWallCarriesTheLoad) {
    constexpr int Dim = TypeParam::value;
    Press<Dim> press(0.3);
    const double load = 1e5;
    press.bench.world.set_loads(press.lid, {{Dim - 1, force(constant(-load)), {}}});
    // Compaction with an everyday tolerance, until inelastic contacts have stopped the grains; then a few
    // steps to the last digits. A grain that floats free of the force chains may go on drifting.
    press.bench.steps(2500);
    Settings<Dim> tight = press.bench.world.settings();
    tight.solver.tolerance = 1e-11;
    tight.solver.max_sweeps = 20000;
    press.bench.world.set_settings(tight);
    press.bench.steps(20);
    EXPECT_NEAR(press.bench.world.contact_impulse(press.lid)[Dim - 1] / h, load, 1e-8 * load);
    EXPECT_LT(press.bench.velocity(press.lid).norm(), 1e-9);
}

TYPED_TEST(Loaded, APressureActsOnTheCurrentLength) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
    bench.floor();
    const BodyId lid = add_lid(bench, 1.0, 20.0);
    bench.ball(0.5 * (1.0 - touching) * up<Dim>(), 0.5);
    bench.world.set_velocity(lid, Vec<Dim>::Zero(), Spin<Dim>::Zero());
    Load load{Dim - 1, force(constant(-1000.0)), {}};
    std::vector<BodyId> low, high;
    for (int k = 0; k + 1 < Dim; ++k) {
        low.push_back(bench.plane(axis<Dim>(k), -2.0 * axis<Dim>(k)));
        high.push_back(bench.plane(-axis<Dim>(k), 3.0 * axis<Dim>(k)));
        bench.world.drive(high.back(), k, linear(0.1 * (k + 1)));
        load.area.push_back({low.back(), high.back(), k});
    }
    bench.world.set_loads(lid, {load});
    bench.steps(1500);
    // The force of the step is that of its middle.
    double area = 1.0;
    for (int k = 0; k + 1 < Dim; ++k) area *= 5.0 + 0.1 * (k + 1) * (bench.world.time() - 0.5 * h);
    EXPECT_NEAR(bench.world.contact_impulse(lid)[Dim - 1] / h, 1000.0 * area, 1e-8 * 1000.0 * area);
}

TYPED_TEST(Loaded, AForceMayDependOnTimePositionAndVelocity) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h, 0.0), {"coulomb", 0.5, 0.0, 0.0});
    BallSpec<Dim> spec;
    spec.radius = 0.1;
    spec.mass = 2.0;
    spec.position = 0.7 * axis<Dim>(0);
    spec.velocity = -0.4 * axis<Dim>(0);
    spec.material = bench.material;
    const BodyId ball = bench.world.add_ball(spec);
    bench.world.set_loads(ball, {{0, force_expression("3*t - 5*x - 0.25*vx", Dim), {}}});
    double x = 0.7, v = -0.4, t = 0.0;  // the step of moreau1994, eq. 7.1, with F(t_m, q_m, u_I)
    for (int i = 0; i < 100; ++i) {
        bench.world.step();
        const double middle = x + 0.5 * h * v;
        const double after = v + h / 2.0 * (3.0 * (t + 0.5 * h) - 5.0 * middle - 0.25 * v);
        x = middle + 0.5 * h * after;
        v = after;
        t += h;
    }
    EXPECT_NEAR(bench.position(ball)[0], x, 1e-13);
    EXPECT_NEAR(bench.velocity(ball)[0], v, 1e-13);
}

TYPED_TEST(Loaded, ATorqueSpinsAGrain) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h, 0.0), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId ball = bench.ball(Vec<Dim>::Zero(), 0.2);
    const double inertia = solid<Dim> * bench.mass(ball) * 0.04;
    bench.world.set_loads(ball, {{Dim, force(constant(0.7)), {}}});
    bench.steps(1000);
    EXPECT_NEAR(bench.spin(ball)[0], 0.7 / inertia, 1e-10 * 0.7 / inertia);
}

TEST(Seesaw, TakesItsShareOfAnImpactThroughItsInertia) {
    // A bar on a pivot hit at distance d by a ball of mass m: S = m v/(1 + m d^2/I), no restitution.
    Bench<2> bench(exact_settings<2>(1e-6, 0.0), {"frictionless", 0.0, 0.0, 0.0});
    BoundarySpec<2> bar;
    bar.shape = {"segment", {4.0}};
    bar.material = bench.material;
    bar.mass = 3.0;
    bar.inertia = Spin<2>(1.7);
    const BodyId id = bench.world.add_boundary(bar);
    bench.world.release(id, 2);
    const double d = 1.2, r = 0.1;
    const BodyId ball = bench.ball({d, r - 1e-7}, r, {0.0, -1.0});
    const double m = bench.mass(ball);
    bench.world.step();
    const double v = 1.0 / (1.0 + 1.7 / (m * d * d));  // both move on with this speed
    EXPECT_NEAR(bench.velocity(ball)[1], -v, 1e-9);    // the contact turns by 1e-6 in the half step
    EXPECT_NEAR(bench.spin(id)[0], -v / d, 1e-9);
}

TEST(Seesaw, BalancesWhenMomentsDo) {
    Bench<2> bench(exact_settings<2>(h), {"coulomb", 0.8, 0.0, 0.0});
    BoundarySpec<2> bar;
    bar.shape = {"segment", {4.0}};
    bar.material = bench.material;
    bar.mass = 3.0;
    bar.inertia = Spin<2>(1.7);
    const BodyId id = bench.world.add_boundary(bar);
    bench.world.release(id, 2);
    bench.ball({1.0, 0.2 * (1.0 - touching)}, 0.2);                            // mass 4 at 1
    bench.ball({-0.25, 0.4 * (1.0 - touching)}, 0.4);                          // mass 16 at 1/4
    EXPECT_TRUE(bench.world.check_equilibrium().holds);
    bench.ball({-1.2, 0.2 * (1.0 - touching)}, 0.2);
    EXPECT_FALSE(bench.world.check_equilibrium().holds);
}

}  // namespace
}  // namespace talus::test
