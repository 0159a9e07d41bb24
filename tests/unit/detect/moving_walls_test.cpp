// Walls that move or turn fast are never missed either: after every step the contacts with a driven wall are
// those that its exact pose at t_m and the balls' q_m give. The distance itself is tested in unit/shapes.
#include <set>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

template <int Dim>
struct Motion {
    Vec<Dim> centre = Vec<Dim>::Zero();
    double rate = 0.0;                        // about z [rad/s]
    double amplitude = 0.0, frequency = 0.0;  // along x
};

Rotation<2> about_z(double angle, InPlane) { return {angle}; }
Rotation<3> about_z(double angle, InSpace) {
    Rotation<3> r;
    r.q = Eigen::AngleAxisd(angle, Vec<3>::UnitZ());
    return r;
}

template <int Dim>
World<Dim> wall_alone(const ShapeSpec& shape, const Vec<Dim>& position, double angle) {
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.3, 0.0, 0.0});
    BoundarySpec<Dim> spec;
    spec.shape = shape;
    spec.position = position;
    spec.rotation = about_z(angle, std::integral_constant<int, Dim>{});
    spec.material = bench.material;
    bench.world.add_boundary(spec);
    return std::move(bench.world);
}

template <int Dim>
void expect_wall_never_missed(const ShapeSpec& shape, const Motion<Dim>& motion, std::uint64_t seed) {
    Settings<Dim> settings = exact_settings<Dim>(h, 2.0);
    settings.solver = {};
    settings.solver.max_sweeps = 20;
    Bench<Dim> bench(settings, {"coulomb", 0.3, 0.9, 0.0});
    const BodyId wall = bench.boundary(shape, motion.centre);
    if (motion.rate != 0.0) bench.world.drive(wall, Dim == 2 ? 2 : 5, linear(motion.rate));
    if (motion.amplitude != 0.0) bench.world.drive(wall, 0, sine(motion.amplitude, motion.frequency, 0.0));
    bench.boundary({"box_inside", std::vector<double>(Dim, 6.0)});  // keeps the balls together
    Random random(seed);
    for (int i = 0; i < 200; ++i) {
        const Vec<Dim> c = random.vector<Dim>(-2.4, 2.4);
        const double r = random.uniform(0.05, 0.3);
        if (bench.world.clearance(c, r) > 0.0) bench.ball(c, r, random.vector<Dim>(-10.0, 10.0));
    }
    int seen = 0;
    for (int step = 0; step < 400; ++step) {
        const double middle = bench.world.time() + 0.5 * h;
        const Vec<Dim> position = motion.centre + motion.amplitude * std::sin(2.0 * pi * motion.frequency * middle) * axis<Dim>(0);
        const World<Dim> oracle = wall_alone<Dim>(shape, position, motion.rate * middle);
        std::set<BodyId> closed, unsure;
        for (std::size_t i = 0; i < bench.world.size(); ++i) {
            if (!bench.world.is_ball(i)) continue;
            const double gap = oracle.clearance(bench.world.positions()[i] + 0.5 * h * bench.world.velocities()[i], bench.world.radii()[i]);
            if (std::abs(gap) < 1e-10)
                unsure.insert(bench.world.ids()[i]);
            else if (gap < 0.0)
                closed.insert(bench.world.ids()[i]);
        }
        bench.world.step();
        std::set<BodyId> found;
        for (const Contact<Dim>& c : bench.world.contacts())
            if (c.b == wall) found.insert(c.a);
        for (const BodyId id : closed) ASSERT_TRUE(found.count(id)) << shape.name << " missed " << id << " at step " << step;
        for (const BodyId id : found)
            ASSERT_TRUE(closed.count(id) || unsure.count(id)) << shape.name << " invented " << id << " at step " << step;
        seen += static_cast<int>(found.size());
    }
    EXPECT_GT(seen, 10) << shape.name;
}

template <class D>
class MovingWalls : public ::testing::Test {};
TYPED_TEST_SUITE(MovingWalls, BothDimensions);

