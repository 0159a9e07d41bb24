// Grains glued to a boundary make it rough. They move with it as one body, fixed, driven or loaded, and
// pass on what they carry.
#include "testbed.h"

namespace talus::test {
namespace {

constexpr double h = 1e-3;

template <int Dim>
BodyId glue(Bench<Dim>& bench, BodyId parent, const Vec<Dim>& centre, double radius) {
    BallSpec<Dim> spec;
    spec.position = centre;
    spec.radius = radius;
    spec.density = 1000.0;
    spec.material = bench.material;
    spec.glued_to = parent;
    return bench.world.add_ball(spec);
}

/// A row (a square in space) of glued balls just under height zero, a quarter of a diameter apart.
template <int Dim>
std::vector<BodyId> rough_bed(Bench<Dim>& bench, BodyId parent, double top) {
    std::vector<BodyId> out;
    for (int i = -4; i <= 4; ++i)
        for (int j = Dim == 3 ? -4 : 0; j <= (Dim == 3 ? 4 : 0); ++j) {
            Vec<Dim> c = 0.5 * i * axis<Dim>(0) + (top - 0.25) * up<Dim>();
            if (Dim == 3) c[1] = 0.5 * j;
            out.push_back(glue(bench, parent, c, 0.25));
        }
    return out;
}

template <class D>
class Glued : public ::testing::Test {};
TYPED_TEST_SUITE(Glued, BothDimensions);

TYPED_TEST(Glued, GrainsOfAFixedWallHoldABallOnASlope) {
    constexpr int Dim = TypeParam::value;
    Settings<Dim> settings = exact_settings<Dim>(h);
    settings.gravity = in_xz<Dim>(g * std::sin(0.3), -g * std::cos(0.3));
    Bench<Dim> bench(settings, {"coulomb", 0.5, 0.0, 0.0});
    const BodyId wall = bench.floor(-3.0);
    for (const BodyId id : rough_bed(bench, wall, 0.0)) EXPECT_TRUE(bench.world.is_wall(bench.world.index_of(id)));
    const BodyId ball = bench.ball(0.25 * axis<Dim>(0) + 0.3 * up<Dim>(), 0.25);
    bench.steps(2000);
    // In a dent between neighbours; a smooth floor would let it roll away.
    EXPECT_LT(bench.velocity(ball).norm(), 1e-6);
    EXPECT_LT(std::abs(bench.position(ball)[0]), 2.0);
    EXPECT_NEAR(bench.world.contact_impulse(ball).norm() / h, bench.mass(ball) * g, 1e-6 * bench.mass(ball) * g);
}

TYPED_TEST(Glued, GrainsMoveWithADrivenWall) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId wall = bench.floor(-3.0);
    const std::vector<BodyId> bed = rough_bed(bench, wall, 0.0);
    const Vec<Dim> start = bench.position(bed[0]);
    bench.world.drive(wall, Dim - 1, linear(0.3));
    const BodyId ball = bench.ball(0.25 * axis<Dim>(0) + 0.3 * up<Dim>(), 0.25);
    bench.steps(1500);
    EXPECT_LT((bench.position(bed[0]) - start - 0.45 * up<Dim>()).norm(), 1e-12);
    EXPECT_LT((bench.velocity(bed[0]) - 0.3 * up<Dim>()).norm(), 1e-12);
    EXPECT_NEAR(bench.velocity(ball)[Dim - 1], 0.3, 1e-6);  // lifted
    EXPECT_NEAR(bench.world.contact_impulse(ball)[Dim - 1] / h, bench.mass(ball) * g, 1e-6 * bench.mass(ball) * g);
}

TYPED_TEST(Glued, GrainsTurnWithARotatingWall) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h, 0.0), {"coulomb", 0.5, 0.0, 0.0});
    const Vec<Dim> centre = 1.5 * axis<Dim>(0) - 0.5 * axis<Dim>(1);
    const BodyId drum = bench.boundary({"ball_inside", {3.0}}, centre);
    const BodyId lifter = glue<Dim>(bench, drum, centre + 2.0 * axis<Dim>(0), 0.2);
    const double rate = 2.0;
    bench.world.drive(drum, Dim == 2 ? 2 : 5, linear(rate));
    bench.steps(700);
    const double a = rate * 0.7;
    const Vec<Dim> arm = 2.0 * (std::cos(a) * axis<Dim>(0) + std::sin(a) * axis<Dim>(1));
    EXPECT_LT((bench.position(lifter) - centre - arm).norm(), 1e-10);
    EXPECT_LT((bench.velocity(lifter) - rate * 2.0 * (-std::sin(a) * axis<Dim>(0) + std::cos(a) * axis<Dim>(1))).norm(), 1e-2);
}

TYPED_TEST(Glued, ARotatingGrainStrikesWithItsOwnVelocity) {
    // A paddle at distance 2 turning at rate 3 meets a ball at rest, no restitution or friction.
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(1e-6, 0.0), {"frictionless", 0.0, 0.0, 0.0});
    const BodyId hub = bench.boundary({"ball_inside", {5.0}});
    glue<Dim>(bench, hub, 2.0 * axis<Dim>(0), 0.2);
    bench.world.drive(hub, Dim == 2 ? 2 : 5, linear(3.0));
    const BodyId ball = bench.ball(2.0 * axis<Dim>(0) + (0.5 - 1e-7) * axis<Dim>(1), 0.3);
    bench.world.step();
    EXPECT_NEAR(bench.velocity(ball)[1], 6.0, 1e-4);  // the contact turns by 1e-5 in the half step
}

TYPED_TEST(Glued, GrainsPassTheirForcesToALoadedWall) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId floor = bench.floor();
    BoundarySpec<Dim> lid;
    lid.shape = {"plane", std::vector<double>(Dim, 0.0)};
    lid.shape.sizes.back() = -1.0;
    lid.position = 3.0 * up<Dim>();
    lid.material = bench.material;
    lid.mass = 50.0;
    const BodyId id = bench.world.add_boundary(lid);
    const BodyId tooth = glue<Dim>(bench, id, 1.3 * up<Dim>(), 0.25);
    bench.world.release(id, Dim - 1);
    EXPECT_FALSE(bench.world.is_wall(bench.world.index_of(tooth)));
    const double load = 500.0;
    bench.world.set_loads(id, {{Dim - 1, force(constant(-load)), {}}});
    const BodyId ball = bench.ball(0.5 * (1.0 - touching) * up<Dim>(), 0.5);
    bench.steps(1000);
    EXPECT_NEAR(-bench.world.contact_impulse(floor)[Dim - 1] / h, load + bench.mass(ball) * g, 1e-8 * load);
    EXPECT_NEAR(bench.world.contact_impulse(tooth)[Dim - 1] / h, load, 1e-8 * load);
    EXPECT_NEAR(bench.position(tooth)[Dim - 1] - bench.position(id)[Dim - 1], -1.7, 1e-12);  // still one body
}

TYPED_TEST(Glued, GrainsOfOneWallDoNotTouchEachOther) {
    constexpr int Dim = TypeParam::value;
    Bench<Dim> bench(exact_settings<Dim>(h), {"coulomb", 0.5, 0.0, 0.0});
    const BodyId wall = bench.floor(0.0);
    glue<Dim>(bench, wall, Vec<Dim>::Zero(), 0.5);
    glue<Dim>(bench, wall, 0.5 * axis<Dim>(0), 0.5);
    bench.fixed_ball(0.25 * axis<Dim>(0), 0.5);
    EXPECT_EQ(bench.world.step().contacts, 0);
}

}  // namespace
}  // namespace talus::test
