// Solids inside boundaries whose free side is convex: the least gap is that of the nearest of very many points of
// the solid's surface, and a drum on a plane has its rim gap in closed form.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "detect/narrow/piece_container.h"
#include "shapes/solids.h"

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

struct Dice {
    std::mt19937_64 bits;
    explicit Dice(unsigned seed) : bits(seed) {}
    double uniform(double low, double high) {
        return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
    }
    Vec<3> vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
    Mat<3> rotation() { return Eigen::AngleAxisd(uniform(0.0, pi), vector(1.0).normalized()).toRotationMatrix(); }
};

Frustum frustum(double low, double high, double height) {
    Frustum f;
    f.low = low;
    f.high = high;
    f.half = 0.5 * height;
    return f;
}

template <int Dim>
Manifold<Dim> touch(const Piece<Dim>& a, const Pose<Dim>& pose, const ShapeSpec& boundary, double limit) {
    Manifold<Dim> m;
    touch_container<Dim>(a, pose, pair_registry().find<Dim>(boundary.name), boundary.sizes.data(),
                         {limit, Vec<Dim>::Zero()}, m);
    return m;
}
template <int Dim>
double least(const Manifold<Dim>& m) {
    double best = 1e300;
    for (int k = 0; k < m.count; ++k) best = std::min(best, m.points[static_cast<std::size_t>(k)].gap);
    return best;
}

/// Gap of a point to the boundary, from its description.
double point_gap(const ShapeSpec& b, const Vec<3>& x) {
    const auto& s = b.sizes;
    const double rho = std::hypot(x[0], x[1]);
    if (b.name == "plane") return Vec<3>(s[0], s[1], s[2]).dot(x);
    if (b.name == "ball_inside") return s[0] - x.norm();
    if (b.name == "cylinder_inside") return std::min(s[0] - rho, 0.5 * s[1] - std::abs(x[2]));
    if (b.name == "box_inside")
        return std::min({0.5 * s[0] - std::abs(x[0]), 0.5 * s[1] - std::abs(x[1]), 0.5 * s[2] - std::abs(x[2])});
    const double slope = std::hypot(s[2], s[1] - s[0]);  // cone_inside
    return ((s[0] - rho) * s[2] + x[2] * (s[1] - s[0])) / slope;
}

/// Least gap over the rims of a frustum, by many points.
double sampled(const Frustum& f, const Pose<3>& pose, const ShapeSpec& b) {
    double best = 1e300;
    for (int k = 0; k < 20000; ++k)
        for (const double end : {-1.0, 1.0}) {
            const double angle = 2.0 * pi * k / 20000, r = end < 0.0 ? f.low : f.high;
            best = std::min(best,
                            point_gap(b, pose.point(Vec<3>(r * std::cos(angle), r * std::sin(angle), end * f.half))));
        }
    return best;
}

std::vector<ShapeSpec> boundaries() {
    return {{"plane", {0.0, 0.6, 0.8}},
            {"box_inside", {3.0, 3.5, 4.0}},
            {"ball_inside", {2.0}},
            {"cylinder_inside", {1.8, 4.0}},
            {"cone_inside", {1.0, 4.0, 4.0}}};
}

