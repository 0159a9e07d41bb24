// Contacts of polygons in the plane, held against the hull of all differences of vertices: the distance of the
// origin to its boundary is the distance of the cores, or the least translation that parts them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "detect/narrow/manifold.h"
#include "shapes/solids.h"

namespace talus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Random {
    std::mt19937_64 engine;
    explicit Random(std::uint64_t seed) : engine(seed) {}
    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53); }
};

double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

std::vector<Vec<2>> hull(std::vector<Vec<2>> points) {
    std::sort(points.begin(), points.end(), [](const Vec<2>& p, const Vec<2>& q) { return p[0] != q[0] ? p[0] < q[0] : p[1] < q[1]; });
    std::vector<Vec<2>> out;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = out.size();
        for (const Vec<2>& p : points) {
            while (out.size() >= base + 2 && cross(out.back() - out[out.size() - 2], p - out.back()) <= 0.0) out.pop_back();
            out.push_back(p);
        }
        out.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return out;
}

Mat<2> turn(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }

Polytope<2> random_core(Random& random, int kind) {
    const double radius = kind % 2 == 0 ? 0.0 : random.uniform(0.05, 0.3);
    if (kind / 2 == 1) return segment_core(Vec<2>(-0.7, 0), Vec<2>(0.7, 0), radius);
    if (kind == 5) return point_core(Vec<2>(0.1, 0.2), radius);
    std::vector<Vec<2>> points;
    const int n = 3 + static_cast<int>(random.engine() % 6);
    for (int k = 0; k < n; ++k) points.push_back(turn((k + random.uniform(0, 0.8)) * 2.0 * M_PI / n) * Vec<2>(random.uniform(0.9, 1), 0));
    return polygon_of(hull(points), radius);
}

double true_gap(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b) {
    std::vector<Vec<2>> differences;
    for (const Vec<2>& x : a.vertices)
        for (const Vec<2>& y : b.vertices) differences.push_back(pose.point(x) - y);
    const std::vector<Vec<2>> h = hull(differences);
    double nearest = infinity;
    bool inside = true;
    for (std::size_t k = 0; k < h.size(); ++k) {
        const Vec<2> p = h[k], d = h[(k + 1) % h.size()] - p;
        nearest = std::min(nearest, (p + std::clamp(-p.dot(d) / d.squaredNorm(), 0.0, 1.0) * d).norm());
        inside = inside && cross(d, -p) >= 0.0;
    }
    return (inside ? -nearest : nearest) - a.radius - b.radius;
}

Manifold<2> touch(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, double limit,
                  const Vec<2>& last = Vec<2>::Zero()) {
    Manifold<2> m;
    touch_polytopes(a, pose, b, {limit, last}, m);
    return m;
}

const ManifoldPoint<2>& deepest(const Manifold<2>& m) {
    return m.points[m.count > 1 && m.points[1].gap < m.points[0].gap ? 1 : 0];
}

double separation_along(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const Vec<2>& n) {
    double low = infinity, high = -infinity;
    for (const Vec<2>& x : a.vertices) low = std::min(low, n.dot(pose.point(x)));
    for (const Vec<2>& y : b.vertices) high = std::max(high, n.dot(y));
    return low - high - a.radius - b.radius;
}

Pose<2> near_contact(Random& random, const Polytope<2>& a, const Polytope<2>& b, double gap) {
    Pose<2> pose;
    pose.rotation = turn(random.uniform(-3, 3));
    const Vec<2> d = turn(random.uniform(-3, 3)).col(0);
    double low = 0.0, high = 8.0;
    for (int k = 0; k < 14; ++k) {
        pose.translation = 0.5 * (low + high) * d;
        (true_gap(a, pose, b) < gap ? low : high) = 0.5 * (low + high);
    }
    pose.translation = high * d;
    return pose;
}

/// How far a point is outside of a swollen polygon, exact beside its edges.
double outside_of(const Polytope<2>& p, const Vec<2>& x) {
    double out = -infinity;
    for (std::size_t k = 0; k < p.normals.size(); ++k) out = std::max(out, p.normals[k].dot(x - p.vertices[k]) - p.radius);
    return out;
}

