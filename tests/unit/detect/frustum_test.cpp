// Contacts of cylinders, cones and frusta with polytopes and with each other. The judge is the separation
// s(n) = min over a of n.x - max over b of n.y, computed here on its own: whatever normal is returned, its
// separation must be what the contacts say, and no direction of a dense search may have a larger one.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "detect/narrow/manifold.h"
#include "detect/narrow/pieces.h"
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
    Vec<3> direction() {
        for (;;) {
            const Vec<3> v = vector(1.0);
            if (v.norm() < 1.0 && v.norm() > 0.1) return v.normalized();
        }
    }
    Mat<3> rotation() { return Eigen::AngleAxisd(uniform(0.0, pi), direction()).toRotationMatrix(); }
};

Mat<3> turn(double angle, const Vec<3>& axis) { return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(); }

Frustum drum(double radius, double height) {
    Frustum f;
    f.low = f.high = radius;
    f.half = 0.5 * height;
    return f;
}
Frustum cone(double low, double high, double height) {
    Frustum f = drum(low, height);
    f.high = high;
    return f;
}

/// Largest d.x over a piece; the circle of a rim by its own formula, r sin(angle between d and the axis).
double support(const Piece<3>& p, const Vec<3>& d) {
    if (p.kind == Piece<3>::Kind::frustum) {
        const Frustum& f = p.frustum;
        const double across = d.cross(f.axis).norm();
        return std::max(d.dot(f.middle + f.half * f.axis) + f.high * across,
                        d.dot(f.middle - f.half * f.axis) + f.low * across);
    }
    double best = -1e300;
    for (const Vec<3>& v : p.polytope.vertices) best = std::max(best, d.dot(v));
    return best + p.polytope.radius * d.norm();
}
double separation(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, const Vec<3>& n) {
    return n.dot(pose.translation) - support(a, -(pose.rotation.transpose() * n)) - support(b, n);
}

/// The largest separation that a search over the sphere finds, without knowing the shapes.
double largest_separation(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, Dice& dice) {
    std::vector<std::pair<double, Vec<3>>> tried;
    const int many = 1500;
    for (int k = 0; k < many; ++k) {
        const double z = 1.0 - (2.0 * k + 1.0) / many, angle = k * pi * (3.0 - std::sqrt(5.0));
        const Vec<3> n(std::sqrt(1.0 - z * z) * std::cos(angle), std::sqrt(1.0 - z * z) * std::sin(angle), z);
        tried.push_back({separation(a, pose, b, n), n});
    }
    std::partial_sort(tried.begin(), tried.begin() + 6, tried.end(),
                      [](const auto& p, const auto& q) { return p.first > q.first; });
    double best = -1e300;
    for (int k = 0; k < 6; ++k) {
        auto [value, n] = tried[static_cast<std::size_t>(k)];
        for (double step = 0.1; step > 1e-9;) {
            bool better = false;
            for (int t = 0; t < 12 && !better; ++t) {
                const Vec<3> m = (n + step * dice.direction()).normalized();
                const double s = separation(a, pose, b, m);
                if (s > value) value = s, n = m, better = true;
            }
            if (!better) step *= 0.5;
        }
        best = std::max(best, value);
    }
    return best;
}

/// x lies in the piece, or sticks out by no more than slack.
bool holds(const Piece<3>& p, const Vec<3>& x, double slack) {
    if (p.kind == Piece<3>::Kind::frustum) {
        const Frustum& f = p.frustum;
        const double z = f.axis.dot(x - f.middle), rho = (x - f.middle - z * f.axis).norm();
        const double r = f.low + (f.high - f.low) * (0.5 + 0.5 * z / f.half);
        return std::abs(z) <= f.half + slack && rho <= r + slack * (1.0 + std::abs(f.high - f.low) / f.half);
    }
    for (const auto& face : p.polytope.faces)
        if (face.normal.dot(x) > face.offset + p.polytope.radius + slack) return false;
    return true;
}