TYPED_TEST(MovingWalls, ThatTurnAreNeverMissed) {
    constexpr int Dim = TypeParam::value;
    const ShapeSpec paddle = Dim == 2 ? ShapeSpec{"segment", {4.0}} : ShapeSpec{"plate", {4.0, 3.0}};
    std::vector<double> bar(Dim, 0.5);
    bar[0] = 4.0;
    for (const double rate : {3.0, 30.0}) {
        expect_wall_never_missed<Dim>({"box", bar}, {0.2 * axis<Dim>(1), rate, 0.0, 0.0}, 1);
        expect_wall_never_missed<Dim>(paddle, {Vec<Dim>::Zero(), rate, 0.3, 2.0}, 2);
        expect_wall_never_missed<Dim>({"box_inside", std::vector<double>(Dim, 5.5)}, {Vec<Dim>::Zero(), 0.1 * rate, 0.0, 0.0}, 3);
    }
}

TYPED_TEST(MovingWalls, ThatShakeAreNeverMissed) {
    constexpr int Dim = TypeParam::value;
    expect_wall_never_missed<Dim>({"box_inside", std::vector<double>(Dim, 5.0)}, {Vec<Dim>::Zero(), 0.0, 0.5, 10.0}, 4);
    expect_wall_never_missed<Dim>({"ball_inside", {3.0}}, {Vec<Dim>::Zero(), 0.0, 0.5, 10.0}, 5);
}

TYPED_TEST(MovingWalls, WithGluedGrainsAreNeverMissed) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(h, 2.0);
    settings.solver = {};
    Bench<Dim> bench(settings, {"coulomb", 0.3, 0.8, 0.0});
    const BodyId drum = bench.boundary({"ball_inside", {4.0}});
    const double rate = 20.0, arm = 2.0;
    bench.world.drive(drum, Dim == 2 ? 2 : 5, linear(rate));
    BallSpec<Dim> lifter;
    lifter.position = arm * axis<Dim>(0);
    lifter.radius = 0.4;
    lifter.density = 1.0;
    lifter.material = bench.material;
    lifter.glued_to = drum;
    const BodyId glued = bench.world.add_ball(lifter);
    Random random(6);
    for (int i = 0; i < 60; ++i) {
        const Vec<Dim> c = random.vector<Dim>(-2.2, 2.2);
        const double r = random.uniform(0.05, 0.3);
        if (bench.world.clearance(c, r) > 0.0) bench.ball(c, r, random.vector<Dim>(-2.0, 2.0));
    }
    int seen = 0;
    for (int step = 0; step < 400; ++step) {
        const double a = rate * (bench.world.time() + 0.5 * h);
        const Vec<Dim> at = arm * (std::cos(a) * axis<Dim>(0) + std::sin(a) * axis<Dim>(1));
        std::set<BodyId> closed, unsure, found;
        for (std::size_t i = 0; i < bench.world.size(); ++i) {
            if (!bench.world.is_ball(i) || bench.world.ids()[i] == glued) continue;
            const double gap = (bench.world.positions()[i] + 0.5 * h * bench.world.velocities()[i] - at).norm() - bench.world.radii()[i] - 0.4;
            if (std::abs(gap) < 1e-10)
                unsure.insert(bench.world.ids()[i]);
            else if (gap < 0.0)
                closed.insert(bench.world.ids()[i]);
        }
        bench.world.step();
        for (const Contact<Dim>& c : bench.world.contacts())
            if (c.b == glued) found.insert(c.a);
        for (const BodyId id : closed) ASSERT_TRUE(found.count(id)) << "missed " << id << " at step " << step;
        for (const BodyId id : found) ASSERT_TRUE(closed.count(id) || unsure.count(id)) << "invented " << id << " at step " << step;
        seen += static_cast<int>(found.size());
    }
    EXPECT_GT(seen, 5);
}

}  // namespace
}  // namespace talus::test
