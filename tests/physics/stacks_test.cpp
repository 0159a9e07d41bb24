// The smallest stacks of balls, and a square pyramid of cannonballs [validation B12, B13, and the
// one-step equilibrium check of moreau2001, sec. 2.1].
//
// One ball on n others on a floor: each lower ball is held by three forces, its weight, the floor's and
// the upper ball's, so the last two must meet on its axis. With psi the angle of the centre line from
// the vertical this needs mu >= tan(psi/2) between balls and tan(psi/2)/(n+1) on the floor.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double r = 0.5, h = 1e-3;

/// n lower balls, a hair apart, and one on top of them.
template <int Dim>
struct Stack {
    World<Dim> world;
    BodyId floor = -1;
    double weight = 0.0;

    Stack(int n, double mu_balls, double mu_floor) : world(exact_settings<Dim>(h)) {
        const MaterialId ball = world.add_material("ball"), ground = world.add_material("ground");
        world.set_law(ball, ball, {"coulomb", mu_balls, 0.0, 0.0});
        world.set_law(ball, ground, {"coulomb", mu_floor, 0.0, 0.0});
        BoundarySpec<Dim> plane;
        plane.shape = {"plane", {}};
        plane.shape.sizes.assign(Dim, 0.0);
        plane.shape.sizes.back() = 1.0;
        plane.material = ground;
        floor = world.add_boundary(plane);
        const double ring = n == 2 ? r : r / std::sin(pi / n);  // centres of the lower balls
        const double apart = ring * (1.0 + touching);
        for (int i = 0; i < n; ++i) {
            Vec<Dim> c = apart * std::cos(2.0 * pi * i / n) * axis<Dim>(0) + r * (1.0 - touching) * up<Dim>();
            if (Dim == 3) c[1] = apart * std::sin(2.0 * pi * i / n);
            add(c, ball);
        }
        const double rise = std::sqrt(4.0 * r * r * (1 - touching) * (1 - touching) - apart * apart);
        add((r * (1.0 - touching) + rise) * up<Dim>(), ball);
    }
    void add(const Vec<Dim>& centre, MaterialId material) {
        BallSpec<Dim> spec;
        spec.position = centre;
        spec.radius = r;
        spec.density = 1000.0;
        spec.material = material;
        const BodyId id = world.add_ball(spec);
        weight += world.masses()[world.index_of(id)] * g;
    }
};

/// tan(psi/2) of the stack of one ball on n.
double half_angle_tangent(int n) {
    const double ring = n == 2 ? r : r / std::sin(pi / n);
    return std::tan(0.5 * std::asin(ring / (2.0 * r)));
}

template <int Dim>
void expect_thresholds(int n) {
    const double balls = half_angle_tangent(n), ground = balls / (n + 1);
    struct Case {
        double mu_balls, mu_floor;
        bool stands;
    };
    const Case cases[] = {{1.01 * balls, 1.0, true}, {0.99 * balls, 1.0, false},
                          {1.0, 1.01 * ground, true}, {1.0, 0.99 * ground, false},
                          {1.01 * balls, 1.01 * ground, true}};
    for (const Case& c : cases) {
        Stack<Dim> stack(n, c.mu_balls, c.mu_floor);
        const Equilibrium e = stack.world.check_equilibrium(1e-6);
        EXPECT_EQ(e.holds, c.stands) << n << "+1, mu " << c.mu_balls << ", floor " << c.mu_floor;
        EXPECT_DOUBLE_EQ(e.v_ref, g * h);
        // The two sides are five decades apart: what stands does so to rounding of the solver's
        // tolerance, what falls starts at a percent of free fall [experiments A2, row h].
        if (c.stands)
            EXPECT_LT(e.max_velocity, 1e-8 * g * h);
        else
            EXPECT_GT(e.max_velocity, 1e-3 * g * h);
    }
}

TEST(Stack, OfTwoDisksAndOneStandsAboveItsThresholds) {
    EXPECT_NEAR(half_angle_tangent(2), 0.26795, 5e-6);
    expect_thresholds<2>(2);
}
TEST(Stack, OfThreeSpheresAndOneStandsAboveItsThresholds) {
    EXPECT_NEAR(half_angle_tangent(3), std::sqrt(3.0) - std::sqrt(2.0), 1e-12);
    expect_thresholds<3>(3);
}
TEST(Stack, OfFourSpheresAndOneStandsAboveItsThresholds) {
    EXPECT_NEAR(half_angle_tangent(4), 0.41421, 5e-6);
    expect_thresholds<3>(4);
}

