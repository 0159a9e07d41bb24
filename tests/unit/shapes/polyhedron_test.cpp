// Polyhedra from points: the hull has the faces it should have, in an order that depends on the points only.
#include <gtest/gtest.h>

#include <random>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

/// What must hold for any polyhedron: Euler's formula, faces flat and convex and outward, edges between the
/// faces they name, all points inside.
void expect_sound(const Polytope<3>& p, const std::vector<Vec<3>>& points, double size) {
    EXPECT_EQ(static_cast<int>(p.vertices.size()) - static_cast<int>(p.edges.size()) + static_cast<int>(p.faces.size()), 2);
    for (const auto& face : p.faces) {
        EXPECT_NEAR(face.normal.norm(), 1.0, 1e-14);
        for (const Vec<3>& x : points) EXPECT_LT(face.normal.dot(x) - face.offset, 4e-12 * size);
        for (int k = 0; k < face.count; ++k) {
            const auto at = [&](int j) { return p.vertices[p.loops[face.first + j % face.count]]; };
            EXPECT_NEAR(face.normal.dot(at(k)), face.offset, 2e-12 * size);
            EXPECT_GT((at(k + 1) - at(k)).cross(at(k + 2) - at(k + 1)).dot(face.normal), 0.0);
        }
    }
    for (const auto& edge : p.edges) {
        ASSERT_GE(edge.left, 0);
        ASSERT_GE(edge.right, 0);
        const Vec<3> along = p.vertices[edge.to] - p.vertices[edge.from];
        EXPECT_GT(p.faces[edge.left].normal.cross(p.faces[edge.right].normal).dot(along), 0.0);
    }
}

TEST(Polyhedron, CubeHasSixFacesOfFourCorners) {
    std::vector<Vec<3>> points;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 4; ++k) points.emplace_back(i, j, k);  // corners, edges, faces and inside
    points.push_back(points.front());
    const Polytope<3> cube = hull_of(points);
    EXPECT_EQ(cube.vertices.size(), 8u);
    EXPECT_EQ(cube.edges.size(), 12u);
    ASSERT_EQ(cube.faces.size(), 6u);
    for (const auto& face : cube.faces) EXPECT_EQ(face.count, 4);
    expect_sound(cube, points, 3.0 * std::sqrt(3.0));
    const Polytope<3> box = box_core({3, 3, 3});
    expect_sound(box, box.vertices, 5.0);
    EXPECT_EQ(box.loops.size(), 24u);
}

TEST(Polyhedron, TurnedSolidsKeepTheirFaces) {
    for (int trial = 0; trial < 60; ++trial) {
        const Mat<3> turn = Eigen::AngleAxisd(0.37 * trial, Vec<3>(1, 2, 3 - 0.1 * trial).normalized()).toRotationMatrix();
        const int sides = 3 + trial % 30;
        std::vector<Vec<3>> prism;
        for (int k = 0; k < sides; ++k)
            for (const double z : {-0.7, 0.7})
                prism.push_back(turn * Vec<3>(std::cos(2 * M_PI * k / sides), std::sin(2 * M_PI * k / sides), z));
        const Polytope<3> p = hull_of(prism);
        EXPECT_EQ(static_cast<int>(p.faces.size()), sides + 2) << sides;
        EXPECT_EQ(static_cast<int>(p.vertices.size()), 2 * sides);
        expect_sound(p, prism, 2.5);
    }
}

TEST(Polyhedron, RandomHullsAreSoundAndRepeatable) {
    std::mt19937_64 engine(4);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const int count : {4, 5, 10, 50, 200})
        for (const double scale : {1e-3, 1.0, 1e3}) {
            std::vector<Vec<3>> points;
            for (int k = 0; k < count; ++k) points.push_back(scale * Vec<3>(uniform(engine), uniform(engine), uniform(engine)).normalized());
            const Polytope<3> p = hull_of(points), again = hull_of(points);
            EXPECT_EQ(static_cast<int>(p.vertices.size()), count);
            EXPECT_EQ(p.loops, again.loops);
            expect_sound(p, points, 2.0 * scale);
        }
}

TEST(Polyhedron, TooFewOrFlatPointsAreRefused) {
    EXPECT_THROW((void)hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), InputError);
    EXPECT_THROW((void)hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}}), InputError);
    EXPECT_THROW((void)hull_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}}), InputError);
    EXPECT_THROW((void)hull_of({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), InputError);
    EXPECT_THROW((void)hull_of({}), InputError);
    EXPECT_THROW((void)solid_of<3>({"polyhedron", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}), InputError);
    EXPECT_THROW((void)flat_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}}), InputError);
    EXPECT_THROW((void)flat_of({{0, 0, 0}, {1, 0, 0}, {0.2, 0.2, 0}, {0, 1, 0}}), InputError);
}

TEST(Polyhedron, CentredIsInPrincipalAxes) {
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int trial = 0; trial < 20; ++trial) {
        ShapeSpec spec{"polyhedron", {}};
        for (int k = 0; k < 36; ++k) spec.sizes.push_back(3.0 + uniform(engine));
        const Solid<3> before = solid_of<3>(spec);
        const CentredShape<3> c = centred<3>(spec);
        const Solid<3> after = solid_of<3>(c.spec);
        EXPECT_LT(after.mass.centre.norm(), 1e-14);
        EXPECT_LT((after.mass.inertia - Mat<3>(c.inertia.asDiagonal())).norm(), 1e-13 * c.inertia.norm());
        EXPECT_NEAR(after.mass.volume, before.mass.volume, 1e-12);
        const Mat<3> turn = matrix_of<3>(c.turn);
        EXPECT_NEAR(turn.determinant(), 1.0, 1e-14);
        EXPECT_LT((turn * after.mass.inertia * turn.transpose() - before.mass.inertia).norm(), 1e-12);
        for (std::size_t k = 0; k < after.pieces[0].polytope.vertices.size(); ++k)
            EXPECT_LT((c.centre + turn * after.pieces[0].polytope.vertices[k] - before.pieces[0].polytope.vertices[k]).norm(), 1e-13);
    }
    const CentredShape<3> box = centred<3>({"box", {1, 2, 3}});
    EXPECT_TRUE(box.turn.q.coeffs() == Eigen::Quaterniond::Identity().coeffs());
    EXPECT_EQ(box.spec.sizes, (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace talus
