#include <gtest/gtest.h>

#include "frames.h"

namespace talus::observe {

Result sample() {
    Result result;
    result.observable = "rings";
    result.label = "ground_pressure";
    result.time = 2.0;
    result.add("centre_pressure", 331.8, "Pa");
    result.add("ratio", std::nan(""));
    result.add("height", 0.055, "m");
    result.tables.push_back({"rings", {{"outer", "m", {0.01, 0.02}}, {"contacts", "", {3, 4}}}});
    return result;
}

TEST(Result, JsonKeepsEverythingAndMakesNaNNull) {
    const nlohmann::json json = nlohmann::json::parse(to_json(sample()).dump());
    EXPECT_TRUE(json["values"]["ratio"]["value"].is_null());
    const Result back = result_from_json(json);
    EXPECT_EQ(back.label, "ground_pressure");
    ASSERT_EQ(back.scalars.size(), 3u);
    EXPECT_EQ(back.scalars[0].name, "centre_pressure");
    EXPECT_EQ(back.scalars[2].name, "height");
    EXPECT_EQ(back.value("height"), 0.055);
    EXPECT_TRUE(std::isnan(back.value("ratio")));
    ASSERT_NE(back.table("rings"), nullptr);
    EXPECT_EQ(back.table("rings")->column("contacts")->values, (std::vector<double>{3, 4}));
    EXPECT_THROW((void)result_from_json(nlohmann::json::array()), InputError);
}

TEST(Result, CgsShowsThePaperSUnits) {
    const Result cgs = in_units(sample(), UnitSystem::cgs);
    EXPECT_DOUBLE_EQ(cgs.value("centre_pressure"), 3318.0);
    EXPECT_EQ(cgs.scalars[0].unit, "dPa");
    EXPECT_DOUBLE_EQ(cgs.value("height"), 5.5);
    EXPECT_EQ(cgs.tables[0].columns[0].unit, "cm");
    EXPECT_DOUBLE_EQ(cgs.tables[0].columns[0].values[1], 2.0);
}

TEST(Result, PrintsAlignedWithUnitsAndADashForWhatIsNotKnown) {
    const std::string text = to_text(in_units(sample(), UnitSystem::cgs));
    EXPECT_NE(text.find("ground pressure\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  centre pressure  3318 dPa\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  ratio            - \n"), std::string::npos) << text;
    EXPECT_NE(text.find("outer [cm]"), std::string::npos) << text;
}

TEST(Result, UnitsOfBothSystemsAgree) {
    // 1 Pa = 10 dyn/cm2; 1 J = 1e7 erg; 1 kg/m2 = 0.1 g/cm2.
    EXPECT_EQ(unit_in(UnitSystem::cgs, "Pa").factor, 10.0);
    EXPECT_EQ(unit_in(UnitSystem::cgs, "J").name, "erg");
    EXPECT_EQ(unit_in(UnitSystem::cgs, "kg/m2").factor, 0.1);
    EXPECT_EQ(unit_in(UnitSystem::cgs, "deg").name, "deg");
    EXPECT_EQ(unit_in(UnitSystem::si, "Pa").name, "Pa");
}

}  // namespace talus::observe
