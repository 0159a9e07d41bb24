// Fields, order, surfaces, layers and sizes on frames made by hand.
#include <gtest/gtest.h>

#include "frames.h"

namespace talus::observe {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Velocity, OfAShearHasMinusItsRateAsVorticity) {
    auto frame = empty_frame<2>(10.0);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) {
            add_grain<2>(frame, {static_cast<double>(i), static_cast<double>(j)}, 0.1);
            frame.velocity.back() = {3.0 * j, 0.0};
        }
    const nlohmann::json asked = {{"regions", {{{"name", "low"}, {"box", {{"low", {-1, -1}}, {"high", {9, 1.5}}}}}, {{"name", "none"}, {"disk", {{"centre", {50, 50}}, {"radius", 1}}}}}},
                                  {"grid", {{"low", {-0.5, -0.5}}, {"high", {3.5, 3.5}}, {"cells", {1, 4}}}}};
    const Result result = measure(spec("velocity", asked), frame);
    EXPECT_NEAR(result.value("mean_x"), 4.5, 1e-14);
    EXPECT_NEAR(result.value("fluctuation"), std::sqrt(9.0 * 1.25 / 2.0), 1e-14);   // variance of 0 1 2 3 is 1.25
    EXPECT_NEAR(result.value("low_x"), 1.5, 1e-14);
    EXPECT_NEAR(result.value("low_vorticity"), -3.0, 1e-13);
    EXPECT_TRUE(std::isnan(result.value("none_x")));
    EXPECT_EQ(result.table("grid")->column("vx")->values, (std::vector<double>{0, 3, 6, 9}));
    EXPECT_NE(complaint<2>(spec("velocity", {{"regions", {{{"whole", true}}}}})).find("`name` is missing"), std::string::npos);
}

TEST(Velocity, OfSpaceHasACurl) {
    auto frame = empty_frame<3>(10.0);
    const Vec<3> w(1, -2, 3);
    for (int k = 0; k < 8; ++k) {
        add_grain<3>(frame, {static_cast<double>(k & 1), static_cast<double>((k >> 1) & 1), static_cast<double>(k >> 2)}, 0.1);
        frame.velocity.back() = w.cross(frame.position.back());
    }
    const Result result = measure(spec("velocity", {{"regions", {{{"name", "all"}, {"whole", true}}}}}), frame);
    EXPECT_NEAR(result.value("all_vorticity_x"), 2.0, 1e-13);
    EXPECT_NEAR(result.value("all_vorticity_y"), -4.0, 1e-13);
    EXPECT_NEAR(result.value("all_vorticity_z"), 6.0, 1e-13);
}

TEST(Hexatic, IsOneInAHexagonalLatticeAndZeroInASquareOne) {
    auto hexagonal = empty_frame<2>(10.0), square = empty_frame<2>(10.0);
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < 6; ++i) {
            const double x = i + 0.5 * (j % 2), y = j * std::sqrt(0.75);
            add_grain<2>(hexagonal, {x * std::cos(0.3) - y * std::sin(0.3), x * std::sin(0.3) + y * std::cos(0.3)}, 0.5);   // turned: no matter
            add_grain<2>(square, {static_cast<double>(i), static_cast<double>(j)}, 0.5);
        }
    const Result six = measure(spec("hexatic"), hexagonal);
    EXPECT_NEAR(six.value("psi6"), 1.0, 1e-12);
    EXPECT_NEAR(six.value("psi6_global"), 1.0, 1e-12);
    EXPECT_NEAR(six.value("six_fraction"), 16.0 / 36.0, 1e-15);   // those not at the border
    const nlohmann::json inner = {{"region", {{"box", {{"low", {0.5, 0.5}}, {"high", {4.5, 4.5}}}}}}, {"reach", 1.2}};
    EXPECT_NEAR(measure(spec("hexatic", inner), square).value("psi6"), 0.0, 1e-12);
}

TEST(Surface, OfABankIsItsAngle) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame);
    for (int k = 0; k < 20; ++k) {
        const BodyId grain = add_grain<2>(frame, {static_cast<double>(k), 10.0 - 0.5 * k}, 0.5);
        for (int twice = 0; twice < 2; ++twice) add_contact<2>(frame, grain, floor, {static_cast<double>(k), 0}, Vec<2>::UnitY(), {0, 1});
    }
    add_grain<2>(frame, {5, 100}, 0.5);   // in flight
    const Result result = measure(spec("surface", {{"ground", 0}}), frame);
    EXPECT_NEAR(result.value("angle"), std::atan(-0.5) * 180 / pi, 1e-12);
    EXPECT_NEAR(result.value("intercept"), 10.5, 1e-12);
    EXPECT_NEAR(result.value("roughness"), 0.0, 1e-12);
    EXPECT_NEAR(result.value("height_max"), 10.5, 1e-12);
    const Result part = measure(spec("surface", {{"ground", 0}, {"from", 4.5}, {"to", 9.5}}), frame);
    EXPECT_EQ(part.table("profile")->rows(), 5u);
}