TEST(Container, FrustumIsNearestOnItsRims) {
    Dice dice(21);
    for (const ShapeSpec& b : boundaries())
        for (int trial = 0; trial < 60; ++trial) {
            const Frustum f =
                frustum(dice.uniform(0.1, 0.6), trial % 3 == 0 ? 0.0 : dice.uniform(0.1, 0.6), dice.uniform(0.2, 1.0));
            const Vec<3> middle = b.name == "cone_inside" ? Vec<3>(0.0, 0.0, 2.2)
                                  : b.name == "plane"     ? Vec<3>(0.0, 0.6, 0.8)
                                                          : Vec<3>(0.0, 0.0, 0.0);
            const Pose<3> pose{dice.rotation(), middle + dice.vector(0.5)};
            const Manifold<3> m = touch<3>(piece_of(f), pose, b, 3.0);
            const double truth = sampled(f, pose, b);
            ASSERT_GT(m.count, 0) << b.name;
            EXPECT_LT(least(m), truth + 1e-13) << b.name << trial;
            EXPECT_GT(least(m), truth - 1e-6) << b.name << trial;  // samples are (pi / 20000)^2 short of the best
            for (int k = 0; k < m.count; ++k) {
                const ManifoldPoint<3>& p = m.points[static_cast<std::size_t>(k)];
                const double height = (p.point - 0.5 * p.gap * p.normal)[2];
                const bool on_an_end = std::abs(height) < 1e-12 || std::abs(height - 4.0) < 1e-12;
                if (b.name == "cone_inside" && on_an_end) continue;  // the hopper's rim against the body's side
                const Vec<3> on_body =
                    pose.rotation.transpose() * (p.point + 0.5 * p.gap * p.normal - pose.translation);
                const double r = on_body[2] < 0.0 ? f.low : f.high;
                EXPECT_NEAR(on_body.head<2>().norm(), r, 1e-13) << b.name << trial;
                EXPECT_NEAR(std::abs(on_body[2]), f.half, 1e-13) << b.name << trial;
                for (int j = 0; j < k; ++j)
                    EXPECT_NE(p.feature, m.points[static_cast<std::size_t>(j)].feature) << b.name;
            }
        }
}

TEST(Container, PolyhedronIsNearestAtItsCorners) {
    Dice dice(22);
    for (const ShapeSpec& b : boundaries())
        for (int trial = 0; trial < 60; ++trial) {
            std::vector<Vec<3>> points;
            for (int k = 0; k < 14; ++k) points.push_back(dice.vector(0.5));
            const Piece<3> a = piece_of<3>(hull_of(points));
            const Vec<3> middle = b.name == "cone_inside" ? Vec<3>(0.0, 0.0, 2.2)
                                  : b.name == "plane"     ? Vec<3>(0.0, 0.6, 0.8)
                                                          : Vec<3>(0.0, 0.0, 0.0);
            const Pose<3> pose{dice.rotation(), middle + dice.vector(0.5)};
            double truth = 1e300;
            for (const Vec<3>& v : a.polytope.vertices) truth = std::min(truth, point_gap(b, pose.point(v)));
            const Manifold<3> m = touch<3>(a, pose, b, 3.0);
            EXPECT_NEAR(least(m), truth, 1e-14) << b.name << trial;
        }
}

TEST(Container, TiltedDrumOnAPlaneHasItsRimGap) {
    const Frustum f = frustum(0.5, 0.5, 0.8);
    for (double tilt = 1e-12; tilt < 1.0; tilt *= 10.0)
        for (double depth = 1e-12; depth < 1e-2; depth *= 100.0) {
            const double lowest = -0.4 * std::cos(tilt) - 0.5 * std::sin(tilt);
            const Mat<3> r = Eigen::AngleAxisd(tilt, Vec<3>::UnitY()).toRotationMatrix();
            const Manifold<3> m =
                touch<3>(piece_of(f), {r, Vec<3>(0.0, 0.0, -lowest - depth)}, {"plane", {0.0, 0.0, 1.0}}, 1e-6);
            EXPECT_NEAR(least(m), -depth, 2e-16) << tilt;
            EXPECT_LE(m.count, 8);
        }
}

TEST(Container, StandingDrumHasSixFixedPointsAndALyingOneTwo) {
    const Piece<3> drum = piece_of(frustum(0.5, 0.5, 0.8));
    const ShapeSpec plane{"plane", {0.0, 0.0, 1.0}};
    EXPECT_EQ(touch<3>(drum, {Mat<3>::Identity(), Vec<3>(0, 0, 0.4)}, plane, 1e-6).count, 6);
    const Mat<3> lying = Eigen::AngleAxisd(0.5 * pi, Vec<3>::UnitY()).toRotationMatrix();
    EXPECT_EQ(touch<3>(drum, {lying, Vec<3>(0, 0, 0.5)}, plane, 1e-6).count, 2);
    // Along a pipe of larger radius it lies on a line too; upright at its bottom end on six points.
    const ShapeSpec pipe{"cylinder_inside", {1.0, 4.0}};
    EXPECT_EQ(touch<3>(drum, {Mat<3>::Identity(), Vec<3>(0.5, 0, 0)}, pipe, 1e-6).count, 2);
    EXPECT_EQ(touch<3>(drum, {Mat<3>::Identity(), Vec<3>(0, 0, -1.6)}, pipe, 1e-6).count, 6);
}