template <int Dim>
void expect_weight_on_floor(int n) {
    Stack<Dim> stack(n, 0.6, 0.6);
    StepReport last;
    for (int i = 0; i < 100; ++i) last = stack.world.step();
    ASSERT_TRUE(last.converged);
    double force = 0.0;
    for (const Contact<Dim>& c : stack.world.contacts())
        if (c.b == stack.floor) force += c.impulse[Dim - 1] / h;
    EXPECT_NEAR(force, stack.weight, 1e-8 * stack.weight);
    EXPECT_NEAR(-stack.world.contact_impulse(stack.floor)[Dim - 1] / h, stack.weight, 1e-8 * stack.weight);
    EXPECT_LT(largest_speed(stack.world), 1e-7 * g * h);
}

TEST(Stack, PressesTheFloorWithItsWeight) {
    expect_weight_on_floor<2>(2);
    expect_weight_on_floor<3>(3);
    expect_weight_on_floor<3>(4);
}

TEST(EquilibriumCheck, LeavesTheWorldAsItWas) {
    Stack<3> stack(3, 0.6, 0.6);
    for (int i = 0; i < 5; ++i) stack.world.step();
    const std::uint64_t before = stack.world.hash();
    const Equilibrium e = stack.world.check_equilibrium();
    EXPECT_TRUE(e.holds);
    EXPECT_EQ(stack.world.hash(), before);
    EXPECT_EQ(stack.world.steps(), 5);
    EXPECT_FALSE(stack.world.contacts().empty());
}

TEST(EquilibriumCheck, StartsFromRestWhateverTheVelocities) {
    Stack<2> stack(2, 0.6, 0.6);
    for (std::size_t i = 0; i < stack.world.size(); ++i)
        if (stack.world.is_ball(i)) stack.world.set_velocity(stack.world.ids()[i], {1.0, 2.0}, Spin<2>(3.0));
    EXPECT_TRUE(stack.world.check_equilibrium().holds);
    EXPECT_EQ(stack.world.velocities()[1], Vec<2>(1.0, 2.0));
}

/// A square pyramid with n layers on a fixed lowest layer of n x n; vertical force on each base ball,
/// its own weight included, over the weight of a ball.
std::vector<double> base_loads(int n) {
    Bench<3> bench(exact_settings<3>(h), {"coulomb", 0.4, 0.0, 0.0});
    const double d = 2.0 * r, spacing = d * (1.0 + touching);
    const double rise = std::sqrt(d * d * (1 - touching) * (1 - touching) - 0.5 * spacing * spacing);
    std::vector<BodyId> base;
    for (int layer = 0; layer < n; ++layer)
        for (int i = 0; i < n - layer; ++i)
            for (int j = 0; j < n - layer; ++j) {
                const Vec<3> c(spacing * (i + 0.5 * layer), spacing * (j + 0.5 * layer), layer * rise);
                if (layer == 0)
                    base.push_back(bench.fixed_ball(c, r));
                else
                    bench.ball(c, r);
            }
    bench.steps(20);
    const double weight = 1000.0 * 4.0 / 3.0 * pi * r * r * r * g;
    std::vector<double> loads;
    for (const BodyId id : base) loads.push_back(1.0 - bench.world.contact_impulse(id)[2] / h / weight);
    return loads;
}

double sum(const std::vector<double>& x) {
    double s = 0.0;
    for (const double v : x) s += v;
    return s;
}

TEST(Cannonballs, OfTwoLayersShareTheTopBallEqually) {
    for (const double load : base_loads(2)) EXPECT_NEAR(load, 1.25, 1e-8);  // isostatic in the vertical by symmetry
}

TEST(Cannonballs, OfThreeLayersPressMostUnderTheCentre) {
    const std::vector<double> loads = base_loads(3);
    EXPECT_NEAR(sum(loads), 14.0, 14.0e-6);
    // Hyperstatic: the shares depend on the sweep. The guide is that of equal shares [validation B13].
    for (const int corner : {0, 2, 6, 8}) EXPECT_NEAR(loads[corner], 1.3125, 0.25 * 1.3125);
    for (const int side : {1, 3, 5, 7}) EXPECT_NEAR(loads[side], 1.625, 0.25 * 1.625);
    EXPECT_NEAR(loads[4], 2.25, 0.25 * 2.25);
    EXPECT_EQ(std::max_element(loads.begin(), loads.end()) - loads.begin(), 4);
}

TEST(Cannonballs, PressTheBaseWithTheirWeight) {
    const int n = 5;
    const std::vector<double> loads = base_loads(n);
    const double expected = n * (n + 1) * (2 * n + 1) / 6.0;
    EXPECT_NEAR(sum(loads), expected, 1e-6 * expected);
    EXPECT_EQ(std::max_element(loads.begin(), loads.end()) - loads.begin(), n * n / 2);
}

}  // namespace
}  // namespace talus::test
