#include <gtest/gtest.h>

#include <set>

#include "plot/colouring.h"
#include "plot/figure.h"
#include "plot/palette.h"
#include "plot/report.h"
#include "plot/result_figures.h"
#include "unit/observe/frames.h"
#include "well_formed.h"

namespace talus::plot {

using observe::add_contact;
using observe::add_grain;
using observe::add_wall;
using observe::empty_frame;
using observe::spec;

/// Three grains in the plane y = 0 and one far from it.
Snapshot<3> three_and_one() {
    auto frame = empty_frame<3>();
    const BodyId wall = add_wall(frame);
    for (int k = 0; k < 3; ++k) {
        const BodyId grain = add_grain<3>(frame, {2.0 * k, 0, 1});
        add_contact<3>(frame, grain, wall, {2.0 * k, 0, 0}, Vec<3>::UnitZ(), {0, 0, 10.0 * (k + 1)});
        frame.birth.back() = k;
    }
    add_grain<3>(frame, {0, 50, 1});
    return frame;
}

TEST(Grains, ShowsTheGrainsWhoseCentresLieInTheSlab) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    const std::string svg = draw(spec("grains", {{"axis", {0, 0}}, {"slab", 2.0}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 3u);
    const std::string thick = draw(spec("grains", {{"axis", {0, 0}}, {"slab", 200.0}, {"shade", false}}), data);
    EXPECT_EQ(occurrences(thick, "<circle"), 4u);
    EXPECT_EQ(occurrences(draw(spec("grains", {{"view", "top"}, {"shade", false}}), data), "<circle"), 4u);
}

TEST(Grains, ThoseBehindOthersAreLeftOut) {
    auto frame = empty_frame<3>();
    add_grain<3>(frame, {0, 0, 1}, 1.0);
    add_grain<3>(frame, {0.2, 5, 1}, 0.5);    // behind the first
    add_grain<3>(frame, {0.2, -5, 1}, 0.5);   // before it
    add_grain<3>(frame, {0.8, 5, 1}, 0.5);    // behind, but seen at its side
    FigureData data;
    data.space = &frame;
    EXPECT_EQ(occurrences(draw(spec("grains", {{"view", "side"}}), data), "<circle"), 3u);
}

TEST(Grains, ForcesAreAsWideAsStrong) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    const std::string svg = draw(spec("forces", {{"axis", {0, 0}}, {"slab", 2.0}}), data);
    EXPECT_EQ(occurrences(svg, "<path"), 3u);                           // three widths, one force each
    EXPECT_NE(svg.find("stroke-width=\"7\""), std::string::npos);      // the strongest, 30 N
    EXPECT_NE(svg.find("stroke-width=\"2.35\""), std::string::npos);   // a third of it, to 0.05 px
    EXPECT_NE(svg.find("the widest is 30 N"), std::string::npos);
    // The mean is 20 N: one force lies above it.
    EXPECT_EQ(occurrences(draw(spec("forces", {{"axis", {0, 0}}, {"slab", 2.0}, {"strong", "only"}}), data), "<path"), 1u);
}

TEST(Grains, LabelsFollowTheUnitsOfTheScene) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    data.units = observe::UnitSystem::cgs;
    EXPECT_NE(draw(spec("grains"), data).find("height [cm]"), std::string::npos);
}

TEST(Grains, LoadsAreTheSumsOfNormalForces) {
    auto frame = empty_frame<2>();
    frame.shapes = {{"ball", {}}, {"plane", {0, 1}}};
    const BodyId wall = add_wall(frame);
    const BodyId a = add_grain<2>(frame, {0, 1}), b = add_grain<2>(frame, {0, 3});
    add_contact<2>(frame, b, a, {0, 2}, Vec<2>::UnitY(), {5, 10});   // friction of 5 N does not count
    add_contact<2>(frame, a, wall, {0, 0}, Vec<2>::UnitY(), {0, 20});
    const auto loads = grain_loads(frame, false);
    EXPECT_DOUBLE_EQ(loads[static_cast<std::size_t>(a)], 30.0);
    EXPECT_DOUBLE_EQ(loads[static_cast<std::size_t>(b)], 10.0);
    FigureData data;
    data.plane = &frame;
    const std::string svg = draw(spec("grains", {{"colour", "load"}}), data);
    EXPECT_NE(svg.find("load [N]"), std::string::npos);
    EXPECT_EQ(occurrences(svg, "fill=\"" + grey(1.0) + "\"/>"), 2u);   // the more loaded grain alone, and the end of the key
}

