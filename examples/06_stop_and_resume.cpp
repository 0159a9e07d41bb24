// 06  Stop and resume: the same bits
//
// A checkpoint holds all that changes while running. Laws, drives and loads are not in it: build the same
// world, then restore. A run resumed in the middle ends in the same state as one that never stopped, to
// the last bit; `hash()` shows it.

#include <talus/talus.h>

#include <cstdio>
#include <vector>

namespace {

/// Two hundred spheres above a periodic floor that shakes.
talus::World<3> build() {
    talus::Settings<3> settings;
    settings.gravity = {0.0, 0.0, -9.81};
    settings.step = 5e-4;
    settings.periodic = {true, true, false};
    settings.cell_high = {0.12, 0.12, 0.0};
    talus::World<3> world(settings);
    const auto glass = world.add_material("glass");
    world.set_law(glass, glass, {"coulomb", 0.4, 0.6, 0.1});

    talus::BoundarySpec<3> floor;
    floor.shape = {"plane", {0.0, 0.0, 1.0}};
    floor.material = glass;
    world.drive(world.add_boundary(floor), 2, talus::sine(0.002, 20.0, 0.0));

    for (int i = 0; i < 200; ++i) {
        talus::BallSpec<3> ball;
        ball.radius = 0.006 + 0.0004 * (i % 7);
        ball.position = {0.01 + 0.02 * (i % 6), 0.01 + 0.02 * (i / 6 % 6), 0.012 + 0.02 * (i / 36)};
        ball.density = 2500.0;
        ball.material = glass;
        world.add_ball(ball);
    }
    return world;
}

}  // namespace

int main() {
    talus::World<3> whole = build();
    std::vector<std::byte> checkpoint;
    for (int step = 0; step < 1000; ++step) {
        if (step == 400) checkpoint = whole.checkpoint();
        whole.step();
    }

    talus::World<3> resumed = build();
    resumed.restore(checkpoint);
    while (resumed.steps() < 1000) resumed.step();

    std::printf("never stopped  %016llx\n", static_cast<unsigned long long>(whole.hash()));
    std::printf("resumed at 400 %016llx\n", static_cast<unsigned long long>(resumed.hash()));
    return whole.hash() == resumed.hash() ? 0 : 1;
}
