// Contacts of polyhedra in space. The truth they are held against is found another way: the hull of all
// differences of vertices (the Minkowski difference) holds the origin when the cores overlap, and the least
// translation apart is the distance of the origin to its nearest face; otherwise the distance of the cores is
// that of the origin to the nearest triangle of the hull.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "detect/narrow/manifold.h"
#include "detect/narrow/reduce.h"
#include "shapes/solids.h"

namespace talus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Random {
    std::mt19937_64 engine;
    explicit Random(std::uint64_t seed) : engine(seed) {}
    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53); }
    Vec<3> in_cube() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    Vec<3> direction() {
        Vec<3> d = in_cube();
        while (d.norm() > 1.0 || d.norm() < 0.1) d = in_cube();
        return d.normalized();
    }
    Mat<3> rotation() { return Eigen::AngleAxisd(uniform(0.0, 3.0), direction()).toRotationMatrix(); }
};

Polytope<3> random_hull(Random& random, int points, double radius = 0.0) {
    std::vector<Vec<3>> x;
    for (int k = 0; k < points; ++k) x.push_back(random.direction() * random.uniform(0.7, 1.0));
    return hull_of(x, radius);
}

/// One of each kind of core.
Polytope<3> random_core(Random& random, int kind) {
    const double radius = kind % 2 == 0 ? 0.0 : random.uniform(0.05, 0.3);
    switch (kind / 2) {
        case 0: return random_hull(random, 14, radius);
        case 1: {
            Polytope<3> box = box_core({random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)});
            box.radius = radius;
            return box;
        }
        case 2: return segment_core(Vec<3>(0, 0, -0.6), Vec<3>(0, 0, 0.6), radius);
        case 3: return point_core(Vec<3>(random.in_cube() * 0.1), radius);
        default: return flat_of({{-1, -0.5, 0}, {1, -0.5, 0}, {0.9, 0.5, 0}, {-1, 0.6, 0}});
    }
}

double distance_to_triangle(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
    const Vec<3> n = (b - a).cross(c - a).normalized();
    const auto left_of = [&](const Vec<3>& p, const Vec<3>& q) { return n.dot((q - p).cross(-p)) >= 0.0; };
    if (left_of(a, b) && left_of(b, c) && left_of(c, a)) return std::abs(n.dot(a));
    const auto to_edge = [](const Vec<3>& p, const Vec<3>& q) {
        const double t = std::clamp(-p.dot(q - p) / (q - p).squaredNorm(), 0.0, 1.0);
        return (p + t * (q - p)).norm();
    };
    return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

/// Distance of the surfaces; in overlap of the cores minus the least translation that parts them.
double true_gap(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b) {
    std::vector<Vec<3>> differences;
    for (const Vec<3>& x : a.vertices)
        for (const Vec<3>& y : b.vertices) differences.push_back(pose.point(x) - y);
    const Polytope<3> hull = hull_of(differences);
    double outside = -infinity, nearest = infinity;
    for (const auto& face : hull.faces) {
        outside = std::max(outside, -face.offset);
        for (int k = 1; k + 1 < face.count; ++k)
            nearest = std::min(nearest, distance_to_triangle(hull.vertices[hull.loops[face.first]],
                                                             hull.vertices[hull.loops[face.first + k]],
                                                             hull.vertices[hull.loops[face.first + k + 1]]));
    }
    return (outside <= 0.0 ? outside : nearest) - a.radius - b.radius;
}

double least_gap(const Manifold<3>& m) {
    double least = infinity;
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[k].gap);
    return least;
}

const ManifoldPoint<3>& deepest(const Manifold<3>& m) {
    int least = 0;
    for (int k = 1; k < m.count; ++k)
        if (m.points[k].gap < m.points[least].gap) least = k;
    return m.points[least];
}

Manifold<3> touch(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b, double limit,
                  const Vec<3>& last = Vec<3>::Zero()) {
    Manifold<3> m;
    touch_polytopes(a, pose, b, {limit, last}, m);
    return m;
}

