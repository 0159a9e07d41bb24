// What scene files mean: units, tags, coefficients, drives, names, and what a summary says.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/summary.h"
#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

TEST(Units, cgs_is_converted_to_si) {
    const Scene s = read(
        "talus: 1\ndimension: 3\nunits: cgs\ngravity: 981\nstep: 1e-3\nduration: 1\nmaterials: {g: {density: 2.5, "
        "friction: {static: 0.5, dynamic: 0.3, speed: 10}}}\n"
        "bodies: [{name: b, ball: {diameter: 2}, position: [100, 0, 5], velocity: [0, 0, -10], mass: 3, inertia: 4, "
        "force: [1e5, 0, 0]}]\nallow: [coarse_step]\n");
    EXPECT_DOUBLE_EQ(s.stages[0].gravity[2], -9.81);
    EXPECT_DOUBLE_EQ(s.materials[0].density, 2500.0);
    EXPECT_DOUBLE_EQ(s.bodies[0].radius, 0.01);
    EXPECT_DOUBLE_EQ(s.bodies[0].position[0], 1.0);
    EXPECT_DOUBLE_EQ(s.bodies[0].velocity[2], -0.1);
    EXPECT_DOUBLE_EQ(s.bodies[0].mass, 3e-3);
    EXPECT_DOUBLE_EQ(s.bodies[0].inertia[0], 4e-7);
    EXPECT_DOUBLE_EQ(s.stages[0].laws[0].law.friction.speed[1], 0.1);
    EXPECT_DOUBLE_EQ(s.bodies[0].motion.loads[0].function->value(0.0, {}, {}), 1.0);  // 1e5 dyn
}

TEST(Units, in_the_plane_densities_are_per_area) {
    EXPECT_DOUBLE_EQ(read("talus: 1\ndimension: 2\nunits: cgs\nstep: 1\nduration: 1\nmaterials: {g: {density: 2.5}}\n")
                         .materials[0]
                         .density,
                     25.0);
}

TEST(Units, the_same_experiment_in_both_systems_moves_alike) {
    const auto text = [](const std::string& units, const std::string& l, const std::string& g, const std::string& rho) {
        return "talus: 1\ndimension: 2\nunits: " + units + "\ngravity: " + g +
               "\nstep: 1e-3\nduration: 0.2\nmaterials: {g: {density: " + rho + ", friction: 0.5}}\n" +
               "bodies: [{plane: {}}]\ngenerate: [{lattice: {kind: triangular, counts: [4, 4], origin: [0, " + l +
               "]}, diameter: " + l + "}]\n";
    };
    Simulation<2> si(read(text("si", "0.1", "9.81", "1000"))), cgs(read(text("cgs", "10", "981", "100")));
    while (!si.finished()) {
        (void)si.advance();
        (void)cgs.advance();
    }
    for (std::size_t i = 0; i < si.world().size(); ++i)
        EXPECT_NEAR((si.world().positions()[i] - cgs.world().positions()[i]).norm(), 0.0,
                    1e-12);  // 10 / 100 and 0.1 are the same double here
}

TEST(Units, expressions_are_in_the_units_of_the_scene) {
    const Scene s = read(
        "talus: 1\ndimension: 2\nunits: cgs\nstep: 1e-3\nduration: 1\nmaterials: {g: {density: 1}}\n"
        "bodies: [{ball: {radius: 1}, force: [\"-2*x + vy\", 0], freedoms: {y: {expression: \"3*t\"}}}]\n");
    const auto& motion = s.bodies[0].motion;
    const double x[2] = {0.05, 0.0}, v[3] = {0.0, 0.02, 0.0};  // 5 cm, 2 cm/s
    EXPECT_NEAR(motion.loads[0].function->value(0.0, x, v), (-10.0 + 2.0) * 1e-5, 1e-18);
    EXPECT_NEAR(motion.freedoms[1].drive->value(2.0), 0.06, 1e-12);
}

TEST(Tags, names_are_numbered_and_things_carry_their_own) {
    const Scene s =
        read(head(2) +
             "bodies: [{name: floor, plane: {}}, {name: b, ball: {radius: 1}, position: [0, 5], tag: big}]\n"
             "generate: [{name: g, lattice: {kind: square, counts: [2, 2], origin: [5, 5]}, diameter: 1, tag: 7}, "
             "{lattice: {kind: square, counts: [1, 1], origin: [9, 9]}, diameter: 1}]\n");
    EXPECT_EQ(s.bodies[0].tag, s.tags.at("floor"));
    EXPECT_EQ(s.bodies[1].tag, s.tags.at("big"));
    EXPECT_EQ(s.bodies[0].tag, 1001);
    EXPECT_EQ(s.grains[0].tag, 7);
    EXPECT_EQ(s.grains[4].tag, 0);
}

