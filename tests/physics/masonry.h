#pragma once
/// \file
/// Blocks, columns, walls and arches for the physics tests, built by hand so that the tests do not rely
/// on the generators of scenes.

#include "testbed.h"

namespace talus::test {

[[nodiscard]] inline ShapeSpec rectangle(double width, double height) { return {"box", {width, height}}; }

/// A thin bar of half-length 1 between two sharp tips on its own x axis; mass and inertia are stated.
[[nodiscard]] inline ShapeSpec bar() { return {"polygon", {1.0, 0.0, 0.0, 0.01, -1.0, 0.0, 0.0, -0.01}}; }

template <int Dim>
BodyId add_block(Bench<Dim>& bench, const ShapeSpec& shape, const Vec<Dim>& position, bool fixed = false,
                 const Rotation<Dim>& rotation = {}) {
    BodySpec<Dim> spec;
    spec.shape = shape;
    spec.position = position;
    spec.rotation = rotation;
    spec.density = 2000.0;
    spec.material = bench.material;
    spec.fixed = fixed;
    return bench.world.add_body(spec);
}

/// Masonry at rest: contacts count as closed up to a millionth of a block, so that blocks laid face to
/// face touch whatever the last bit of their positions.
template <int Dim>
[[nodiscard]] Settings<Dim> masonry_settings(double h, double tolerance) {
    Settings<Dim> s;
    s.gravity = -g * up<Dim>();
    s.step = h;
    s.touch = 1e-6;
    s.solver.tolerance = tolerance;
    s.solver.max_sweeps = 100000;
    return s;
}

/// Running bond: every other course is shifted by half a brick and ends in half bricks.
inline std::vector<BodyId> add_wall(Bench<2>& bench, int bricks, int courses, double width, double height) {
    std::vector<BodyId> all;
    for (int row = 0; row < courses; ++row) {
        const bool shifted = row % 2 == 1;
        const double y = (row + 0.5) * height;
        for (int k = 0; k < bricks + (shifted ? 1 : 0); ++k) {
            const bool half = shifted && (k == 0 || k == bricks);
            const double low = shifted ? (k == 0 ? 0.0 : (k - 0.5) * width) : k * width;
            const double w = half ? 0.5 * width : width;
            all.push_back(add_block<2>(bench, rectangle(w, height), {low + 0.5 * w, y}));
        }
    }
    return all;
}

/// Semicircular arch of mean radius 1 on the ground line y = 0, cut by radial joints.
inline std::vector<BodyId> add_arch(Bench<2>& bench, int voussoirs, double thickness) {
    std::vector<BodyId> all;
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    for (int k = 0; k < voussoirs; ++k) {
        const double a = pi * k / voussoirs, b = pi * (k + 1) / voussoirs;
        all.push_back(add_block<2>(bench,
                                   {"polygon",
                                    {inner * std::cos(a), inner * std::sin(a), outer * std::cos(a), outer * std::sin(a),
                                     outer * std::cos(b), outer * std::sin(b), inner * std::cos(b), inner * std::sin(b)}},
                                   Vec<2>::Zero()));
    }
    return all;
}

/// Farthest that any of the bodies has come from where it was.
template <int Dim>
[[nodiscard]] double largest_move(const Bench<Dim>& bench, const std::vector<BodyId>& bodies,
                                  const std::vector<Vec<Dim>>& from) {
    double moved = 0.0;
    for (std::size_t k = 0; k < bodies.size(); ++k) moved = std::max(moved, (bench.position(bodies[k]) - from[k]).norm());
    return moved;
}
template <int Dim>
[[nodiscard]] std::vector<Vec<Dim>> positions_of(const Bench<Dim>& bench, const std::vector<BodyId>& bodies) {
    std::vector<Vec<Dim>> x;
    for (const BodyId id : bodies) x.push_back(bench.position(id));
    return x;
}

}  // namespace talus::test
