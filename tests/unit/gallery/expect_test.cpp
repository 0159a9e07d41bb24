// expect.yaml: what it says, and how mistakes are told.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "gallery/experiment.h"
#include "gallery/judge.h"
#include "gallery/results_table.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

const char* const kHead = R"(talus: 1
paper: tests
where: fig. 1
shows: something
scales:
  quick: {size: 5 grains, minutes: 0.1, set: {step: 2e-3, materials.grain: {friction: 0.3, density: 1}}}
  full: {size: 50 grains, minutes: 40}
)";

class Expect : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("talus-expect-" + std::to_string(::getpid())) / "tests" / "thing";
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "scene.yaml") << "talus: 1\n";
    }
    void TearDown() override { std::filesystem::remove_all(folder_.parent_path().parent_path()); }
    [[nodiscard]] Experiment load(const std::string& rest) const { return load_experiment_text(kHead + rest, "expect.yaml", folder_.string()); }
    [[nodiscard]] std::string refused(const std::string& rest) const {
        try {
            (void)load(rest);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    }
    std::filesystem::path folder_;
};

const char* const kRuns = "runs: {main: {scene: scene.yaml}, far: {scene: scene.yaml, scales: [full], set: {step: 1}}}\n";

TEST_F(Expect, SaysWhatIsRunAndChecked) {
    const auto e = load(std::string(kRuns) + R"(
values: {H: 2 * main.height.height}
checks:
  - {name: one, claim: a, value: H / 2, expect: [1, null]}
  - {name: two, claim: b, value: far.x, expect: {full: {value: 1, within: 0.5}}, gate: false, unit: cm}
figures:
  - {file: a.svg, run: main, figure: grains, colour: speed, caption: text}
)");
    EXPECT_EQ(e.name, "tests-thing");
    EXPECT_EQ(e.usual_scale(), Scale::quick);  // full takes over 30 minutes
    EXPECT_TRUE(e.runs[0].is_made_at(Scale::quick));
    EXPECT_FALSE(e.runs[1].is_made_at(Scale::quick));
    const auto changes = e.runs[1].changes_at(Scale::quick, *e.quick);
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[1].change.value, "{friction: 0.3, density: 1}");
    EXPECT_EQ(changes[2].change.value, "1");  // the run's own comes last, and wins
    EXPECT_TRUE(e.checks[0].quick->contains(7.0));
    EXPECT_FALSE(e.checks[0].quick->contains(0.5));
    EXPECT_FALSE(e.checks[0].quick->contains(std::nan("")));
    EXPECT_FALSE(e.checks[1].quick.has_value());
    EXPECT_DOUBLE_EQ(e.checks[1].full->high, 1.5);
    EXPECT_EQ(e.figures[0].spec.parameters.dump(), R"({"colour":"speed"})");
}

TEST_F(Expect, TellsEveryMistakeWithItsPlace) {
    const std::string check = "checks: [{name: a, claim: b, value: main.x, expect: [0, 1]}]\n";
    EXPECT_EQ(refused(kRuns + check), "");
    EXPECT_NE(refused(kRuns + std::string("checks: [{name: a, claim: b, value: mian.x, expect: [0, 1]}]\n")).find("no run 'mian'; did you mean 'main'?"), std::string::npos);
    EXPECT_NE(refused(kRuns + std::string("checks: [{name: a, claim: b, value: far.x, expect: [0, 1]}]\n")).find("not made at scale quick"), std::string::npos);
    EXPECT_NE(refused(kRuns + std::string("checks: [{name: a, claim: b, value: main.x, expect: [2, 1]}]\n")).find("ends before it begins"), std::string::npos);
    EXPECT_NE(refused(kRuns + std::string("checks: [{name: a, claim: b, value: main.x, expct: [0, 1]}]\n")).find("unknown key 'expct'"), std::string::npos);
    EXPECT_NE(refused(kRuns + std::string("checks: []\n")).find("no check"), std::string::npos);
    EXPECT_NE(refused("runs: {main: {scene: none.yaml}}\n" + check).find("no file"), std::string::npos);
    EXPECT_NE(refused("runs: {main: {command: [swep, a]}}\n" + check).find("did you mean 'sweep'"), std::string::npos);
    EXPECT_NE(refused("runs: {main: {scene: scene.yaml, from: other}}\n" + check).find("no run of a scene before"), std::string::npos);
    EXPECT_NE(refused("runs: {m-n: {scene: scene.yaml}, main: {scene: scene.yaml}}\n" + check).find("cannot be used in formulas"), std::string::npos);
    const std::string two = refused(kRuns + std::string("checks: [{name: a, claim: b, value: main., expect: 3}, {name: a, value: 1, expect: [0, 1]}]\n"));
    EXPECT_NE(two.find("expect.yaml:9:"), std::string::npos) << two;   // both mistakes at once, each with line and column
    EXPECT_NE(two.find("'expect' is 3"), std::string::npos) << two;
    EXPECT_NE(two.find("missing key 'claim'"), std::string::npos) << two;
}

