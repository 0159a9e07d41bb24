// 05  A servo wall: compression by a constant pressure
//
// A boundary may be pushed instead of driven: it then has a mass, and moves as the grains let it. Disks
// between fixed sides are pressed by a lid with 10 kPa (per metre of the third direction) times its
// current length. Once they are at rest the lid carries its load, and nothing else.

#include <talus/talus.h>

#include <cmath>
#include <cstdio>

int main() {
    const double width = 0.5, pressure = 1e4;
    talus::Settings<2> settings;  // no gravity
    settings.step = 1e-4;
    settings.solver.tolerance = 1e-6;
    talus::World<2> world(settings);
    const auto glass = world.add_material("glass"), smooth = world.add_material("smooth wall");
    world.set_law(glass, glass, {"coulomb", 0.5, 0.0, 0.0});
    world.set_law(glass, smooth, {"frictionless", 0.0, 0.0, 0.0});

    const auto wall = [&](double nx, double ny, double x, double y, double mass) {
        talus::BoundarySpec<2> spec;
        spec.shape = {"plane", {nx, ny}};
        spec.position = {x, y};
        spec.material = smooth;
        spec.mass = mass;
        return world.add_boundary(spec);
    };
    wall(0, 1, 0, 0, 0);
    const auto left = wall(1, 0, 0, 0, 0), right = wall(-1, 0, width, 0, 0);
    const auto lid = wall(0, -1, 0, 0.55, 20.0);

    for (int i = 0; i < 100; ++i) {
        talus::BallSpec<2> disk;
        disk.radius = 0.016 + 0.0011 * (i * 7 % 8);
        disk.position = {0.025 + 0.05 * (i % 10) + 0.0005 * (i % 3), 0.025 + 0.05 * (i / 10)};
        disk.density = 2600.0;
        disk.material = glass;
        world.add_ball(disk);
    }

    // Freedom 1 of the lid is free, and loaded by a pressure on the distance between the sides.
    world.release(lid, 1);
    world.set_loads(lid, {{1, talus::force(talus::constant(-pressure)), {{left, right, 0}}}});

    // Compaction lasts a fraction of a second; then the lid stands still.
    talus::StepReport report;
    for (int still = 0; world.time() < 1.0 && (still < 20 || world.time() < 0.3);) {
        report = world.step();
        still = world.velocities()[world.index_of(lid)].norm() > 1e-6 ? 0 : still + 1;
    }

    const double carried = world.contact_impulse(lid)[1] / settings.step, load = pressure * width;
    std::printf("at rest after %.3f s with %lld contacts; the lid carries %.6f N of %.6f N\n", world.time(),
                static_cast<long long>(report.contacts), carried, load);
    std::printf("height %.4f m; law error %.1e\n", world.positions()[world.index_of(lid)][1], report.law.mean);
    return std::abs(carried - load) < 1e-4 * load ? 0 : 1;
}
