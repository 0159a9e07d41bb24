// 04  A shaken box and its energy ledger
//
// A boundary may be driven: here a box moves up and down as a sine and throws sixty disks about. Each
// step says where the energy went. What the box does as work, minus what impacts and friction take, is
// what the disks have; the residual of that sum is rounding.

#include <talus/talus.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
    talus::Settings<2> settings;
    settings.gravity = {0.0, -9.81};
    settings.step = 2e-4;
    talus::World<2> world(settings);
    const auto plastic = world.add_material("plastic");
    world.set_law(plastic, plastic, {"coulomb", 0.3, 0.7, 0.2});

    talus::BoundarySpec<2> box;
    box.shape = {"box_inside", {0.10, 0.30}};  // grains move inside it
    box.position = {0.05, 0.15};
    box.material = plastic;
    const auto vessel = world.add_boundary(box);
    world.drive(vessel, 1, talus::sine(0.004, 15.0, 0.0));  // y: 4 mm at 15 Hz, 3.6 g

    for (int i = 0; i < 60; ++i) {
        talus::BallSpec<2> disk;
        disk.radius = 0.0035 + 0.0002 * (i % 5);
        disk.position = {0.01 + 0.016 * (i % 6) + 0.0003 * (i * 7 % 11), 0.01 + 0.010 * (i / 6)};
        disk.density = 1000.0;
        disk.material = plastic;
        world.add_ball(disk);
    }

    double work = 0.0, impact = 0.0, friction = 0.0, residual = 0.0, scale = 0.0;
    talus::StepReport report;
    while (world.time() < 1.0) {
        report = world.step();
        work += report.energy.drive_work;
        impact += report.energy.impact;
        friction += report.energy.friction;
        residual = std::max(residual, std::abs(report.energy.residual));
        scale = std::max(scale, std::abs(report.energy.kinetic) + std::abs(report.energy.potential));
    }
    std::printf("work of the box    %10.6f J\n", work);
    std::printf("lost in impacts    %10.6f J\nlost in friction   %10.6f J\n", impact, friction);
    std::printf("kinetic, potential %10.6f J, %.6f J\n", report.energy.kinetic, report.energy.potential);
    std::printf("worst residual of a step %.1e of the largest energy\n", residual / scale);
    std::printf("worst overlap in the last step %.2e diameters\n", report.max_overlap);
    return work > 0.0 && impact > 0.0 && friction > 0.0 && residual < 1e-11 * scale ? 0 : 1;
}
