// Formulas over results: names, lists, windows, and what is missing.
#include "gallery/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gallery/list_functions.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

/// Results made up by hand.
class Table : public Results {
public:
    std::map<std::string, double> numbers;
    std::map<std::string, Series> lists;
    [[nodiscard]] double number(const std::string& path) const override {
        const auto found = numbers.find(path);
        if (found == numbers.end()) throw InputError("no " + path);
        return found->second;
    }
    [[nodiscard]] Series series(const std::string& path) const override {
        const auto found = lists.find(path);
        if (found == lists.end()) throw InputError("no " + path);
        return found->second;
    }
};

Table table() {
    Table t;
    t.numbers = {{"main.slope.slope", 26.0}, {"main.max_overlap", 0.01}, {"H", 2.0}, {"main.rings.gone", std::nan("")}};
    t.lists = {{"main.nut.height", {{0.0, 1.0, 2.0, 3.0}, {1.0, 3.0, 2.0, 6.0}}},
               {"half.nut.height", {{0.0, 0.5, 1.5, 2.5, 3.5}, {1.0, 2.0, 2.5, 4.0, 8.0}}},
               {"main.surface.angle", {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {26.0, 29.0, 28.8, 25.0, 26.0, 25.5, 30.0, 24.0, 27.0, 29.0}}},
               {"main.slope.late", {{0.0, 1.0, 2.0}, {std::nan(""), 24.0, 25.0}}},
               {"main.nut.empty", {}}};
    return t;
}

double value(const std::string& text) { return ValueFormula(text, {"H"}).value(table()); }

TEST(Value, NamesOfResultsAreNumbersOfAFormula) {
    EXPECT_DOUBLE_EQ(value("main.slope.slope - 20"), 6.0);
    EXPECT_DOUBLE_EQ(value("main.slope.slope/H + 1e-2*100"), 14.0);
    EXPECT_DOUBLE_EQ(value("max(main.max_overlap, sqrt(4)) * _pi / _pi"), 2.0);
}

TEST(Value, ListFunctionsTakeAllFramesOrAWindow) {
    EXPECT_DOUBLE_EQ(value("mean(main.nut.height)"), 3.0);
    EXPECT_DOUBLE_EQ(value("mean(main.nut.height from 1 to 2)"), 2.5);
    EXPECT_DOUBLE_EQ(value("first(main.nut.height from 0.5) + last(main.nut.height to 2)"), 5.0);
    EXPECT_DOUBLE_EQ(value("largest(main.nut.height) - smallest(main.nut.height)"), 5.0);
    EXPECT_DOUBLE_EQ(value("median(main.nut.height)"), 2.5);
    EXPECT_DOUBLE_EQ(value("total(main.nut.height) / count(main.nut.height)"), 3.0);
    EXPECT_DOUBLE_EQ(value("place_of_largest(main.nut.height to 2)"), 1.0);
    EXPECT_DOUBLE_EQ(value("share(main.nut.height above 1.5)"), 0.75);
    EXPECT_DOUBLE_EQ(value("share(main.nut.height above 1.5 below 4 from 0)"), 0.5);
    // 1 3 2 6: from 1 to 6 it rises by 5, from 3 to 2 it falls by 1.
    EXPECT_DOUBLE_EQ(value("largest_rise(main.nut.height)"), 5.0);
    EXPECT_DOUBLE_EQ(value("largest_drop(main.nut.height)"), 1.0);
    // The angle, whose deviation is 2.04, falls from 29 to 25 and from 30 to 24; what it does in between is less than that.
    EXPECT_DOUBLE_EQ(value("before_falls(main.surface.angle)"), 29.5);
    EXPECT_DOUBLE_EQ(value("after_falls(main.surface.angle)"), 24.5);
    // Not yet over: it counts as far as it went. Where nothing falls there is nothing to tell.
    EXPECT_DOUBLE_EQ(value("after_falls(main.surface.angle to 3)"), 25.0);
    EXPECT_TRUE(std::isnan(value("before_falls(main.surface.angle from 7)")));
    EXPECT_DOUBLE_EQ(value("is_rising(main.nut.height from 2)"), 1.0);
    EXPECT_DOUBLE_EQ(value("is_rising(main.nut.height)"), 0.0);
    // Least squares of 1 3 2 6 at 0 1 2 3: (−1.5·−2 + −0.5·0 + 0.5·−1 + 1.5·3) / 5.
    EXPECT_DOUBLE_EQ(value("trend(main.nut.height)"), 1.4);
    // Sample variance of 1 3 2 6: (4 + 0 + 1 + 9) / 3.
    EXPECT_DOUBLE_EQ(value("deviation(main.nut.height)"), std::sqrt(14.0 / 3.0));
}

