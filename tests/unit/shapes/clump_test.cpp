// Clumps: their numbers, and mass properties that are those of the union.
#include <gtest/gtest.h>

#include <numbers>

#include "shapes/clump.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

template <int Dim>
ClumpPart<Dim> ball(double radius, const Vec<Dim>& at) {
    return {{"ball", {radius}}, at, {}};
}
template <int Dim>
Solid<Dim> solid(const std::vector<ClumpPart<Dim>>& parts) {
    return solid_of<Dim>(clump_of(parts));
}

TEST(Clump, NumbersComeBackAsParts) {
    Rotation<3> r;
    r.q = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec<3>(1, 2, 3).normalized()));
    const std::vector<ClumpPart<3>> parts = {{{"box", {1.0, 2.0, 3.0}}, {0.1, 0.2, 0.3}, r},
                                             ball<3>(0.5, {9.0, 0.0, 0.0})};
    const auto back = parts_of<3>(clump_of(parts).sizes);
    ASSERT_EQ(back.size(), 2u);
    EXPECT_EQ(back[0].shape.name, "box");
    EXPECT_EQ(back[0].shape.sizes, parts[0].shape.sizes);
    EXPECT_EQ(back[0].position, parts[0].position);
    EXPECT_EQ(back[0].rotation.q.coeffs(), r.q.coeffs());
    EXPECT_EQ(back[1].shape.name, "ball");
    EXPECT_EQ(back[1].shape.sizes, std::vector<double>{0.5});
}

TEST(Clump, OfTwoHalvesIsTheWhole) {
    // A box cut in two, one half turned end over end: parts touch along a face and do not overlap.
    Rotation<3> over;
    over.q = Eigen::Quaterniond(Eigen::AngleAxisd(pi, Vec<3>::UnitY()));
    const Solid<3> two =
        solid<3>({{{"box", {1.0, 2.0, 3.0}}, {-0.5, 0.0, 0.0}, {}}, {{"box", {1.0, 2.0, 3.0}}, {0.5, 0.0, 0.0}, over}});
    const Solid<3> one = solid_of<3>({"box", {2.0, 2.0, 3.0}});
    EXPECT_NEAR(two.mass.volume, one.mass.volume, 1e-13);
    EXPECT_LT((two.mass.centre - one.mass.centre).norm(), 1e-14);
    EXPECT_LT((two.mass.inertia - one.mass.inertia).norm(), 1e-12);
    EXPECT_EQ(two.pieces.size(), 2u);
    EXPECT_GE(two.bound, std::sqrt(1.0 + 1.0 + 2.25) - 1e-12);
}

TEST(Clump, OfDrumsInARowIsALongDrum) {
    const Solid<3> two =
        solid<3>({{{"cylinder", {0.5, 1.0}}, {0.0, 0.0, 0.5}, {}}, {{"cylinder", {0.5, 2.0}}, {0.0, 0.0, 2.0}, {}}});
    const Solid<3> one = solid_of<3>({"cylinder", {0.5, 3.0}});
    EXPECT_NEAR(two.mass.volume, one.mass.volume, 1e-14);
    EXPECT_NEAR(two.mass.centre[2], 1.5, 1e-14);
    EXPECT_LT((two.mass.inertia - one.mass.inertia).norm(), 1e-13);
}

/// Volume, centre and inertia of a union of balls by slices across x: disks (chords in the plane) on a line.
struct Sums {
    double volume = 0.0, x = 0.0, xx = 0.0, across = 0.0;
};
template <class Slice>
Sums integrate(double from, double to, Slice&& slice) {
    Sums s;
    const int n = 400000;
    const double h = (to - from) / n;
    for (int k = 0; k < n; ++k) {
        const double x = from + (k + 0.5) * h;
        const auto [area, across] = slice(x);
        s.volume += h * area;
        s.x += h * area * x;
        s.xx += h * area * x * x;
        s.across += h * across;
    }
    return s;
}

TEST(Clump, OfTwoOverlappingBallsHasTheirLensOnce) {
    for (const auto& [ra, rb, d] : {std::array{1.0, 0.7, 1.2}, std::array{1.0, 0.5, 0.6}, std::array{1.0, 0.6, 0.85},
                                    std::array{0.8, 0.8, 0.1}}) {
        const auto reach2 = [=](double x) { return std::max({0.0, ra * ra - x * x, rb * rb - (x - d) * (x - d)}); };
        const Sums in_space = integrate(-ra, std::max(ra, d + rb), [&](double x) {
            return std::pair(pi * reach2(x), 0.5 * pi * reach2(x) * reach2(x));
        });
        const Solid<3> s = solid<3>({ball<3>(ra, {0, 0, 0}), ball<3>(rb, {d, 0, 0})});
        // Slices of a round body converge as their width to the 3/2.
        EXPECT_NEAR(s.mass.volume, in_space.volume, 1e-7);
        EXPECT_NEAR(s.mass.centre[0], in_space.x / in_space.volume, 1e-7);
        EXPECT_NEAR(s.mass.inertia(0, 0), in_space.across, 1e-7);
        EXPECT_NEAR(s.mass.inertia(1, 1),
                    0.5 * in_space.across + in_space.xx - in_space.x * in_space.x / in_space.volume, 1e-7);
        const Sums in_plane = integrate(-ra, std::max(ra, d + rb), [&](double x) {
            const double w = std::sqrt(reach2(x));
            return std::pair(2.0 * w, 2.0 / 3.0 * w * w * w);
        });
        const Solid<2> flat = solid<2>({ball<2>(ra, {0, 0}), ball<2>(rb, {d, 0})});
        EXPECT_NEAR(flat.mass.volume, in_plane.volume, 1e-7);
        EXPECT_NEAR(flat.mass.centre[0], in_plane.x / in_plane.volume, 1e-7);
        EXPECT_NEAR(flat.mass.inertia(0, 0), in_plane.across + in_plane.xx - in_plane.x * in_plane.x / in_plane.volume,
                    1e-7);
    }
}