TEST_F(Expect, AFigureIsCheckedBeforeAnythingIsRun) {
    const std::string head = kRuns + std::string("checks: [{name: a, claim: b, value: main.x, expect: [0, 1]}]\nfigures:\n");
    EXPECT_EQ(refused(head + "  - {file: a.svg, run: main, figure: cuts, of: cut, frame: last}\n"), "");
    EXPECT_NE(refused(head + "  - {file: a.svg, run: main, figure: cutz}\n").find("expect.yaml:11:"), std::string::npos);
    EXPECT_NE(refused(head + "  - {file: a.svg, run: main, figure: cutz}\n").find("unknown figure 'cutz'; did you mean 'cuts'?"), std::string::npos);
    EXPECT_NE(refused(head + "  - {file: a.svg, run: main}\n").find("missing key 'figure'"), std::string::npos);
    const std::string option = refused(head + "  - {file: a.svg, run: main, figure: grains,\n     color: speed}\n");
    EXPECT_NE(option.find("expect.yaml:12:6: figure 'grains' has no option 'color'; did you mean 'colour'?"), std::string::npos) << option;
}

TEST_F(Expect, SeveralSeedsAreJudgedByTheirMean) {
    const auto e = load("runs: {main: {command: [sweep, a.sweep]}}\n"
                        "checks:\n"
                        "  - {name: mean, claim: a, value: main.x, expect: [1.9, 2.1]}\n"
                        "  - {name: gone, claim: b, value: main.y, expect: [0, 1], gate: false}\n");
    std::vector<RunResults> seeds(3);
    for (int k = 0; k < 3; ++k) seeds[static_cast<std::size_t>(k)].add_json("main", {{"x", 1.0 + k}, {"y", nullptr}});
    const auto verdict = judge(e, Scale::quick, seeds);
    EXPECT_TRUE(verdict.pass);  // what cannot be measured is no gate here
    EXPECT_DOUBLE_EQ(verdict.checks[0].mean, 2.0);
    EXPECT_DOUBLE_EQ(verdict.checks[0].deviation, 1.0);
    EXPECT_TRUE(verdict.checks[0].pass);
    EXPECT_FALSE(verdict.checks[1].pass);
    const auto json = to_json(verdict);
    EXPECT_EQ(json["checks"][0]["values"].dump(), "[1.0,2.0,3.0]");
    EXPECT_TRUE(json["checks"][1]["value"].is_null());
    EXPECT_EQ(json["checks"][0]["expected"].dump(), "[1.9,2.1]");
}

TEST_F(Expect, AResultThatIsNotThereIsToldWithThePlaceOfTheFormula) {
    const auto e = load("runs: {main: {command: [sweep, a.sweep]}}\nchecks: [{name: a, claim: b, value: main.paths.0.ende, expect: [0, 1]}]\n");
    std::vector<RunResults> seeds(1);
    seeds[0].add_json("main", {{"paths", {{{"end", 1.0}}}}});
    try {
        (void)judge(e, Scale::quick, seeds);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("expect.yaml:9:37: no 'ende' in the results: 'main.paths.0.ende'; did you mean 'end'?"), std::string::npos) << error.what();
    }
}

TEST(Json, ListsAreReachedByNumberOrAsAWhole) {
    RunResults results;
    results.add_json("bar", {{"paths", {{{"v", 1.0}, {"ok", true}}, {{"v", 3.0}, {"ok", false}}}}});
    EXPECT_DOUBLE_EQ(results.number("bar.paths.1.v"), 3.0);
    EXPECT_EQ(results.series("bar.paths.v").values, (std::vector<double>{1.0, 3.0}));
    EXPECT_EQ(results.series("bar.paths.ok").values, (std::vector<double>{1.0, 0.0}));
    EXPECT_THROW((void)results.number("bar.paths.2.v"), InputError);
    EXPECT_THROW((void)results.number("bar.paths"), InputError);
    EXPECT_THROW((void)results.number("other.x"), InputError);
}

TEST(Words, IntervalsReadAsPeopleSayThem) {
    EXPECT_EQ(to_text(Interval{-INFINITY, 0.95}), "at most 0.95");
    EXPECT_EQ(to_text(Interval{1.0, INFINITY}), "at least 1");
    EXPECT_EQ(to_text(Interval{20.0, 28.0}), "[20, 28]");
    EXPECT_EQ(to_text(Interval{0.999, 1.001}), "1 ± 0.001");
}

TEST(ResultsPage, IsATableOfEveryClaim) {
    const nlohmann::json result{{"experiment", "p-e"}, {"scale", "quick"}, {"seconds", 3.0}, {"pass", false}, {"paper", "p"}, {"where", "fig. 1"}, {"shows", "x"},
                                {"size", "2 grains"}, {"seeds", {1}}, {"date", "2026-01-02T00:00:00Z"}, {"version", "0.1"},
                                {"checks", {{{"name", "a"}, {"claim", "a | b"}, {"value", nullptr}, {"expected", {nullptr, 1.0}}, {"pass", false}, {"gate", true}, {"unit", ""}}}}};
    const std::string page = results_page({result});
    EXPECT_NE(page.find("[p-e](../gallery/p/e/README.md)"), std::string::npos) << page;
    EXPECT_NE(page.find("| a \\| b | - | at most 1 | **no** |"), std::string::npos) << page;
    EXPECT_NE(page.find("0 of 1"), std::string::npos);
    EXPECT_NE(page.find("| 3.0 s |"), std::string::npos);
    EXPECT_NE(page.find("from 1 results of 1 experiments"), std::string::npos);
    nlohmann::json counted = result;   // on a machine that was busy with something else too
    counted["runs"] = {{{"name", "a"}, {"seconds", 2.0}, {"cpu_seconds", 0.5}}, {{"name", "b"}, {"seconds", 0.25}}};
    EXPECT_NE(results_page({counted}).find("| 0.8 s |"), std::string::npos) << results_page({counted});
}

}  // namespace
}  // namespace talus::gallery
