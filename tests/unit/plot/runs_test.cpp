// Figures of whole runs, made up: two frames, ten steps, a few measurements.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plot/columns.h"
#include "plot/figure.h"
#include "plot/moved.h"
#include "plot/result_figures.h"
#include "unit/observe/frames.h"
#include "well_formed.h"

namespace talus::plot {

using observe::spec;

/// Four grains at the corners of a square; at frame k each has gone k times `way(x)`.
template <typename Way>
RunData run_of(Way way) {
    RunData run;
    run.name = "made_up";
    run.dim = 2;
    run.times = {0.0, 1.0, 2.0};
    run.plane_at = [way](std::size_t k) {
        auto frame = observe::empty_frame<2>();
        frame.time = static_cast<double>(k);
        for (const Vec<2>& x : {Vec<2>(0, 0), Vec<2>(10, 0), Vec<2>(0, 10), Vec<2>(10, 10)}) observe::add_grain<2>(frame, x + static_cast<double>(k) * way(x));
        return frame;
    };
    run.steps = [] {
        std::vector<StepRow> rows;
        for (int k = 1; k <= 10; ++k) {
            StepRow row;
            row.report.step = k;
            row.report.time = 0.1 * k;
            row.report.energy.kinetic = k;
            row.report.energy.friction = 2.0;
            row.walls = {{0, {0.0, -0.5, 0.0}}, {7, {1.0, 0.0, 0.0}}};
            rows.push_back(row);
        }
        return rows;
    };
    run.results = [] {
        std::vector<observe::Result> results;
        for (int k = 0; k < 3; ++k) {
            observe::Result result;
            result.observable = result.label = "height";
            result.time = k;
            result.add("height", 0.5 * k, "m");
            result.tables.push_back({"levels", {{"z", "m", {0, 1, 2}}, {"count", "", {4, 2, 1}}, {"sigma", "", {1, 1, 0.5}}}});
            results.push_back(result);
        }
        return results;
    };
    run.names = [] { return SceneNames{{{"floor", 0}}, {}}; };
    return run;
}

Vec<2> rightwards(const Vec<2>&) { return {1, 0}; }
Vec<2> stretched(const Vec<2>& x) { return {0.1 * x.x(), -0.1 * x.y()}; }

TEST(Moved, TakesAwayTheMeanAndTheLinearPart) {
    const RunData shifted = run_of(rightwards), sheared = run_of(stretched);
    auto moved = moved_between(shifted.plane_at(0), shifted.plane_at(2));
    ASSERT_EQ(moved.size(), 4u);
    EXPECT_EQ(moved[1].to, Vec<2>(12, 0));
    subtract(moved, "mean");
    for (const auto& m : moved) EXPECT_LT((m.to - m.from).norm(), 1e-14);   // rounding of numbers of order 10
    moved = moved_between(sheared.plane_at(0), sheared.plane_at(1));
    subtract(moved, "mean");
    EXPECT_GT((moved[0].to - moved[0].from).norm(), 0.5);
    moved = moved_between(sheared.plane_at(0), sheared.plane_at(1));
    subtract(moved, "affine");
    for (const auto& m : moved) EXPECT_LT((m.to - m.from).norm(), 1e-14);
}

TEST(Moved, CellsCrossedCount) {
    auto first = observe::empty_frame<2>(), second = observe::empty_frame<2>();
    first.periodic = second.periodic = {true, false};
    first.cell_high = second.cell_high = {10, 0};
    observe::add_grain<2>(first, {9.5, 0});
    observe::add_grain<2>(second, {0.5, 0});
    second.image[0].x() = 1;
    const auto moved = moved_between(first, second);
    EXPECT_DOUBLE_EQ(moved[0].to.x() - moved[0].from.x(), 1.0);
}

TEST(Displacement, DrawsALineForEveryGrain) {
    const std::vector<RunData> runs{run_of(rightwards)};
    FigureData data;
    data.runs = &runs;
    // A region of 22 on 400 - 96 = 304 px: 13.82 px a metre; the grain at the origin goes from 1 to 3 metres from the left.
    const std::string svg = draw(spec("displacement", {{"region", {-1, -1, 21, 11}}, {"width", 400}, {"title", "none"}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_NE(svg.find("M91.82 166L119.45 166"), std::string::npos) << svg.substr(svg.find("<path"));
    EXPECT_EQ(occurrences(svg, "<circle"), 8u);   // four grains, four dots
    EXPECT_EQ(occurrences(draw(spec("displacement", {{"grains", false}}), data), "<circle"), 4u);
    EXPECT_THROW((void)draw(spec("displacement", {{"from", 2.0}, {"to", 1.0}}), data), InputError);
    EXPECT_THROW((void)draw(spec("displacement", {{"from", 50.0}}), data), InputError);
    EXPECT_THROW((void)draw(spec("displacement", {{"meridian", true}}), data), InputError);
}

TEST(Trajectories, FollowGrainsThroughTheFrames) {
    const std::vector<RunData> runs{run_of(rightwards)};
    FigureData data;
    data.runs = &runs;
    const std::string svg = draw(spec("trajectories", {{"grains", {"0", "3"}}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_NE(svg.find("body 3"), std::string::npos);
    EXPECT_EQ(occurrences(svg, "<polyline"), 2u);   // three points each
    EXPECT_THROW((void)draw(spec("trajectories", {{"grains", {"44"}}}), data), InputError);
}

TEST(Columns, AreFoundByName) {
    const RunData run = run_of(rightwards);
    ColumnSource source(run, observe::UnitSystem::si);
    EXPECT_EQ(source.column("kinetic").value.back(), 10.0);
    EXPECT_EQ(source.column("friction_total").value.front(), 0.0);    // since the first report
    EXPECT_EQ(source.column("friction_total").value.back(), 18.0);    // nine steps of 2 J
    EXPECT_EQ(source.column("kinetic_change").value.back(), 9.0);
    EXPECT_EQ(source.column("height.height").value, (std::vector<double>{0.0, 0.5, 1.0}));
    const Column force = source.column("force_x:7");
    EXPECT_EQ(force.value.size(), 9u);           // the first report has no step before it to tell its length
    EXPECT_NEAR(force.value.back(), 10.0, 1e-12);   // 1 N s in 0.1 s; times are sums of tenths
    EXPECT_NEAR(source.column("force_y:floor").value.back(), -5.0, 1e-12);   // tag 0: body 0 among the grains
    ColumnSource cgs(run, observe::UnitSystem::cgs);
    EXPECT_EQ(cgs.column("kinetic").unit, "erg");
    EXPECT_DOUBLE_EQ(cgs.column("kinetic").value.back(), 1e8);
}

TEST(Columns, MistakesAreAnsweredWithWhatIsThere) {
    const RunData run = run_of(rightwards);
    ColumnSource source(run, observe::UnitSystem::si);
    const auto complaint = [&](const char* name) -> std::string {
        try {
            (void)source.column(name);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(complaint("kinetik").find("did you mean 'kinetic'?"), std::string::npos);
    EXPECT_NE(complaint("height.hight").find("did you mean 'height.height'?"), std::string::npos);
    EXPECT_NE(complaint("force_x:flor").find("did you mean 'floor'?"), std::string::npos);
    EXPECT_NE(complaint("force_z:floor").find("in space"), std::string::npos);
}

TEST(Columns, PhasesAreAveragedOverPeriods) {
    Column column;
    for (int k = 0; k < 40; ++k) {   // four values a period of 1 s; the second half of the run is 2 higher
        column.time.push_back((k + 0.5) / 4.0);
        column.value.push_back(k % 4 + (k < 20 ? 0.0 : 2.0));
    }
    const Column phase = by_phase(column, 1.0, 4);
    EXPECT_EQ(phase.value, (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(phase.time, (std::vector<double>{0.125, 0.375, 0.625, 0.875}));
}

TEST(Curves, OverlayRunsAndNameThem) {
    std::vector<RunData> runs{run_of(rightwards), run_of(stretched)};
    runs[1].name = "other <run>";
    FigureData data;
    data.runs = &runs;
    const std::string svg = draw(spec("curves", {{"y", "kinetic"}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<polyline"), 2u);
    EXPECT_NE(svg.find("other &lt;run&gt;"), std::string::npos);
    EXPECT_NE(svg.find("kinetic [J]"), std::string::npos);
    const std::string spread = draw(spec("curves", {{"y", "kinetic"}, {"spread", true}}), data);
    EXPECT_NE(spread.find("mean of 2 runs"), std::string::npos);
    EXPECT_NE(draw(spec("curves", {{"y", "kinetic"}, {"x", "friction_total"}}), data).find("lost by friction [J]"), std::string::npos);
    EXPECT_THROW((void)draw(spec("curves", {{"y", "kinetic"}, {"labels", {"a", "b", "c"}}}), data), InputError);
}

TEST(Bars, GroupRunsThatDifferInTheirSeed) {
    std::vector<RunData> runs(4, run_of(rightwards));
    runs[0].name = "mu=0.3_seed=1";
    runs[1].name = "mu=0.3_seed=2";
    runs[2].name = "mu=0.5_seed=1";
    runs[3].name = "mu=0.5_seed=2";
    FigureData data;
    data.runs = &runs;
    const std::string svg = draw(spec("bars", {{"y", "height.height"}, {"range", "0.9:1.1"}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, ">mu=0.3<"), 1u);
    EXPECT_EQ(occurrences(svg, ">mu=0.5<"), 1u);
    EXPECT_NE(svg.find("accepted range"), std::string::npos);
    EXPECT_EQ(occurrences(svg, "<circle"), 4u + 1u);   // a point a run, and one in the key
    EXPECT_NE(draw(spec("bars", {{"y", "height.height"}, {"group", "none"}}), data).find("mu=0.3_seed=1"), std::string::npos);
}

TEST(TableFigure, ShowsColumnsByName) {
    const std::vector<RunData> runs{run_of(rightwards)};
    FigureData data;
    data.runs = &runs;
    const std::string svg = draw(spec("table", {{"of", "height"}, {"x", "z"}, {"y", "count"}, {"error", "sigma"}, {"kind", "points"}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 3u);
    EXPECT_EQ(occurrences(svg, "<path"), 3u);   // whiskers
    EXPECT_NE(svg.find("z [m]"), std::string::npos);
    EXPECT_THROW((void)draw(spec("table", {{"of", "heigt"}}), data), InputError);
    EXPECT_THROW((void)draw(spec("table", {{"of", "height"}, {"y", "cont"}}), data), InputError);
}

TEST(Frames, AreChosenByNumberOrTime) {
    const RunData run = run_of(rightwards);
    EXPECT_EQ(numbered_frame(run, "last"), 2u);
    EXPECT_EQ(numbered_frame(run, "-3"), 0u);
    EXPECT_EQ(nearest_frame(run, 1.4), 1u);
    for (const char* wrong : {"3", "-4", "one", "1x"}) EXPECT_THROW((void)numbered_frame(run, wrong), InputError) << wrong;
    EXPECT_THROW((void)nearest_frame(run, 9.0), InputError);
    const std::vector<RunData> runs{run};
    FigureData data;
    data.runs = &runs;
    EXPECT_NE(draw(spec("grains", {{"time", 1.2}}), data).find("at t = 1 s"), std::string::npos);
}

/// A rose of four sectors, twice as dense to the right and left.
observe::Result four_sectors() {
    observe::Result rose;
    rose.observable = rose.label = "rose";
    rose.add("contacts", 600);
    const double one = 1.0 / (3.0 * std::numbers::pi);
    rose.tables.push_back({"rose", {{"sector_low", "deg", {-45, 45, 135, 225}}, {"sector_high", "deg", {45, 135, 225, 315}}, {"density", "", {2 * one, one, 2 * one, one}}}});
    rose.tables.push_back({"fit", {{"angle", "deg", {0, 90, 180, 270}}, {"density", "", {2 * one, one, 2 * one, one}}}});
    return rose;
}

TEST(Rose, FillsEachSectorAsFarAsItIsDense) {
    const std::string svg = draw_rose(four_sectors(), "Rose");
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<polygon"), 4u);
    // The rim is 1.04 times the highest density at 176 px from the middle (230, 236): the right sector ends at 169.23 px.
    EXPECT_NE(svg.find("399.23,236"), std::string::npos) << svg;
    EXPECT_NE(svg.find("230,151.38"), std::string::npos);   // the upper one at half of it
}

TEST(Tension, IsDrawnAsTheSinusoidItIs) {
    observe::Result probe;
    probe.observable = probe.label = "probe";
    probe.add("pressure", 2.0, "N/m");
    std::vector<double> angle, normal, shear;
    for (int k = 0; k < 7; ++k) {
        angle.push_back(180.0 * k / 7.0);
        normal.push_back(2.0 + std::cos(2.0 * angle.back() * std::numbers::pi / 180.0));
        shear.push_back(std::sin(2.0 * angle.back() * std::numbers::pi / 180.0));
    }
    probe.tables.push_back({"diameters", {{"angle", "deg", angle}, {"normal", "N/m", normal}, {"tangential", "N/m", shear}, {"tensor_normal", "N/m", normal}, {"tensor_tangential", "N/m", shear}}});
    const std::string svg = draw_tension(probe, "");
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<polyline"), 2u);
    EXPECT_EQ(occurrences(svg, "<circle"), 14u + 2u);   // and two in the key
    EXPECT_NE(svg.find("tension [N/m]"), std::string::npos);
}

TEST(Histogram, LeavesOutEmptyClasses) {
    observe::Result forces;
    forces.observable = forces.label = "force_distribution";
    forces.add("contacts", 100);
    forces.add("mean_normal", 3.0, "N");
    forces.add("tail", 1.5);
    forces.add("weak_fraction", 0.6);
    forces.tables.push_back({"histogram", {{"low", "", {0, 1, 2}}, {"high", "", {1, 2, 3}}, {"count", "", {60, 0, 40}}, {"density", "", {0.6, 0, 0.4}}}});
    const std::string svg = draw_histogram(forces, "");
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 2u + 1u);
    EXPECT_NE(svg.find("exp(−1.5 f/⟨f⟩)"), std::string::npos);
}

}  // namespace talus::plot
