// Solids on triangle meshes: a flat floor of triangles is felt as a plane, a ridge as a ridge.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "detect/narrow/piece_mesh.h"
#include "shapes/solids.h"

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

/// Squares of side h from (-1, -1) to (1, 1), each of two triangles, at the height of f.
template <class F>
std::vector<double> sheet(int n, F&& f) {
    std::vector<double> s;
    const double h = 2.0 / n;
    const auto add = [&](int i, int j) {
        s.insert(s.end(), {-1.0 + h * i, -1.0 + h * j, f(-1.0 + h * i, -1.0 + h * j)});
    };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            add(i, j), add(i + 1, j), add(i + 1, j + 1);
            add(i, j), add(i + 1, j + 1), add(i, j + 1);
        }
    return s;
}
std::vector<double> floor_of(int n) {
    return sheet(n, [](double, double) { return 0.0; });
}

std::vector<ManifoldPoint<3>> touch(const Piece<3>& a, const Pose<3>& pose, const TriangleMesh& mesh, double limit) {
    std::vector<ManifoldPoint<3>> out;
    touch_mesh(a, pose, mesh, {limit, Vec<3>::Zero()}, out);
    return out;
}
double least(const std::vector<ManifoldPoint<3>>& points) {
    double best = 1e300;
    for (const auto& p : points) best = std::min(best, p.gap);
    return best;
}

struct Dice {
    std::mt19937_64 bits;
    explicit Dice(unsigned seed) : bits(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
};

class Floors : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Fineness, Floors, ::testing::Values(1, 2, 5, 16));

TEST_P(Floors, BallFeelsAPlane) {
    const TriangleMesh mesh(floor_of(GetParam()));
    const Piece<3> ball = piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), 0.2));
    Dice dice(31);
    for (int trial = 0; trial < 600; ++trial) {
        Vec<3> at(dice.uniform(-0.9, 0.9), dice.uniform(-0.9, 0.9), 0.2 - dice.uniform(-1e-3, 1e-2));
        if (trial % 4 == 0) at[0] = std::round(at[0] * 5.0) / 5.0;                 // on edges
        if (trial % 4 == 1) at[1] = at[0] + dice.uniform(-1.0, 1.0) * 1e-9;        // by a diagonal
        if (trial % 4 == 2) at.head<2>() = Vec<2>(0.0, dice.uniform(-1e-7, 1e-7));  // by a corner
        const double side = trial % 2 == 0 ? 1.0 : -1.0;  // from above or below
        const auto c = touch(ball, {Mat<3>::Identity(), Vec<3>(at[0], at[1], side * at[2])}, mesh, 2e-3);
        ASSERT_EQ(c.size(), 1u) << at.transpose();
        EXPECT_NEAR(c[0].gap, at[2] - 0.2, 1e-12);
        EXPECT_LT((c[0].normal - side * Vec<3>::UnitZ()).norm(), 1e-6);
    }
}

TEST_P(Floors, BoxKeepsItsFourCornersWhileItSlides) {
    const TriangleMesh mesh(floor_of(GetParam()));
    const Piece<3> box = piece_of<3>(box_core({0.5, 0.4, 0.3}));
    Dice dice(32);
    for (int step = 0; step < 300; ++step) {
        const double angle = dice.uniform(0.0, pi), depth = dice.uniform(0.0, 1e-4);
        const Mat<3> r = Eigen::AngleAxisd(angle, Vec<3>::UnitZ()).toRotationMatrix();
        const Pose<3> pose{r, Vec<3>(dice.uniform(-0.6, 0.6), dice.uniform(-0.6, 0.6), 0.15 - depth)};
        const auto c = touch(box, pose, mesh, 1e-3);
        EXPECT_EQ(c.size(), 4u) << step;
        for (const auto& p : c) {
            EXPECT_NEAR(p.gap, -depth, 1e-12);
            EXPECT_LT((p.normal - Vec<3>::UnitZ()).norm(), 1e-6);
            const Vec<3> own = r.transpose() * (p.point - pose.translation);
            EXPECT_NEAR(std::abs(own[0]), 0.25, 2e-4) << step;
            EXPECT_NEAR(std::abs(own[1]), 0.2, 2e-4) << step;
        }
    }
}

TEST_P(Floors, TiltedBoxTouchesWithItsLowestCorner) {
    const TriangleMesh mesh(floor_of(GetParam()));
    const Piece<3> box = piece_of<3>(box_core({0.5, 0.4, 0.3}));
    Dice dice(33);
    for (int step = 0; step < 300; ++step) {
        const Vec<3> axis = Vec<3>(dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)).normalized();
        const Mat<3> r = Eigen::AngleAxisd(dice.uniform(0.0, 1.0), axis).toRotationMatrix();
        Pose<3> pose{r, Vec<3>(dice.uniform(-0.5, 0.5), dice.uniform(-0.5, 0.5), 0.0)};
        double lowest = 1e300;
        for (const Vec<3>& v : box.polytope.vertices) lowest = std::min(lowest, pose.point(v)[2]);
        pose.translation[2] = -lowest - 1e-5;
        const auto c = touch(box, pose, mesh, 1e-4);
        ASSERT_GE(c.size(), 1u) << step;
        EXPECT_NEAR(least(c), -1e-5, 1e-9) << step;
        for (const auto& p : c) EXPECT_LT((p.normal - Vec<3>::UnitZ()).norm(), 1e-6) << step;
    }
}

