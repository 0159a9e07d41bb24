// Directions of contacts and how forces are spread over them.
#include <gtest/gtest.h>

#include "frames.h"

namespace talus::observe {
namespace {

constexpr double pi = std::numbers::pi;

/// A frame of two grains with contacts in the given directions [rad].
Snapshot<2> with_directions(const std::vector<double>& angles) {
    auto frame = empty_frame<2>(10.0);
    const BodyId a = add_grain<2>(frame, {0, 0}), b = add_grain<2>(frame, {1, 1});
    for (const double angle : angles) add_contact<2>(frame, a, b, {0.5, 0.5}, {std::cos(angle), std::sin(angle)}, {1, 0});
    return frame;
}

/// Angles spread over [0, pi) like (1 + a cos 4 theta) / pi, by the inverse of its integral.
std::vector<double> spread(int n, double a) {
    std::vector<double> angles;
    for (int k = 0; k < n; ++k) {
        const double wanted = (k + 0.5) / n;
        double low = 0.0, high = pi;
        for (int round = 0; round < 60; ++round) {
            const double middle = 0.5 * (low + high);
            (middle / pi + a * std::sin(4 * middle) / (4 * pi) < wanted ? low : high) = middle;
        }
        angles.push_back(low);
    }
    return angles;
}

TEST(Rose, FindsTheCoefficientsOfADistribution) {
    const Result result = measure(spec("rose"), with_directions(spread(4000, -0.6)));
    EXPECT_NEAR(result.value("a_2"), -0.6, 1e-5);   // midpoint rule with 4000 points
    EXPECT_NEAR(result.value("a_1"), 0.0, 1e-5);
    EXPECT_NEAR(result.value("b_2"), 0.0, 1e-5);
    EXPECT_NEAR(result.value("p_vertical"), 0.4 / (2 * pi), 1e-5);
    EXPECT_NEAR(result.value("p_max"), 1.6 / (2 * pi), 1e-5);
    EXPECT_NEAR(result.value("max_left"), 45.0, 0.01);
    EXPECT_NEAR(result.value("max_right"), 45.0, 0.01);
    // Standard deviation of 2 cos 4 theta over the root of the number; 200 samples know it to 5 %: four times that.
    EXPECT_NEAR(result.value("sigma_a_2"), std::sqrt(4 * (0.5 - 0.09) / 4000), 0.2 * 0.0202);
    EXPECT_GT(result.value("contrast_over_sigma"), 10.0);
    EXPECT_NEAR(result.value("anisotropy"), 0.0, 1e-4);   // cos 4 theta does not show in the second order
}

TEST(Rose, CountsEveryContactInTwoSectors) {
    const Result result = measure(spec("rose"), with_directions({pi / 180 * 20, pi / 180 * 22, pi / 180 * 100}));
    const Table& rose = *result.table("rose");
    ASSERT_EQ(rose.rows(), 24u);
    EXPECT_EQ(rose.column("count")->values[1], 2);
    EXPECT_EQ(rose.column("count")->values[13], 2);     // the other side
    EXPECT_EQ(rose.column("count")->values[6], 1);
    EXPECT_EQ(rose.column("count")->values[18], 1);
    double sum = 0.0;
    for (const double density : rose.column("density")->values) sum += density * 2 * pi / 24;
    EXPECT_NEAR(sum, 1.0, 1e-14);
}

TEST(Rose, IsTheSameForTheSameSeed) {
    const auto frame = with_directions(spread(50, 0.3));
    const auto sigma = [&](int seed) { return measure(spec("rose", {{"seed", seed}}), frame).value("sigma_a_1"); };
    EXPECT_EQ(sigma(1), sigma(1));
    EXPECT_NE(sigma(1), sigma(2));
}

TEST(Rose, TakesEffectiveContactsOrAll) {
    auto frame = with_directions({0.0, 0.0, pi / 2});
    frame.contacts[2].impulse.setZero();
    EXPECT_EQ(measure(spec("rose"), frame).value("contacts"), 2);
    EXPECT_EQ(measure(spec("rose", {{"which", "all"}}), frame).value("contacts"), 3);
}

TEST(Rose, OfSpaceHasFabricOfOrderTwoAndFour) {
    auto frame = empty_frame<3>(10.0);
    const BodyId a = add_grain<3>(frame, {0, 0, 0}), b = add_grain<3>(frame, {1, 1, 1});
    for (const Vec<3>& n : {Vec<3>(Vec<3>::UnitX()), Vec<3>(Vec<3>::UnitY()), Vec<3>(Vec<3>::UnitZ())})
        add_contact<3>(frame, a, b, {0.5, 0.5, 0.5}, n, {1, 0, 0});
    const Result even = measure(spec("rose"), frame);
    EXPECT_NEAR(even.value("fabric_xx"), 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(even.value("anisotropy"), 0.0, 1e-14);
    EXPECT_NEAR(even.value("fourth_zzzz"), 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(even.value("fourth_xxyy"), 0.0, 1e-15);
    EXPECT_NEAR(even.value("legendre_2"), 0.0, 1e-15);
    EXPECT_NEAR(even.value("legendre_4"), (1.0 + 2 * 3.0 / 8.0) / 3.0, 1e-15);
    frame.contacts.erase(frame.contacts.begin(), frame.contacts.begin() + 2);
    const Result upright = measure(spec("rose"), frame);
    EXPECT_NEAR(upright.value("principal_1"), 1.0, 1e-15);
    EXPECT_NEAR(upright.value("anisotropy"), 2.5, 1e-14);
    EXPECT_NEAR(upright.value("legendre_6"), 1.0, 1e-14);
    EXPECT_EQ(upright.value("max_inclination"), 0.0);
    EXPECT_NEAR(upright.value("major_from_vertical"), 0.0, 1e-6);
    const Table& inclination = *upright.table("inclination");
    EXPECT_NEAR(inclination.column("density")->values[0], 1.0 / (1.0 - std::cos(pi / 18)), 1e-10);   // all in 10 degrees
}

TEST(ForceDistribution, SplitsWeakFromStrong) {
    auto frame = empty_frame<2>(10.0);
    const BodyId a = add_grain<2>(frame, {0, 0}, 0.5), b = add_grain<2>(frame, {0, 1}, 0.5);
    const BodyId c = add_grain<2>(frame, {1, 0}, 0.5), d = add_grain<2>(frame, {-1, 0}, 0.5), e = add_grain<2>(frame, {1, 1}, 0.5);
    add_contact<2>(frame, a, b, {0, 0.5}, -Vec<2>::UnitY(), {0, -5});
    add_contact<2>(frame, a, c, {0.5, 0}, -Vec<2>::UnitX(), {-1, 0});
    add_contact<2>(frame, a, d, {-0.5, 0}, Vec<2>::UnitX(), {1, 0});
    add_contact<2>(frame, b, e, {0.5, 1}, -Vec<2>::UnitX(), {-1, 0.5});
    const Result result = measure(spec("force_distribution"), frame);
    EXPECT_EQ(result.value("contacts"), 4);
    EXPECT_NEAR(result.value("mean_normal"), 2.0, 1e-15);
    EXPECT_NEAR(result.value("mean_tangential"), 0.125, 1e-15);
    EXPECT_NEAR(result.value("participation"), 64.0 / (4 * 28), 1e-15);
    EXPECT_NEAR(result.value("cv"), std::sqrt(3.0) / 2.0, 1e-15);
    EXPECT_EQ(result.value("weak_fraction"), 0.75);
    EXPECT_NEAR(result.value("tail"), 1.0 / 1.5, 1e-14);
    EXPECT_NEAR(result.value("strong_share"), 5.0 / 8.0, 1e-14);
    EXPECT_NEAR(result.value("weak_share"), 3.0 / 8.0, 1e-14);
    EXPECT_NEAR(result.value("strong_direction"), 0.0, 1e-6);
    EXPECT_NEAR(result.value("weak_direction"), 90.0, 1e-6);
    EXPECT_NEAR(result.value("weak_anisotropy"), 2.0, 1e-14);
    const Result coarse = measure(spec("force_distribution", {{"bins", 3}, {"max", 3}}), frame);
    EXPECT_EQ(coarse.table("histogram")->column("count")->values, (std::vector<double>{3, 0, 1}));
}

TEST(GrainLoads, AreSumsOfNormalForces) {
    auto frame = empty_frame<2>(10.0);
    const BodyId floor = add_wall(frame);
    const BodyId low = add_grain<2>(frame, {0, 1}), high = add_grain<2>(frame, {0, 3});
    add_grain<2>(frame, {9, 9});
    add_contact<2>(frame, low, floor, {0, 0}, Vec<2>::UnitY(), {3, 20});
    add_contact<2>(frame, low, high, {0, 2}, -Vec<2>::UnitY(), {0, -10});
    const Result result = measure(spec("grain_loads", {{"grains", true}}), frame);
    EXPECT_EQ(result.table("grains")->column("load")->values, (std::vector<double>{30, 10, 0}));
    EXPECT_NEAR(result.value("mean"), 40.0 / 3.0, 1e-14);
    EXPECT_NEAR(result.value("cv"), std::sqrt(1000.0 / 3 - 1600.0 / 9) / (40.0 / 3), 1e-14);
    EXPECT_NEAR(result.value("gini"), 2.0 * (2 * 10 + 3 * 30) / (3 * 40.0) - 4.0 / 3.0, 1e-14);
    EXPECT_NEAR(result.value("loaded_fraction"), 2.0 / 3.0, 1e-15);
}

TEST(ForceChains, FollowTheLoadInLine) {
    auto frame = empty_frame<2>(10.0);
    const BodyId wall = add_wall(frame);
    for (int k = 0; k < 5; ++k) add_grain<2>(frame, {0, k + 0.5}, 0.5);      // ids 1 to 5: a column under load
    for (int k = 0; k < 5; ++k) add_grain<2>(frame, {1, k + 0.5}, 0.5);      // ids 6 to 10: hardly any
    add_contact<2>(frame, 1, wall, {0, 0}, Vec<2>::UnitY(), {0, 10});
    for (BodyId k = 1; k < 5; ++k) add_contact<2>(frame, k, k + 1, {0, static_cast<double>(k)}, -Vec<2>::UnitY(), {0, -10});
    add_contact<2>(frame, 5, wall, {0, 5}, -Vec<2>::UnitY(), {0, -10});
    for (BodyId k = 1; k <= 5; ++k) add_contact<2>(frame, k, k + 5, {0.5, k - 0.5}, -Vec<2>::UnitX(), {-1, 0});
    const Result result = measure(spec("force_chains", {{"grains", true}}), frame);
    EXPECT_EQ(result.value("chains"), 1);
    EXPECT_EQ(result.value("longest"), 5);
    EXPECT_EQ(result.value("in_chains"), 0.5);
    EXPECT_NEAR(result.value("chain_direction"), 0.0, 1e-6);
    EXPECT_EQ(result.table("members")->column("id")->values, (std::vector<double>{1, 2, 3, 4, 5}));
    EXPECT_EQ(measure(spec("force_chains", {{"least", 6}}), frame).value("chains"), 0);
}

}  // namespace
}  // namespace talus::observe
