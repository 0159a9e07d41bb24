// Generators: right counts, no overlap, inside their region, the same every time.
#include <gtest/gtest.h>

#include <cmath>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

std::string generate(int dimension, const std::string& entry) {
    return head(dimension) + "generate:\n  - " + entry + "\n";
}

double solid_volume(const Scene& scene) {
    double v = 0.0;
    for (const auto& b : scene.grains)
        v += scene.dimension == 2 ? M_PI * b.radius * b.radius : 4.0 / 3.0 * M_PI * b.radius * b.radius * b.radius;
    return v;
}

// Touching lattices: neighbours one diameter apart, to rounding of coordinates of order ten diameters.
constexpr double rounding = 1e-13;

TEST(Lattice, has_the_stated_counts_and_neighbours_touch) {
    for (const auto& [dim, kind, n] :
         {std::tuple(2, "square", 20), std::tuple(2, "triangular", 20), std::tuple(3, "cubic", 60),
          std::tuple(3, "fcc", 60), std::tuple(3, "hexagonal", 60)}) {
        const Scene scene = read(generate(dim, std::string("{lattice: {kind: ") + kind + ", counts: [5, 4" +
                                                   (dim == 3 ? ", 3" : "") + "]}, diameter: 0.1}"));
        EXPECT_EQ(scene.grains.size(), static_cast<std::size_t>(n)) << kind;
        EXPECT_NEAR(smallest_gap(scene), 0.0, rounding) << kind;
    }
}

TEST(Lattice, close_packings_have_twelve_neighbours) {
    for (const auto* kind : {"fcc", "hexagonal"}) {
        const Scene scene =
            read(generate(3, std::string("{lattice: {kind: ") + kind + ", counts: [5, 5, 5]}, diameter: 1}"));
        std::size_t most = 0;
        for (const auto& a : scene.grains) {
            std::size_t near = 0;
            for (const auto& b : scene.grains) near += (a.position - b.position).norm() < 1.0001 ? 1 : 0;
            most = std::max(most, near - 1);
        }
        EXPECT_EQ(most, 12u) << kind;
    }
}

TEST(Lattice, shorter_odd_rows_and_limit_and_region) {
    EXPECT_EQ(
        read(generate(2, "{lattice: {kind: triangular, counts: [5, 4], odd_rows: shorter}, diameter: 1}")).grains.size(),
        18u);
    EXPECT_EQ(read(generate(2, "{lattice: {kind: square, counts: [5, 4], limit: 7}, diameter: 1}")).grains.size(), 7u);
    const Scene scene = read(generate(3,
                                      "{lattice: {kind: cubic, counts: [9, 9, 4], origin: [-4, -4, 0.5], within: "
                                      "{cylinder: {radius: 3, length: 3}}}, diameter: 1}"));
    ASSERT_GT(scene.grains.size(), 50u);
    for (const auto& ball : scene.grains) {
        EXPECT_LE(ball.position.head<2>().norm() + 0.5, 3.0 + 1e-9);
        EXPECT_LE(ball.position[2] + 0.5, 3.0 + 1e-9);
    }
}

TEST(Fill, places_all_inside_without_overlap_in_every_region) {
    for (const auto& [dim, region] :
         {std::pair(2, "box: {low: [0, 0], high: [1, 1]}"), std::pair(2, "disk: {centre: [1, 2], radius: 0.6}"),
          std::pair(3, "box: {low: [0, 0, 0], high: [1, 1, 1]}"), std::pair(3, "ball: {radius: 0.6}"),
          std::pair(3, "cylinder: {radius: 0.5, length: 1, axis: x}")}) {
        const Scene scene = read(generate(
            dim, std::string("{fill: {region: {") + region + "}, count: 60}, diameter: {uniform: [0.05, 0.1]}}"));
        EXPECT_EQ(scene.grains.size(), 60u);
        EXPECT_GE(smallest_gap(scene), 0.0) << region;
    }
}

TEST(Fill, reaches_a_dense_packing_by_pushing_apart) {
    const Scene plane = read(generate(2,
                                      "{fill: {region: {box: {low: [0, 0], high: [1, 1]}}, solid_fraction: 0.75}, "
                                      "diameter: {uniform: [0.04, 0.06]}}"));
    EXPECT_GE(smallest_gap(plane), 0.0);
    EXPECT_NEAR(solid_volume(plane), 0.75, 0.003);  // one disk of 0.0028
    const Scene space = read(generate(3,
                                      "{fill: {region: {box: {low: [0, 0, 0], high: [1, 1, 1]}}, solid_fraction: 0.5}, "
                                      "diameter: {uniform: [0.1, 0.14]}}"));
    EXPECT_GE(smallest_gap(space), 0.0);
    EXPECT_NEAR(solid_volume(space), 0.5, 0.0015);  // one sphere of 0.0014
    for (const auto& ball : space.grains)
        for (int k = 0; k < 3; ++k) {
            EXPECT_GE(ball.position[k] - ball.radius, -1e-12);
            EXPECT_LE(ball.position[k] + ball.radius, 1.0 + 1e-12);
        }
}

TEST(Fill, wraps_round_a_periodic_cell_and_keeps_a_gap) {
    const std::string periodic = "periodic: {x: [0, 1], y: [0, 1]}\n";
    const Scene scene = read(
        generate(
            2, "{fill: {region: {box: {low: [0, 0], high: [1, 1]}}, solid_fraction: 0.7, gap: 1e-3}, diameter: 0.1}") +
        periodic);
    EXPECT_GE(smallest_gap(scene), 0.01 - 1e-9);  // a gap of 1e-3 is 0.01 of the diameter
    bool across = false;
    for (const auto& ball : scene.grains) across = across || ball.position[0] < 0.05 || ball.position[0] > 0.95;
    EXPECT_TRUE(across);  // centres near the edge: the balls stick out of the cell
}

