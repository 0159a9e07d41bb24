// Emitters: rate, count, places, sizes, and the lowest free height.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/lowest_free.h"
#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

std::string with_floor(int dimension, const std::string& emitter) {
    const std::string normal = dimension == 2 ? "[0, 1]" : "[0, 0, 1]";
    return head(dimension) + "gravity: 9.81\nbodies: [{name: floor, plane: {normal: " + normal +
           "}}]\nemitters:\n  - " + emitter + "\n";
}

template <int Dim>
void run(Simulation<Dim>& s, double until) {
    while (!s.finished() && s.world().time() < until - 1e-9) (void)s.advance();
}

TEST(Emitter, releases_at_its_rate_until_its_count) {
    const Scene scene = read(with_floor(2,
                                        "{name: e, region: {interval: [-5, 5]}, rate: 50, count: 8, start: 0.1, "
                                        "height: 3, diameter: 0.1, velocity: [0, -1]}"));
    Simulation<2> s(scene);
    run(s, 0.1);
    EXPECT_EQ(s.counts().emitted[0], 0);
    run(s, 0.15);  // due at 0.1, 0.12, 0.14
    EXPECT_EQ(s.counts().emitted[0], 3);
    run(s, 1.0);
    EXPECT_EQ(s.counts().emitted[0], 8);
    EXPECT_EQ(s.world().size(), 9u);
    EXPECT_NEAR(s.world().births()[1], 0.1, 1e-12);
    EXPECT_NEAR(s.world().births()[2], 0.12, 1e-12);
}

TEST(Emitter, stops_when_told) {
    Simulation<2> s(
        read(with_floor(2, "{region: {interval: [-5, 5]}, rate: 50, stop: 0.05, height: 3, diameter: 0.1}")));
    run(s, 0.5);
    EXPECT_EQ(s.counts().emitted[0], 3);  // at 0, 0.02, 0.04
}

TEST(Emitter, waits_while_its_place_is_taken) {
    // At one point, without gravity: the first grain never moves away.
    const std::string text =
        head(2) + "emitters: [{region: {point: 0}, rate: 100, count: 5, height: 1, diameter: 0.1}]\n";
    Simulation<2> s(read(text));
    run(s, 0.2);
    EXPECT_EQ(s.counts().emitted[0], 1);
    EXPECT_GT(s.counts().delayed_steps, 100);
}

TEST(Emitter, grains_lie_in_the_region_with_the_stated_sizes_and_speeds) {
    Simulation<3> s(
        read(with_floor(3,
                        "{name: e, region: {disk: {centre: [1, 2], radius: 0.5}}, rate: 1000, height: 3, diameter: "
                        "{uniform: [0.001, 0.002]}, velocity: [0, 0, -1], dispersion: 0.1, tag: 9}") +
             "allow: [coarse_step]\n"));
    for (int i = 0; i < 100; ++i) (void)s.advance();
    const auto& w = s.world();
    ASSERT_EQ(w.size(), 101u);
    double mean = 0.0;
    for (std::size_t i = 1; i < w.size(); ++i) {
        EXPECT_LE((w.positions()[i].head<2>() - Eigen::Vector2d(1, 2)).norm(),
                  0.5 + 0.1 * 0.1 + 1e-12);  // and what it drifted
        EXPECT_GE(w.radii()[i], 0.0005);
        EXPECT_LE(w.radii()[i], 0.001);
        EXPECT_EQ(w.tags()[i], 9);
        mean += w.radii()[i] / 100.0;
    }
    EXPECT_NEAR(mean, 0.00075, 5.0 * 0.0005 / std::sqrt(1200.0));  // five standard errors
}

TEST(Emitter, box_bounds_the_height) {
    Simulation<2> s(
        read(head(2) + "emitters: [{region: {box: {low: [0, 5], high: [10, 6]}}, rate: 1000, diameter: 0.01}]\n"));
    for (int i = 0; i < 50; ++i) (void)s.advance();
    for (const auto& p : s.world().positions()) {
        EXPECT_GE(p[1], 5.0);
        EXPECT_LE(p[1], 6.0);
    }
}

