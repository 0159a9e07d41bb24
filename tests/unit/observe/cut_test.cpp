// Forces through cuts, the stress that should agree with them, and what a part of a pile rests on.
#include <gtest/gtest.h>

#include "frames.h"

namespace talus::observe {
namespace {

constexpr double pi = std::numbers::pi;

/// Grains of diameter 1 on a square lattice with centres at half-integers; contacts between neighbours in x
/// give the right one `through_x`, those between neighbours in y give the upper one `through_y`.
Snapshot<2> lattice(int half, const Vec<2>& through_x, const Vec<2>& through_y) {
    auto frame = empty_frame<2>(0.0);
    const int n = 2 * half;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) add_grain<2>(frame, {i - half + 0.5, j - half + 0.5}, 0.5);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const BodyId here = j * n + i;
            const Vec<2> x = frame.position[static_cast<std::size_t>(here)];
            if (i + 1 < n) add_contact<2>(frame, here, here + 1, x + Vec<2>(0.5, 0), -Vec<2>::UnitX(), -through_x);
            if (j + 1 < n) add_contact<2>(frame, here, here + n, x + Vec<2>(0, 0.5), -Vec<2>::UnitY(), -through_y);
        }
    return frame;
}

nlohmann::json segment(double x1, double y1, double x2, double y2) { return {{"segment", {{"from", {x1, y1}}, {"to", {x2, y2}}}}}; }

TEST(Cut, IsTheForceOfOneSideOnTheOther) {
    auto frame = empty_frame<2>(10.0);
    const BodyId left = add_grain<2>(frame, {-1, 1}), right = add_grain<2>(frame, {1, 1}), floor = add_wall(frame);
    add_contact<2>(frame, left, right, {0, 1}, -Vec<2>::UnitX(), {-5, 2});
    add_contact<2>(frame, left, right, {0, 3}, -Vec<2>::UnitX(), {-100, 0});   // beyond the end of the segment
    add_contact<2>(frame, left, floor, {0, 0.5}, Vec<2>::UnitY(), {0, 100});   // a floor has no side
    const Result result = measure(spec("cut", {{"cuts", segment(0, 0, 0, 2)}}), frame);
    EXPECT_NEAR(result.value("cut_1_normal"), 5.0, 1e-14);   // force to impulse and back
    EXPECT_NEAR(result.value("cut_1_tangential"), -2.0, 1e-14);
    EXPECT_NEAR(result.value("cut_1_normal_density"), 2.5, 1e-14);
    EXPECT_NEAR(result.value("cut_1_force_angle"), std::atan(-0.4) * 180 / pi, 1e-12);
    EXPECT_EQ(result.table("cuts")->column("contacts")->values[0], 1);
    EXPECT_NEAR(result.table("cuts")->column("cut_angle")->values[0], 90.0, 1e-12);
    // The other way round the normal turns, and so do the sides: pressure stays pressure.
    const Result back = measure(spec("cut", {{"cuts", segment(0, 2, 0, 0)}}), frame);
    EXPECT_NEAR(back.value("cut_1_normal"), 5.0, 1e-14);
    EXPECT_NEAR(back.value("cut_1_tangential"), -2.0, 1e-14);
}