bool has_area(int kind_a, int kind_b) { return !(kind_a == 5 && kind_b / 2 == 1) && !(kind_b == 5 && kind_a / 2 == 1) && !(kind_a == 5 && kind_b == 5); }

TEST(Polygons, GapIsTheTrueDistanceOrTheLeastTranslation) {
    Random random(11);
    int apart = 0, overlap = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        const int kind_a = static_cast<int>(random.engine() % 6), kind_b = static_cast<int>(random.engine() % 6);
        if (!has_area(kind_a, kind_b)) continue;
        const Polytope<2> a = random_core(random, kind_a), b = random_core(random, kind_b);
        const Pose<2> pose = near_contact(random, a, b, random.uniform(-0.3, 0.3));
        const double gap = true_gap(a, pose, b);
        const Manifold<2> m = touch(a, pose, b, 1.0);
        ASSERT_GT(m.count, 0) << trial;
        EXPECT_NEAR(deepest(m).gap, gap, 1e-12) << trial << " kinds " << kind_a << ' ' << kind_b;
        EXPECT_NEAR(separation_along(a, pose, b, deepest(m).normal), gap, 1e-12) << trial;
        (gap > 0.0 ? apart : overlap) += 1;
        const Manifold<2> close = touch(a, pose, b, 0.1);
        if (std::abs(gap - 0.1) > 1e-9) {
            EXPECT_EQ(close.count > 0, gap < 0.1) << trial;
        }
        for (int k = 0; k < close.count; ++k) EXPECT_LE(close.points[k].gap, 0.1);
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(overlap, 1000);
}

TEST(Polygons, PointsLieOnBothSurfaces) {
    Random random(12);
    for (int trial = 0; trial < 3000; ++trial) {
        const Polytope<2> a = random_core(random, trial % 2), b = random_core(random, trial / 2 % 2);
        const Pose<2> pose = near_contact(random, a, b, random.uniform(-0.05, 0.05));
        const Manifold<2> m = touch(a, pose, b, 0.05);
        for (int k = 0; k < m.count; ++k) {
            const auto& p = m.points[k];
            EXPECT_LT(outside_of(b, p.point - 0.5 * p.gap * p.normal), 1e-8) << trial;
            EXPECT_LT(outside_of(a, pose.rotation.transpose() * (p.point + 0.5 * p.gap * p.normal - pose.translation)), 1e-8) << trial;
        }
    }
}

TEST(Polygons, SwapScaleAndCommonMotionChangeNothingElse) {
    Random random(13);
    for (int trial = 0; trial < 3000; ++trial) {
        const int kind_a = trial % 6, kind_b = trial / 6 % 6;
        if (!has_area(kind_a, kind_b)) continue;
        const Polytope<2> a = random_core(random, kind_a), b = random_core(random, kind_b);
        const Pose<2> pose = near_contact(random, a, b, random.uniform(-0.1, 0.1));
        const Pose<2> back = {pose.rotation.transpose(), -(pose.rotation.transpose() * pose.translation)};
        const Manifold<2> m = touch(a, pose, b, 0.1), w = touch(b, back, a, 0.1);
        ASSERT_EQ(m.count, w.count) << trial;
        for (int k = 0; k < m.count; ++k) {
            double nearest = infinity;
            for (int j = 0; j < w.count; ++j)
                nearest = std::min(nearest, (pose.point(w.points[j].point) - m.points[k].point).norm() +
                                                (pose.direction(w.points[j].normal) + m.points[k].normal).norm() +
                                                std::abs(w.points[j].gap - m.points[k].gap));
            EXPECT_LT(nearest, 1e-12) << trial;
        }
        for (const double scale : {1e-3, 1e3}) {
            const Mat<2> axes = turn(random.uniform(-3, 3));
            const Vec<2> shift(random.uniform(-1, 1), random.uniform(-1, 1));
            Polytope<2> c = a, d = moved<2>(piece_of<2>(b), axes, shift).polytope;
            for (Polytope<2>* p : {&c, &d}) {
                for (Vec<2>& v : p->vertices) v *= scale;
                p->radius *= scale;
                measure(*p);
            }
            const Manifold<2> s = touch(c, {axes * pose.rotation, scale * (axes * pose.translation + shift)}, d, 0.1 * scale);
            ASSERT_EQ(m.count, s.count) << trial;
            for (int k = 0; k < m.count; ++k) {
                EXPECT_LT((s.points[k].point / scale - (axes * m.points[k].point + shift)).norm(), 1e-12);
                EXPECT_LT((s.points[k].normal - axes * m.points[k].normal).norm(), 1e-12);
                EXPECT_NEAR(s.points[k].gap / scale, m.points[k].gap, 1e-12);
                EXPECT_EQ(s.points[k].feature, m.points[k].feature);
            }
        }
    }
}