TEST(Grains, LayersAreInked) {
    auto frame = empty_frame<2>();
    for (int k = 0; k < 4; ++k) {
        add_grain<2>(frame, {3.0 * k, 1});
        frame.birth.back() = k;
    }
    FigureData data;
    data.plane = &frame;
    const std::string svg = draw(spec("grains", {{"layers", "1:3"}}), data);
    EXPECT_EQ(occurrences(svg, "fill=\"#111111\"/>"), 2u);   // born at 1 and 2; an interval is open at its end
    EXPECT_NE(svg.find("set down at 1–3 s"), std::string::npos);
}

TEST(Grains, FixedOnesAreDrawnApart) {
    auto frame = empty_frame<2>();
    add_grain<2>(frame, {0, 1});
    observe::add_body<2>(frame, {0, -1}, 1.0, 1.0, true);
    observe::add_body<2>(frame, {500, -1}, 1.0, 1.0, true);   // far away: does not widen the view, is not drawn
    FigureData data;
    data.plane = &frame;
    const std::string svg = draw(spec("grains"), data);
    EXPECT_EQ(occurrences(svg, "fill=\"" + fixed_fill + "\""), 1u);
    EXPECT_EQ(svg.find("500"), std::string::npos);
}

TEST(Grains, APictureHasOneScale) {
    auto frame = empty_frame<2>();
    add_grain<2>(frame, {0, 0}, 1.0);
    add_grain<2>(frame, {8, 0}, 1.0);
    FigureData data;
    data.plane = &frame;
    // Ten metres on a frame of 400 - 78 - 18 = 304 px: 30.4 px a metre, the first grain's centre 30.4 px from the left.
    const std::string svg = draw(spec("grains", {{"region", {-1, -1, 9, 1}}, {"width", 400}, {"title", "none"}}), data);
    EXPECT_NE(svg.find("<circle cx=\"108.4\" cy=\"44.4\" r=\"30.4\""), std::string::npos) << svg;
    EXPECT_NE(svg.find("<circle cx=\"351.6\" cy=\"44.4\" r=\"30.4\""), std::string::npos);
}