TEST(Laws, a_material_carries_its_own_pair_and_pairs_hold_in_both_orders) {
    const Scene s = read(
        "talus: 1\ndimension: 2\nstep: 1\nduration: 1\nmaterials: {a: {density: 1, friction: 0.3}, b: }\npairs: "
        "[{between: [b, a], restitution: {speed: [0, 2], value: [1, 0.5]}}]\n");
    ASSERT_EQ(s.stages[0].laws.size(), 2u);
    EXPECT_DOUBLE_EQ(s.stages[0].laws[0].law.friction.value, 0.3);
    EXPECT_DOUBLE_EQ(s.stages[0].laws[1].law.restitution.at(1.0), 0.75);
}

TEST(Gravity, a_number_points_down_the_last_axis) {
    EXPECT_EQ(read(head(3) + "gravity: 9.81\n").stages[0].gravity, Point(0, 0, -9.81));
    EXPECT_EQ(read(head(2) + "gravity: [1, 2]\n").stages[0].gravity, Point(1, 2, 0));
    EXPECT_EQ(read(head(2)).frame.up, Point(0, 1, 0));
}

TEST(Shapes, friendly_parameters_become_the_numbers_of_the_engine) {
    const Scene s =
        read(head(3) +
             "bodies:\n  - {plane: {normal: [0, 3, 4]}}\n  - {plate: {size: [1, 2]}}\n  - {box_inside: {size: [1, 2, "
             ".inf]}}\n  - {cylinder_inside: {diameter: 3}}\n"
             "  - {cone_inside: {lower_radius: 0.1, upper_radius: 0.5, height: 2}}\n  - {ball_inside: {radius: 4}}\n");
    EXPECT_EQ(s.bodies[0].shape.sizes, (std::vector<double>{0.0, 0.6, 0.8}));
    EXPECT_EQ(s.bodies[1].shape.sizes, (std::vector<double>{1, 2}));
    EXPECT_TRUE(std::isinf(s.bodies[2].shape.sizes[2]));
    EXPECT_EQ(s.bodies[3].shape.sizes[0], 1.5);
    EXPECT_TRUE(std::isinf(s.bodies[3].shape.sizes[1]));
    EXPECT_EQ(s.bodies[4].shape.sizes, (std::vector<double>{0.1, 0.5, 2}));
    EXPECT_EQ(s.bodies[5].shape.sizes, (std::vector<double>{4}));
}

TEST(Shapes, a_segment_between_two_points_is_placed_by_them) {
    const Scene s = read(head(2) + "bodies: [{segment: {from: [1, 1], to: [1, 3]}}]\n");
    EXPECT_EQ(s.bodies[0].position, Point(1, 2, 0));
    EXPECT_DOUBLE_EQ(s.bodies[0].turn[0], M_PI / 2);
    EXPECT_DOUBLE_EQ(s.bodies[0].shape.sizes[0], 2.0);
}

TEST(Drives, start_from_zero_and_velocities_are_integrated) {
    const auto drive = [](const std::string& text) {
        return read(head(2) + "bodies: [{plane: {}, freedoms: {y: " + text + "}}]\nallow: [coarse_step]\n")
            .bodies[0]
            .motion.freedoms[1]
            .drive;
    };
    EXPECT_NEAR(drive("{sine: {amplitude: 2, frequency: 1, phase: -90}}")->value(0.5), 4.0, 1e-12);
    EXPECT_NEAR(drive("{expression: {text: \"2*t\", quantity: velocity}}")->value(3.0), 9.0, 1e-9);
    EXPECT_NEAR(drive("{table: {time: [0, 1], value: [6, 6], quantity: acceleration}}")->value(2.0), 12.0, 1e-9);
    EXPECT_NEAR(drive("{ramp: {from: 1, to: 3, end: 2}}")->value(1.0), 1.0, 1e-12);  // from where it stands
    EXPECT_NEAR(drive("{constant: 5}")->slope(1.0), 5.0, 1e-12);
}

