#include <gtest/gtest.h>

#include "frames.h"
#include "observe/pile.h"
#include "observe/region.h"

namespace talus::observe {

constexpr double degree = std::numbers::pi / 180.0;

/// Small grains whose tops lie on a cone of slope `angle` and base radius 1, about (0.3, -0.2), each
/// supported by two contacts without force.
Snapshot<3> cone(double angle) {
    auto frame = empty_frame<3>();
    const BodyId ground = add_wall(frame);
    const double r = 0.01, spacing = 0.025;
    for (double x = -1.0; x <= 1.0; x += spacing)
        for (double y = -1.0; y <= 1.0; y += spacing) {
            const double distance = std::hypot(x, y);
            if (distance > 1.0 - r) continue;
            const double top = std::tan(angle) * (1.0 - distance);
            const BodyId grain = add_grain<3>(frame, {0.3 + x, -0.2 + y, top - r}, r);
            for (int k = 0; k < 2; ++k) add_contact<3>(frame, grain, ground, {x, y, 0}, Vec<3>::UnitZ(), Vec<3>::Zero());
        }
    return frame;
}

TEST(Slope, OfAConeIsItsAngle) {
    const Result result = measure(spec("slope", {{"axis", {0.3, -0.2}}, {"bin", 0.05}, {"ground", 0.0}}), cone(25 * degree));
    // The highest grain of a cell stands towards the axis of it by up to a bin: that shifts the line, it
    // does not turn it. What remains is the grid of grains.
    EXPECT_NEAR(result.value("slope"), 25.0, 0.1);
    EXPECT_NEAR(result.value("base_radius"), 1.0, 0.02);
    EXPECT_LT(result.value("scatter"), 0.5);
    EXPECT_NEAR(result.value("crown"), std::tan(25 * degree), 0.01);
}

TEST(Slope, IsNotMovedByARoundedTopOrAFewStrayGrains) {
    auto frame = cone(25 * degree);
    for (auto& x : frame.position) x.z() = std::min(x.z(), 0.85 * std::tan(25 * degree));
    for (double far : {1.2, 1.5, 2.0}) {
        const BodyId stray = add_grain<3>(frame, {0.3 + far, -0.2, 0.01}, 0.01);
        for (int k = 0; k < 2; ++k) add_contact<3>(frame, stray, 0, {far, 0, 0}, Vec<3>::UnitZ(), Vec<3>::Zero());
    }
    const Result result = measure(spec("slope", {{"axis", {0.3, -0.2}}, {"bin", 0.05}, {"ground", 0.0}}), frame);
    EXPECT_NEAR(result.value("slope"), 25.0, 0.1);
}

TEST(Slope, InThePlaneGivesBothFlanks) {
    auto frame = empty_frame<2>();
    const BodyId ground = add_wall(frame);
    for (double x = -1.0; x <= 1.0; x += 0.01) {
        const double top = std::tan((x < 0 ? 20 : 30) * degree) * (1.0 - std::abs(x));
        const BodyId grain = add_grain<2>(frame, {x, top - 0.005}, 0.005);
        for (int k = 0; k < 2; ++k) add_contact<2>(frame, grain, ground, {x, 0}, Vec<2>::UnitY(), Vec<2>::Zero());
    }
    const Result result = measure(spec("slope", {{"bin", 0.05}, {"ground", 0.0}}), frame);
    EXPECT_NEAR(result.value("flank_1"), 30.0, 0.1);  // to the right
    EXPECT_NEAR(result.value("flank_2"), 20.0, 0.1);
}

TEST(Slope, OfTwoGrainsIsNotKnown) {
    auto frame = empty_frame<3>();
    add_grain<3>(frame, {0, 0, 1});
    EXPECT_TRUE(std::isnan(measure(spec("slope"), frame).value("slope")));
}

TEST(Height, IsThatOfTheHighestGrainTouchingTwoOthers) {
    auto frame = empty_frame<3>();
    const BodyId ground = add_wall(frame);
    const BodyId low = add_grain<3>(frame, {0, 0, 2}, 0.5), flying = add_grain<3>(frame, {0.1, 0, 9}, 0.5);
    add_contact<3>(frame, low, ground, {0, 0, 1.5}, Vec<3>::UnitZ(), Vec<3>::Zero());
    add_contact<3>(frame, low, flying, {0, 0, 2.5}, -Vec<3>::UnitZ(), Vec<3>::Zero());
    const Result result = measure(spec("height"), frame);
    EXPECT_DOUBLE_EQ(result.value("ground"), 1.5);   // where the grain touches the wall
    EXPECT_DOUBLE_EQ(result.value("height"), 1.0);   // 2 + 0.5 - 1.5
    EXPECT_DOUBLE_EQ(result.value("apex_radius"), 0.5);
    EXPECT_EQ(result.value("supported_grains"), 1.0);
    EXPECT_DOUBLE_EQ(measure(spec("height", {{"ground", 0.0}}), frame).value("height"), 2.5);
}

/// Ground contacts with 1, 6 and 5 newtons at distances 0.5, 1.5 and 2.5.
template <int Dim>
Snapshot<Dim> three_rings() {
    auto frame = empty_frame<Dim>();
    const BodyId ground = add_wall(frame, 5), other = add_wall(frame, 6);
    const Vec<Dim> up = Vec<Dim>::Unit(Dim - 1), out = Vec<Dim>::Unit(0);
    const double forces[] = {1, 6, 5};
    for (int k = 0; k < 3; ++k) {
        const Vec<Dim> foot = (k + 0.5) * (k % 2 ? -out : out);
        const BodyId grain = add_grain<Dim>(frame, foot + 0.1 * up, 0.1);
        // A sideways part, which is no pressure.
        add_contact<Dim>(frame, grain, ground, foot, up, forces[k] * up + 3.0 * out);
        add_contact<Dim>(frame, grain, other, foot, out, 100.0 * out + 50.0 * up);
    }
    return frame;
}

TEST(Rings, AreVerticalForcesOverRingAreas) {
    const Result result = measure(
        spec("rings", {{"count", 3}, {"centre", 1}, {"radius", 3.0}, {"walls", 5}, {"bulk_density", 2.0}, {"ground", -9.8}}), three_rings<3>());
    const double pi = std::numbers::pi;
    const auto& pressure = result.table("rings")->column("pressure")->values;
    EXPECT_NEAR(pressure[0], 1 / pi, 1e-14);        // areas pi, 3 pi, 5 pi
    EXPECT_NEAR(pressure[1], 2 / pi, 1e-14);
    EXPECT_NEAR(pressure[2], 1 / pi, 1e-14);
    EXPECT_NEAR(result.value("centre_pressure"), 1 / pi, 1e-14);
    EXPECT_NEAR(result.value("centre_over_max"), 0.5, 1e-14);
    EXPECT_NEAR(result.value("radius_of_max"), 1.5, 1e-14);
    EXPECT_NEAR(result.value("hydrostatic_pressure"), 2.0 * 10.0 * 10.0, 1e-12);   // top at 0.2, ground at -9.8
    EXPECT_NEAR(result.value("centre_over_hydrostatic"), 1 / pi / 200.0, 1e-14);
    EXPECT_EQ(result.value("outside_force"), 0.0);
}

TEST(Rings, MergeTheInnermost) {
    const Result result = measure(spec("rings", {{"count", 3}, {"centre", 2}, {"radius", 3.0}, {"walls", 5}}), three_rings<3>());
    EXPECT_NEAR(result.value("centre_pressure"), 7.0 / (4.0 * std::numbers::pi), 1e-14);
    EXPECT_NEAR(result.value("radius_of_max"), 1.0, 1e-14);  // the centre itself is the largest
}

TEST(Rings, InThePlaneAreStripsOnBothSides) {
    const Result result = measure(spec("rings", {{"count", 3}, {"centre", 1}, {"radius", 3.0}, {"walls", 5}}), three_rings<2>());
    const auto& pressure = result.table("rings")->column("pressure")->values;
    EXPECT_NEAR(pressure[0], 0.5, 1e-14);
    EXPECT_NEAR(pressure[1], 3.0, 1e-14);
    EXPECT_EQ(result.table("rings")->column("pressure")->unit, "N/m");
}

TEST(Rings, ForceBeyondTheLastIsToldApart) {
    const Result result = measure(spec("rings", {{"count", 2}, {"radius", 2.0}, {"walls", 5}}), three_rings<3>());
    EXPECT_NEAR(result.value("outside_force"), 5.0, 1e-14);
}

TEST(Rings, AverageOverTheIntervalUsesTheSums) {
    auto frame = three_rings<3>();
    const Spec asked = spec("rings", {{"count", 1}, {"radius", 3.0}, {"walls", 5}, {"average", true}});
    EXPECT_EQ(measure(asked, frame).value("centre_pressure"), 0.0);   // no step yet, no force
    frame.step = 1;
    EXPECT_THROW((void)measure(asked, frame), InputError);
    ContactSum<3> sum;
    sum.a = frame.contacts[0].a;
    sum.b = frame.contacts[0].b;
    sum.impulse = 9.0 * Vec<3>::UnitZ();   // over three seconds: 3 N
    frame.sums.push_back(sum);
    frame.sums_seconds = 3.0;
    EXPECT_NEAR(measure(asked, frame).value("centre_pressure"), 3.0 / (9.0 * std::numbers::pi), 1e-14);
}

TEST(SolidFraction, WholeBallsCountExactlyAndHalvesToOnePercent) {
    auto frame = empty_frame<3>();
    add_grain<3>(frame, {0, 0, 0}, 0.5);
    const double ball = std::numbers::pi / 6.0;
    const auto box = [](double high) {
        return spec("solid_fraction", {{"region", {{"box", {{"low", {-1, -1, -1}}, {"high", {1, 1, high}}}}}}});
    };
    EXPECT_NEAR(measure(box(1.0), frame).value("solid_fraction"), ball / 8.0, 1e-15);
    EXPECT_NEAR(measure(box(0.0), frame).value("solid_fraction"), ball / 2.0 / 4.0, 0.01 * ball / 8.0);
    // A cap of half the radius holds 5/32 of a ball.
    EXPECT_NEAR(measure(box(0.25), frame).value("solid_fraction") * 5.0, ball * 27.0 / 32.0, 0.01 * ball);
}

TEST(SolidFraction, RegionsAboutTheVertical) {
    auto frame = empty_frame<3>();
    add_grain<3>(frame, {3.0, 0, 1}, 0.2);
    const double ball = 4.0 / 3.0 * std::numbers::pi * 0.008;
    const auto in = [&](const char* kind, nlohmann::json sizes) {
        sizes["low"] = 0;
        sizes["high"] = 2;
        const Result result = measure(spec("solid_fraction", {{"region", {{kind, sizes}}}}), frame);
        return result.value("solid_fraction") * result.value("region");
    };
    EXPECT_NEAR(in("cylinder", {{"radius", 4}}), ball, 1e-15);
    EXPECT_NEAR(in("cylinder", {{"radius", 1}, {"centre", {3, 0}}}), ball, 1e-15);
    EXPECT_EQ(in("cylinder", {{"radius", 2}}), 0.0);
    EXPECT_NEAR(in("annulus", {{"inner", 2}, {"outer", 4}}), ball, 1e-15);
    EXPECT_EQ(in("annulus", {{"inner", 3.5}, {"outer", 4}}), 0.0);
}

}  // namespace talus::observe