TEST(Container, BoxInACornerTouchesEachFaceWithFourCorners) {
    const Piece<3> box = piece_of<3>(box_core({1.0, 1.0, 1.0}));
    const Manifold<3> m =
        touch<3>(box, {Mat<3>::Identity(), Vec<3>(1.0, 1.25, 1.5)}, {"box_inside", {3.0, 3.5, 4.0}}, 1e-9);
    EXPECT_EQ(m.count, 12);
    for (int k = 0; k < m.count; ++k) EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].gap, 0.0, 1e-15);
}

TEST(Container, PolygonInADrumAndOnALine) {
    const Piece<2> square = piece_of<2>(polygon_of({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}));
    EXPECT_EQ(touch<2>(square, {Mat<2>::Identity(), Vec<2>(0, 0.5)}, {"plane", {0.0, 1.0}}, 1e-9).count, 2);
    const Manifold<2> m = touch<2>(square, {Mat<2>::Identity(), Vec<2>(0, -1.0)}, {"ball_inside", {2.0}}, 1.0);
    EXPECT_NEAR(least(m), 2.0 - std::hypot(0.5, 1.5), 1e-15);
}

TEST(Container, ManyCornersOnOneLineOfThePlaneAreThinnedToTheEndsAndTheDeepest) {
    std::vector<Vec<2>> round;
    for (int k = 0; k < 40; ++k) round.push_back({std::cos(2 * pi * k / 40), std::sin(2 * pi * k / 40)});
    const Manifold<2> m =
        touch<2>(piece_of<2>(polygon_of(round)), {Mat<2>::Identity(), Vec<2>(0, 0.999)}, {"plane", {0.0, 1.0}}, 2.5);
    ASSERT_GE(m.count, 2);
    EXPECT_NEAR(least(m), -0.001, 1e-14);
    EXPECT_LE(m.count, max_manifold_points);
}

TEST(Hopper, FromWithoutIsTouchedAtItsSide) {
    // A box beside the hopper, then one above it that must not find a lid.
    const Piece<3> box = piece_of<3>(box_core({1.0, 1.0, 1.0}));
    const ShapeSpec hopper{"cone_inside", {1.0, 1.0 + 1e-9, 4.0}};
    const Manifold<3> beside = touch<3>(box, {Mat<3>::Identity(), Vec<3>(1.5 - 1e-3, 0.0, 2.0)}, hopper, 1e-6);
    ASSERT_GT(beside.count, 0);
    EXPECT_NEAR(least(beside), -1e-3, 1e-8);
    EXPECT_GT(beside.points[0].normal[0], 0.999);
    EXPECT_EQ(touch<3>(box, {Mat<3>::Identity(), Vec<3>(0.0, 0.0, 4.4)}, hopper, 1e-6).count, 0);
}

TEST(Hopper, PushesBackACornerThatWentThrough) {
    const Piece<3> box = piece_of<3>(box_core({1.0, 1.0, 1.0}));
    const ShapeSpec hopper{"cone_inside", {0.7, 0.7, 4.0}};  // corners of the box reach 0.7071
    const Manifold<3> m = touch<3>(box, {Mat<3>::Identity(), Vec<3>(0.0, 0.0, 2.0)}, hopper, 0.0);
    EXPECT_EQ(m.count, 8);
    for (int k = 0; k < m.count; ++k) {
        EXPECT_NEAR(m.points[static_cast<std::size_t>(k)].gap, 0.7 - std::sqrt(0.5), 1e-14);
        EXPECT_LT(m.points[static_cast<std::size_t>(k)].normal.dot(m.points[static_cast<std::size_t>(k)].point), 0.0);
    }
}

}  // namespace
}  // namespace talus
