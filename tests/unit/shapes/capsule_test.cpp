// Capsules: a segment along x in the plane, along z in space, and a radius.
#include <gtest/gtest.h>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

TEST(Capsule, LiesAlongItsAxis) {
    const Polytope<2> flat = solid_of<2>({"capsule", {2.0, 0.5}}).pieces[0].polytope;
    ASSERT_EQ(flat.vertices.size(), 2u);
    EXPECT_EQ(flat.vertices[1], Vec<2>(1.0, 0.0));
    ASSERT_EQ(flat.normals.size(), 2u);
    EXPECT_EQ(flat.normals[0], Vec<2>(-flat.normals[1]));
    const Solid<3> rod = solid_of<3>({"capsule", {2.0, 0.5}});
    ASSERT_EQ(rod.pieces[0].polytope.vertices.size(), 2u);
    EXPECT_EQ(rod.pieces[0].polytope.vertices[1], Vec<3>(0.0, 0.0, 1.0));
    EXPECT_EQ(rod.pieces[0].polytope.edges.size(), 1u);
    EXPECT_EQ(rod.bound, 1.5);
    EXPECT_NEAR(rod.mass.volume, M_PI * 0.25 * 2.0 + 4.0 / 3.0 * M_PI * 0.125, 1e-15);
}

TEST(Capsule, IsLeftAsItIs) {
    const CentredShape<3> c = centred<3>({"capsule", {2.0, 0.5}});
    EXPECT_TRUE(c.turn.q.coeffs() == Eigen::Quaterniond::Identity().coeffs());
    EXPECT_EQ(c.centre, Vec<3>(Vec<3>::Zero()));
    EXPECT_NEAR(c.inertia[0], c.inertia[1], 1e-15);
    EXPECT_LT(c.inertia[2], c.inertia[0]);
}

TEST(Capsule, RefusesImpossibleSizes) {
    EXPECT_THROW((void)solid_of<3>({"capsule", {2.0}}), InputError);
    EXPECT_THROW((void)solid_of<3>({"capsule", {2.0, -0.5}}), InputError);
    EXPECT_THROW((void)solid_of<2>({"capsule", {0.0, 0.5}}), InputError);
}

}  // namespace
}  // namespace talus
