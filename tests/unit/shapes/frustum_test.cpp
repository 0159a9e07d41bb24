// Mass properties of cylinders, cones and frusta: closed forms of textbooks, and slices.
#include <gtest/gtest.h>

#include <numbers>

#include "shapes/shape_registry.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Frustum, CylinderHasTheInertiaOfTheTextbook) {
    const double r = 0.7, h = 1.9;
    const Solid<3> s = solid_of<3>({"cylinder", {r, h}});
    const double m = pi * r * r * h;
    EXPECT_NEAR(s.mass.volume, m, 1e-14 * m);
    EXPECT_LT(s.mass.centre.norm(), 1e-15);
    EXPECT_NEAR(s.mass.inertia(2, 2), 0.5 * m * r * r, 1e-14 * m);
    EXPECT_NEAR(s.mass.inertia(0, 0), m * (3 * r * r + h * h) / 12.0, 1e-14 * m);
    EXPECT_NEAR(s.bound, std::hypot(r, 0.5 * h), 1e-14);
}

TEST(Frustum, ConeHasItsCentreAQuarterUp) {
    const double r = 0.7, h = 1.9, m = pi * r * r * h / 3.0;
    const Solid<3> s = solid_of<3>({"frustum", {r, 0.0, h}});
    EXPECT_NEAR(s.mass.volume, m, 1e-14 * m);
    EXPECT_NEAR(s.mass.centre[2], -0.25 * h, 1e-14);
    EXPECT_NEAR(s.mass.inertia(2, 2), 0.3 * m * r * r, 1e-14 * m);
    EXPECT_NEAR(s.mass.inertia(1, 1), m * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h), 1e-14 * m);
}

TEST(Frustum, IsAConeLessItsTip) {
    // Radius 1 at the foot, 0.4 at 1.2 up: a cone of height 2 without its upper 0.8.
    const MassProperties<3> cut = solid_of<3>({"frustum", {1.0, 0.4, 1.2}}).mass;
    const MassProperties<3> whole = solid_of<3>({"frustum", {1.0, 0.0, 2.0}}).mass,
                            tip = solid_of<3>({"frustum", {0.4, 0.0, 0.8}}).mass;
    EXPECT_NEAR(cut.volume, whole.volume - tip.volume, 1e-14);
    // Heights above the foot.
    const double z = cut.centre[2] + 0.6, z_whole = whole.centre[2] + 1.0, z_tip = tip.centre[2] + 0.4 + 1.2;
    EXPECT_NEAR(cut.volume * z, whole.volume * z_whole - tip.volume * z_tip, 1e-14);
    const auto about_foot = [](const MassProperties<3>& m, double height) {
        return m.inertia(0, 0) + m.volume * height * height;
    };
    EXPECT_NEAR(about_foot(cut, z), about_foot(whole, z_whole) - about_foot(tip, z_tip), 1e-14);
}

TEST(Frustum, SeenFromItsCentreOfMassIsTheSameSolid) {
    const ShapeSpec spec{"frustum", {1.0, 0.4, 1.2}};
    const CentredShape<3> c = centred<3>(spec);
    const Solid<3> described = solid_of<3>(spec), seen = solid_of<3>(c.spec);
    EXPECT_LT(seen.mass.centre.norm(), 1e-14);
    EXPECT_LT((Mat<3>(seen.mass.inertia) - Mat<3>(c.inertia.asDiagonal())).norm(), 1e-14);
    EXPECT_LT(
        (matrix_of<3>(c.turn) * seen.pieces[0].frustum.middle + c.centre - described.pieces[0].frustum.middle).norm(),
        1e-14);
    EXPECT_LT((matrix_of<3>(c.turn) * seen.pieces[0].frustum.axis - Vec<3>::UnitZ()).norm(), 1e-14);
}

TEST(Frustum, BoundHoldsBothRims) {
    for (const double high : {0.0, 0.2, 1.0, 3.0}) {
        const Piece<3> p = solid_of<3>({"frustum", {1.0, high, 0.5}}).pieces[0];
        const double low_rim = (Vec<3>(1.0, 0.0, -0.25) - p.centre).norm(),
                     high_rim = (Vec<3>(high, 0.0, 0.25) - p.centre).norm();
        EXPECT_NEAR(p.bound, std::max(low_rim, high_rim), 1e-14) << high;
    }
}

TEST(Frustum, RefusesSizesThatMakeNoSolid) {
    const auto& shapes = shape_registry();
    EXPECT_THROW(shapes.check({"frustum", {1.0, -0.1, 1.0}}, 3), InputError);
    EXPECT_THROW(shapes.check({"frustum", {0.0, 0.0, 1.0}}, 3), InputError);
    EXPECT_THROW(shapes.check({"frustum", {1.0, 0.5, 0.0}}, 3), InputError);
    EXPECT_THROW(shapes.check({"frustum", {1.0, 0.5}}, 3), InputError);
    EXPECT_THROW(shapes.check({"frustum", {1.0, 0.5, 1.0}}, 2), InputError);
    EXPECT_THROW(shapes.check({"cylinder", {1.0, 0.0}}, 3), InputError);
    EXPECT_NO_THROW(shapes.check({"frustum", {1.0, 0.0, 1.0}}, 3));
}

}  // namespace
}  // namespace talus