TEST(LowestFree, is_exact_on_a_ball_and_on_a_plane) {
    const Scene scene = read(head(3) +
                             "gravity: 10\nbodies:\n  - {name: floor, plane: {}}\n  - {name: b, ball: {radius: 1}, "
                             "position: [0, 0, 3], fixed: true}\n");
    const Simulation<3> s(scene);
    const Frame& frame = scene.frame;
    const auto above_ball = land<3>(s.world(), {frame, 0.6, 0.0, 0.5}, infinity);
    ASSERT_EQ(above_ball.kind, Landing::Kind::found);
    EXPECT_NEAR(above_ball.height, 3.0 + std::sqrt(1.5 * 1.5 - 0.6 * 0.6), 1e-8);  // a hair above the touch
    const auto beside = land<3>(s.world(), {frame, 5.0, 0.0, 0.5}, infinity);
    ASSERT_EQ(beside.kind, Landing::Kind::found);
    EXPECT_NEAR(beside.height, 0.5, 1e-6);  // stops a millionth of the radius above a boundary
    const auto below_ball = land<3>(s.world(), {frame, 0.0, 0.0, 0.5}, 1.0);
    ASSERT_EQ(below_ball.kind, Landing::Kind::found);
    EXPECT_NEAR(below_ball.height, 0.5, 1e-6);
    EXPECT_EQ(land<3>(s.world(), {frame, 0.0, 0.0, 0.5}, 2.0).kind, Landing::Kind::blocked);
}

TEST(LowestFree, never_overlaps_what_is_there) {
    const Scene scene = read(with_floor(2,
                                        "{region: {interval: [-0.3, 0.3]}, rate: 200, count: 60, height: lowest_free, "
                                        "diameter: {uniform: [0.05, 0.1]}}"));
    Simulation<2> s(scene);
    std::size_t seen = s.world().size();
    while (!s.finished() && s.counts().emitted[0] < 60) {
        const auto before = s.counts().emitted[0];
        const StepReport report = s.advance();
        if (s.counts().emitted[0] > before) {
            EXPECT_LT(report.max_overlap, 0.05);
        }
        seen = std::max(seen, s.world().size());
    }
    EXPECT_EQ(seen, 61u);
}

TEST(LowestFree, grains_wait_while_they_would_start_too_far_above_the_apex) {
    // One place: grains stack in a column. Held within half a diameter of the apex, they must wait for it to fall.
    const std::string limit =
        "{region: {interval: [-0.02, 0.02]}, rate: 500, count: 30, height: lowest_free, diameter: 0.1, above_apex: ";
    Simulation<2> tight(read(with_floor(2, limit + "0.12}"))), loose(read(with_floor(2, limit + "10}")));
    double highest_tight = 0.0, highest_loose = 0.0;
    for (int i = 0; i < 60; ++i) {
        (void)tight.advance();
        (void)loose.advance();
        for (const auto& p : tight.world().positions()) highest_tight = std::max(highest_tight, p[1]);
        for (const auto& p : loose.world().positions()) highest_loose = std::max(highest_loose, p[1]);
    }
    EXPECT_GT(tight.counts().delayed_steps, 0);
    EXPECT_EQ(loose.counts().delayed_steps, 0);
    EXPECT_LT(highest_tight, highest_loose);
}

TEST(LowestFree, without_anything_below_is_an_error) {
    Simulation<2> s(read(
        head(2) +
        "gravity: 9.81\nemitters: [{name: e, region: {point: 0}, rate: 100, height: lowest_free, diameter: 0.1}]\n"));
    EXPECT_THROW((void)s.advance(), InputError);
}

TEST(LowestFree, follows_a_tilted_gravity) {
    const Scene scene = read(head(2) + "gravity: [-1, -1]\nbodies: [{name: b, ball: {radius: 1}, fixed: true}]\n");
    const Simulation<2> s(scene);
    const auto landing = land<2>(s.world(), {scene.frame, 0.0, 0.0, 0.5}, infinity);
    EXPECT_NEAR(landing.height, 1.5, 1e-8);
    EXPECT_NEAR(scene.frame.at(0.0, 0.0, landing.height)[0], 1.5 / std::sqrt(2.0), 1e-8);
}

}  // namespace
}  // namespace talus::scene::testing
