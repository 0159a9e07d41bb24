// 02  A sphere on a slope: rolling or sliding
//
// Friction is not smoothed: a sphere on a slope of 30 degrees rolls without the least slip when the
// friction coefficient exceeds (2/7) tan(30) = 0.165, and slips when it does not. The program reads
// contacts to see which.

#include <talus/talus.h>

#include <cmath>
#include <cstdio>

namespace {

struct Outcome {
    double acceleration;  // down the slope [m/s2]
    talus::ContactStatus status;
};

Outcome release_on_slope(double friction) {
    const double slope = M_PI / 6.0, radius = 0.1;
    talus::Settings<3> settings;
    settings.gravity = {0.0, 0.0, -9.81};
    settings.step = 1e-3;
    talus::World<3> world(settings);
    const auto stone = world.add_material("stone");
    world.set_law(stone, stone, {"coulomb", friction, 0.0, 0.0});

    const talus::Vec<3> normal(std::sin(slope), 0.0, std::cos(slope)), down(std::cos(slope), 0.0, -std::sin(slope));
    talus::BoundarySpec<3> plane;
    plane.shape = {"plane", {normal[0], normal[1], normal[2]}};
    plane.material = stone;
    world.add_boundary(plane);

    // A hair of overlap makes sure that the sphere touches from the first step on: by Moreau's rule a
    // pair counts when its gap in the middle of the step is not positive.
    talus::BallSpec<3> ball;
    ball.position = radius * (1.0 - 1e-9) * normal;
    ball.radius = radius;
    ball.density = 2500.0;
    ball.material = stone;
    const auto id = world.add_ball(ball);

    while (world.time() < 0.5) world.step();
    return {world.velocities()[world.index_of(id)].dot(down) / world.time(), world.contacts().at(0).status};
}

}  // namespace

int main() {
    const double slope = M_PI / 6.0, gravity = 9.81;
    bool good = true;
    for (const double friction : {0.10, 0.16, 0.17, 0.50}) {
        const bool rolls = friction > 2.0 / 7.0 * std::tan(slope);
        const double expected =
            rolls ? 5.0 / 7.0 * gravity * std::sin(slope) : gravity * (std::sin(slope) - friction * std::cos(slope));
        const Outcome outcome = release_on_slope(friction);
        const bool sticks = outcome.status == talus::ContactStatus::sticking;
        std::printf("friction %.2f: %s, %.5f m/s2 (theory %.5f)\n", friction, sticks ? "rolls " : "slides",
                    outcome.acceleration, expected);
        good = good && sticks == rolls && std::abs(outcome.acceleration - expected) < 1e-6;
    }
    return good ? 0 : 1;
}