double separation_along(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b, const Vec<3>& n) {
    double low = infinity, high = -infinity;
    for (const Vec<3>& x : a.vertices) low = std::min(low, n.dot(pose.point(x)));
    for (const Vec<3>& y : b.vertices) high = std::max(high, n.dot(y));
    return low - high - a.radius - b.radius;
}

/// How far a point is outside of a polytope swollen by its radius, at most (exact for faces).
double outside_of(const Polytope<3>& p, const Vec<3>& x) {
    double out = -infinity;
    for (const auto& face : p.faces) out = std::max(out, face.normal.dot(x) - face.offset - p.radius);
    return out;
}

/// A pose at which the two are near contact: moved along a line until the true gap is about the one wanted.
Pose<3> near_contact(Random& random, const Polytope<3>& a, const Polytope<3>& b, double gap) {
    Pose<3> pose;
    pose.rotation = random.rotation();
    const Vec<3> d = random.direction();
    double low = 0.0, high = 8.0;
    for (int k = 0; k < 12; ++k) {
        const double middle = 0.5 * (low + high);
        pose.translation = middle * d;
        (true_gap(a, pose, b) < gap ? low : high) = middle;
    }
    pose.translation = high * d;
    return pose;
}

/// The difference body of these two has an inside.
bool has_volume(int kind_a, int kind_b) {
    const auto dimension = [](int kind) { return kind / 2 < 2 ? 3 : kind / 2 == 2 ? 1 : kind / 2 == 3 ? 0 : 2; };
    return std::max(dimension(kind_a), dimension(kind_b)) == 3 || dimension(kind_a) + dimension(kind_b) >= 3;
}

TEST(Polyhedra, GapIsTheTrueDistanceOrTheLeastTranslation) {
    Random random(1);
    int tried = 0, apart = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const int kind_a = static_cast<int>(random.engine() % 9), kind_b = static_cast<int>(random.engine() % 9);
        if (!has_volume(kind_a, kind_b)) continue;
        const Polytope<3> a = random_core(random, kind_a), b = random_core(random, kind_b);
        const Pose<3> pose = near_contact(random, a, b, random.uniform(-0.3, 0.3));
        const double gap = true_gap(a, pose, b);
        const Manifold<3> m = touch(a, pose, b, 1.0);
        ASSERT_GT(m.count, 0) << trial;
        // Faces that are as good as two edges but for 1e-9 of the size are taken for them.
        EXPECT_NEAR(least_gap(m), gap, 3e-9) << trial << " kinds " << kind_a << ' ' << kind_b;
        EXPECT_NEAR(separation_along(a, pose, b, deepest(m).normal), gap, 3e-9) << trial << ' ' << kind_a << ' ' << kind_b;
        EXPECT_NEAR(deepest(m).normal.norm(), 1.0, 1e-14);
        ++tried;
        apart += gap > 0.0;
    }
    EXPECT_GT(tried, 1000);
    EXPECT_GT(apart, 300);
    EXPECT_GT(tried - apart, 300);
}

TEST(Polyhedra, NoContactIsMissedAndNoneInvented) {
    Random random(2);
    int found = 0, none = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const int kind_a = static_cast<int>(random.engine() % 9), kind_b = static_cast<int>(random.engine() % 9);
        if (!has_volume(kind_a, kind_b)) continue;
        const Polytope<3> a = random_core(random, kind_a), b = random_core(random, kind_b);
        Pose<3> pose;
        pose.rotation = random.rotation();
        pose.translation = random.direction() * random.uniform(0.0, 2.8);
        const double limit = random.uniform(0.0, 0.2), gap = true_gap(a, pose, b);
        if (std::abs(gap - limit) < 1e-8) continue;
        const Manifold<3> m = touch(a, pose, b, limit);
        EXPECT_EQ(m.count > 0, gap < limit) << trial << " gap " << gap << " limit " << limit;
        for (int k = 0; k < m.count; ++k) EXPECT_LE(m.points[k].gap, limit);
        if (gap < limit) {
            EXPECT_NEAR(least_gap(m), gap, 3e-9) << trial << " kinds " << kind_a << ' ' << kind_b;
        }
        (gap < limit ? found : none) += 1;
    }
    EXPECT_GT(found, 300);
    EXPECT_GT(none, 100);
}

