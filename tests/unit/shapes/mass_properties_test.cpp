// Volumes, centres and inertias against closed forms, and how they change when the body is moved.
#include <gtest/gtest.h>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

TEST(MassProperties, Box) {
    const Vec<3> s(2.0, 3.0, 0.5);
    const MassProperties<3> m = mass_of(box_core(s));
    EXPECT_NEAR(m.volume, 3.0, 1e-15);
    EXPECT_LT(m.centre.norm(), 1e-15);
    const Vec<3> expected(3.0 / 12 * (9 + 0.25), 3.0 / 12 * (4 + 0.25), 3.0 / 12 * (4 + 9));
    EXPECT_LT((m.inertia - Mat<3>(expected.asDiagonal())).norm(), 1e-14);
    const Solid<3> solid = solid_of<3>({"box", {2.0, 3.0, 0.5}});
    EXPECT_LT((m.inertia - solid.mass.inertia).norm(), 1e-14);
    EXPECT_NEAR(solid.bound, 0.5 * s.norm(), 1e-15);
}

TEST(MassProperties, TetrahedronFarFromTheOrigin) {
    const Vec<3> far(1e3, -2e3, 5e2);
    const MassProperties<3> m = mass_of(hull_of({far, far + Vec<3>::UnitX(), far + Vec<3>::UnitY(), far + Vec<3>::UnitZ()}));
    EXPECT_NEAR(m.volume, 1.0 / 6.0, 1e-12);
    EXPECT_LT((m.centre - far - Vec<3>::Constant(0.25)).norm(), 1e-12);
    // Integral of x^2 over it is 1/60, of x y 1/120; minus V/16 each about the centre.
    const double xx = 1.0 / 60.0 - 1.0 / 96.0, xy = 1.0 / 120.0 - 1.0 / 96.0;
    EXPECT_NEAR(m.inertia(0, 0), 2.0 * xx, 1e-12);
    EXPECT_NEAR(m.inertia(0, 1), -xy, 1e-12);
}

TEST(MassProperties, RegularPolygons) {
    for (const int n : {3, 4, 5, 6, 12}) {
        std::vector<Vec<2>> points;
        for (int k = 0; k < n; ++k) points.emplace_back(5.0 + std::cos(2 * M_PI * k / n), -3.0 + std::sin(2 * M_PI * k / n));
        const MassProperties<2> m = mass_of(polygon_of(points));
        const double area = 0.5 * n * std::sin(2 * M_PI / n);
        EXPECT_NEAR(m.volume, area, 1e-13);
        EXPECT_LT((m.centre - Vec<2>(5, -3)).norm(), 1e-13);
        EXPECT_NEAR(m.inertia(0, 0), area / 6.0 * (2.0 + std::cos(2 * M_PI / n)), 1e-13);
    }
}

TEST(MassProperties, RoundedSquareAndCapsuleOfThePlane) {
    const double L = 2.0, r = 0.5;
    const MassProperties<2> rod = mass_of(segment_core(Vec<2>(-1, 0), Vec<2>(1, 0), r));
    EXPECT_NEAR(rod.volume, M_PI * r * r + 2 * r * L, 1e-14);
    // Rectangle plus two half disks whose centroids are 4r/(3 pi) beyond its ends.
    const double half = 0.5 * M_PI * r * r, c = 4 * r / (3 * M_PI);
    const double ends = 2 * (0.5 * half * r * r - half * c * c + half * (L / 2 + c) * (L / 2 + c));
    EXPECT_NEAR(rod.inertia(0, 0), 2 * r * L / 12 * (L * L + 4 * r * r) + ends, 1e-14);
    const MassProperties<2> square = mass_of(polygon_of({{4, 4}, {6, 4}, {6, 6}, {4, 6}}, r));
    EXPECT_NEAR(square.volume, L * L + 4 * L * r + M_PI * r * r, 1e-13);
    EXPECT_LT((square.centre - Vec<2>(5, 5)).norm(), 1e-14);
    // A square, four strips, four quarter disks.
    const double quarter = M_PI * r * r / 4, e = 4 * r / (3 * M_PI);
    const double corner = 0.5 * quarter * r * r - quarter * 2 * e * e + quarter * 2 * (L / 2 + e) * (L / 2 + e);
    const double strip = L * r / 12 * (L * L + r * r) + L * r * (L / 2 + r / 2) * (L / 2 + r / 2);
    EXPECT_NEAR(square.inertia(0, 0), L * L * L * L / 6 + 4 * strip + 4 * corner, 1e-12);
}

TEST(MassProperties, CapsuleOfSpaceAgainstAStackOfDisks) {
    const double L = 1.5, r = 0.4;
    const MassProperties<3> m = solid_of<3>({"capsule", {L, r}}).mass;
    // Integrated as a stack of disks: pi w^2 dz, with the radius w at height z.
    const int slices = 200000;
    double volume = 0.0, along = 0.0, across = 0.0;
    for (int k = 0; k < slices; ++k) {
        const double z = (k + 0.5) / slices * (L / 2 + r), beyond = std::max(0.0, z - L / 2);
        const double w2 = r * r - beyond * beyond, dv = 2 * M_PI * w2 * (L / 2 + r) / slices;
        volume += dv;
        along += 0.5 * dv * w2;
        across += dv * (0.25 * w2 + z * z);
    }
    EXPECT_NEAR(m.volume, volume, 1e-9);
    EXPECT_NEAR(m.inertia(2, 2), along, 1e-9);
    EXPECT_NEAR(m.inertia(0, 0), across, 1e-9);
    EXPECT_NEAR(m.inertia(1, 1), across, 1e-9);
}

TEST(MassProperties, MoveWithTheBody) {
    const Piece<3> piece = piece_of<3>(hull_of({{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.3, 0}, {0, 0, 0.8}, {0.9, 0.8, 0.7}}));
    const Mat<3> turn = Eigen::AngleAxisd(1.1, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
    const Vec<3> shift(2, -1, 4);
    const MassProperties<3> m = mass_of(piece.polytope), w = mass_of(moved<3>(piece, turn, shift).polytope);
    EXPECT_NEAR(m.volume, w.volume, 1e-14);
    EXPECT_LT((w.centre - (turn * m.centre + shift)).norm(), 1e-14);
    EXPECT_LT((w.inertia - turn * m.inertia * turn.transpose()).norm(), 1e-14);
    for (const auto& face : moved<3>(piece, turn, shift).polytope.faces) EXPECT_NEAR(face.normal.norm(), 1.0, 1e-14);
}

TEST(MassProperties, TwoHalvesMakeAWhole) {
    const Piece<3> half = piece_of<3>(box_core({1, 2, 3}));
    const MassProperties<3> left = mass_of(moved<3>(half, Mat<3>::Identity(), Vec<3>(-0.5, 0, 0)).polytope);
    const MassProperties<3> right = mass_of(moved<3>(half, Mat<3>::Identity(), Vec<3>(0.5, 0, 0)).polytope);
    const MassProperties<3> both = together(left, right), whole = mass_of(box_core({2, 2, 3}));
    EXPECT_NEAR(both.volume, whole.volume, 1e-14);
    EXPECT_LT((both.inertia - whole.inertia).norm(), 1e-13);
    EXPECT_LT(both.centre.norm(), 1e-15);
}

TEST(MassProperties, RoundedPolyhedronIsRefusedNotGuessed) {
    Polytope<3> box = box_core({1, 1, 1});
    box.radius = 0.1;
    EXPECT_THROW((void)mass_of(box), InputError);
}

}  // namespace
}  // namespace talus
