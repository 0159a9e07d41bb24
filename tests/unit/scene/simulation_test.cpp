// Stages, sinks, freezing and starts.
#include "scene/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

const std::string floor_and_ball =
    "gravity: 10\nbodies:\n  - {name: floor, plane: {normal: [0, 1]}}\n  - {name: ball, ball: {radius: 0.1}, position: "
    "[0, 0.5]}\n";

TEST(Stages, end_after_their_duration_to_the_step) {
    const Scene scene =
        read(head(2) + floor_and_ball + "stages: [{name: a, duration: 0.1}, {name: b, duration: 0.05, step: 5e-4}]\n");
    Simulation<2> s(scene);
    int in_a = 0, in_b = 0;
    while (!s.finished()) {
        ++(s.stage() == "a" ? in_a : in_b);
        (void)s.advance();
    }
    EXPECT_EQ(in_a, 100);
    EXPECT_EQ(in_b, 100);
    EXPECT_NEAR(s.world().time(), 0.15, 1e-12);
    EXPECT_DOUBLE_EQ(s.progress(), 1.0);
}

TEST(Stages, end_when_the_grains_are_at_rest_and_not_before_after) {
    const std::string until = "stages: [{name: fall, until: {kinetic_energy_per_grain: 1e-6, after: 0.05}}]\n";
    Simulation<2> s(read(head(2) + floor_and_ball + until));
    while (!s.finished()) (void)s.advance();
    const double fall = std::sqrt(2.0 * 0.4 / 10.0);
    EXPECT_NEAR(s.world().time(), fall, 3e-3);  // plastic floor: at rest when it lands, to a few steps
    Simulation<2> late(read(head(2) + floor_and_ball + "stages: [{until: {max_speed: 1e-3, after: 0.6}}]\n"));
    while (!late.finished()) (void)late.advance();
    EXPECT_NEAR(late.world().time(), 0.6, 1.1e-3);
}

TEST(Stages, are_capped_by_the_duration_of_the_scene) {
    Simulation<2> s(
        read("talus: 1\ndimension: 2\nstep: 1e-3\nduration: 0.02\nmaterials: {grain: {density: 1, friction: 0}}\n" +
             floor_and_ball + "stages: [{duration: 0.5}]\n"));
    while (!s.finished()) (void)s.advance();
    EXPECT_NEAR(s.world().time(), 0.02, 1e-12);
}

TEST(Stages, a_drive_begins_with_its_stage_and_goes_on_when_unchanged) {
    const std::string text = head(2) +
                             "bodies: [{name: wall, plane: {}, position: [0, 1], freedoms: {y: {sine: {amplitude: 0.1, "
                             "frequency: 2.5}}}}]\n" +
                             "stages: [{name: hold, duration: 0.1, bodies: {wall: {freedoms: {y: fixed}}}}, {name: "
                             "move, duration: 0.1}, {name: on, duration: 0.1}]\n";
    Simulation<2> s(read(text));
    const auto height = [&] { return s.world().positions()[0][1]; };
    for (int i = 0; i < 100; ++i) (void)s.advance();
    EXPECT_DOUBLE_EQ(height(), 1.0);
    for (int i = 0; i < 100; ++i) (void)s.advance();
    EXPECT_NEAR(height(), 1.0 + 0.1 * std::sin(2.0 * M_PI * 2.5 * 0.1), 1e-12);
    EXPECT_EQ(s.stage(), "on");
    for (int i = 0; i < 50; ++i) (void)s.advance();
    EXPECT_NEAR(height(), 1.0 + 0.1 * std::sin(2.0 * M_PI * 2.5 * 0.15), 1e-12);  // did not restart
}

TEST(Stages, a_new_drive_begins_where_the_body_stands) {
    const std::string text =
        head(2) + "bodies: [{name: wall, plane: {}, freedoms: {y: {constant: 1}}}]\n" +
        "stages: [{duration: 0.1}, {duration: 0.1, bodies: {wall: {freedoms: {y: {constant: -2}}}}}]\n";
    Simulation<2> s(read(text));
    while (!s.finished()) (void)s.advance();
    EXPECT_NEAR(s.world().positions()[0][1], 0.1 - 0.2, 1e-12);
}

TEST(Stages, change_gravity_and_laws_for_themselves_only) {
    const std::string text = head(2) + floor_and_ball +
                             "stages: [{duration: 0.01, gravity: 0, pairs: [{between: [grain, grain], restitution: "
                             "0.5}]}, {duration: 0.01}]\n";
    const Scene scene = read(text);
    EXPECT_DOUBLE_EQ(scene.stages[0].laws[0].law.restitution.value, 0.5);
    EXPECT_DOUBLE_EQ(scene.stages[0].laws[0].law.friction.value, 0.5);  // kept
    EXPECT_DOUBLE_EQ(scene.stages[1].laws[0].law.restitution.value, 0.0);
    Simulation<2> s(scene);
    for (int i = 0; i < 10; ++i) (void)s.advance();
    EXPECT_DOUBLE_EQ(s.world().velocities()[1][1], 0.0);
    for (int i = 0; i < 10; ++i) (void)s.advance();
    EXPECT_NEAR(s.world().velocities()[1][1], -0.1, 1e-12);
}