// More edges than fit a word of marks, and faces so alike that many come near the best one.
TEST(Polyhedra, HullsOfManyCornersHaveTheTrueGap) {
    Random random(9);
    int apart = 0, overlapping = 0;
    for (int trial = 0; trial < 120; ++trial) {
        std::vector<Vec<3>> x, y;
        for (int k = 0; k < 60; ++k) x.push_back(random.direction());
        for (int k = 0; k < 40; ++k) y.push_back(0.5 * random.direction());
        const Polytope<3> a = hull_of(x), b = hull_of(y);
        ASSERT_GT(a.edges.size(), 128u);
        Pose<3> pose;
        pose.rotation = random.rotation();
        pose.translation = random.direction() * random.uniform(1.2, 1.5);
        const double gap = true_gap(a, pose, b);
        const Manifold<3> m = touch(a, pose, b, 1.0);
        ASSERT_GT(m.count, 0) << trial;
        EXPECT_NEAR(least_gap(m), gap, 3e-9) << trial;
        EXPECT_NEAR(separation_along(a, pose, b, deepest(m).normal), gap, 3e-9) << trial;
        (gap > 0.0 ? apart : overlapping) += 1;
    }
    EXPECT_GT(apart, 20);
    EXPECT_GT(overlapping, 20);
}

TEST(Polyhedra, PointsLieOnBothSurfacesHalfwayBetweenThem) {
    Random random(3);
    for (int trial = 0; trial < 600; ++trial) {
        const Polytope<3> a = random_core(random, trial % 4), b = random_core(random, (trial / 4) % 4);
        const Pose<3> pose = near_contact(random, a, b, random.uniform(-0.05, 0.05));
        const Manifold<3> m = touch(a, pose, b, 0.05);
        for (int k = 0; k < m.count; ++k) {
            const auto& p = m.points[k];
            const Vec<3> on_a = p.point + 0.5 * p.gap * p.normal, on_b = p.point - 0.5 * p.gap * p.normal;
            // Neither end may stick out of its body; within it, in overlap, the other face may lie deeper.
            EXPECT_LT(outside_of(b, on_b), 1e-8) << trial;
            EXPECT_LT(outside_of(a, pose.rotation.transpose() * (on_a - pose.translation)), 1e-8) << trial;
        }
    }
}

TEST(Polyhedra, SwappingTheBodiesTurnsTheNormalAndNothingElse) {
    Random random(4);
    for (int trial = 0; trial < 1000; ++trial) {
        const int kind_a = static_cast<int>(random.engine() % 9), kind_b = static_cast<int>(random.engine() % 9);
        if (!has_volume(kind_a, kind_b)) continue;
        const Polytope<3> a = random_core(random, kind_a), b = random_core(random, kind_b);
        const Pose<3> pose = near_contact(random, a, b, random.uniform(-0.1, 0.1));
        const Pose<3> back = {pose.rotation.transpose(), -(pose.rotation.transpose() * pose.translation)};
        const Manifold<3> m = touch(a, pose, b, 0.1), w = touch(b, back, a, 0.1);
        ASSERT_EQ(m.count, w.count) << trial << " kinds " << kind_a << ' ' << kind_b;
        for (int k = 0; k < m.count; ++k) {
            double nearest = infinity;
            for (int j = 0; j < w.count; ++j)
                nearest = std::min(nearest, (pose.point(w.points[j].point) - m.points[k].point).norm() +
                                                (pose.direction(w.points[j].normal) + m.points[k].normal).norm() +
                                                std::abs(w.points[j].gap - m.points[k].gap));
            EXPECT_LT(nearest, 1e-11) << trial << " kinds " << kind_a << ' ' << kind_b;
        }
    }
}

