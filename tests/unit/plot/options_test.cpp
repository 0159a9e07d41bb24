#include <gtest/gtest.h>

#include "plot/options.h"
#include "unit/observe/frames.h"

namespace talus::plot {

nlohmann::json read(const std::vector<std::string>& words) {
    nlohmann::json parameters = nlohmann::json::object();
    for (const auto& word : words) read_option(word, parameters);
    return parameters;
}

TEST(Options, AreReadAsACommandLineWritesThem) {
    EXPECT_EQ(read({"frame=-1", "slab=.5", "colour=speed", "axes=false", "forces"}),
              (nlohmann::json{{"frame", -1}, {"slab", 0.5}, {"colour", "speed"}, {"axes", false}, {"forces", true}}));
    EXPECT_EQ(read({"y=kinetic,potential", "axis=1,-2.5", "layers=1:2,3:4"}),
              (nlohmann::json{{"y", {"kinetic", "potential"}}, {"axis", {1, -2.5}}, {"layers", {"1:2", "3:4"}}}));
    EXPECT_EQ(read({R"(cuts=[{"segment": {"from": [0, 0], "to": [0, 3]}}])"}).at("cuts").at(0).at("segment").at("to").at(1), 3);
    EXPECT_EQ(read({"title=a = b"}).at("title"), "a = b");
}

TEST(Options, WrongOnesAreRefused) {
    EXPECT_THROW((void)read({"=3"}), InputError);
    EXPECT_THROW((void)read({"slab="}), InputError);
    EXPECT_THROW((void)read({"slab=1", "slab=2"}), InputError);
}

TEST(Options, IntervalsAreWrittenInAnyWay) {
    using Intervals = std::vector<Interval>;
    const auto intervals = [](const nlohmann::json& value) {
        const auto made = observe::spec("grains", {{"layers", value}});
        return Options(made, 3).intervals("layers");
    };
    EXPECT_EQ(intervals("1.5:2"), (Intervals{{1.5, 2}}));
    EXPECT_EQ(intervals({"1:2", "3:4"}), (Intervals{{1, 2}, {3, 4}}));
    EXPECT_EQ(intervals(nlohmann::json::parse("[[1, 2], [3, 4]]")), (Intervals{{1, 2}, {3, 4}}));
    EXPECT_EQ(intervals(nlohmann::json::parse("[1, 2]")), (Intervals{{1, 2}}));
    for (const char* wrong : {"\"1\"", "\"2:1\"", "\"a:b\"", "[1, 2, 3]", "7"}) EXPECT_THROW((void)intervals(nlohmann::json::parse(wrong)), InputError) << wrong;
}

}  // namespace talus::plot
