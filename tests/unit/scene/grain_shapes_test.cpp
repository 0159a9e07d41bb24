// Shapes of generated grains: convex, not degenerate, of the stated size, turned evenly.
#include <gtest/gtest.h>

#include <cmath>

#include "math/rotation.h"
#include "scene/enclosing_ball.h"
#include "scene_helpers.h"
#include "shapes/solids.h"

namespace talus::scene::testing {
namespace {

std::vector<Point> corners_of(const ShapeSpec& shape, int dimension) {
    std::vector<Point> points;
    for (std::size_t k = 0; k + 1 < shape.sizes.size(); k += static_cast<std::size_t>(dimension)) {
        Point p = Point::Zero();
        for (int i = 0; i < dimension; ++i) p[i] = shape.sizes[k + static_cast<std::size_t>(i)];
        points.push_back(p);
    }
    return points;
}

double least_angle(const std::vector<Point>& polygon) {
    double least = 180.0;
    const std::size_t n = polygon.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Point a = polygon[(k + n - 1) % n] - polygon[k], b = polygon[(k + 1) % n] - polygon[k];
        least = std::min(least, std::acos(a.dot(b) / a.norm() / b.norm()) * 180.0 / M_PI);
    }
    return least;
}

GrainShapes irregular(int dimension, double roundness, int least, int most) {
    GrainShapes shapes;
    shapes.dimension = dimension;
    shapes.kind = dimension == 2 ? GrainShapes::Kind::polygon : GrainShapes::Kind::polyhedron;
    shapes.roundness = roundness;
    shapes.least_vertices = least;
    shapes.most_vertices = most;
    return shapes;
}

TEST(EnclosingBall, is_the_smallest_one) {
    EXPECT_NEAR(enclosing_ball({{0, 0, 0}, {2, 0, 0}, {1, 0.5, 0}}).radius, 1.0, 1e-15);  // obtuse: the longest side
    EXPECT_NEAR(enclosing_ball({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).radius, std::sqrt(2.0 / 3.0), 1e-14);
    Random random(5);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Point> points;
        for (int k = 0; k < 20; ++k) points.push_back(random.in_unit_ball(3));
        const auto ball = enclosing_ball(points);
        // Moving the centre anywhere lets a point out.
        for (int k = 0; k < 20; ++k) {
            const Point centre = ball.centre + 1e-3 * random.in_unit_ball(3).normalized();
            double reach = 0.0;
            for (const Point& p : points) reach = std::max(reach, (p - centre).norm());
            EXPECT_GT(reach, ball.radius - 1e-12);
        }
    }
}

TEST(GrainShapes, polygons_are_convex_and_keep_their_angles) {
    for (const double roundness : {0.0, 0.5, 1.0}) {
        const auto shapes = irregular(2, roundness, 3, 8);
        for (std::uint64_t k = 0; k < 500; ++k) {
            const auto shape = shapes.draw(0.5, 3, k).shape;
            ASSERT_NO_THROW(shape_registry().check(shape, 2));
            const auto corners = corners_of(shape, 2);
            const double n = static_cast<double>(corners.size());
            EXPECT_GE(least_angle(corners), 36.0 * (1.0 - 2.0 / n) - 1e-9);
            EXPECT_NEAR(enclosing_ball(corners).radius, 0.5, 1e-12);
            EXPECT_LT(enclosing_ball(corners).centre.norm(), 1e-12);
            const double regular = 0.125 * n * std::sin(2.0 * M_PI / n);
            EXPECT_LE(volume_of(shape, 2), regular * (1.0 + 1e-12));
            EXPECT_EQ(roundness == 1.0, volume_of(shape, 2) > regular * (1.0 - 1e-12));
        }
    }
}

TEST(GrainShapes, polyhedra_are_convex_and_not_thin) {
    for (const double roundness : {0.0, 0.6, 1.0}) {
        const auto shapes = irregular(3, roundness, 4, 16);
        for (std::uint64_t k = 0; k < 100; ++k) {
            const auto shape = shapes.draw(2.0, 3, k).shape;
            const auto corners = corners_of(shape, 3);
            const auto hull = hull_of({corners.begin(), corners.end()});
            EXPECT_EQ(hull.vertices.size(), corners.size());  // every point is a corner
            // A tenth of the radius, from the sphere of the vertices; the ball that holds them is no larger.
            for (const auto& face : hull.faces) EXPECT_GE(face.offset + enclosing_ball(corners).centre.norm(), 0.19);
            EXPECT_NEAR(enclosing_ball(corners).radius, 2.0, 1e-9);
        }
    }
}

TEST(GrainShapes, rounder_ones_fill_more_of_their_ball) {
    for (const int dim : {2, 3}) {
        double before = 0.0;
        for (const double roundness : {0.0, 0.5, 1.0}) {
            const auto shapes = irregular(dim, roundness, 8, 8);
            double sum = 0.0;
            for (std::uint64_t k = 0; k < 200; ++k) sum += shapes.volume(1.0, 9, k);
            EXPECT_GT(sum, before * 1.02);
            before = sum;
        }
    }
}

TEST(GrainShapes, elongation_and_flatness_are_the_ratios_of_the_axes) {
    auto shapes = irregular(3, 1.0, 60, 60);
    shapes.elongation = 2.0;
    shapes.flatness = 1.5;
    const auto corners = corners_of(shapes.draw(1.0, 1, 1).shape, 3);
    Point low = corners[0], high = corners[0];
    for (const Point& p : corners) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const Point size = high - low;
    EXPECT_NEAR(size[0] / size[1], 2.0, 0.2);  // 60 points do not reach every end of the ellipsoid
    EXPECT_NEAR(size[1] / size[2], 1.5, 0.15);
}

TEST(GrainShapes, turns_are_uniform) {
    // Of a uniform rotation the image of any axis is uniform on the sphere: mean zero, mean square 1/3.
    Random random(11);
    Point mean = Point::Zero(), squares = Point::Zero();
    const int n = 20000;
    for (int k = 0; k < n; ++k) {
        const Point z = matrix_of<3>(rotation_by<3>(random_turn(3, random))).col(2);
        mean += z / n;
        squares += z.cwiseProduct(z) / n;
    }
    EXPECT_LT(mean.norm(), 5.0 / std::sqrt(3.0 * n));
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(squares[k], 1.0 / 3.0, 0.015);
}

TEST(GrainShapes, sizes_are_those_of_the_ball_that_holds_them) {
    for (const auto& [dim, shape] :
         {std::pair(2, "{polygon: {vertices: [5, 7]}}"), std::pair(2, "{box: {aspect: [1, 2]}}"),
          std::pair(2, "capsule"), std::pair(3, "{polyhedron: {vertices: 8}}"), std::pair(3, "box"),
          std::pair(3, "{cylinder: {aspect: 0.5}}"), std::pair(3, "{capsule: {aspect: 3}}"),
          std::pair(3, "{points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}")}) {
        const std::string region = dim == 2 ? "[0, 0], high: [1, 1]" : "[0, 0, 0], high: [1, 1, 1]";
        const Scene scene = read(head(dim) + "generate: [{fill: {region: {box: {low: " + region +
                                 "}}, count: 20}, diameter: 0.1, shape: " + shape + "}]\n");
        ASSERT_EQ(scene.shapes.size(), 20u) << shape;
        for (const auto& one : scene.shapes) EXPECT_NEAR(bound_of(one, dim), 0.05, 1e-12) << shape;
        EXPECT_GE(smallest_gap(scene), 0.0);
    }
}

TEST(GrainShapes, a_solid_fraction_counts_their_own_area) {
    const Scene scene = read(head(2) +
                             "generate: [{fill: {region: {box: {low: [0, 0], high: [1, 1]}}, solid_fraction: 0.3}, "
                             "diameter: 0.05, shape: {polygon: {vertices: 5}}}]\n");
    double area = 0.0;
    for (const auto& shape : scene.shapes) area += volume_of(shape, 2);
    EXPECT_NEAR(area, 0.3, 0.001);
}

TEST(GrainShapes, emitters_make_them_too) {
    const Scene scene =
        read(head(2) +
             "gravity: 10\nbodies: [{plane: }]\nemitters: [{name: e, region: {interval: [-1, 1]}, rate: 100, "
             "height: 2, diameter: 0.1, shape: {polygon: {vertices: [4, 6]}}}]\n");
    Simulation<2> simulation(scene);
    for (int k = 0; k < 100; ++k) (void)simulation.advance();
    EXPECT_EQ(simulation.world().size(), 11u);
    EXPECT_FALSE(simulation.world().is_ball(5));
    EXPECT_TRUE(simulation.world().is_grain(5));
}

TEST(GrainShapes, mistakes_are_told_with_their_place) {
    const auto said = [](int dim, const std::string& shape) {
        return message(head(dim) + "generate: [{rain: {region: {" +
                       (dim == 2 ? "interval: [0, 1]" : "disk: {radius: 1}") +
                       "}, count: 1, height: 1}, diameter: 0.1, shape: " + shape + "}]\n");
    };
    EXPECT_NE(said(2, "{polygon: {vertices: 2}}").find("scene.yaml:6:"), std::string::npos);
    EXPECT_NE(said(2, "{polygon: {vertices: 2}}").find("'vertices' is 2; write a whole number from 3 to 64"),
              std::string::npos);
    EXPECT_NE(said(2, "{polygon: {vertices: [7, 5]}}").find("goes from 7 down to 5"), std::string::npos);
    EXPECT_NE(said(2, "{polygon: {vertices: 5, roundness: 2}}").find("a number in [0, 1]"), std::string::npos);
    EXPECT_NE(said(3, "{polygon: {vertices: 5}}").find("unknown shape 'polygon'"), std::string::npos);
    EXPECT_NE(said(2, "pebble").find("'shape' is the text 'pebble'; write ball, or a mapping"), std::string::npos);
    EXPECT_NE(message(head(3) + "generate: [{cannonballs: {layers: 2, base: square}, diameter: 1, shape: box}]\n")
                  .find("'cannonballs' makes balls only"),
              std::string::npos);
}

}  // namespace
}  // namespace talus::scene::testing