TEST(Fossil, LayerHasTheTangentOfItsGrainsAndOfTheForces) {
    auto frame = empty_frame<3>(10.0);
    // A layer z = 5 - r / 2 of grains born at 1 s, and older grains beside it through which forces pass along it.
    const Vec<3> up(0, 0, 1);
    for (int ring = 1; ring <= 8; ++ring)
        for (int k = 0; k < 16; ++k) {
            const double angle = 2 * pi * k / 16, r = 0.5 * ring - 0.25;
            const Vec<3> out(std::cos(angle), std::sin(angle), 0), place = r * out + (5 - 0.5 * r) * up;
            add_grain<3>(frame, place, 0.125);
            frame.birth.back() = 1.0;
            const BodyId inner = add_grain<3>(frame, place - 0.01 * out, 0.125), outer = add_grain<3>(frame, place + 0.01 * out, 0.125);
            frame.birth[frame.birth.size() - 2] = frame.birth.back() = 3.0;
            add_contact<3>(frame, outer, inner, place, out, 2.0 * out - 1.0 * up);
        }
    const Result result = measure(spec("fossil", {{"layers", {{0.5, 1.5}, {7, 8}}}, {"bin", 0.5}, {"cut_height", 1.0}}), frame);
    EXPECT_EQ(result.value("layer_1_grains"), 128);
    EXPECT_EQ(result.value("layer_2_grains"), 0);
    const double tangent = std::atan(-0.5) * 180 / pi;
    EXPECT_NEAR(result.value("layer_1_slope"), tangent, 1e-9);
    EXPECT_NEAR(result.table("layers")->column("tangent")->values[3], tangent, 1e-9);
    EXPECT_NEAR(result.table("layers")->column("force_angle")->values[3], tangent, 1e-9);
    EXPECT_NEAR(result.value("median_difference"), 0.0, 1e-9);
    EXPECT_TRUE(std::isnan(result.value("layer_2_slope")));
    EXPECT_NE(complaint<3>(spec("fossil", {{"layers", {{2, 1}}}})).find("earlier time first"), std::string::npos);
}

TEST(Segregation, IsTheDifferenceOfMeanHeightsOverTheBed) {
    auto frame = empty_frame<3>(10.0);
    const double radii[] = {1.0, 1.0, 2.0, 2.0}, heights[] = {1.0, 3.0, 5.0, 9.0};
    for (int k = 0; k < 4; ++k) add_grain<3>(frame, {0, 0, heights[k]}, radii[k]);
    const Result result = measure(spec("segregation"), frame);
    // Bottom 0; centre of the volume (1 + 3 + 8 * 5 + 8 * 9) / 18 = 116 / 18.
    const double bed = 2 * 116.0 / 18;
    EXPECT_NEAR(result.value("bed_height"), bed, 1e-13);
    EXPECT_NEAR(result.value("index"), (7.0 - 2.0) / bed, 1e-14);
    EXPECT_NEAR(result.value("rank_correlation"), 2.0 / std::sqrt(5.0), 1e-14);   // ranks 1.5 1.5 3.5 3.5 against 1 2 3 4
    EXPECT_NE(complaint<3>(spec("segregation", {{"large", 1}})).find("`small` is missing"), std::string::npos);
}

TEST(Tracer, IsTheTaggedBodyInItsBed) {
    auto frame = empty_frame<2>(10.0);
    add_body<2>(frame, {1, 1}, 1.0, 1.0, false, 0);
    add_body<2>(frame, {2, 5}, 1.0, 1.0, false, 7);
    frame.velocity[1] = {3, 4};
    const Result result = measure(spec("tracer", {{"tags", 7}}), frame);
    EXPECT_EQ(result.value("height"), 5.0);
    EXPECT_NEAR(result.value("relative_height"), 5.0 / 6.0, 1e-15);   // an even bed of this centre (3) is 6 high
    EXPECT_EQ(result.value("x"), 2.0);
    EXPECT_EQ(result.value("speed"), 5.0);
    EXPECT_NE(complaint<2>(spec("tracer")).find("`tags` is missing"), std::string::npos);
}

TEST(WallForce, IsComparedWithTheWeight) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame), grain = add_grain<2>(frame, {0, 1}, 1.0, 2.0);
    add_contact<2>(frame, grain, floor, {0, 0}, Vec<2>::UnitY(), {3, 15});
    const Result result = measure(spec("wall_force"), frame);
    EXPECT_NEAR(result.value("upward_over_weight"), -0.75, 1e-15);   // grains push the floor down
    EXPECT_NEAR(result.value("pushing_over_weight"), 0.75, 1e-15);
}

}  // namespace
}  // namespace talus::observe