TEST(Drives, an_ellipse_moves_both_axes) {
    const Scene s =
        read(head(2) + "bodies: [{plane: {}, drive: {ellipse: {cosine: [2, 0], sine: [0, 1], frequency: 0.25}}}]\n");
    EXPECT_NEAR(s.bodies[0].motion.freedoms[0].drive->value(1.0), -2.0, 1e-12);  // a quarter turn
    EXPECT_NEAR(s.bodies[0].motion.freedoms[1].drive->value(1.0), 1.0, 1e-12);
    EXPECT_NEAR(s.bodies[0].motion.freedoms[0].drive->slope(1.0), -2.0 * M_PI / 2, 1e-12);
}

TEST(Periodic, sets_only_the_named_axes) {
    const Scene s = read(head(3) + "periodic: {y: [-1, 2]}\n");
    EXPECT_EQ(s.periodic, (std::array<bool, 3>{false, true, false}));
    EXPECT_DOUBLE_EQ(s.cell_high[1], 2.0);
}

TEST(Checks, can_be_waived_by_name) {
    const std::string overlap = head(2) + "bodies: [{ball: {radius: 1}}, {ball: {radius: 1}, position: [1, 0]}]\n";
    EXPECT_NE(message(overlap), "");
    EXPECT_EQ(message(overlap + "allow: [overlap]\n"), "");
}

TEST(Checks, walls_may_overlap_and_touching_is_no_overlap) {
    EXPECT_EQ(message(head(2) + "bodies: [{plane: {}}, {ball: {radius: 0.1}, position: [0, 0.1]}, {ball: {radius: "
                                "0.1}, position: [0.2, 0.1]}]\n"),
              "");
    EXPECT_EQ(message(head(2) + "bodies: [{plane: {}}, {ball: {radius: 1}, fixed: true}, {ball: {radius: 1}, position: "
                                "[1, 0], fixed: true}]\n"),
              "");
}

TEST(Checks, find_overlaps_round_a_periodic_cell) {
    EXPECT_NE(message(head(2) + "periodic: {x: [0, 1]}\nbodies: [{ball: {radius: 0.1}, position: [0.05, 0]}, {ball: "
                                "{radius: 0.1}, position: [0.95, 0]}]\n"),
              "");
}

TEST(Observe, entries_are_handed_over_with_places_and_units) {
    const Scene s = read("units: cgs\n" + head(2) + "observe:\n  - energy\n  - {name: contacts, label: all}\n");
    ASSERT_EQ(s.observe.size(), 2u);
    EXPECT_EQ(s.observe[0].name, "energy");
    EXPECT_EQ(s.observe[1].label, "all");
    EXPECT_EQ(s.observe[1].where, "scene.yaml:9:5");
    EXPECT_EQ(s.observe[0].units, observe::UnitSystem::cgs);
}

TEST(Summary, counts_what_the_scene_holds) {
    const Scene s = read(head(2) +
                         "gravity: 9.81\nbodies: [{plane: {}}]\ngenerate: [{name: g, lattice: {kind: square, counts: "
                         "[3, 4], origin: [0, 1]}, diameter: 0.2, velocity: [0, -2]}]\n"
                         "emitters: [{region: {interval: [0, 1]}, rate: 10, height: 5, diameter: 0.1}]\n");
    const Summary sum = summary(s);
    EXPECT_EQ(sum.free_balls, 12);
    EXPECT_EQ(sum.boundaries, 1);
    EXPECT_EQ(sum.emitted, 11);
    EXPECT_EQ(sum.steps, 1000);
    EXPECT_NEAR(sum.mass, 12 * 1000 * M_PI * 0.01, 1e-9);
    EXPECT_DOUBLE_EQ(sum.top_speed, 2.0);
    EXPECT_NEAR(sum.travel, 0.02, 1e-12);
    EXPECT_DOUBLE_EQ(sum.min_diameter, 0.1);
    EXPECT_NE(to_text(sum, s.units).find("12 free"), std::string::npos);
    EXPECT_EQ(to_json(sum)["steps"], 1000);
}

TEST(Files, that_are_missing_are_io_errors_with_the_place) {
    EXPECT_THROW((void)load_scene("/nowhere/scene.yaml"), IoError);
    try {
        (void)read(head(2) + "start: {csv: nowhere.csv}\n");
        FAIL();
    } catch (const IoError& e) {
        EXPECT_EQ(std::string(e.what()),
                  "scene.yaml:6:14: nowhere.csv: cannot be opened; check the path (it is relative to the scene)");
    }
}

}  // namespace
}  // namespace talus::scene::testing
