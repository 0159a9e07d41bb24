// The narrow phase against other people's: FCL (box-box, and convex distance), libccd (distance by GJK) and
// Bullet (depth of overlapping boxes), all in double precision. Each is asked only what it is good at, within
// the tolerance of its iterations.
#include <btBulletCollisionCommon.h>
#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <ccd/vec3.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <gtest/gtest.h>

#include <random>

#include "detect/narrow/manifold.h"
#include "shapes/solids.h"

namespace talus {
namespace {

struct Random {
    std::mt19937_64 engine;
    explicit Random(std::uint64_t seed) : engine(seed) {}
    double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53); }
    Vec<3> in_cube() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    Mat<3> rotation() { return Eigen::AngleAxisd(uniform(0.0, 3.0), in_cube().normalized()).toRotationMatrix(); }
    Pose<3> pose(double low, double high) {
        Pose<3> p;
        p.rotation = rotation();
        p.translation = uniform(low, high) * in_cube().normalized();
        return p;
    }
    Vec<3> sides() { return {uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2)}; }
    Polytope<3> hull(int points) {
        std::vector<Vec<3>> x;
        for (int k = 0; k < points; ++k) x.push_back(in_cube().normalized() * uniform(0.7, 1.0));
        return hull_of(x);
    }
};

double least_gap(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b, double limit) {
    Manifold<3> m;
    touch_polytopes(a, pose, b, {limit, Vec<3>::Zero()}, m);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < m.count; ++k) least = std::min(least, m.points[k].gap);
    return least;
}

fcl::Transform3d transform(const Pose<3>& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = pose.rotation;
    t.translation() = pose.translation;
    return t;
}

TEST(Oracles, FclBoxesTouchWhenOursDoAndAsDeep) {
    Random random(21);
    int touching = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec<3> sa = random.sides(), sb = random.sides();
        const Pose<3> pose = random.pose(0.0, 2.5);
        const double gap = least_gap(box_core(sa), pose, box_core(sb), 1.0);
        fcl::Box<double> a(sa), b(sb);
        fcl::CollisionRequest<double> request(16, true);
        fcl::CollisionResult<double> result;
        fcl::collide(&a, transform(pose), &b, fcl::Transform3d(fcl::Transform3d::Identity()), request, result);
        if (std::abs(gap) < 1e-6) continue;
        EXPECT_EQ(result.isCollision(), gap < 0.0) << trial << " gap " << gap;
        if (!result.isCollision()) continue;
        double depth = 0.0;
        for (std::size_t k = 0; k < result.numContacts(); ++k) depth = std::max(depth, result.getContact(k).penetration_depth);
        // FCL prefers faces to edges by 5 per cent (the fudge factor of its box-box), so it may be deeper by that.
        EXPECT_GE(depth, -gap - 1e-9) << trial;
        EXPECT_LE(depth, -gap * 1.06 + 1e-9) << trial;
        ++touching;
    }
    EXPECT_GT(touching, 1000);
}

TEST(Oracles, FclBoxDistance) {
    Random random(22);
    int apart = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Vec<3> sa = random.sides(), sb = random.sides();
        const Pose<3> pose = random.pose(1.5, 3.0);
        const double gap = least_gap(box_core(sa), pose, box_core(sb), 4.0);
        if (gap < 1e-3) continue;
        fcl::Box<double> a(sa), b(sb);
        fcl::DistanceRequest<double> request(true);
        request.gjk_solver_type = fcl::GJKSolverType::GST_LIBCCD;
        request.distance_tolerance = 1e-9;
        fcl::DistanceResult<double> result;
        fcl::distance(&a, transform(pose), &b, fcl::Transform3d(fcl::Transform3d::Identity()), request, result);
        EXPECT_NEAR(result.min_distance, gap, 1e-6) << trial;
        ++apart;
    }
    EXPECT_GT(apart, 500);
}

/// What libccd needs to know of a polytope.
struct Support {
    const Polytope<3>* shape;
    Pose<3> pose;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const auto* s = static_cast<const Support*>(object);
    const Vec<3> d(direction->v[0], direction->v[1], direction->v[2]);
    Vec<3> best = s->pose.point(s->shape->vertices[0]);
    for (const Vec<3>& v : s->shape->vertices)
        if (d.dot(s->pose.point(v)) > d.dot(best)) best = s->pose.point(v);
    ccdVec3Set(out, best[0], best[1], best[2]);
}

void centre(const void* object, ccd_vec3_t* out) {
    const Vec<3>& t = static_cast<const Support*>(object)->pose.translation;
    ccdVec3Set(out, t[0], t[1], t[2]);
}

TEST(Oracles, LibccdIntersectionAndDepthOfPolyhedra) {
    Random random(23);
    int overlapping = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Polytope<3> a = random.hull(12), b = random.hull(16);
        const Pose<3> pose = random.pose(0.8, 2.2);
        const double gap = least_gap(a, pose, b, 4.0);
        Support on_a{&a, pose}, on_b{&b, {}};
        ccd_t ccd;
        CCD_INIT(&ccd);
        ccd.support1 = ccd.support2 = support;
        ccd.center1 = ccd.center2 = centre;
        ccd.max_iterations = 200;
        ccd.epa_tolerance = 1e-9;
        if (std::abs(gap) < 1e-6) continue;
        EXPECT_EQ(ccdGJKIntersect(&on_a, &on_b, &ccd) != 0, gap < 0.0) << trial << " gap " << gap;
        if (gap > 0.0) continue;
        ccd_real_t depth = 0.0;
        ccd_vec3_t direction, position;
        if (ccdGJKPenetration(&on_a, &on_b, &ccd, &depth, &direction, &position) != 0) continue;
        EXPECT_NEAR(depth, -gap, 1e-5) << trial;
        ++overlapping;
    }
    EXPECT_GT(overlapping, 300);
}

/// Collects what Bullet's box-box finds.
struct Depths : btDiscreteCollisionDetectorInterface::Result {
    double deepest = 1.0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3&, btScalar depth) override { deepest = std::min<double>(deepest, depth); }
};

TEST(Oracles, BulletBoxesAsDeep) {
    static_assert(sizeof(btScalar) == sizeof(double), "Bullet must be the double precision build");
    Random random(24);
    int touching = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec<3> sa = random.sides(), sb = random.sides();
        const Pose<3> pose = random.pose(0.0, 2.5);
        const double gap = least_gap(box_core(sa), pose, box_core(sb), 1.0);
        if (gap > -1e-6) continue;
        btBoxShape a(btVector3(0.5 * sa[0], 0.5 * sa[1], 0.5 * sa[2])), b(btVector3(0.5 * sb[0], 0.5 * sb[1], 0.5 * sb[2]));
        a.setMargin(0);
        b.setMargin(0);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        const Mat<3>& r = pose.rotation;
        input.m_transformA = btTransform(btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
                                         btVector3(pose.translation[0], pose.translation[1], pose.translation[2]));
        input.m_transformB.setIdentity();
        Depths depths;
        btBoxBoxDetector detector(&a, &b);
        detector.getClosestPoints(input, depths, nullptr);
        EXPECT_LE(depths.deepest, gap + 1e-9) << trial;
        EXPECT_GE(depths.deepest, gap * 1.06 - 1e-9) << trial;
        ++touching;
    }
    EXPECT_GT(touching, 1000);
}

}  // namespace
}  // namespace talus