Piece<3> random_frustum(Dice& dice) {
    Frustum f;
    switch (dice.bits() % 4) {
        case 0: f = drum(dice.uniform(0.3, 1.0), dice.uniform(0.3, 2.0)); break;
        case 1: f = cone(dice.uniform(0.3, 1.0), dice.uniform(0.1, 1.0), dice.uniform(0.3, 2.0)); break;
        case 2: f = cone(dice.uniform(0.3, 1.0), 0.0, dice.uniform(0.3, 2.0)); break;
        default: f = cone(0.0, dice.uniform(0.3, 1.0), dice.uniform(0.3, 2.0));
    }
    const Mat<3> r = dice.rotation();
    f.axis = r.col(2);
    f.across = r.col(0);
    f.middle = dice.vector(0.3);
    return piece_of(f);
}
Piece<3> random_polytope(Dice& dice) {
    switch (dice.bits() % 5) {
        case 0: return piece_of<3>(box_core({dice.uniform(0.3, 2.0), dice.uniform(0.3, 2.0), dice.uniform(0.3, 2.0)}));
        case 1: return piece_of<3>(point_core(Vec<3>(dice.vector(0.3)), dice.uniform(0.1, 1.0)));
        case 2:
            return piece_of<3>(
                segment_core(Vec<3>(dice.vector(1.0)), Vec<3>(dice.vector(1.0)), dice.uniform(0.05, 0.5)));
        default: {
            std::vector<Vec<3>> points;
            for (int k = 0; k < 10; ++k) points.push_back(dice.vector(1.0));
            return piece_of<3>(hull_of(points));
        }
    }
}

struct Contacts {
    Manifold<3> manifold;
    [[nodiscard]] double least() const {
        double least = 1e300;
        for (int k = 0; k < manifold.count; ++k)
            least = std::min(least, manifold.points[static_cast<std::size_t>(k)].gap);
        return least;
    }
    [[nodiscard]] const ManifoldPoint<3>& operator[](int k) const {
        return manifold.points[static_cast<std::size_t>(k)];
    }
};
Contacts touch(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, double limit,
               const Vec<3>& last = Vec<3>::Zero()) {
    Contacts c;
    touch_pieces(a, pose, b, {limit, last}, c.manifold);
    return c;
}

/// Moves a along a random direction until the gap is about `gap`.
Pose<3> at_gap(const Piece<3>& a, const Piece<3>& b, double gap, Dice& dice) {
    Pose<3> pose{dice.rotation(), Vec<3>::Zero()};
    const Vec<3> way = dice.direction();
    double far = 10.0, near = 0.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (far + near);
        pose.translation = b.centre - pose.rotation * a.centre + middle * way;
        const Contacts c = touch(a, pose, b, 100.0);
        (c.least() > gap ? far : near) = middle;
    }
    return pose;
}

void check_pair(const Piece<3>& a, const Pose<3>& pose, const Piece<3>& b, Dice& dice, const char* what, int trial) {
    const Contacts c = touch(a, pose, b, 0.1);
    const double truth = largest_separation(a, pose, b, dice);
    if (c.manifold.count == 0) {
        EXPECT_GT(truth, 0.1 - 1e-6) << what << trial;
        return;
    }
    const Vec<3> n = c[0].normal;
    EXPECT_NEAR(n.norm(), 1.0, 1e-14) << what << trial;
    const double own = separation(a, pose, b, n);
    EXPECT_NEAR(c.least(), own, 1e-9) << what << trial;  // the deepest contact is the separation
    EXPECT_LT(truth, own + 1e-9) << what << trial << " gap " << own;
    EXPECT_LE(c.manifold.count, 8) << what << trial;
    for (int k = 0; k < c.manifold.count; ++k) {
        EXPECT_LT((c[k].normal - n).norm(), 1e-14);
        EXPECT_LE(c[k].gap, 0.1);
        EXPECT_GE(c[k].gap, own - 1e-9);
        // Rims may stick out by a millionth of a radius.
        EXPECT_TRUE(holds(b, c[k].point - 0.5 * c[k].gap * n, 3e-6)) << what << trial << " point " << k;
        const Vec<3> on_a = pose.rotation.transpose() * (c[k].point + 0.5 * c[k].gap * n - pose.translation);
        EXPECT_TRUE(holds(a, on_a, 3e-6)) << what << trial << " point " << k;
        for (int j = 0; j < k; ++j) EXPECT_NE(c[j].feature, c[k].feature) << what << trial;
    }
}

