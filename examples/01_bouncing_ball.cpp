// 01  A bouncing ball
//
// The smallest use of talus: a world, a floor, a ball, and steps until it rests.
//
// A ball dropped from 1 m that keeps 80 % of its speed at each bounce makes infinitely many of them in
// 4.06 s. Contact Dynamics does not look for the moments of impact: a step that sees the ball closed on
// the floor gives it the impulse of the law, and the infinity of bounces passes between two steps.

#include <talus/talus.h>

#include <cmath>
#include <cstdio>

int main() {
    // A world has gravity and a time step, in SI units.
    talus::Settings<2> settings;
    settings.gravity = {0.0, -9.81};
    settings.step = 1e-4;
    talus::World<2> world(settings);

    // Laws belong to pairs of materials: here friction 0.3 and restitution 0.8 between rubber and rubber.
    const double restitution = 0.8;
    const talus::MaterialId rubber = world.add_material("rubber");
    world.set_law(rubber, rubber, {"coulomb", 0.3, restitution, 0.0});

    // The floor is a boundary; its normal points to the free side.
    talus::BoundarySpec<2> floor;
    floor.shape = {"plane", {0.0, 1.0}};
    floor.material = rubber;
    world.add_boundary(floor);

    talus::BallSpec<2> ball;
    ball.position = {0.0, 1.05};
    ball.radius = 0.05;
    ball.density = 1000.0;
    ball.material = rubber;
    const talus::BodyId id = world.add_ball(ball);

    // Step until long after it should rest, and remember when it last moved faster than a step of
    // gravity can explain.
    double last_motion = 0.0;
    while (world.time() < 5.0) {
        world.step();
        const double speed = world.velocities()[world.index_of(id)].norm();
        if (speed > 2.0 * 9.81 * settings.step) last_motion = world.time();
    }

    const double expected = std::sqrt(2.0 / 9.81) * (1.0 + restitution) / (1.0 - restitution);
    std::printf("the ball rests after %.4f s; theory says %.4f s\n", last_motion, expected);
    return std::abs(last_motion - expected) < 0.002 * expected ? 0 : 1;
}
