// Solids as bodies: friendly sizes, mass from the density, freedoms, and what is said when something is wrong.
#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.h"
#include "scene/summary.h"
#include "scene_helpers.h"
#include "step/snapshot.h"

namespace talus::scene::testing {
namespace {

std::string body(int dimension, const std::string& entry) {
    return head(dimension) + "gravity: 10\nbodies:\n  - " + entry + "\n";
}

const ShapeSpec& shape(const Scene& scene) { return scene.bodies.front().shape; }

TEST(SolidBodies, have_their_sizes_by_name) {
    const auto tube = read(body(3, "{cylinder: {diameter: 2, length: 3}}"));
    EXPECT_EQ(shape(tube).sizes, (std::vector<double>{1.0, 3.0}));
    EXPECT_EQ(shape(read(body(2, "{capsule: {length: 2, radius: 0.5}}"))).sizes, (std::vector<double>{2.0, 0.5}));
    const auto cone = read(body(3, "{frustum: {lower_radius: 2, upper_radius: 0, height: 3}}"));
    EXPECT_EQ(shape(cone).sizes, (std::vector<double>{2.0, 0.0, 3.0}));
    const auto triangle = read(body(2, "{polygon: {points: [[0, 0], [1, 0], [0, 1]]}}"));
    EXPECT_EQ(shape(triangle).sizes, (std::vector<double>{0, 0, 1, 0, 0, 1}));
    EXPECT_EQ(shape(read(body(3, "{polyhedron: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}"))).sizes.size(),
              12u);
}

TEST(SolidBodies, a_regular_polygon_stands_on_a_side) {
    for (const int sides : {3, 4, 6, 7}) {
        const auto scene =
            read(body(2, "{polygon: {sides: " + std::to_string(sides) + ", radius: 2}, freedoms: free}"));
        const auto& p = shape(scene).sizes;
        ASSERT_EQ(p.size(), 2u * static_cast<std::size_t>(sides));
        EXPECT_NEAR(p[1], -2.0 * std::cos(M_PI / sides), 1e-15);
        EXPECT_NEAR(p[3], p[1], 1e-15);
        // n/2 r^2 sin(2 pi/n) times the density of the helper's material.
        EXPECT_NEAR(summary(scene).mass, 1000.0 * 0.5 * sides * 4.0 * std::sin(2.0 * M_PI / sides), 1e-9);
    }
}

TEST(SolidBodies, are_walls_until_they_are_freed) {
    const auto wall = read(body(2, "{name: b, box: {size: [1, 2]}}"));
    EXPECT_FALSE(wall.bodies[0].can_move());
    EXPECT_EQ(summary(wall).boundaries, 1);
    const auto free = read(body(2, "{name: b, box: {size: [1, 2]}, freedoms: free}"));
    EXPECT_TRUE(free.bodies[0].is_made_free());
    EXPECT_EQ(summary(free).free_solids, 1);
    EXPECT_DOUBLE_EQ(summary(free).mass, 2000.0);
    const auto partly = read(body(2, "{name: b, box: {size: [1, 2]}, freedoms: {y: free}}"));
    EXPECT_TRUE(partly.bodies[0].can_move());
    EXPECT_FALSE(partly.bodies[0].is_made_free());
}

TEST(SolidBodies, fall_and_keep_what_is_held) {
    const auto scene = read(body(
        2,
        "{name: free, box: {size: [1, 2]}, freedoms: free, velocity: [3, 0], spin: 2}\n"
        "  - {name: guided, polygon: {sides: 5, radius: 1}, position: [9, 0], freedoms: {y: free}, velocity: [3, 1], weight: true}\n"
        "  - {name: light, box: {size: [1, 1]}, position: [20, 0], freedoms: free, weight: false}\n"
        "  - {name: wall, box: {size: [1, 1]}, position: [30, 0]}"));
    Simulation<2> simulation(scene);
    for (int k = 0; k < 100; ++k) (void)simulation.advance();
    const auto& world = simulation.world();
    const auto at = [&](const std::string& name) { return world.index_of(simulation.body(name)); };
    EXPECT_NEAR(world.velocities()[at("free")][0], 3.0, 1e-12);
    EXPECT_NEAR(world.velocities()[at("free")][1], -1.0, 1e-12);
    EXPECT_NEAR(world.spins()[at("free")][0], 2.0, 1e-12);
    EXPECT_EQ(world.velocities()[at("guided")][0], 0.0);
    EXPECT_NEAR(world.velocities()[at("guided")][1], 0.0, 1e-12);  // 1 - g t
    EXPECT_EQ(world.velocities()[at("light")].norm(), 0.0);
    EXPECT_TRUE(world.is_wall(at("wall")));
}

TEST(SolidBodies, are_placed_by_their_description) {
    // The centroid of the triangle is a third up; the world has it there, turned with the shape.
    const auto scene = read(body(
        2, "{name: t, polygon: {points: [[0, 0], [3, 0], [0, 3]]}, position: [5, 6], rotation: 90, freedoms: free}"));
    Simulation<2> simulation(scene);
    const auto& world = simulation.world();
    EXPECT_NEAR((world.positions()[0] - Vec<2>(4.0, 7.0)).norm(), 0.0, 1e-12);
    EXPECT_NEAR(world.masses()[0], 4500.0, 1e-9);
}

TEST(SolidBodies, a_stage_may_free_them) {
    const auto scene = read(
        "talus: 1\ndimension: 2\ngravity: 10\nstep: 1e-3\nmaterials: {grain: {density: 1000, friction: 0.5}}\n"
        "bodies: [{name: b, box: {size: [1, 1]}}]\n"
        "stages: [{duration: 0.1}, {duration: 0.1, bodies: {b: {freedoms: free}}}]\n");
    Simulation<2> simulation(scene);
    while (!simulation.finished()) (void)simulation.advance();
    EXPECT_NEAR(simulation.world().velocities()[0][1], -1.0, 1e-9);
}

TEST(SolidBodies, clumps_have_the_mass_of_their_parts) {
    const auto scene = read(body(
        3,
        "{clump: {parts: [{box: {size: [1, 1, 1]}}, {box: {size: [1, 1, 2]}, position: [1, 0, 0]}]}, freedoms: free}"));
    EXPECT_NEAR(summary(scene).mass, 3000.0, 1e-9);
    EXPECT_NE(message(body(2, "{clump: {parts: []}}")).find("a clump needs at least one part"), std::string::npos);
    EXPECT_NE(message(body(2, "{clump: {parts: [{plane: }]}}")).find("unknown shape 'plane'"), std::string::npos);
}

TEST(SolidBodies, mistakes_are_told_with_their_place) {
    EXPECT_EQ(message(body(2, "{polygon: {points: [[0, 0], [1, 0]]}}")).substr(0, 34),
              "scene.yaml:8:24: 'points' is a lis");
    EXPECT_NE(message(body(2, "{polygon: {points: [[0, 0], [2, 0], [1, 0.1], [0, 2]]}}")).find("not convex"),
              std::string::npos);
    EXPECT_NE(message(body(3, "{polygon: {sides: 3, radius: 1}}")).find("is not there in 3D"), std::string::npos);
    EXPECT_NE(message(body(2, "{cylinder: {radius: 1, length: 1}}")).find("is not there in 2D"), std::string::npos);
    EXPECT_NE(message(body(3, "{cylinder: {radius: 1}}")).find("missing key 'length'"), std::string::npos);
    EXPECT_NE(message("talus: 1\ndimension: 2\nstep: 1e-3\nduration: 1\nmaterials: {m: {friction: 0}}\n"
                      "bodies: [{box: {size: [1, 1]}, freedoms: free}]\n")
                  .find("a free body needs a mass"),
              std::string::npos);
    EXPECT_NE(message(body(2, "{box: {size: [1, 1]}, fixed: true}")).find("other bodies are fixed unless"),
              std::string::npos);
}

template <int Dim>
void goes_on_from_a_frame(const std::string& common, const std::string& grains) {
    Simulation<Dim> first(read(head(Dim) + common + grains));
    for (int i = 0; i < 150; ++i) (void)first.advance();
    const Snapshot<Dim> frame = take_snapshot(first.world());
    Simulation<Dim> second(read(head(Dim) + common + "start: {run: r.h5}\n"), [&](const StartPlan&) { return frame; });
    const auto &a = first.world(), &b = second.world();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a.positions()[i], b.positions()[i]);
        EXPECT_EQ(a.velocities()[i], b.velocities()[i]);
        EXPECT_EQ(a.spins()[i], b.spins()[i]);
        EXPECT_EQ(matrix_of<Dim>(a.rotations()[i]), matrix_of<Dim>(b.rotations()[i]));
        EXPECT_EQ(a.shape(a.shapes()[i]).sizes, b.shape(b.shapes()[i]).sizes);
        EXPECT_EQ(a.driven()[i], b.driven()[i]);
        EXPECT_EQ(a.masses()[i], b.masses()[i]);
        EXPECT_LT((a.inertias()[i] - b.inertias()[i]).norm(), 1e-12 * a.inertias()[i].norm());
    }
}