TEST(Polyhedra, ScaleAndCommonMotionChangeNothingElse) {
    Random random(5);
    for (int trial = 0; trial < 600; ++trial) {
        const Polytope<3> a = random_core(random, trial % 8), b = random_core(random, (trial / 8) % 4);
        const Pose<3> pose = near_contact(random, a, b, random.uniform(-0.1, 0.1));
        const Manifold<3> m = touch(a, pose, b, 0.1);
        for (const double scale : {1e-3, 1e3}) {
            const Mat<3> turn = random.rotation();
            const Vec<3> shift = random.in_cube();
            Piece<3> pa = piece_of<3>(a), pb = moved<3>(piece_of<3>(b), turn, shift);
            for (Polytope<3>* p : {&pa.polytope, &pb.polytope}) {
                for (Vec<3>& v : p->vertices) v *= scale;
                for (auto& face : p->faces) face.offset *= scale;
                p->radius *= scale;
                measure(*p);
            }
            const Pose<3> moved_pose = {turn * pose.rotation, scale * (turn * pose.translation + shift)};
            const Manifold<3> w = touch(pa.polytope, moved_pose, pb.polytope, 0.1 * scale);
            ASSERT_EQ(m.count, w.count) << trial;
            for (int k = 0; k < m.count; ++k) {
                EXPECT_LT((w.points[k].point / scale - (turn * m.points[k].point + shift)).norm(), 1e-11) << trial;
                EXPECT_LT((w.points[k].normal - turn * m.points[k].normal).norm(), 1e-11) << trial;
                EXPECT_NEAR(w.points[k].gap / scale, m.points[k].gap, 1e-12) << trial;
                EXPECT_EQ(w.points[k].feature, m.points[k].feature);
            }
        }
    }
}

// A unit cube above a large box, tilted about a level axis through its lowest corner or edge: the gaps of the
// lower corners are known, whatever the tilt and the depth.
TEST(Polyhedra, TiltedBoxOnALargeOneHasTheAnalyticGaps) {
    const Polytope<3> cube = box_core({1, 1, 1}), ground = box_core({20, 20, 2});
    for (const double heading : {0.0, 0.3, 1.1})
        for (double tilt = 1e-12; tilt <= 1.0; tilt *= 10.0)
            for (double depth = 1e-12; depth <= 1e-2; depth *= 10.0)
                for (const double sign : {-1.0, 1.0}) {
                    const Mat<3> turn = Eigen::AngleAxisd(tilt * 0.7, Vec<3>(std::cos(heading), std::sin(heading), 0.0)).toRotationMatrix();
                    double low = infinity;
                    for (const Vec<3>& v : cube.vertices) low = std::min(low, (turn * v)[2]);
                    const double gap = sign * depth, limit = std::max(2e-2, 0.5 * tilt);
                    const Pose<3> pose = {turn, {0.2, -0.1, 1.0 + gap - low}};
                    const Manifold<3> m = touch(cube, pose, ground, limit);
                    std::multiset<double> expected;
                    for (int v = 0; v < 4; ++v) expected.insert((pose.point(cube.vertices[v]))[2] - 1.0);
                    while (!expected.empty() && *expected.rbegin() > limit) expected.erase(std::prev(expected.end()));
                    std::multiset<double> found;
                    for (int k = 0; k < m.count; ++k) {
                        EXPECT_LT((m.points[k].normal - Vec<3>::UnitZ()).norm(), 1e-12);
                        found.insert(m.points[k].gap);
                    }
                    ASSERT_EQ(found.size(), expected.size()) << "tilt " << tilt << " gap " << gap;
                    for (auto e = expected.begin(), f = found.begin(); e != expected.end(); ++e, ++f)
                        EXPECT_NEAR(*e, *f, 1e-12) << "tilt " << tilt << " gap " << gap;
                }
}

