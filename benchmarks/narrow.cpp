/// \file
/// How many pairs a second does the narrow phase find, next to FCL and Bullet (both in double precision)?
///
/// The same pairs for all. Near contact: turned at random, gaps within 2 per cent of the size, both signs. Resting:
/// face on face, shifted at random, tilted by up to 1e-6 and overlapping by up to 1e-5, as in a wall; there talus
/// is also measured with the normal of the step before, which it has in a simulation. Rounds of the libraries
/// take turns, and the fastest round counts, since other jobs only ever slow one down. They are not asked quite
/// the same: talus and FCL's box-box give a manifold; FCL's convex pairs give at most one contact here; Bullet's
/// convex pairs give one point of GJK/EPA; FCL and Bullet's boxes give nothing for a positive gap.

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>
#include <fcl/narrowphase/collision.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "detect/narrow/manifold.h"
#include "shapes/solids.h"

namespace {

using namespace talus;
static_assert(sizeof(btScalar) == sizeof(double), "compare with the double precision build of Bullet");

constexpr int pairs = 2000, rounds = 15;

struct Random {
    std::mt19937_64 engine{1};
    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53); }
    Vec<3> direction() { return Vec<3>(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized(); }
};

template <int Dim>
double least_gap(const Polytope<Dim>& a, const Pose<Dim>& pose, const Polytope<Dim>& b) {
    Manifold<Dim> m;
    touch_polytopes(a, pose, b, {4.0, Vec<Dim>::Zero()}, m);
    double least = 4.0;
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[k].gap);
    return least;
}

/// Moves a along `d` until the gap is the one wanted.
template <int Dim>
Pose<Dim> near_contact(const Polytope<Dim>& a, const Polytope<Dim>& b, const Mat<Dim>& turn, const Vec<Dim>& d, double gap) {
    Pose<Dim> pose;
    pose.rotation = turn;
    double low = 0.0, high = 5.0;
    for (int k = 0; k < 30; ++k) {
        pose.translation = 0.5 * (low + high) * d;
        (least_gap<Dim>(a, pose, b) < gap ? low : high) = 0.5 * (low + high);
    }
    return pose;
}

struct Contestant {
    const char* name;
    std::function<long()> round;  ///< all pairs once; how many contact points
    double seconds = 1e30;
    long points = 0;
};

void race(const char* title, std::vector<Contestant> all) {
    for (int r = 0; r < rounds; ++r)
        for (Contestant& c : all) {
            const auto start = std::chrono::steady_clock::now();
            c.points = c.round();
            c.seconds = std::min(c.seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
    for (const Contestant& c : all)
        std::printf("%-24s %-16s %12.0f %10.2f\n", title, c.name, pairs / c.seconds, static_cast<double>(c.points) / pairs);
}

template <int Dim>
long touch_all(const Polytope<Dim>& a, const Polytope<Dim>& b, const std::vector<Pose<Dim>>& poses, double limit,
               const Vec<Dim>& last_normal = Vec<Dim>::Zero()) {
    long points = 0;
    for (const Pose<Dim>& pose : poses) {
        Manifold<Dim> m;
        touch_polytopes(a, pose, b, {limit, last_normal}, m);
        points += m.count;
    }
    return points;
}

/// The same poses in the words of each library.
struct Poses3 {
    std::vector<Pose<3>> talus;
    std::vector<fcl::Transform3d> fcl;
    std::vector<btTransform> bullet;
    void add(const Pose<3>& p) {
        fcl::Transform3d t = fcl::Transform3d::Identity();
        t.linear() = p.rotation;
        t.translation() = p.translation;
        talus.push_back(p);
        fcl.push_back(t);
        const Mat<3>& r = p.rotation;
        const btMatrix3x3 turn(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2));
        bullet.emplace_back(turn, btVector3(p.translation[0], p.translation[1], p.translation[2]));
    }
};

Poses3 draw_near(const Polytope<3>& a, const Polytope<3>& b, Random& random) {
    Poses3 out;
    for (int k = 0; k < pairs; ++k) {
        const Mat<3> r = Eigen::AngleAxisd(random.uniform(0, 3), random.direction()).toRotationMatrix();
        out.add(near_contact<3>(a, b, r, random.direction(), random.uniform(-0.02, 0.02)));
    }
    return out;
}

/// One on top of another of the same height.
Poses3 draw_resting(double height, Random& random) {
    Poses3 out;
    for (int k = 0; k < pairs; ++k) {
        Pose<3> p;
        p.rotation = Eigen::AngleAxisd(random.uniform(0, 1e-6), random.direction()).toRotationMatrix();
        p.translation = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), height - random.uniform(0, 1e-5)};
        out.add(p);
    }
    return out;
}

struct Count : btDiscreteCollisionDetectorInterface::Result {
    long points = 0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3&, btScalar) override { ++points; }
};

long fcl_all(const fcl::CollisionGeometry<double>& a, const fcl::CollisionGeometry<double>& b, const Poses3& poses) {
    long points = 0;
    const fcl::Transform3d here = fcl::Transform3d::Identity();
    const fcl::CollisionRequest<double> request(8, true);
    for (const fcl::Transform3d& t : poses.fcl) {
        fcl::CollisionResult<double> result;
        points += static_cast<long>(fcl::collide(&a, t, &b, here, request, result));
    }
    return points;
}