TEST(Fill, avoids_balls_made_before_it) {
    const Scene scene = read(
        head(2) +
        "generate:\n  - {lattice: {kind: square, counts: [3, 3], origin: [0.2, 0.2], spacing: 0.3}, diameter: 0.2}\n" +
        "  - {fill: {region: {box: {low: [0, 0], high: [1, 1]}}, count: 60}, diameter: 0.05}\n");
    EXPECT_GE(smallest_gap(scene), 0.0);
}

TEST(Cannonballs, count_and_touch) {
    const Scene square = read(generate(3, "{cannonballs: {base: square, layers: 5, fixed_base: true}, diameter: 0.1}"));
    EXPECT_EQ(square.grains.size(), 55u);  // n(n+1)(2n+1)/6
    EXPECT_NEAR(smallest_gap(square), 0.0, rounding);
    int held = 0;
    for (const auto& ball : square.grains) held += ball.fixed ? 1 : 0;
    EXPECT_EQ(held, 25);
    EXPECT_NEAR(square.grains.back().position.head<2>().norm(), 0.0, rounding);  // the top is over the middle
    const Scene triangle = read(generate(3, "{cannonballs: {base: triangular, layers: 5}, diameter: 0.1}"));
    EXPECT_EQ(triangle.grains.size(), 35u);  // n(n+1)(n+2)/6
    EXPECT_NEAR(smallest_gap(triangle), 0.0, rounding);
    EXPECT_NEAR(triangle.grains.back().position.head<2>().norm(), 0.0, rounding);
    const Scene rows = read(generate(2, "{cannonballs: {layers: 4, spacing: 0.11}, diameter: 0.1}"));
    EXPECT_EQ(rows.grains.size(), 10u);
    EXPECT_NEAR(smallest_gap(rows), 0.0, rounding);  // a ball lies on two that are apart
}

TEST(RoughBed, covers_its_region_with_fixed_balls) {
    const Scene scene = read(generate(3,
                                      "{rough_bed: {region: {disk: {radius: 2}}, spacing: [0.30, 0.28], jitter: 0.05, "
                                      "height: -1, height_jitter: 0.02}, diameter: {uniform: [0.25, 0.5]}}"));
    EXPECT_NEAR(static_cast<double>(scene.grains.size()), M_PI * 4.0 / (0.30 * 0.28), 15.0);  // a rim of lattice cells
    for (const auto& ball : scene.grains) {
        EXPECT_TRUE(ball.fixed);
        EXPECT_LE(ball.position.head<2>().norm(), 2.0 + 0.05 * std::sqrt(2.0) + 1e-12);
        EXPECT_NEAR(ball.position[2], -1.0, 0.02 + 1e-12);
    }
}

TEST(Rain, comes_in_layers_inside_the_region_without_overlap) {
    for (const auto& [dim, region] : {std::pair(2, "interval: [0, 1]"), std::pair(3, "disk: {radius: 0.5}"),
                                      std::pair(3, "rectangle: {low: [0, 0], high: [1, 1]}")}) {
        const Scene scene =
            read(generate(dim, std::string("{rain: {region: {") + region +
                                   "}, count: 200, height: 2, spacing: 1.3}, diameter: {uniform: [0.05, 0.1]}}"));
        EXPECT_EQ(scene.grains.size(), 200u);
        EXPECT_GE(smallest_gap(scene), 0.0) << region;
        for (const auto& ball : scene.grains) {
            EXPECT_GE(ball.position[dim - 1], 1.9);
            if (std::string(region).starts_with("disk")) {
                EXPECT_LE(ball.position.head<2>().norm() + ball.radius, 0.5);
            }
        }
    }
}

TEST(Generators, follow_the_vertical_where_gravity_points_elsewhere) {
    const Scene scene =
        read(generate(3, "{cannonballs: {base: square, layers: 3}, diameter: 0.1}") + "gravity: [-9.81, 0, 0]\n");
    double highest = 0.0;
    for (const auto& ball : scene.grains) highest = std::max(highest, ball.position[0]);
    EXPECT_NEAR(highest, 2 * 0.1 * std::sqrt(0.5), rounding);
}

TEST(Generators, give_the_same_bits_for_a_seed_and_others_for_another) {
    const std::string text = generate(
        2, "{fill: {region: {box: {low: [0, 0], high: [1, 1]}}, count: 50}, diameter: {uniform: [0.02, 0.05]}}");
    const Scene a = read(text), b = read(text), c = read(text + "seed: 2\n");
    int differ = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        EXPECT_EQ(a.grains[i].position, b.grains[i].position);
        EXPECT_EQ(a.grains[i].radius, b.grains[i].radius);
        differ += a.grains[i].position != c.grains[i].position ? 1 : 0;
    }
    EXPECT_EQ(differ, 50);
}

TEST(Generators, scale_and_shift_with_the_scene) {
    const auto fill = [](const std::string& box, const std::string& size) {
        return generate(2, "{fill: {region: {box: " + box + "}, count: 40}, diameter: " + size + "}");
    };
    const Scene one = read(fill("{low: [0, 0], high: [1, 1]}", "0.08"));
    const Scene small = read("units: cgs\n" + fill("{low: [0, 0], high: [1, 1]}", "0.08"));
    for (std::size_t i = 0; i < 40; ++i)
        EXPECT_NEAR((one.grains[i].position - 100.0 * small.grains[i].position).norm(), 0.0,
                    1e-14);  // the same numbers in another unit
}

}  // namespace
}  // namespace talus::scene::testing