TEST(Clump, OfOneBallTwiceIsThatBall) {
    const Solid<3> s = solid<3>({ball<3>(0.6, {1, 2, 3}), ball<3>(0.6, {1, 2, 3})});
    EXPECT_NEAR(s.mass.volume, 4.0 / 3.0 * pi * 0.216, 1e-14);
    EXPECT_LT((s.mass.centre - Vec<3>(1, 2, 3)).norm(), 1e-14);
    EXPECT_NEAR(s.mass.inertia(0, 0), 0.4 * s.mass.volume * 0.36, 1e-14);
}

TEST(Clump, LeavesTheVolumeOpenWhereTheUnionIsNotKnown) {
    EXPECT_EQ(solid<3>({ball<3>(1.0, {0, 0, 0}), ball<3>(1.0, {1, 0, 0}), ball<3>(1.0, {0.5, 0.8, 0})}).mass.volume,
              0.0);
    EXPECT_EQ(solid<3>({ball<3>(1.0, {0, 0, 0}), {{"box", {1, 1, 1}}, {1.2, 0, 0}, {}}}).mass.volume, 0.0);
    EXPECT_EQ(solid<3>({{{"cylinder", {0.5, 1.0}}, {0, 0, 0}, {}}, {{"cylinder", {0.5, 1.0}}, {0.9, 0, 0.9}, {}}})
                  .mass.volume,
              0.0);
    EXPECT_EQ(solid<2>({{{"box", {1, 1}}, {0, 0}, {}}, {{"box", {1, 1}}, {0.9, 0.9}, {}}}).mass.volume, 0.0);
}

TEST(Clump, KnowsPartsThatOnlyTouchOrAreApart) {
    // Three balls that overlap in pairs round a hole; drums side by side; a ball on a box.
    const double d = 1.9;
    EXPECT_GT(
        solid<3>({ball<3>(1.0, {0, 0, 0}), ball<3>(1.0, {d, 0, 0}), ball<3>(1.0, {0.5 * d, std::sqrt(0.75) * d, 0})})
            .mass.volume,
        12.0);
    EXPECT_NEAR(solid<3>({{{"cylinder", {0.5, 1.0}}, {0, 0, 0}, {}}, {{"cylinder", {0.5, 1.0}}, {1.0, 0, 0.3}, {}}})
                    .mass.volume,
                0.5 * pi, 1e-14);
    EXPECT_NEAR(solid<3>({ball<3>(0.5, {0, 0, 1.0}), {{"box", {1, 1, 1}}, {0, 0, 0}, {}}}).mass.volume, 1.0 + pi / 6.0,
                1e-14);
    EXPECT_NEAR(solid<2>({ball<2>(0.5, {0, 1.0}), {{"box", {1, 1}}, {0, 0}, {}}}).mass.volume, 1.0 + pi / 4.0, 1e-14);
}

TEST(Clump, SeenFromItsCentreOfMassIsTheSameSolid) {
    const ShapeSpec spec = clump_of<3>(
        {{{"box", {1.0, 2.0, 0.5}}, {0.0, 0.0, 0.0}, {}}, {{"cylinder", {0.3, 1.0}}, {0.2, 0.4, 0.75}, {}}});
    const CentredShape<3> c = centred<3>(spec);
    const Solid<3> seen = solid_of<3>(c.spec);
    EXPECT_LT(seen.mass.centre.norm(), 1e-13);
    EXPECT_LT((Mat<3>(seen.mass.inertia) - Mat<3>(c.inertia.asDiagonal())).norm(), 1e-12);
    EXPECT_NEAR(c.volume, 1.0 + pi * 0.09, 1e-13);
    const ShapeSpec plane = clump_of<2>({{{"box", {1.0, 2.0}}, {0.0, 0.0}, {0.3}}, ball<2>(0.3, {2.0, 0.4})});
    EXPECT_LT(solid_of<2>(centred<2>(plane).spec).mass.centre.norm(), 1e-13);
}

TEST(Clump, SaysWhatIsWrongWithItsNumbers) {
    const auto& shapes = shape_registry();
    EXPECT_THROW(shapes.check({"clump", {}}, 3), InputError);
    EXPECT_THROW(shapes.check({"clump", {1.0, 0.0, 1.0, 0.5, 0.0, 0.0}}, 3), InputError);           // ends early
    EXPECT_THROW(shapes.check({"clump", {1.0, 9.0, 1.0, 0.5, 0.0, 0.0, 0.0}}, 2), InputError);      // no such code
    EXPECT_THROW(shapes.check({"clump", {1.0, 0.0, 1.0, -0.5, 0.0, 0.0, 0.0}}, 2), InputError);     // radius < 0
    EXPECT_NO_THROW(shapes.check({"clump", {1.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0}}, 2));
    EXPECT_THROW((void)parts_of<3>(std::vector<double>{1.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0}), InputError);
    EXPECT_THROW((void)clump_of<3>({{{"plane", {0.0, 0.0, 1.0}}, {0, 0, 0}, {}}}), InputError);
}

}  // namespace
}  // namespace talus
