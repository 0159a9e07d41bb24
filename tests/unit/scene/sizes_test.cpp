// Random numbers and size distributions. Bounds on means are five standard errors of the sample.
#include "scene/sizes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

constexpr int samples = 40000;

template <class F>
double mean(const Sizes& sizes, F&& f) {
    Random random(5);
    double sum = 0.0;
    for (int k = 0; k < samples; ++k) sum += f(sizes.draw(static_cast<std::uint64_t>(k), random));
    return sum / samples;
}

Sizes between(Sizes::Kind kind, int dimension) {
    Sizes s;
    s.kind = kind;
    s.dimension = dimension;
    s.low = 1.0;
    s.high = 2.0;
    return s;
}

TEST(Random, is_the_same_for_the_same_seed_and_differs_between_streams) {
    Random a(1, 2, 3), b(1, 2, 3), c(1, 2, 4);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
    EXPECT_NE(a.next(), c.next());
    EXPECT_EQ(Random(1).next(), 16321491304643971414ull);  // golden: a change here changes every scene
}

TEST(Random, uniform_has_the_mean_and_variance_of_the_unit_interval) {
    Random random(9);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < samples; ++i) {
        const double u = random.uniform();
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    EXPECT_NEAR(sum / samples, 0.5, 5.0 * std::sqrt(1.0 / 12.0 / samples));
    EXPECT_NEAR(squares / samples, 1.0 / 3.0, 5.0 * std::sqrt(4.0 / 45.0 / samples));
}

TEST(Sizes, cube_root_is_that_of_the_library) {
    for (const double x : {1e-30, 1e-9, 0.3, 1.0, 8.0, 27.5, 1e12})
        EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1.0, 4e-16);  // two roundings
}

TEST(Sizes, uniform_is_uniform_in_size) {
    EXPECT_NEAR(mean(between(Sizes::Kind::uniform, 3), [](double r) { return r; }), 1.5,
                5.0 * std::sqrt(1.0 / 12.0 / samples));
}

TEST(Sizes, uniform_mass_makes_the_mean_mass_the_middle_one) {
    // mass uniform on [1, 8] (space) or [1, 4] (plane): standard deviation width / sqrt(12)
    EXPECT_NEAR(mean(between(Sizes::Kind::uniform_mass, 3), [](double r) { return r * r * r; }), 4.5,
                5.0 * 7.0 / std::sqrt(12.0 * samples));
    EXPECT_NEAR(mean(between(Sizes::Kind::uniform_mass, 2), [](double r) { return r * r; }), 2.5,
                5.0 * 3.0 / std::sqrt(12.0 * samples));
}

TEST(Sizes, uniform_volume_gives_every_class_the_same_volume) {
    for (const int dim : {2, 3}) {
        double lower = 0.0, upper = 0.0;
        const Sizes sizes = between(Sizes::Kind::uniform_volume, dim);
        Random random(3);
        for (int k = 0; k < samples; ++k) {
            const double r = sizes.draw(0, random), volume = std::pow(r, dim);
            ASSERT_GE(r, 1.0 - 1e-12);
            ASSERT_LE(r, 2.0 + 1e-12);
            (r < 1.5 ? lower : upper) += volume;
        }
        EXPECT_NEAR(lower / upper, 1.0, 0.05);  // relative standard error of either sum is below 1 %
    }
}

TEST(Sizes, weights_are_frequencies_and_counts_are_exact) {
    const std::string text =
        head(2) +
        "generate:\n  - {lattice: {kind: square, counts: [30, 30], spacing: 10}, diameter: {table: {size: [1, 2, 3], ";
    const auto counted = read(text + "count: [300, 200, 400]}}}\n");
    std::map<double, int> exact;
    for (const auto& ball : counted.grains) ++exact[ball.radius];
    EXPECT_EQ(exact[0.5], 300);
    EXPECT_EQ(exact[1.0], 200);
    EXPECT_EQ(exact[1.5], 400);
    const auto weighted = read(text + "weight: [3, 0, 1]}}}\n");
    std::map<double, int> drawn;
    for (const auto& ball : weighted.grains) ++drawn[ball.radius];
    EXPECT_EQ(drawn[1.0], 0);
    EXPECT_NEAR(drawn[0.5], 675, 5.0 * std::sqrt(900 * 0.75 * 0.25));
}

}  // namespace
}  // namespace talus::scene::testing