class RandomPairs : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Gaps, RandomPairs, ::testing::Values(-0.05, -1e-3, -1e-9, 1e-6, 0.05));

TEST_P(RandomPairs, PolytopeAndFrustumPartAlongTheBestNormal) {
    Dice dice(11);
    for (int trial = 0; trial < 150; ++trial) {
        const Piece<3> a = random_polytope(dice), b = random_frustum(dice);
        check_pair(a, at_gap(a, b, GetParam(), dice), b, dice, "polytope-frustum ", trial);
    }
}

TEST_P(RandomPairs, FrustaPartAlongTheBestNormal) {
    Dice dice(12);
    for (int trial = 0; trial < 150; ++trial) {
        const Piece<3> a = random_frustum(dice), b = random_frustum(dice);
        check_pair(a, at_gap(a, b, GetParam(), dice), b, dice, "frusta ", trial);
    }
}

TEST(RandomRoundPairs, AreFoundAtAnyPlaceNotOnlyWhereTheyTouch) {
    Dice dice(13);
    for (int trial = 0; trial < 1000; ++trial) {
        const Piece<3> a = trial % 2 == 0 ? random_polytope(dice) : random_frustum(dice), b = random_frustum(dice);
        const Pose<3> pose{dice.rotation(), 2.0 * dice.vector(1.0)};
        const double truth = largest_separation(a, pose, b, dice);
        const Contacts c = touch(a, pose, b, 1.0);
        if (c.manifold.count == 0) {
            EXPECT_GT(truth, 1.0 - 1e-3) << trial;  // the search may stop short of the top
            continue;
        }
        // A separation is a lower bound and points in both solids an upper one: apart, this is the distance.
        const double own = separation(a, pose, b, c[0].normal);
        EXPECT_LT(truth, own + 1e-9) << trial;
        EXPECT_NEAR(c.least(), own, 1e-9) << trial;
        const Vec<3> n = c[0].normal;
        for (int k = 0; k < c.manifold.count && own > 0.0; ++k) {
            EXPECT_TRUE(holds(b, c[k].point - 0.5 * c[k].gap * n, 3e-6)) << trial;
            EXPECT_TRUE(
                holds(a, pose.rotation.transpose() * (c[k].point + 0.5 * c[k].gap * n - pose.translation), 3e-6))
                << trial;
        }
    }
}

TEST(RandomRoundPairs, AreTheSameInEitherOrderAndAfterACommonMotion) {
    Dice dice(14);
    for (int trial = 0; trial < 300; ++trial) {
        const bool both = trial % 2 == 0;
        const Piece<3> a = both ? random_frustum(dice) : random_polytope(dice), b = random_frustum(dice);
        const Pose<3> pose = at_gap(a, b, -1e-3, dice);
        const Contacts c = touch(a, pose, b, 1e-3);
        const Mat<3> back = pose.rotation.transpose();
        const Contacts d = touch(b, {back, -(back * pose.translation)}, a, 1e-3);
        ASSERT_EQ(c.manifold.count, d.manifold.count) << trial;
        EXPECT_NEAR(c.least(), d.least(), 1e-13) << trial;
        // Deep in overlap two ways out may be equally short; at a thousandth of the size they are not.
        EXPECT_LT((c[0].normal + pose.rotation * d[0].normal).norm(), 1e-9) << trial;
        const Mat<3> r = dice.rotation();
        const Vec<3> shift = dice.vector(3.0);
        const Piece<3> moved_b = moved<3>(b, r, shift);
        const Contacts e = touch(a, {r * pose.rotation, r * pose.translation + shift}, moved_b, 1e-3);
        ASSERT_EQ(c.manifold.count, e.manifold.count) << trial;
        EXPECT_NEAR(c.least(), e.least(), 1e-13) << trial;
        EXPECT_LT((r * c[0].normal - e[0].normal).norm(), 1e-9) << trial;
    }
}

