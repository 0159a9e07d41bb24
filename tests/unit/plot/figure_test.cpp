#include <gtest/gtest.h>

#include "plot/figure.h"
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

TEST(Section, ShowsTheGrainsWhoseCentresLieInTheSlab) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    const std::string svg = draw(spec("section", {{"axis", {0, 0}}, {"thickness", 2.0}}), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 3u);
    const std::string thick = draw(spec("section", {{"axis", {0, 0}}, {"thickness", 200.0}}), data);
    EXPECT_EQ(occurrences(thick, "<circle"), 4u);
}

TEST(Section, DrawsForcesAsWideAsStrong) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    const std::string svg = draw(spec("section", {{"axis", {0, 0}}, {"thickness", 2.0}, {"forces", true}, {"colour", "plain"}}), data);
    EXPECT_EQ(occurrences(svg, "stroke=\"#d55e00\""), 3u);
    EXPECT_NE(svg.find("stroke-width=\"7\""), std::string::npos);      // the strongest, 30 N
    EXPECT_NE(svg.find("stroke-width=\"2.33\""), std::string::npos);   // a third of it
    EXPECT_NE(svg.find("the widest is 30 N"), std::string::npos);
}

TEST(Section, LabelsFollowTheUnitsOfTheScene) {
    const auto frame = three_and_one();
    FigureData data;
    data.space = &frame;
    data.units = observe::UnitSystem::cgs;
    EXPECT_NE(draw(spec("section"), data).find("height [cm]"), std::string::npos);
}

TEST(Bodies2d, DrawsEveryBoundaryOfThePlane) {
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
    const std::string svg = draw(spec("bodies2d"), data);
    EXPECT_EQ(xml_fault(svg), "");
    EXPECT_EQ(occurrences(svg, "<circle"), 1u);
    // plane 1, segment 1, box 1, two faces of the channel, drum with four marks; two cell borders
    EXPECT_EQ(occurrences(svg, "<polyline"), 1u + 1u + 1u + 2u + 5u + 2u);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Figures, SayWhatTheyNeed) {
    FigureData nothing;
    EXPECT_THROW((void)draw(spec("section"), nothing), InputError);
    EXPECT_THROW((void)draw(spec("bodies2d"), nothing), InputError);
    EXPECT_THROW((void)draw(spec("series"), nothing), InputError);
    EXPECT_THROW((void)draw(spec("rings"), nothing), InputError);
    EXPECT_THROW((void)draw(spec("pie"), nothing), InputError);
    const auto frame = three_and_one();
    nothing.space = &frame;
    EXPECT_THROW((void)draw(spec("section", {{"thicknes", 1}}), nothing), InputError);
    EXPECT_THROW((void)draw(spec("profile"), nothing), InputError);   // no pile
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
        const std::string svg = draw(spec("series", {{"what", what}}), data);
        EXPECT_EQ(xml_fault(svg), "") << what;
        EXPECT_LT(svg.size(), 80000u) << what;   // three curves of 1000 points of about 14 bytes, and a margin
    }
}

TEST(SeriesFigure, DoesNotAddUpWhatItHasNotSeen) {
    auto reports = run_of(10);
    FigureData data;
    data.reports = &reports;
    EXPECT_NE(draw(spec("series"), data).find("lost by friction"), std::string::npos);
    reports.erase(reports.begin() + 4);   // a row is missing: the sums are not known
    EXPECT_EQ(draw(spec("series"), data).find("lost by friction"), std::string::npos);
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