TEST(Cut, ThroughAPlaneCountsEveryPairOfGrains) {
    auto frame = empty_frame<3>(10.0);
    const BodyId low = add_grain<3>(frame, {0, 0, 0}), high = add_grain<3>(frame, {0, 0, 2});
    const BodyId rock = add_body<3>(frame, {0, 5, 2}, 1.0, 1.0, true);
    add_contact<3>(frame, low, high, {0, 0, 1}, -Vec<3>::UnitZ(), {1, 0, -7});
    add_contact<3>(frame, low, rock, {0, 3, 1}, -Vec<3>::UnitZ(), {0, 0, -3});
    nlohmann::json asked = {{"cuts", {{"label", "level"}, {"plane", {{"point", {0, 0, 1}}, {"normal", {0, 0, 2}}}}}}};
    const Result result = measure(spec("cut", asked), frame);
    EXPECT_NEAR(result.value("level_normal"), 7.0, 1e-14);
    EXPECT_NEAR(result.value("level_tangential"), 1.0, 1e-14);
    EXPECT_TRUE(std::isnan(result.value("level_normal_density")));   // a plane has no area
    asked["walls"] = true;
    EXPECT_NEAR(measure(spec("cut", asked), frame).value("level_normal"), 10.0, 1e-14);
    nlohmann::json window = {{"cuts", {{"rectangle", {{"centre", {0, 0, 1}}, {"normal", {0, 0, 1}}, {"width", 2}, {"height", 2}}}}}, {"walls", true}};
    EXPECT_NEAR(measure(spec("cut", window), frame).value("cut_1_normal_density"), 7.0 / 4.0, 1e-14);
}