/// Distance from a point to a frustum about z with its middle at the origin: nearest point of its outline in
/// the half-plane of the point, negative within.
double distance_to(const Frustum& f, const Vec<3>& x) {
    const Vec<2> at(std::hypot(x[0], x[1]), x[2]);
    const Vec<2> corner[4] = {{0.0, -f.half}, {f.low, -f.half}, {f.high, f.half}, {0.0, f.half}};
    double least = 1e300;
    for (int k = 0; k < 3; ++k) {
        const Vec<2> along = corner[k + 1] - corner[k];
        if (along.norm() == 0.0) continue;
        const double t = std::clamp((at - corner[k]).dot(along) / along.squaredNorm(), 0.0, 1.0);
        least = std::min(least, (at - corner[k] - t * along).norm());
    }
    return holds(piece_of(f), x, 0.0) ? -least : least;
}

TEST(BallAndFrustum, GapIsTheDistanceFromTheCentreLessTheRadius) {
    Dice dice(15);
    for (int trial = 0; trial < 4000; ++trial) {
        const Frustum f = trial % 3 == 0 ? drum(1.0, 1.4) : trial % 3 == 1 ? cone(1.0, 0.4, 1.2) : cone(0.0, 0.8, 1.0);
        const Vec<3> x = dice.vector(1.6);
        const double r = dice.uniform(0.05, 0.6);
        const Contacts c =
            touch(piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), r)), {Mat<3>::Identity(), x}, piece_of(f), 10.0);
        ASSERT_EQ(c.manifold.count, 1) << trial;
        EXPECT_NEAR(c.least(), distance_to(f, x) - r, 1e-13) << trial << " at " << x.transpose();
        EXPECT_LT((c[0].point - (x - (r + 0.5 * c.least()) * c[0].normal)).norm(), 1e-13) << trial;
    }
}

/// Depth and tilt over the whole range that is asked for.
struct Tilted {
    double tilt, depth;
};
std::vector<Tilted> tilts_and_depths() {
    std::vector<Tilted> all;
    for (double tilt = 1e-12; tilt < 0.2; tilt *= 10.0)
        for (double depth = 1e-12; depth < 2e-3; depth *= 100.0) all.push_back({tilt, depth});
    return all;
}

/// A drum of radius r whose low rim, tilted about y by `tilt`, reaches `depth` below z = 0 at x > 0.
Pose<3> tilted_drum(const Frustum& f, double tilt, double depth) {
    const double lowest = -f.half * std::cos(tilt) - f.low * std::sin(tilt);
    return {turn(tilt, Vec<3>::UnitY()), Vec<3>(0.0, 0.0, -lowest - depth)};
}

void expect_rim_point(const Contacts& c, const Frustum& f, const Pose<3>& pose, const Tilted& t, const char* what) {
    EXPECT_NEAR(c.least(), -t.depth, 1e-15 + 1e-12 * f.low * 0.1) << what << " tilt " << t.tilt << " depth " << t.depth;
    EXPECT_LT((c[0].normal - Vec<3>::UnitZ()).norm(), 1e-12) << what << " tilt " << t.tilt << " depth " << t.depth;
    if (t.tilt < 1e-7) return;
    const Vec<3> rim = pose.point(Vec<3>(f.low, 0.0, -f.half));
    bool found = false;
    for (int k = 0; k < c.manifold.count; ++k)
        found = found || (c[k].point - Vec<3>(rim[0], rim[1], -0.5 * t.depth)).norm() < 1e-6;
    EXPECT_TRUE(found) << what << " tilt " << t.tilt << " depth " << t.depth;
}

TEST(TiltedDrum, RocksOnItsTrueRimPointOnABigBox) {
    const Frustum f = drum(0.5, 0.8);
    const Piece<3> floor = moved<3>(piece_of<3>(box_core({6.0, 6.0, 1.0})), Mat<3>::Identity(), Vec<3>(0.0, 0.0, -0.5));
    for (const Tilted& t : tilts_and_depths()) {
        const Pose<3> pose = tilted_drum(f, t.tilt, t.depth);
        const Contacts c = touch(piece_of(f), pose, floor, 1e-4);
        ASSERT_GT(c.manifold.count, 0);
        expect_rim_point(c, f, pose, t, "box");
    }
}