TEST(Stages, switch_emitters_whose_clock_starts_then) {
    const std::string text =
        head(2) +
        "gravity: 10\nemitters: [{name: e, region: {interval: [-9, 9]}, rate: 100, height: 5, diameter: 0.1}]\n" +
        "stages: [{duration: 0.1, emitters: {e: false}}, {duration: 0.045}]\n";
    Simulation<2> s(read(text));
    while (!s.finished()) (void)s.advance();
    EXPECT_EQ(s.counts().emitted[0], 5);  // 0, 0.01, ... 0.04 after the switch
    Simulation<2> until(read(head(2) +
                             "gravity: 10\nemitters: [{name: e, region: {interval: [-9, 9]}, rate: 100, count: 5, "
                             "height: 5, diameter: 0.1}]\n" +
                             "stages: [{until: {emitters_done: true}}]\n"));
    while (!until.finished()) (void)until.advance();
    EXPECT_EQ(until.counts().emitted[0], 5);
    EXPECT_NEAR(until.world().time(), 0.041, 1e-9);
}

TEST(Loads, force_begins_with_its_stage) {
    const std::string text = head(2) +
                             "bodies: [{name: b, ball: {radius: 0.1}, mass: 2}]\nstages: [{duration: 0.1}, {duration: "
                             "0.1, bodies: {b: {force: [\"2*t\", 0]}}}]\n";
    Simulation<2> s(read(text));
    while (!s.finished()) (void)s.advance();
    EXPECT_NEAR(s.world().velocities()[0][0], 0.5 * 0.1 * 0.1,
                1e-9);  // integral of t; the midpoint rule is exact for it
}

TEST(Loads, pressure_acts_on_the_current_length) {
    const std::string text = head(2) +
                             "bodies:\n  - {name: low, plane: {normal: [0, 1]}}\n  - {name: high, plane: {normal: [0, "
                             "-1]}, position: [0, 3]}\n" +
                             "  - {name: side, plane: {normal: [1, 0]}, mass: 2, freedoms: {x: free}, pressure: {axis: "
                             "x, value: 10, across: [[low, high]]}}\n";
    Simulation<2> s(read(text));
    for (int i = 0; i < 10; ++i) (void)s.advance();
    EXPECT_NEAR(s.world().velocities()[2][0], 10.0 * 3.0 / 2.0 * 0.01, 1e-12);
}

TEST(Sinks, remove_and_count_the_grains_they_concern) {
    const std::string grains =
        "gravity: 10\ngenerate:\n  - {name: a, lattice: {kind: square, counts: [5, 2]}, diameter: 0.1}\n  - {name: b, "
        "lattice: {kind: square, counts: [3, 1], origin: [2, 0]}, diameter: 0.1}\n";
    Simulation<2> s(read(head(2) + grains + "sinks: [{name: drain, below: -1}]\n"));
    while (!s.finished()) (void)s.advance();
    EXPECT_EQ(s.counts().removed[0], 13);
    EXPECT_EQ(s.world().size(), 0u);
    Simulation<2> only(read(
        head(2) + grains +
        "sinks: [{inside: {box: {low: [-9, -9], high: [9, -1]}}, tag: b}, {outside: {disk: {radius: 3}}, tag: a}]\n"));
    while (!only.finished()) (void)only.advance();
    EXPECT_EQ(only.counts().removed[0], 3);
    EXPECT_EQ(only.counts().removed[1], 10);
}

TEST(Freeze, stops_grains_at_first_touch_and_only_those) {
    const std::string text =
        head(2) + "gravity: 10\nbodies: [{name: floor, plane: {}}]\n" +
        "generate:\n  - {name: low, lattice: {kind: square, counts: [5, 2], origin: [0, 0.2]}, diameter: 0.1}\n" +
        "  - {name: other, lattice: {kind: square, counts: [2, 1], origin: [5, 0.2]}, diameter: 0.1}\nfreeze: "
        "[{touching: floor, tag: low}]\n";
    Simulation<2> s(read(text));
    while (!s.finished()) (void)s.advance();
    EXPECT_EQ(s.counts().frozen, 5);
    int held = 0;
    for (std::size_t i = 1; i < s.world().size(); ++i) held += s.world().is_wall(i) ? 1 : 0;
    EXPECT_EQ(held, 5);
}