TEST(SolidBodies, come_with_a_frame) {
    // The ground is a body of both scenes: it stands where it stood, and does not come twice.
    goes_on_from_a_frame<2>(
        "gravity: 10\nbodies: [{name: ground, box: {size: [4, 1]}, position: [0, -0.5], "
        "freedoms: {x: {constant: 0.1}}}]\n",
        "generate: [{rain: {region: {interval: [-1, 1]}, count: 10, height: 0.2}, diameter: 0.3, "
        "shape: {polygon: {vertices: [4, 7]}}}]\n");
    goes_on_from_a_frame<3>(
        "gravity: 10\nbodies: [{name: ground, frustum: {lower_radius: 2, upper_radius: 1, height: 1}, "
        "position: [0, 0, -0.5]}]\n",
        "generate: [{rain: {region: {disk: {radius: 0.8}}, count: 10, height: 0.3}, diameter: 0.3, "
        "shape: {polyhedron: {vertices: [6, 10]}}}]\n");
}

TEST(SolidBodies, overlaps_are_reported) {
    const std::string second = "\n  - {name: b, box: {size: [1, 1]}, freedoms: free, position: ";
    const std::string first = "{name: a, box: {size: [1, 1]}, freedoms: free}";
    EXPECT_EQ(message(body(2, first + second + "[1, 0]}")), "");
    EXPECT_NE(message(body(2, first + second + "[0.9, 0]}")).find("the body of 'b' at [0.9, 0] overlaps 'a' by 0.1"),
              std::string::npos);
    // Their circles overlap, the boxes do not.
    EXPECT_EQ(message(body(2, first + second + "[1.01, 0.9]}")), "");
    EXPECT_NE(
        message(body(2, first + "\n  - {name: floor, plane: , position: [0, -0.4]}")).find("overlaps 'floor' by 0.1"),
        std::string::npos);
    EXPECT_NE(message(body(2, first + "\n  - {name: shot, ball: {radius: 0.5}, position: [0.9, 0]}"))
                  .find("overlaps 'a' by 0.1"),
              std::string::npos);
    EXPECT_EQ(message(body(2, first + second + "[0.9, 0]}\nallow: [overlap]")), "");
}

}  // namespace
}  // namespace talus::scene::testing