long bullet_all(btDiscreteCollisionDetectorInterface& detector, const Poses3& poses) {
    Count count;
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformB.setIdentity();
    input.m_maximumDistanceSquared = 0.02 * 0.02;
    for (const btTransform& t : poses.bullet) {
        input.m_transformA = t;
        detector.getClosestPoints(input, count, nullptr);
    }
    return count.points;
}

void race_polygons(Random& random) {
    std::vector<Vec<2>> points;
    for (int k = 0; k < 7; ++k) points.emplace_back(std::cos(2 * M_PI * k / 7), 0.8 * std::sin(2 * M_PI * k / 7));
    const Polytope<2> polygon = polygon_of(points);
    std::vector<Pose<2>> poses;
    for (int k = 0; k < pairs; ++k) {
        const Mat<2> turn = Eigen::Rotation2Dd(random.uniform(-3, 3)).toRotationMatrix();
        const Vec<2> d = Eigen::Rotation2Dd(random.uniform(-3, 3)).toRotationMatrix().col(0);
        poses.push_back(near_contact<2>(polygon, polygon, turn, d, random.uniform(-0.02, 0.02)));
    }
    race("polygons, 7 corners", {{"talus", [&] { return touch_all<2>(polygon, polygon, poses, 0.02); }}});
}

/// What talus does with and without the normal of the step before.
std::vector<Contestant> ours(const Polytope<3>& shape, const Poses3& poses, bool resting) {
    std::vector<Contestant> all = {{"talus", [&] { return touch_all<3>(shape, shape, poses.talus, 0.02); }}};
    if (resting)
        all.push_back({"talus, again", [&] { return touch_all<3>(shape, shape, poses.talus, 0.02, Vec<3>::UnitZ()); }});
    return all;
}

void race_boxes(const std::string& title, const Polytope<3>& box, const Poses3& poses, bool resting) {
    const fcl::Box<double> theirs(1.0, 0.8, 0.6);
    btBoxShape bullet(btVector3(0.5, 0.4, 0.3));
    bullet.setMargin(0.0);
    btBoxBoxDetector detector(&bullet, &bullet);
    std::vector<Contestant> all = ours(box, poses, resting);
    all.push_back({"FCL", [&] { return fcl_all(theirs, theirs, poses); }});
    all.push_back({"Bullet float64", [&] { return bullet_all(detector, poses); }});
    race(title.c_str(), all);
}

fcl::Convex<double> fcl_convex(const Polytope<3>& hull) {
    using Points = std::vector<fcl::Vector3d>;
    const auto vertices = std::make_shared<const Points>(hull.vertices.begin(), hull.vertices.end());
    const auto faces = std::make_shared<std::vector<int>>();
    for (const auto& face : hull.faces) {
        faces->push_back(face.count);
        for (int k = 0; k < face.count; ++k) faces->push_back(hull.loops[face.first + k]);
    }
    return {vertices, static_cast<int>(hull.faces.size()), faces};
}

void race_polyhedra(const std::string& title, const Polytope<3>& hull, const Poses3& poses, bool resting) {
    const fcl::Convex<double> theirs = fcl_convex(hull);
    btConvexHullShape bullet;
    for (const Vec<3>& v : hull.vertices) bullet.addPoint(btVector3(v[0], v[1], v[2]));
    bullet.setMargin(0.0);
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(&bullet, &bullet, &simplex, &depth);
    std::vector<Contestant> all = ours(hull, poses, resting);
    all.push_back({"FCL", [&] { return fcl_all(theirs, theirs, poses); }});
    all.push_back({"Bullet float64", [&] { return bullet_all(detector, poses); }});
    race(title.c_str(), all);
}

Polytope<3> random_hull(Random& random, int corners) {
    std::vector<Vec<3>> points;
    for (int k = 0; k < corners; ++k) points.push_back(random.direction());
    return hull_of(points);
}

/// A block of an arch: sides that lean by 0.1 over its height of 0.6.
Polytope<3> voussoir() {
    std::vector<Vec<3>> points;
    for (const double x : {-1.0, 1.0})
        for (const double y : {-0.4, 0.4})
            for (const double z : {-0.3, 0.3}) points.emplace_back(x * (z < 0.0 ? 0.5 : 0.4), y, z);
    return hull_of(points);
}

/// A basalt column: six sides.
Polytope<3> column() {
    std::vector<Vec<3>> points;
    for (int k = 0; k < 6; ++k)
        for (const double z : {-0.3, 0.3}) points.emplace_back(std::cos(M_PI * k / 3), std::sin(M_PI * k / 3), z);
    return hull_of(points);
}

}  // namespace

int main() {
    Random random;
    std::printf("%-24s %-16s %12s %10s\n", "pairs near contact", "library", "pairs/s", "points");
    race_polygons(random);
    const Polytope<3> box = box_core({1.0, 0.8, 0.6});
    race_boxes("boxes", box, draw_near(box, box, random), false);
    for (const int corners : {12, 20, 60}) {
        const Polytope<3> hull = random_hull(random, corners);
        const std::string title = "polyhedra, " + std::to_string(corners) + " corners";
        race_polyhedra(title, hull, draw_near(hull, hull, random), false);
    }
    std::printf("%-24s %-16s %12s %10s\n", "pairs resting", "library", "pairs/s", "points");
    race_boxes("boxes, resting", box, draw_resting(0.6, random), true);
    race_polyhedra("voussoirs, resting", voussoir(), draw_resting(0.6, random), true);
    race_polyhedra("columns, resting", column(), draw_resting(0.6, random), true);
    return 0;
}
