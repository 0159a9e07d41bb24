#pragma once
/// \file
/// One body falls on one boundary in space: what several of these tests need.

#include <gtest/gtest.h>

#include "talus/talus.h"

namespace talus {

struct Drop {
    World<3> world;
    BodyId body = -1;

    Drop(const ShapeSpec& boundary, const Vec<3>& at, const BodySpec<3>& falling, double step) : world(settings(step)) {
        const MaterialId stone = world.add_material("stone");
        world.set_law(stone, stone, {"coulomb", 0.5, 0.0, 0.0});
        BoundarySpec<3> wall;
        wall.shape = boundary;
        wall.position = at;
        wall.material = stone;
        world.add_boundary(wall);
        BodySpec<3> spec = falling;
        spec.density = 2000.0;
        spec.material = stone;
        body = world.add_body(spec);
    }
    static Settings<3> settings(double step) {
        Settings<3> s;
        s.gravity = {0, 0, -9.81};
        s.step = step;
        s.solver.tolerance = 1e-6;
        s.solver.max_sweeps = 1000;
        return s;
    }
    double height_after(double seconds) {
        while (world.time() < seconds) world.step();
        return world.positions()[world.index_of(body)].z();
    }
};

}  // namespace talus
