// `--set key=value`.
#include "scene/override.h"

#include <gtest/gtest.h>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

std::string scene_text() {
    return head(2) +
           "gravity: 9.81\nbodies:\n  - {name: floor, plane: {normal: [0, 1]}}\n  - {ball: {radius: 0.1}, position: "
           "[0, 0.2]}\n" +
           "stages: [{name: one, duration: 1}, {name: two, duration: 2}]\n";
}

TEST(Override, replaces_a_value_by_path) {
    EXPECT_DOUBLE_EQ(read(scene_text(), {{"materials.grain.friction", "0.25"}}).stages[0].laws[0].law.friction.value,
                     0.25);
}

TEST(Override, reaches_list_entries_by_name_and_by_number_from_zero) {
    EXPECT_DOUBLE_EQ(read(scene_text(), {{"stages.1.duration", "5"}}).stages[1].duration, 5.0);
    EXPECT_DOUBLE_EQ(read(scene_text(), {{"stages.two.duration", "6"}}).stages[1].duration, 6.0);
    EXPECT_DOUBLE_EQ(read(scene_text(), {{"bodies.floor.position", "[0, -1]"}}).bodies[0].position[1], -1.0);
}

TEST(Override, may_add_a_key_or_a_section) {
    EXPECT_EQ(read(scene_text(), {{"solver.max_sweeps", "7"}}).stages[0].solver.max_sweeps, 7);
    EXPECT_EQ(read(scene_text(), {{"seed", "12"}}).seed, 12u);
}

TEST(Override, later_ones_see_earlier_ones) {
    const auto scene = read(scene_text(), {{"materials.grain", "{friction: 0.1}"}, {"materials.grain.density", "5"}});
    EXPECT_DOUBLE_EQ(scene.materials[0].density, 5.0);
}

TEST(Override, mistakes_name_the_option) {
    EXPECT_EQ(message(scene_text(), {{"materials.grain.friction", "-1"}}),
              "--set materials.grain.friction: 'friction' is -1; write a number >= 0");
    EXPECT_EQ(message(scene_text(), {{"materials.grian.friction", "1"}}),
              "--set materials.grian.friction: no 'grian' in 'materials'; did you mean 'grain'?");
    EXPECT_EQ(message(scene_text(), {{"bodies.flor.tag", "1"}}),
              "--set bodies.flor.tag: no entry 'flor' in 'bodies'; did you mean 'floor'?");
    EXPECT_EQ(message(scene_text(), {{"bodies.9.tag", "1"}}),
              "--set bodies.9.tag: no entry '9' in 'bodies'; known names: floor");
    EXPECT_EQ(message(scene_text(), {{"solver.tolerence", "1"}}),
              "--set solver.tolerence: unknown key 'tolerence' in 'solver'; did you mean 'tolerance'?");
    EXPECT_EQ(message(scene_text(), {{"step.size", "1"}}), "--set step.size: 'step' has no parts; set it as a whole");
    EXPECT_EQ(message(scene_text(), {{"a..b", "1"}}),
              "--set a..b: an empty name in the path; write for example 'materials.grain.friction'");
    EXPECT_EQ(message(scene_text(), {{"step", "[1"}}).substr(0, 28), "--set step: not valid YAML (");
}

TEST(Override, text_keeps_the_change_for_the_run_file) {
    const Scene scene = read(scene_text(), {{"materials.grain.friction", "0.25"}});
    EXPECT_NE(scene.text.find("friction: 0.25"), std::string::npos);
    EXPECT_EQ(read(scene_text()).text, scene_text());  // untouched, it is the file to the letter
}

TEST(OverrideGrid, splits_values_at_commas_outside_brackets_and_quotes) {
    const auto grid = parse_override("a.b=0.1,0.3,0.5");
    EXPECT_EQ(grid.key, "a.b");
    EXPECT_EQ(grid.values, (std::vector<std::string>{"0.1", "0.3", "0.5"}));
    EXPECT_EQ(parse_override("g=[0, -1],[0, -2]").values, (std::vector<std::string>{"[0, -1]", "[0, -2]"}));
    EXPECT_EQ(parse_override("t='a,b'").values.size(), 1u);
    EXPECT_THROW((void)parse_override("no-equals"), InputError);
    EXPECT_THROW((void)parse_override("a=1,,2"), InputError);
}

}  // namespace
}  // namespace talus::scene::testing