TEST(Cut, ThroughARibbonAddsUpInMeridianPlanes) {
    auto frame = empty_frame<3>(10.0);
    for (int k = 0; k < 8; ++k) {
        const double angle = 2.0 * pi * k / 8;
        const Vec<3> out(std::cos(angle), std::sin(angle), 0), around(-std::sin(angle), std::cos(angle), 0), up(0, 0, 1);
        const BodyId inner = add_grain<3>(frame, 1.5 * out + up, 0.5), outer = add_grain<3>(frame, 2.5 * out + up, 0.5);
        add_contact<3>(frame, outer, inner, 2.0 * out + up, out, 3.0 * out - 1.0 * up + 0.5 * around);
    }
    const Result result = measure(spec("cut", {{"cuts", {{"ribbon", {{"from", {2, 0}}, {"to", {2, 2}}}}}}}), frame);
    EXPECT_NEAR(result.value("cut_1_radial"), 24.0, 1e-13);
    EXPECT_NEAR(result.value("cut_1_axial"), -8.0, 1e-13);
    EXPECT_NEAR(result.value("cut_1_azimuthal"), 4.0, 1e-13);
    EXPECT_NEAR(result.value("cut_1_normal"), 24.0, 1e-13);      // a cylinder: outward
    EXPECT_NEAR(result.value("cut_1_tangential"), -8.0, 1e-13);  // along it: upward
    EXPECT_NEAR(result.value("cut_1_normal_density"), 24.0 / (2 * pi * 2 * 2), 1e-13);
    EXPECT_NEAR(result.value("cut_1_force_angle"), std::atan(-1.0 / 3.0) * 180 / pi, 1e-12);
    EXPECT_NEAR(result.value("cut_1_azimuthal_over_meridian"), 4.0 / std::sqrt(640.0), 1e-14);
    // A cone at 45 degrees through the same contacts: from (1, 0) to (3, 2), normal (1, -1) / sqrt 2.
    const Result cone = measure(spec("cut", {{"cuts", {{"ribbon", {{"from", {1, 0}}, {"to", {3, 2}}}}}}}), frame);
    EXPECT_NEAR(cone.value("cut_1_normal"), (24.0 + 8.0) / std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(cone.table("cuts")->column("area")->values[0], pi * 4.0 * std::sqrt(8.0), 1e-12);
}

TEST(Cut, ConjugateCutsOfASymmetricStressAreReciprocal) {
    nlohmann::json asked = {{"conjugate", true}, {"cuts", {segment(0, -3, 0, 3), segment(-3, 0, 3, 0)}}};
    EXPECT_NEAR(measure(spec("cut", asked), lattice(4, {5, -2}, {-2, 3})).value("max_defect"), 0.0, 1e-14);
    // Unequal shear, as no medium at rest has: n.T' = 1, n'.T = 2, mean pressure 4.
    const Result odd = measure(spec("cut", asked), lattice(4, {5, -2}, {-1, 3}));
    EXPECT_NEAR(odd.value("max_defect"), 0.25, 1e-14);
    EXPECT_NEAR(odd.table("pairs")->column("pressure")->values[0], 4.0, 1e-14);
    EXPECT_NE(complaint<2>(spec("cut", {{"conjugate", true}, {"cuts", {segment(0, 0, 0, 1)}}})).find("even number"), std::string::npos);
}

TEST(Cut, RefusesWhatIsNoCut) {
    EXPECT_NE(complaint<2>(spec("cut")).find("`cuts` is missing"), std::string::npos);
    EXPECT_NE(complaint<3>(spec("cut", {{"cuts", segment(0, 0, 0, 1)}})).find("in 3D give a `plane`"), std::string::npos);
    EXPECT_NE(complaint<2>(spec("cut", {{"cuts", segment(1, 1, 1, 1)}})).find("`to` must not be where `from` is"), std::string::npos);
    EXPECT_NE(complaint<2>(spec("cut", {{"cuts", {{"line", 1}}}})).find("its kinds; give `segment`"), std::string::npos);
}

TEST(Stress, OfALatticeIsWhatItsCutsTransmit) {
    const auto frame = lattice(4, {5, -2}, {-2, 3});
    const Result result = measure(spec("stress", {{"region", {{"box", {{"low", {-3, -3}}, {"high", {3, 3}}}}}}}), frame);
    EXPECT_NEAR(result.value("stress_xx"), 5.0, 1e-13);
    EXPECT_NEAR(result.value("stress_xy"), -2.0, 1e-13);
    EXPECT_NEAR(result.value("stress_yy"), 3.0, 1e-13);
    EXPECT_NEAR(result.value("principal_1"), 4.0 + std::sqrt(5.0), 1e-13);
    EXPECT_NEAR(result.value("deviator"), std::sqrt(5.0), 1e-13);
    EXPECT_NEAR(result.value("major_angle"), 0.5 * std::atan2(-4.0, 2.0) * 180 / pi, 1e-12);
    EXPECT_EQ(result.value("grains"), 36);
    EXPECT_NEAR(result.value("asymmetry"), 0.0, 1e-15);
}

TEST(Stress, OfTheWholeIsOverTheBoxAboutTheGrains) {
    auto frame = empty_frame<3>(0.0);
    const BodyId wall = add_wall(frame), grain = add_grain<3>(frame, {7, 8, 9}, 0.5);
    add_contact<3>(frame, grain, wall, {7, 8, 8.5}, Vec<3>::UnitZ(), {0, 0, 6});
    add_contact<3>(frame, grain, wall, {7, 8, 9.5}, -Vec<3>::UnitZ(), {0, 0, -6});
    EXPECT_NEAR(measure(spec("stress", {{"region", {{"whole", true}}}}), frame).value("stress_zz"), 6.0, 1e-14);   // in a cube of side 1
    const nlohmann::json ball = {{"region", {{"sphere", {{"centre", {7, 8, 9}}, {"radius", 1}}}}}};
    EXPECT_NEAR(measure(spec("stress", ball), frame).value("stress_zz"), 6.0 / (4.0 / 3.0 * pi), 1e-14);
    const nlohmann::json elsewhere = {{"region", {{"sphere", {{"centre", {0, 0, 0}}, {"radius", 1}}}}}};
    EXPECT_EQ(measure(spec("stress", elsewhere), frame).value("stress_zz"), 0.0);
}

TEST(Stress, ShowsACoupleAsAsymmetry) {
    auto frame = empty_frame<2>(0.0);
    const BodyId wall = add_wall(frame), grain = add_grain<2>(frame, {0, 0}, 0.5);
    add_contact<2>(frame, grain, wall, {-0.5, 0}, Vec<2>::UnitX(), {6, -1});
    add_contact<2>(frame, grain, wall, {0.5, 0}, -Vec<2>::UnitX(), {-6, 1});
    const Result result = measure(spec("stress", {{"region", {{"disk", {{"radius", 1}}}}}}), frame);
    EXPECT_NEAR(result.value("pressure"), 3.0 / pi, 1e-15);
    EXPECT_NEAR(result.value("asymmetry"), std::sqrt(2.0) / 6.0, 1e-15);
}

TEST(Probe, ComparesTheTensorWithItsDiameters) {
    // Centre between the grains: each of the two diameters of length 6 is crossed by six contacts, and 32 grains
    // of area 1 have their centres in the disk.
    const auto frame = lattice(5, {5, -2}, {-2, 3});
    const Result result = measure(spec("probe", {{"radius", 3}, {"count", 2}}), frame);
    const double excess = 32.0 / (9.0 * pi) - 1.0;
    EXPECT_NEAR(result.value("pressure"), 4.0 * (1.0 + excess), 1e-13);
    EXPECT_NEAR(result.value("rms"), excess * std::sqrt((29.0 + 13.0) / 4.0), 1e-13);
    const Table& diameters = *result.table("diameters");
    EXPECT_NEAR(diameters.column("normal")->values[0], 3.0, 1e-14);        // the horizontal one
    EXPECT_NEAR(diameters.column("normal")->values[1], 5.0, 1e-14);
    EXPECT_NEAR(diameters.column("tangential")->values[1], -2.0, 1e-14);
    EXPECT_NEAR(diameters.column("tensor_tangential")->values[1], -2.0 * (1.0 + excess), 1e-13);
}

TEST(Arching, IsTheShareOfTheWeightThatTheGroundDoesNotBear) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame, 4);
    const BodyId left = add_grain<2>(frame, {-2, 1}), middle = add_grain<2>(frame, {0, 1}), right = add_grain<2>(frame, {2, 1});
    add_contact<2>(frame, middle, floor, {0, 0}, Vec<2>::UnitY(), {0, 7});
    add_contact<2>(frame, left, floor, {-2, 0}, Vec<2>::UnitY(), {0, 11});
    add_contact<2>(frame, right, floor, {2, 0}, Vec<2>::UnitY(), {0, 12});
    add_contact<2>(frame, left, middle, {-1, 1}, -Vec<2>::UnitX(), {-4, -1});
    add_contact<2>(frame, middle, right, {1, 1}, -Vec<2>::UnitX(), {-4, 2});
    const Result result = measure(spec("arching", {{"between", {-1, 1}}}), frame);
    EXPECT_EQ(result.value("weight"), 10.0);
    EXPECT_NEAR(result.value("carried"), 0.3, 1e-15);
    EXPECT_NEAR(result.value("side_force"), 3.0, 1e-15);
    EXPECT_NEAR(result.value("balance"), 1.0, 1e-15);
    EXPECT_NE(complaint<2>(spec("arching", {{"between", {1, -1}}})).find("smaller number first"), std::string::npos);
}

TEST(GroundPressure, IsByBins) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame), grain = add_grain<2>(frame, {0, 1});
    for (const auto& [x, f] : std::vector<std::pair<double, double>>{{-1.5, 4}, {-0.5, 1}, {0.5, 1}, {0.7, 2}, {1.5, 6}, {9, 5}})
        add_contact<2>(frame, grain, floor, {x, 0}, Vec<2>::UnitY(), {0.1, f});
    const Result result = measure(spec("ground_pressure", {{"from", -2}, {"to", 2}, {"count", 4}}), frame);
    EXPECT_EQ(result.table("bins")->column("pressure")->values, (std::vector<double>{4, 1, 3, 6}));
    EXPECT_EQ(result.value("max_pressure"), 6.0);
    EXPECT_EQ(result.value("position_of_max"), 1.5);
    EXPECT_EQ(result.value("centre_pressure"), 2.0);      // the two bins about 0
    EXPECT_EQ(result.value("total_force"), 19.0);
    EXPECT_EQ(result.value("outside_force"), 5.0);
}

}  // namespace
}  // namespace talus::observe