TEST(Polyhedra, AlignedStackHasFourCleanPointsWithStableFeatures) {
    const Polytope<3> cube = box_core({1, 1, 1});
    Random random(6);
    std::set<std::uint32_t> features;
    for (int trial = 0; trial < 200; ++trial) {
        Pose<3> pose;
        pose.translation = Vec<3>(0, 0, 1) + 1e-11 * random.in_cube();
        pose.rotation = Eigen::AngleAxisd(1e-11 * random.uniform(-1, 1), random.direction()).toRotationMatrix();
        const Manifold<3> m = touch(cube, pose, cube, 1e-3);
        ASSERT_EQ(m.count, 4);
        for (int k = 0; k < 4; ++k) {
            features.insert(m.points[k].feature);
            EXPECT_NEAR(std::abs(m.points[k].point[0]), 0.5, 1e-9);
            EXPECT_NEAR(std::abs(m.points[k].point[1]), 0.5, 1e-9);
            EXPECT_NEAR(m.points[k].gap, 0.0, 1e-10);
        }
    }
    EXPECT_EQ(features.size(), 4u);
}

// Half a brick overlaps half a brick: the rectangle they share, with the same features in noise of 1e-11.
TEST(Polyhedra, BricksInRunningBondShareARectangle) {
    const Polytope<3> brick = box_core({2, 1, 0.5});
    Random random(7);
    std::set<std::uint32_t> features;
    for (int trial = 0; trial < 200; ++trial) {
        const Pose<3> pose = {Mat<3>::Identity(), Vec<3>(1, 0, 0.5) + 1e-11 * random.in_cube()};
        const Manifold<3> m = touch(brick, pose, brick, 1e-3);
        ASSERT_EQ(m.count, 4);
        for (int k = 0; k < 4; ++k) {
            features.insert(m.points[k].feature);
            EXPECT_NEAR(std::abs(m.points[k].point[0] - 0.5), 0.5, 1e-9);
        }
    }
    EXPECT_EQ(features.size(), 4u);
}

TEST(Polyhedra, CapsulesLieOnTwoPoints) {
    const Polytope<3> rod = segment_core(Vec<3>(0, 0, -1), Vec<3>(0, 0, 1), 0.25);
    Pose<3> pose;
    pose.translation = {0.5, 0, 0.4};
    const Manifold<3> side = touch(rod, pose, rod, 0.01);
    ASSERT_EQ(side.count, 2);
    for (int k = 0; k < 2; ++k) {
        EXPECT_NEAR(side.points[k].gap, 0.0, 1e-15);
        EXPECT_LT((side.points[k].normal - Vec<3>::UnitX()).norm(), 1e-14);
        EXPECT_NEAR(std::abs(side.points[k].point[2] - 0.2), 0.8, 1e-14);
    }
    const Polytope<3> box = box_core({1, 4, 4});
    pose.translation = {0.75, 0, 0};
    const Manifold<3> lying = touch(rod, pose, box, 0.01);
    ASSERT_EQ(lying.count, 2);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(std::abs(lying.points[k].point[2]), 1.0, 1e-14);
    // Crossed: one point, where they pass.
    pose.rotation = Eigen::AngleAxisd(1.0, Vec<3>::UnitX()).toRotationMatrix();
    pose.translation = {0.5, 0.1, 0.3};
    EXPECT_EQ(touch(rod, pose, rod, 0.01).count, 1);
}

TEST(Polyhedra, BallsAndCoincidingCentresHaveANormal) {
    const Polytope<3> ball = point_core(Vec<3>(Vec<3>::Zero()), 1.0);
    Pose<3> pose;
    pose.translation = {0, 1.2, 1.6};
    const Manifold<3> m = touch(ball, pose, ball, 0.01);
    ASSERT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].gap, 0.0, 1e-15);
    EXPECT_LT((m.points[0].normal - Vec<3>(0, 0.6, 0.8)).norm(), 1e-15);
    pose.translation.setZero();
    const Manifold<3> one = touch(ball, pose, ball, 0.01, Vec<3>::UnitX());
    ASSERT_EQ(one.count, 1);
    EXPECT_EQ(one.points[0].normal, Vec<3>(Vec<3>::UnitX()));
    EXPECT_EQ(one.points[0].gap, -2.0);
}