TEST(TiltedDrum, RocksOnItsTrueRimPointOnAWiderDrum) {
    const Frustum f = drum(0.5, 0.8);
    Frustum below = drum(2.0, 1.0);
    below.middle = Vec<3>(0.0, 0.0, -0.5);
    for (const Tilted& t : tilts_and_depths()) {
        const Pose<3> pose = tilted_drum(f, t.tilt, t.depth);
        const Contacts c = touch(piece_of(f), pose, piece_of(below), 1e-4);
        ASSERT_GT(c.manifold.count, 0);
        expect_rim_point(c, f, pose, t, "drum");
    }
}

TEST(StandingDrum, KeepsItsSixPointsOnABoxAndOnItsLike) {
    const Frustum f = drum(0.5, 0.8);
    Frustum below = drum(0.5, 0.8);
    below.middle = Vec<3>(0.0, 0.0, -0.4);
    const Piece<3> box = moved<3>(piece_of<3>(box_core({6.0, 6.0, 1.0})), Mat<3>::Identity(), Vec<3>(0.0, 0.0, -0.5));
    for (const Piece<3>& support : {piece_of(below), box}) {
        std::vector<std::uint32_t> first;
        Vec<3> last = Vec<3>::Zero();
        Dice dice(16);
        for (int step = 0; step < 50; ++step) {
            // Trembles far below the size of the drum.
            const Mat<3> r = turn(dice.uniform(-1e-10, 1e-10), dice.direction());
            const Contacts c =
                touch(piece_of(f), {r, Vec<3>(0.0, 0.0, 0.4 - 1e-9) + dice.vector(1e-10)}, support, 1e-6, last);
            ASSERT_EQ(c.manifold.count, 6) << step;
            std::vector<std::uint32_t> now;
            for (int k = 0; k < 6; ++k) {
                now.push_back(c[k].feature);
                EXPECT_NEAR(c[k].gap, -1e-9, 3e-10);
                EXPECT_NEAR(c[k].point.head<2>().norm(), 0.5, 1e-9);
            }
            if (step == 0) first = now;
            EXPECT_EQ(now, first) << step;
            last = c[0].normal;
        }
    }
}

TEST(StandingDrum, OnASmallerBoxKeepsTheCornersOfTheBox) {
    const Frustum f = drum(2.0, 1.0);
    const Piece<3> box = piece_of<3>(box_core({1.0, 1.0, 1.0}));
    const Contacts c = touch(box, {turn(0.3, Vec<3>::UnitZ()), Vec<3>(0.2, 0.1, 1.0 - 1e-8)}, piece_of(f), 1e-6);
    ASSERT_EQ(c.manifold.count, 4);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(c[k].gap, -1e-8, 1e-15);
}

TEST(LyingDrum, TouchesAlongALineWithTwoPoints) {
    const Frustum f = drum(0.5, 1.2);
    const Piece<3> floor = moved<3>(piece_of<3>(box_core({6.0, 6.0, 1.0})), Mat<3>::Identity(), Vec<3>(0.0, 0.0, -0.5));
    for (double tilt = 0.0; tilt < 1e-2; tilt = tilt == 0.0 ? 1e-12 : 10.0 * tilt) {
        const Mat<3> r = turn(tilt, Vec<3>::UnitY()) * turn(pi / 2, Vec<3>::UnitY()) * turn(0.7, Vec<3>::UnitZ());
        const double lowest = -0.5 * std::cos(tilt) - 0.6 * std::sin(tilt);
        const Contacts c = touch(piece_of(f), {r, Vec<3>(0.1, 0.2, -lowest - 1e-9)}, floor, 1.0);
        ASSERT_EQ(c.manifold.count, 2) << tilt;
        EXPECT_NEAR(c.least(), -1e-9, 1e-15) << tilt;
        EXPECT_NEAR(std::max(c[0].gap, c[1].gap), -1e-9 + 1.2 * std::sin(tilt), 1e-14) << tilt;
        EXPECT_LT((c[0].normal - Vec<3>::UnitZ()).norm(), 1e-12) << tilt;
    }
}