TEST(Freeze, may_name_a_generated_bed) {
    const std::string text = head(2) +
                             "gravity: 10\ngenerate:\n  - {name: bed, rough_bed: {region: {interval: [-1, 1]}, "
                             "spacing: 0.1}, diameter: 0.1}\n" +
                             "  - {name: drop, lattice: {kind: square, counts: [1, 1], origin: [0.05, 0.3]}, diameter: "
                             "0.1}\nfreeze: [{touching: bed}]\n";
    Simulation<2> s(read(text));
    while (!s.finished()) (void)s.advance();
    EXPECT_EQ(s.counts().frozen, 1);
}

TEST(Resume, repeats_what_happened_to_driven_bodies) {
    // A ball driven sideways is frozen, another removed, then stages change what is left of them.
    const std::string text =
        head(2) +
        "gravity: 10\nbodies:\n  - {name: floor, plane: {}}\n  - {name: sled, ball: {radius: 0.1}, position: [0, "
        "0.15], freedoms: {x: {constant: 0.5}}}\n" +
        "  - {name: lost, ball: {radius: 0.1}, position: [3, -1], freedoms: {x: {constant: 0.5}}}\n  - {name: wall, "
        "plane: {normal: [-1, 0]}, position: [9, 0], freedoms: {x: {constant: -0.1}}}\n" +
        "freeze: [{touching: floor, tag: sled}]\nsinks: [{below: -1.5}]\nallow: [overlap]\n" +
        "stages: [{duration: 0.5}, {duration: 0.3, bodies: {sled: {freedoms: {x: fixed}}, lost: {freedoms: {x: "
        "fixed}}, wall: {freedoms: {x: {constant: 0.2}}}}}]\n";
    const Scene scene = read(text);
    for (const int stop : {10, 300, 600}) {
        Simulation<2> whole(scene);
        for (int i = 0; i < stop; ++i) (void)whole.advance();
        const auto bytes = whole.checkpoint();
        Simulation<2> resumed(scene);
        resumed.restore(bytes);
        for (int i = 0; i < 150; ++i) {
            (void)whole.advance();
            (void)resumed.advance();
        }
        EXPECT_EQ(whole.checkpoint(), resumed.checkpoint()) << stop;
    }
}

TEST(Resume, refuses_bytes_of_another_scene_or_damaged_ones) {
    Simulation<2> a(read(head(2) + floor_and_ball)), b(read(head(2) + "gravity: 1\n"));
    const auto bytes = a.checkpoint();
    EXPECT_THROW(b.restore(bytes), IoError);
    Simulation<2> c(read(head(2) + floor_and_ball));
    EXPECT_THROW(c.restore(std::span(bytes).first(bytes.size() / 2)), IoError);
    EXPECT_THROW(c.restore(std::span(bytes).first(3)), IoError);
}

TEST(Start, takes_balls_impulses_and_places_of_boundaries_from_a_frame) {
    const std::string common =
        "gravity: 10\nbodies:\n  - {name: floor, plane: {normal: [0, 1]}, position: [0, 0], freedoms: {y: {constant: "
        "0.1}}}\n";
    Simulation<2> first(read(
        head(2) + common +
        "generate: [{name: g, lattice: {kind: square, counts: [3, 2], origin: [0, 0.05]}, diameter: 0.1, tag: 4}]\n"));
    for (int i = 0; i < 200; ++i) (void)first.advance();
    const Snapshot<2> frame = take_snapshot(first.world());

    const Scene scene = read(head(2) + common + "start: {run: other/run.h5, frame: 3}\n");
    StartPlan asked;
    Simulation<2> second(scene, [&](const StartPlan& plan) {
        asked = plan;
        return frame;
    });
    EXPECT_EQ(asked.run, "./other/run.h5");
    EXPECT_EQ(asked.frame, 3);
    ASSERT_EQ(second.world().size(), first.world().size());
    EXPECT_EQ(second.world().positions()[0], first.world().positions()[0]);  // the floor had risen
    EXPECT_EQ(second.world().tags()[3], 4);
    // The impulses came along: the first step starts solved, and needs fewer sweeps than from zero.
    const auto warm = second.advance();
    Simulation<2> cold(read(head(2) + common + "start: {run: r.h5, impulses: false}\n"),
                       [&](const StartPlan&) { return frame; });
    EXPECT_LT(warm.sweeps, cold.advance().sweeps);
    EXPECT_THROW(Simulation<2>{scene}, InputError);
}

TEST(Simulation, refuses_a_scene_of_another_dimension) { EXPECT_THROW(Simulation<3>(read(head(2))), InputError); }

}  // namespace
}  // namespace talus::scene::testing