TEST(Value, ListFunctionsTakeSeveralFormulas) {
    EXPECT_DOUBLE_EQ(value("mean(main.slope.slope, 2*H, max(1, 2))"), (26.0 + 4.0 + 2.0) / 3.0);
    EXPECT_DOUBLE_EQ(value("is_falling(main.slope.slope, 4, 4, H)"), 1.0);
    EXPECT_DOUBLE_EQ(value("mean(first(main.nut.height), last(main.nut.height))"), 3.5);
}

TEST(Value, TwoSeriesAreComparedWhereBothAreKnown) {
    // The second one between its points: 1, 2.25, 3.25, 6 at 0, 1, 2, 3 against 1, 3, 2, 6.
    EXPECT_DOUBLE_EQ(value("largest_difference(main.nut.height, half.nut.height)"), 1.25);
}

TEST(Value, WhatIsMissingMakesTheValueMissing) {
    EXPECT_TRUE(std::isnan(value("main.rings.gone + 1")));
    EXPECT_TRUE(std::isnan(value("mean(main.nut.empty)")));
    EXPECT_TRUE(std::isnan(value("mean(main.slope.late)")));
    EXPECT_TRUE(std::isnan(value("first(main.slope.late)")));
    EXPECT_DOUBLE_EQ(value("last(main.slope.late)"), 25.0);   // there, though an earlier one is not
    EXPECT_TRUE(std::isnan(value("1 / (H - 2)")));
    EXPECT_DOUBLE_EQ(value("count(main.nut.empty)"), 0.0);
    EXPECT_THROW((void)value("main.slope.unknown"), InputError);
}

TEST(Value, WhatCannotBeReadIsRefusedBeforeAnythingRuns) {
    const auto refused = [](const std::string& text) {
        try {
            (void)ValueFormula(text, {"H"});
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_NE(refused("main.slope.slope +").find("is no formula"), std::string::npos);
    EXPECT_NE(refused("unknown + 1").find("unknown"), std::string::npos);
    EXPECT_NE(refused("mean(main.nut.height until 3)").find("'until' is no clause"), std::string::npos);
    EXPECT_NE(refused("mean(H)").find("is no list"), std::string::npos);
    EXPECT_NE(refused("mean(main.nut.height").find("not closed"), std::string::npos);
    EXPECT_NE(refused("mean").find("takes a list"), std::string::npos);
    EXPECT_EQ(refused("H * main.slope.slope"), "");
}

TEST(Value, ItTellsWhatItUses) {
    const auto paths = ValueFormula("H + main.a.b + mean(other.c.d from 1) + mean(x.y, z.w)", {"H"}).paths();
    EXPECT_EQ(paths, (std::vector<std::string>{"H", "main.a.b", "other.c.d", "x.y", "z.w"}));
}

TEST(Value, EveryListFunctionThatIsToldExists) {
    const Series s{{0.0, 1.0, 2.0}, {1.0, 2.0, 0.5}};
    for (const auto& f : list_functions()) {
        if (std::string(f.name) != "largest_difference") { EXPECT_TRUE(std::isfinite(apply_list_function(f.name, s, 0.0, 9.0))) << f.name; }
    }
}

}  // namespace
}  // namespace talus::gallery