TEST(LyingDrum, OnAParallelOneTouchesAlongTheirCommonLine) {
    const Frustum f = drum(0.5, 1.2), g = drum(0.3, 1.0);
    const Vec<3> way = Vec<3>(0.6, 0.8, 0.0);
    for (double tilt = 0.0; tilt < 1e-4; tilt = tilt == 0.0 ? 1e-12 : 10.0 * tilt) {
        // Turned about the line between the axes: crossed by the tilt, as deep as ever.
        const Contacts c =
            touch(piece_of(f), {turn(tilt, way), (0.8 - 1e-9) * way + Vec<3>(0.0, 0.0, 0.4)}, piece_of(g), 1e-3);
        ASSERT_EQ(c.manifold.count, 2) << tilt;
        EXPECT_NEAR(c.least(), -1e-9, 1e-13 + tilt * tilt) << tilt;
        EXPECT_LT((c[0].normal - way).norm(), 1e-12 + 2.0 * tilt) << tilt;
        EXPECT_NEAR(std::abs(c[0].point[2] - c[1].point[2]), 0.7, 1e-6) << tilt;
    }
}

TEST(RollingDrum, StaysAtTheHeightOfItsRadius) {
    const Frustum f = drum(0.5, 1.2);
    const Piece<3> floor = moved<3>(piece_of<3>(box_core({6.0, 6.0, 1.0})), Mat<3>::Identity(), Vec<3>(0.0, 0.0, -0.5));
    for (int step = 0; step < 200; ++step) {
        const double angle = 0.037 * step;
        const Mat<3> r = turn(angle, Vec<3>::UnitX()) * turn(pi / 2, Vec<3>::UnitY());
        const Contacts c = touch(piece_of(f), {r, Vec<3>(0.0, 0.5 * angle - 2.0, 0.5)}, floor, 1e-3);
        ASSERT_EQ(c.manifold.count, 2);
        EXPECT_NEAR(c.least(), 0.0, 1e-15);
        EXPECT_NEAR(c[0].point[1], 0.5 * angle - 2.0, 1e-12);
    }
}

TEST(Cone, LiesOnItsSideAndStandsOnItsEnd) {
    const Frustum f = cone(0.5, 0.0, 1.0);
    const Piece<3> floor = moved<3>(piece_of<3>(box_core({6.0, 6.0, 1.0})), Mat<3>::Identity(), Vec<3>(0.0, 0.0, -0.5));
    const Contacts standing = touch(piece_of(f), {Mat<3>::Identity(), Vec<3>(0.0, 0.0, 0.5)}, floor, 1e-6);
    EXPECT_EQ(standing.manifold.count, 6);
    EXPECT_NEAR(standing.least(), 0.0, 1e-15);
    // Tipped so that a line of the side is level: by 90 degrees less half the opening.
    const double half_opening = std::atan(0.5), tip = pi / 2 - half_opening;
    const Mat<3> r = turn(pi / 2 + half_opening, Vec<3>::UnitY());
    const Vec<3> lowest = r * Vec<3>(0.5, 0.0, -0.5);
    const Contacts lying = touch(piece_of(f), {r, Vec<3>(0.0, 0.0, -lowest[2])}, floor, 1e-6);
    ASSERT_EQ(lying.manifold.count, 2) << tip;
    EXPECT_NEAR((lying[0].point - lying[1].point).norm(), std::sqrt(1.25), 1e-12);
    EXPECT_NEAR(lying[0].gap, 0.0, 1e-15);
    EXPECT_NEAR(lying[1].gap, 0.0, 1e-15);
}

TEST(Hysteresis, KeepsTheNormalOfTheLastStepWhereTwoAreAsGood) {
    // A ball's centre just within a drum, as near to the side as to the end: either way out will do.
    const Frustum f = drum(1.0, 2.0);
    const Piece<3> ball = piece_of<3>(point_core(Vec<3>(Vec<3>::Zero()), 0.2));
    for (const double aside : {-1e-7, 1e-7}) {
        const Pose<3> pose{Mat<3>::Identity(), Vec<3>(0.9 + aside, 0.0, 0.9)};
        EXPECT_GT(touch(ball, pose, piece_of(f), 0.0, Vec<3>::UnitX())[0].normal[0], 0.999);
        EXPECT_GT(touch(ball, pose, piece_of(f), 0.0, Vec<3>::UnitZ())[0].normal[2], 0.999);
    }
}

}  // namespace
}  // namespace talus
