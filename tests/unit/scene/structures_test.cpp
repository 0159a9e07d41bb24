// Structures: the right blocks in the right places, none inside another.
#include <gtest/gtest.h>

#include <cmath>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

/// Read with all checks: a scene in which blocks overlap is refused.
Scene made(int dimension, const std::string& structure) {
    return read(head(dimension) + "generate:\n  - {name: s, " + structure + "}\n");
}

double volume(const Scene& scene, bool fixed = false) {
    double sum = 0.0;
    for (const auto& grain : scene.grains)
        if (grain.fixed == fixed)
            sum += volume_of(scene.shapes[static_cast<std::size_t>(grain.shape)], scene.dimension);
    return sum;
}

TEST(BrickWall, has_half_bricks_in_every_other_course) {
    const auto wall = made(2, "brick_wall: {brick: [0.2, 0.1], courses: 8, bricks: 10}");
    EXPECT_EQ(wall.grains.size(), 4u * 10u + 4u * 11u);
    EXPECT_NEAR(volume(wall), 2.0 * 0.8, 1e-12);
    EXPECT_NEAR(wall.grains[0].position[0], -0.9, 1e-15);
    EXPECT_NEAR(wall.grains[0].position[1], 0.05, 1e-15);
    EXPECT_NEAR(wall.shapes[10].sizes[0], 0.1, 1e-12);  // the first of the second course
}

TEST(BrickWall, in_space_has_a_depth) {
    const auto wall =
        made(3, "brick_wall: {brick: [0.2, 0.1, 0.06], courses: 5, bricks: 4, origin: [1, 2, 3], heading: 90}");
    EXPECT_NEAR(volume(wall), 0.8 * 0.1 * 0.3, 1e-12);
    EXPECT_NEAR(wall.grains[0].position[0], 1.0, 1e-12);
    EXPECT_NEAR(wall.grains[0].position[1], 1.7, 1e-12);
    EXPECT_NEAR(wall.grains[0].position[2], 3.03, 1e-12);
}

TEST(BrickWall, openings_are_cut_out) {
    const std::string base =
        "brick_wall: {brick: [0.2, 0.1], courses: 6, bricks: 6, openings: [{low: [0.45, 0.1], high: [0.75, 0.3]";
    const auto cut = made(2, base + "}]}");
    EXPECT_NEAR(volume(cut), 1.2 * 0.6 - 0.3 * 0.2, 1e-12);
    const auto bridged = made(2, base + ", lintel: 0.15}]}");
    EXPECT_NEAR(volume(bridged), volume(cut), 1e-12);
    double longest = 0.0;
    for (const auto& shape : bridged.shapes) longest = std::max(longest, shape.sizes[0]);
    EXPECT_NEAR(longest, 0.6, 1e-12);
    const auto whole = made(2, base + "}], cut: false}");
    EXPECT_LT(volume(whole), volume(cut) - 0.01);
    for (const auto& shape : whole.shapes)
        EXPECT_TRUE(std::abs(shape.sizes[0] - 0.2) < 1e-12 || std::abs(shape.sizes[0] - 0.1) < 1e-12);
}

TEST(Arch, is_symmetric_and_has_the_area_of_its_polygons) {
    for (const int n : {6, 21}) {
        const auto arch = made(2, "arch: {voussoirs: " + std::to_string(n) + ", radius: 1, thickness: 0.2}");
        ASSERT_EQ(arch.grains.size(), static_cast<std::size_t>(n));
        const double step = M_PI / n, inner = 0.9, outer = 1.1;
        EXPECT_NEAR(volume(arch), 0.5 * n * std::sin(step) * (outer * outer - inner * inner), 1e-12);
        for (int k = 0; k < n; ++k) {
            const auto &a = arch.grains[static_cast<std::size_t>(k)].position,
                       &b = arch.grains[static_cast<std::size_t>(n - 1 - k)].position;
            EXPECT_EQ(a[1], b[1]);
            EXPECT_NEAR(a[0], -b[0], 1e-16);
        }
        // The mean of a voussoir's corners lies at cos(step/2) times the mean radius.
        EXPECT_NEAR(arch.grains[0].position[1], std::cos(0.5 * step) * std::sin(0.5 * step), 1e-12);
    }
}

TEST(Arch, springs_from_the_ground_line) {
    for (const std::string kind : {"", "kind: segmental, angle: 120, ", "kind: pointed, offset: 0.4, "}) {
        const auto arch = made(2, "arch: {" + kind + "voussoirs: 10, intrados: 1, thickness: 0.2, abutments: true}");
        ASSERT_EQ(arch.grains.size(), 12u);
        double lowest_inner = 1e9;
        for (const auto& grain : arch.grains) {
            if (grain.fixed) continue;
            const auto& shape = arch.shapes[static_cast<std::size_t>(grain.shape)];
            lowest_inner = std::min(lowest_inner, grain.position[1] + shape.sizes[1]);
        }
        EXPECT_NEAR(lowest_inner, 0.0, 1e-12) << kind;
        EXPECT_GT(volume(arch, true), 0.0);
    }
}

