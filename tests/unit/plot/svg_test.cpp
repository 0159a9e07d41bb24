#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <vector>

#include "plot/chart.h"
#include "plot/drawing.h"
#include "plot/palette.h"
#include "plot/svg.h"
#include "plot/ticks.h"
#include "well_formed.h"

namespace talus::plot {

TEST(Svg, TextIsEscapedAndControlCharactersAreDropped) {
    EXPECT_EQ(escape("a<b> & \"c\"\x01"), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(escape("Γ = 2.5"), "Γ = 2.5");
}

TEST(Svg, CoordinatesAreShort) {
    EXPECT_EQ(coordinate(1.0), "1");
    EXPECT_EQ(coordinate(1.25), "1.25");
    EXPECT_EQ(coordinate(-0.001), "0");
    EXPECT_EQ(coordinate(std::nan("")), "0");
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
    EXPECT_EQ(round_ticks(0.0, 1.0, 5), (std::vector<double>{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
    EXPECT_EQ(round_ticks(-3.0, 3.0, 3), (std::vector<double>{-2.0, 0.0, 2.0}));
    EXPECT_EQ(round_ticks(-9.0, 9.0, 3), (std::vector<double>{-5.0, 0.0, 5.0}));  // every 10 there would be one number only
    EXPECT_EQ(tick_labels(round_ticks(0.0, 1.0, 5)), (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(tick_labels({0.0, 1e6, 2e6}), (std::vector<std::string>{"0", "10⁶", "2·10⁶"}));
    for (const double size : {1e-9, 0.37, 1.0, 42.0, 7e8}) {
        const auto ticks = round_ticks(0.0, size, 5);
        EXPECT_GE(ticks.size(), 2u);
        EXPECT_LE(ticks.size(), 7u);
        EXPECT_LE(ticks.back(), size * (1 + 1e-9));
    }
}

TEST(Ticks, OnALogAxisArePowersOfTen) {
    EXPECT_EQ(log_ticks(1e-3, 1e1, 10), (std::vector<double>{1e-3, 1e-2, 1e-1, 1e0, 1e1}));
    EXPECT_EQ(log_tick_labels({1e-3, 1e-2, 1.0, 1e12}), (std::vector<std::string>{"10⁻³", "0.01", "1", "10¹²"}));
    EXPECT_LE(log_ticks(1e-18, 1.0, 5).size(), 7u);
    EXPECT_GE(log_ticks(1.0, 6.0, 5).size(), 2u);
}

TEST(Ticks, ARangeWithoutExtentHasOneTick) { EXPECT_EQ(round_ticks(2.0, 2.0, 5).size(), 1u); }

TEST(Chart, DecimationKeepsThePeaks) {
    Curve curve;
    for (int k = 0; k < 100000; ++k) {
        curve.x.push_back(k);
        curve.y.push_back(k == 31415 ? 50.0 : k == 27182 ? -50.0 : 0.0);
    }
    decimate(curve, 1000);
    EXPECT_LE(curve.x.size(), 1000u);
    EXPECT_EQ(*std::max_element(curve.y.begin(), curve.y.end()), 50.0);
    EXPECT_EQ(*std::min_element(curve.y.begin(), curve.y.end()), -50.0);
    EXPECT_TRUE(std::is_sorted(curve.x.begin(), curve.x.end()));
}

TEST(Chart, OfAnErrorThePeaksAreKept) {
    Curve curve;
    for (int k = 0; k < 100000; ++k) {
        curve.x.push_back(k);
        curve.y.push_back(k == 31415 ? 50.0 : k % 2);
    }
    keep_peaks(curve, 500);
    EXPECT_EQ(curve.x.size(), 500u);
    EXPECT_EQ(*std::max_element(curve.y.begin(), curve.y.end()), 50.0);
    EXPECT_EQ(*std::min_element(curve.y.begin(), curve.y.end()), 1.0);
}

TEST(Chart, IsWellFormedWhateverTheNumbers) {
    Chart chart;
    chart.title = "a < b & \"c\"";
    chart.x.label = "time [s]";
    chart.curves.push_back({"with <gaps>", {0, 1, 2, 3}, {1, std::nan(""), INFINITY, 2}, CurveKind::line, "", false});
    chart.curves.push_back({"steps", {0, 1, 2}, {3, 4}, CurveKind::steps, "", false});
    chart.curves.push_back({"none", {}, {}, CurveKind::points, "", false});
    for (const bool log : {false, true}) {
        chart.y.log = log;
        const std::string svg = draw_chart(chart);
        EXPECT_EQ(xml_fault(svg), "");
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
    chart.curves.clear();
    EXPECT_EQ(xml_fault(draw_chart(chart)), "");
}

TEST(Palette, TheRampGrowsLighterAllTheWay) {
    double before = -1.0;
    for (int k = 0; k <= 20; ++k) {
        const std::string colour = ramp(k / 20.0);
        const auto part = [&](int at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
        const double light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
        EXPECT_GT(light, before) << colour;
        before = light;
    }
}

TEST(Drawing, WhatLiesOutsideThePictureIsLeftOutOfTheFile) {
    Drawing drawing;
    drawing.patches.push_back({{{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}}, 0.0, 0.0, 0.0, false});
    drawing.forces.push_back({0.1, 0.1, 0.9, 0.9, 1.0});
    const std::string whole = draw_drawing(drawing);
    drawing.patches.push_back({{{2.2, 0.2}, {2.8, 0.2}, {2.5, 0.8}}, 0.0, 0.0, 0.0, false});
    drawing.forces.push_back({0.5, -0.9, 0.9, -0.1, 1.0});
    EXPECT_EQ(draw_drawing(drawing), whole);
    drawing.forces.push_back({-0.5, 0.5, 1.5, 0.5, 1.0});   // both ends outside, but across it
    EXPECT_NE(draw_drawing(drawing), whole);
}

TEST(Drawing, LabelsOfArrowsMakeWayForEachOther) {
    Drawing drawing;
    for (const double x : {0.4, 0.42, 0.44}) drawing.arrows.push_back({{x, 0.6}, {x + 0.1, 0.5}, "#111111", 2.0, "cylinder"});
    drawing.arrows.push_back({{0.1, 0.1}, {0.2, 0.2}, "#111111", 2.0, "elsewhere"});
    const std::string svg = draw_drawing(drawing);
    std::vector<double> heights;
    const std::regex label("<text[^>]* y=\"([0-9.]+)\"[^>]*>cylinder</text>");
    for (std::sregex_iterator it(svg.begin(), svg.end(), label), end; it != end; ++it) heights.push_back(std::stod((*it)[1]));
    ASSERT_EQ(heights.size(), 3u) << svg;
    std::sort(heights.begin(), heights.end());
    EXPECT_GE(heights[1] - heights[0], 12.0);
    EXPECT_GE(heights[2] - heights[1], 12.0);
    EXPECT_NE(svg.find(">elsewhere</text>"), std::string::npos);
}

}  // namespace talus::plot