// Two plates side by side in one plane do not touch, though no face or pair of edges tells so.
TEST(Polyhedra, CoplanarPlatesTouchOnlyWhereTheyMeet) {
    const Polytope<3> plate = flat_of({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}});
    Pose<3> pose;
    pose.translation = {2.5, 0.3, 0};
    EXPECT_EQ(touch(plate, pose, plate, 0.1).count, 0);
    const Manifold<3> m = touch(plate, pose, plate, 0.6);
    ASSERT_GT(m.count, 0);
    EXPECT_NEAR(least_gap(m), 0.5, 1e-14);
}

// Near a corner in overlap two faces are equally good; the last normal decides, and the choice stays under
// disturbances that would turn the best axis by 90 degrees.
TEST(Polyhedra, NormalDoesNotFlipNearACorner) {
    const Polytope<3> cube = box_core({1, 1, 1});
    Random random(8);
    for (const Vec<3>& last : {Vec<3>(1, 0, 0), Vec<3>(0, 1, 0)})
        for (int trial = 0; trial < 200; ++trial) {
            const Pose<3> pose = {Mat<3>::Identity(), Vec<3>(0.999, 0.999, 0.2) + 3e-7 * random.in_cube()};
            const Manifold<3> m = touch(cube, pose, cube, 0.0, last);
            ASSERT_GT(m.count, 0);
            EXPECT_EQ(m.points[0].normal, last);
        }
    // A clearly better axis wins against the last normal.
    const Pose<3> pose = {Mat<3>::Identity(), {0.999, 0.99, 0.2}};
    EXPECT_EQ(touch(cube, pose, cube, 0.0, Vec<3>::UnitY()).points[0].normal, Vec<3>(Vec<3>::UnitX()));
}

TEST(Polyhedra, ManyCornersAreReducedToEightThatSpanTheFace) {
    std::vector<Vec<3>> points;
    for (int k = 0; k < 40; ++k) {
        const double angle = 2.0 * M_PI * k / 40.0;
        points.emplace_back(std::cos(angle), std::sin(angle), -0.5);
        points.emplace_back(std::cos(angle), std::sin(angle), 0.5);
    }
    const Polytope<3> drum = hull_of(points);
    ASSERT_EQ(drum.faces.size(), 42u);
    Pose<3> pose;
    pose.translation = {0, 0, 1};
    const Manifold<3> m = touch(drum, pose, drum, 1e-3);
    ASSERT_EQ(m.count, 8);
    double area = 0.0;
    for (int k = 0; k < 8; ++k) {
        const Vec<3>&p = m.points[k].point, &q = m.points[(k + 1) % 8].point;
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    // The best eight corners of a circle span 2 sqrt(2).
    EXPECT_GT(std::abs(area), 0.9 * 2.0 * std::sqrt(2.0));
}

TEST(Reduce, KeepsTheDeepestAndTheCorners) {
    Manifold<3> m;
    m.add({Vec<3>(9, 9, 9), Vec<3>::UnitZ(), 0.0, 99});
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.add({Vec<3>(i, j, 0), Vec<3>::UnitZ(), i == 1 && j == 1 ? -1.0 : 0.0, static_cast<std::uint32_t>(3 * i + j)});
    keep_support_polygon(m, 1, 5, Vec<3>::UnitZ());
    ASSERT_EQ(m.count, 6);
    std::vector<std::uint32_t> kept;
    for (int k = 0; k < m.count; ++k) kept.push_back(m.points[k].feature);
    EXPECT_EQ(kept, (std::vector<std::uint32_t>{99, 0, 2, 4, 6, 8}));
}

}  // namespace
}  // namespace talus