TEST(Grains, HaveEveryBoundaryOfThePlaneAround) {
    auto frame = empty_frame<2>();
    frame.shapes = {{"ball", {}}, {"plane", {0, 1}}, {"segment", {2}}, {"box", {1, 2}}, {"box_inside", {4, INFINITY}}, {"ball_inside", {3}}};
    frame.periodic = {true, false};
    frame.cell_high = {5, 0};
    for (std::int32_t shape = 1; shape <= 5; ++shape) {
        add_wall(frame);
        frame.shape.back() = shape;
        frame.rotation.back().angle = 0.3 * shape;
    }
    add_grain<2>(frame, {0, 1});
    FigureData data;
    data.plane = &frame;
    const std::string svg = draw(spec("grains"), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 1u);
    // plane 1, segment 1, box 1, two faces of the channel, drum with four marks; two cell borders
    EXPECT_EQ(occurrences(svg, "<polyline"), 1u + 1u + 1u + 2u + 5u + 2u);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

std::string complaint(const observe::Spec& wrong, const FigureData& data) {
    try {
        (void)draw(wrong, data);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no complaint";
}

TEST(Figures, SayWhatTheyNeed) {
    FigureData nothing;
    for (const char* name : {"grains", "forces", "displacement", "trajectories", "curves", "bars", "rings", "profile", "rose", "tension", "cuts", "probe", "fossil", "table"})
        EXPECT_NE(complaint(spec(name), nothing), "no complaint") << name;
    const auto frame = three_and_one();
    nothing.space = &frame;
    EXPECT_NE(complaint(spec("profile"), nothing).find("no pile"), std::string::npos);
}

TEST(Figures, TellWhatWasMeant) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    EXPECT_NE(complaint(spec("grain"), data).find("did you mean 'grains'?"), std::string::npos);
    EXPECT_NE(complaint(spec("grains", {{"colur", "speed"}}), data).find("did you mean 'colour'?"), std::string::npos);
    EXPECT_NE(complaint(spec("grains", {{"colour", "hot"}}), data).find("figure `grains`: `colour` must be one of"), std::string::npos);
    EXPECT_NE(complaint(spec("grains", {{"region", {0, 0, -1, 1}}}), data).find("each low below its high"), std::string::npos);
    EXPECT_NE(complaint(spec("grains", {{"colour", "layers"}}), data).find("birth dates"), std::string::npos);
}

TEST(Figures, ListEveryOptionOnce) {
    for (const auto& figure : list_figures()) {
        std::set<std::string> names;
        for (const auto& option : figure.options) {
            EXPECT_TRUE(names.insert(option.name).second) << figure.name << " " << option.name;
            EXPECT_FALSE(option.meaning.empty());
        }
    }
}

std::vector<StepReport> run_of(std::int64_t steps) {
    std::vector<StepReport> reports;
    for (std::int64_t k = 1; k <= steps; ++k) {
        StepReport report;
        report.step = k;
        report.time = 1e-3 * static_cast<double>(k);
        report.energy.kinetic = 1.0 / static_cast<double>(k);
        report.energy.friction = 1e-4;
        report.law.mean = 1e-4;
        report.contacts = k;
        reports.push_back(report);
    }
    return reports;
}

TEST(SeriesFigure, DrawsEveryQuantityWithFewPoints) {
    const auto reports = run_of(5000);
    FigureData data;
    data.reports = &reports;
    for (const char* what : {"energy", "law_error", "contacts", "overlap", "speed", "balance", "sweeps"}) {
        const std::string svg = draw(spec("curves", {{"what", what}}), data);
        EXPECT_EQ(xml_fault(svg), "") << what;
        EXPECT_LT(svg.size(), 80000u) << what;   // three curves of 1000 points of about 14 bytes, and a margin
    }
}

TEST(SeriesFigure, DoesNotAddUpWhatItHasNotSeen) {
    auto reports = run_of(10);
    FigureData data;
    data.reports = &reports;
    EXPECT_NE(draw(spec("curves"), data).find("lost by friction"), std::string::npos);
    reports.erase(reports.begin() + 4);   // a row is missing: the sums are not known
    EXPECT_EQ(draw(spec("curves"), data).find("lost by friction"), std::string::npos);
}

TEST(Report, IsOneSafePage) {
    const auto frame = three_and_one();
    const auto reports = run_of(20);
    ReportData data;
    data.title = "A <script>alert(1)</script> title";
    data.state = record::kFinished;
    data.provenance.command = "talus run \"a&b.yaml\"";
    data.scene_text = "title: </pre><b>bold</b> & more";
    data.summary = {{"law_error", 1e-4}, {"steps", 20}};
    data.figures.space = &frame;
    data.figures.reports = &reports;
    data.results.push_back(observe::measure(spec("energy"), frame));
    data.results.push_back(observe::measure(spec("rings", {{"radius", 6.0}}), frame));
    const std::string page = make_report(data);
    EXPECT_EQ(xml_fault(page.substr(page.find("<html"))), "");
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("<b>bold"), std::string::npos);
    EXPECT_EQ(occurrences(page, "http"), occurrences(page, "http://www.w3.org/2000/svg"));   // loads nothing
    EXPECT_EQ(occurrences(page, "<figure"), 2u + 1u + 6u);   // two of the state, rings, six series
    EXPECT_NE(page.find("centre over hydrostatic"), std::string::npos);
}

}  // namespace talus::plot