TEST(Arch, pointed_ones_meet_at_the_top) {
    const auto arch =
        made(3, "arch: {kind: pointed, offset: 0.4, voussoirs: 10, radius: 1, thickness: 0.2, width: 0.5}");
    double top = 0.0;
    for (const auto& grain : arch.grains) {
        const auto& sizes = arch.shapes[static_cast<std::size_t>(grain.shape)].sizes;
        for (std::size_t k = 0; k < sizes.size(); k += 3) {
            EXPECT_LE((grain.position[0] + sizes[k]) * (grain.position[0] > 0.0 ? -1.0 : 1.0), 1e-12);  // own side
            top = std::max(top, grain.position[2] + sizes[k + 2]);
        }
    }
    EXPECT_NEAR(top, std::sqrt(1.1 * 1.1 - 0.16), 1e-12);
    EXPECT_NE(
        message(head(2) + "generate: [{arch: {kind: pointed, offset: 0.4, voussoirs: 9, radius: 1, thickness: 0.2}}]\n")
            .find("scene.yaml:6:59: a pointed arch has a joint at its top"),
        std::string::npos);
}

TEST(Column, stacks_drums_and_a_capital) {
    const auto column = made(3, "column: {drums: 10, diameter: 1, height: 0.5, capital: {diameter: 1.3, height: 0.4}}");
    ASSERT_EQ(column.grains.size(), 11u);
    EXPECT_NEAR(volume(column), M_PI / 4.0 * (10 * 0.5 + 1.69 * 0.4), 1e-12);
    EXPECT_NEAR(column.grains[9].position[2], 4.75, 1e-12);
    EXPECT_NEAR(column.grains[10].position[2], 5.2, 1e-12);
    const auto tapered = made(3, "column: {drums: 4, diameter: [1, 0.8], height: 0.5}");
    EXPECT_NEAR(volume(tapered), M_PI / 12.0 * 2.0 * (1.0 + 0.8 + 0.64), 1e-12);
    EXPECT_NEAR(volume(made(2, "column: {drums: 4, diameter: [1, 0.8], height: 0.5}")), 2.0 * 0.9, 1e-12);
}

TEST(Dominoes, stand_in_a_row_and_the_first_leans) {
    const auto row = made(2, "dominoes: {count: 5, height: 0.5, thickness: 0.1, spacing: 0.2, tilt: 10}");
    ASSERT_EQ(row.grains.size(), 5u);
    EXPECT_NEAR(row.grains[4].position[0], 0.6, 1e-12);
    EXPECT_NEAR(row.grains[4].position[0] - row.grains[3].position[0], 0.3, 1e-12);
    // Its lower right corner stays on the ground where it was.
    const double a = 10.0 * M_PI / 180.0, x = row.grains[0].position[0] + 0.05 * std::cos(a) - 0.25 * std::sin(a);
    EXPECT_NEAR(x, -0.55, 1e-12);
    EXPECT_NEAR(row.grains[0].position[1], 0.05 * std::sin(a) + 0.25 * std::cos(a), 1e-12);
    EXPECT_NEAR(row.grains[0].turn[0], -a, 1e-15);
    const auto pushed =
        made(3, "dominoes: {count: 5, height: 0.5, thickness: 0.1, width: 0.3, spacing: 0.2, push: 2, heading: 90}");
    EXPECT_NEAR(pushed.grains[0].velocity[1], 2.0, 1e-12);
    EXPECT_NE(
        message(head(2) + "generate: [{dominoes: {count: 5, height: 0.5, thickness: 0.1, spacing: 0.2, tilt: 30}}]\n")
            .find("leans into the second one"),
        std::string::npos);
}

TEST(Voronoi, cells_fill_the_box_but_for_the_gaps) {
    const auto plane = made(2, "voronoi: {low: [0, 0], high: [2, 1], cells: 60}");
    EXPECT_EQ(plane.grains.size(), 60u);
    EXPECT_NEAR(volume(plane), 2.0, 1e-9);
    const auto space = made(3, "voronoi: {low: [0, 0, 0], high: [2, 1, 1], cells: 60}");
    EXPECT_EQ(space.grains.size(), 60u);
    EXPECT_NEAR(volume(space), 2.0, 1e-9);
    const auto apart = made(3, "voronoi: {low: [0, 0, 0], high: [2, 1, 1], cells: 60, gap: 0.01}");
    EXPECT_LT(volume(apart), 1.95);
    EXPECT_GT(volume(apart), 1.6);
    EXPECT_NE(message(head(2) + "generate: [{voronoi: {low: [0, 0], high: [1, 1], cells: 60, gap: 0.2}}]\n")
                  .find("of 60 cells have room for the gap"),
              std::string::npos);
}

TEST(Voronoi, relaxed_cells_are_more_alike) {
    const auto spread = [](const Scene& scene) {
        double sum = 0.0, squares = 0.0;
        for (const auto& shape : scene.shapes) {
            const double v = volume_of(shape, scene.dimension);
            sum += v;
            squares += v * v;
        }
        return squares / sum / sum * static_cast<double>(scene.shapes.size()) - 1.0;
    };
    EXPECT_LT(spread(made(2, "voronoi: {low: [0, 0], high: [1, 1], cells: 60, relax: 10}")),
              0.5 * spread(made(2, "voronoi: {low: [0, 0], high: [1, 1], cells: 60}")));
}

TEST(Structures, bring_their_own_sizes) {
    EXPECT_NE(message(head(2) + "generate: [{column: {drums: 4, diameter: 1, height: 0.5}, diameter: 3}]\n")
                  .find("scene.yaml:6:69: 'column' states the sizes of its blocks itself; remove 'diameter'"),
              std::string::npos);
}

}  // namespace
}  // namespace talus::scene::testing