TEST_P(Floors, DrumStandsAndRolls) {
    const TriangleMesh mesh(floor_of(GetParam()));
    Frustum f;
    f.low = f.high = 0.2;
    f.half = 0.15;
    const Piece<3> drum = piece_of(f);
    Dice dice(34);
    for (int step = 0; step < 100; ++step) {
        const Vec<3> at(dice.uniform(-0.6, 0.6), dice.uniform(-0.6, 0.6), 0.0);
        const auto standing = touch(drum, {Mat<3>::Identity(), at + Vec<3>(0, 0, 0.15 - 1e-6)}, mesh, 1e-5);
        EXPECT_GE(standing.size(), 6u) << step;
        EXPECT_LE(standing.size(), 8u) << step;
        EXPECT_NEAR(least(standing), -1e-6, 1e-13);
        const Mat<3> r = Eigen::AngleAxisd(dice.uniform(0, pi), Vec<3>::UnitZ()).toRotationMatrix() *
                         Eigen::AngleAxisd(0.5 * pi, Vec<3>::UnitY()).toRotationMatrix();
        const auto lying = touch(drum, {r, at + Vec<3>(0, 0, 0.2 - 1e-6)}, mesh, 1e-5);
        EXPECT_EQ(lying.size(), 2u) << step;
        EXPECT_NEAR(least(lying), -1e-6, 1e-13);
        for (const auto& p : lying) EXPECT_LT((p.normal - Vec<3>::UnitZ()).norm(), 1e-6);
    }
}

TEST(Ridge, IsFeltByABallAsAnEdge) {
    const TriangleMesh roof(sheet(2, [](double x, double) { return -std::abs(x); }));  // ridge along y
    const Piece<3> ball = piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), 0.3));
    for (const double angle : {0.0, 0.2, 0.5, -0.7}) {
        const Vec<3> n(std::sin(angle), 0.0, std::cos(angle));
        const auto c = touch(ball, {Mat<3>::Identity(), (0.3 - 1e-4) * n + Vec<3>(0.0, 0.3, 0.0)}, roof, 1e-6);
        ASSERT_EQ(c.size(), 1u) << angle;
        EXPECT_NEAR(c[0].gap, -1e-4, 1e-14);
        EXPECT_LT((c[0].normal - n).norm(), 1e-9);
    }
}

TEST(Valley, HoldsABallOnBothSlopesAndNotOnItsEdge) {
    const TriangleMesh valley(sheet(2, [](double x, double) { return std::abs(x); }));
    const Piece<3> ball = piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), 0.3));
    const auto c = touch(ball, {Mat<3>::Identity(), Vec<3>(0.0, 0.3, 0.3 * std::sqrt(2.0) - 1e-6)}, valley, 1e-3);
    ASSERT_EQ(c.size(), 2u);
    for (const auto& p : c) EXPECT_NEAR(std::abs(p.normal[0]), std::sqrt(0.5), 1e-12);
}

TEST(Rim, OfAMeshIsAnEdgeAndACorner) {
    const TriangleMesh mesh(floor_of(2));
    const Piece<3> ball = piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), 0.3));
    const auto beside = touch(ball, {Mat<3>::Identity(), Vec<3>(1.2, 0.3, 0.1)}, mesh, 1.0);
    EXPECT_NEAR(least(beside), std::hypot(0.2, 0.1) - 0.3, 1e-14);
    const auto corner = touch(ball, {Mat<3>::Identity(), Vec<3>(1.2, 1.2, 0.1)}, mesh, 1.0);
    EXPECT_NEAR(least(corner), 0.0, 1e-14);
}

TEST(Bumps, BallIsAsFarAsTheNearestPoint) {
    const TriangleMesh mesh(sheet(12, [](double x, double y) { return 0.1 * std::sin(5 * x) * std::cos(4 * y); }));
    Dice dice(35);
    for (int trial = 0; trial < 500; ++trial) {
        const Vec<3> at(dice.uniform(-0.9, 0.9), dice.uniform(-0.9, 0.9), dice.uniform(0.1, 0.4));
        const double r = dice.uniform(0.05, 0.3);
        const auto c = touch(piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), r)), {Mat<3>::Identity(), at}, mesh, 0.5);
        ASSERT_GE(c.size(), 1u);
        EXPECT_NEAR(least(c), mesh.clearance(at, r), 1e-12) << trial;
    }
}

}  // namespace
}  // namespace talus