TEST(Polygons, TiltedSquareOnALongOneHasTheAnalyticGaps) {
    const Polytope<2> square = polygon_of({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}});
    const Polytope<2> ground = polygon_of({{-10, -1}, {10, -1}, {10, 0}, {-10, 0}});
    for (double tilt = 1e-12; tilt <= 1.0; tilt *= 10.0)
        for (double depth = 1e-12; depth <= 1e-2; depth *= 10.0)
            for (const double sign : {-1.0, 1.0}) {
                const Mat<2> axes = turn(0.7 * tilt);
                double low = infinity;
                for (const Vec<2>& v : square.vertices) low = std::min(low, (axes * v)[1]);
                const Pose<2> pose = {axes, {0.3, sign * depth - low}};
                const Manifold<2> m = touch(square, pose, ground, 1.0);
                ASSERT_EQ(m.count, 2);
                for (int k = 0; k < 2; ++k) {
                    EXPECT_LT((m.points[k].normal - Vec<2>::UnitY()).norm(), 1e-12);
                    EXPECT_NEAR(m.points[k].gap, pose.point(square.vertices[k])[1], 1e-12) << tilt << ' ' << depth;
                }
            }
}

TEST(Polygons, AlignedStackHasTwoPointsWithStableFeatures) {
    const Polytope<2> square = polygon_of({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}});
    Random random(14);
    for (const double shift : {0.0, 0.5}) {
        std::set<std::uint32_t> features;
        for (int trial = 0; trial < 500; ++trial) {
            const auto noise = [&] { return 1e-11 * random.uniform(-1, 1); };
            const Manifold<2> m = touch(square, {turn(noise()), {shift + noise(), 1.0 + noise()}}, square, 1e-3);
            ASSERT_EQ(m.count, 2);
            for (int k = 0; k < 2; ++k) features.insert(m.points[k].feature);
        }
        EXPECT_EQ(features.size(), 2u) << shift;
    }
}

TEST(Polygons, CapsulesLieOnTwoPoints) {
    const Polytope<2> rod = segment_core(Vec<2>(-1, 0), Vec<2>(1, 0), 0.25);
    const Manifold<2> m = touch(rod, {Mat<2>::Identity(), {0.4, 0.5}}, rod, 0.01);
    ASSERT_EQ(m.count, 2);
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(m.points[k].gap, 0.0, 1e-15);
        EXPECT_NEAR(std::abs(m.points[k].point[0] - 0.2), 0.8, 1e-14);
        EXPECT_NEAR(m.points[k].point[1], 0.25, 1e-14);
    }
}

TEST(Polygons, NormalDoesNotFlipNearACorner) {
    const Polytope<2> square = polygon_of({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}});
    Random random(15);
    for (const Vec<2>& last : {Vec<2>(1, 0), Vec<2>(0, 1)})
        for (int trial = 0; trial < 200; ++trial) {
            const Pose<2> pose = {Mat<2>::Identity(), {0.999 + 3e-7 * random.uniform(-1, 1), 0.999 + 3e-7 * random.uniform(-1, 1)}};
            const Manifold<2> m = touch(square, pose, square, 0.0, last);
            ASSERT_GT(m.count, 0);
            EXPECT_EQ(m.points[0].normal, last);
        }
    EXPECT_EQ(touch(square, {Mat<2>::Identity(), {0.999, 0.99}}, square, 0.0, Vec<2>::UnitY()).points[0].normal, Vec<2>(1, 0));
}

}  // namespace
}  // namespace talus
