#include <gtest/gtest.h>

#include <map>

#include "frames.h"

namespace talus::observe {

TEST(Parameters, AnUnknownObservableIsNamedWithTheKnownOnes) {
    Spec wrong = spec("slop");
    wrong.where = "pile.yaml:12:5";
    const std::string message = complaint(wrong);
    EXPECT_EQ(message.rfind("pile.yaml:12:5: unknown observable `slop`; known: arching, contacts, cut, ", 0), 0u) << message;
}

TEST(Parameters, AnUnknownKeyIsNamedAtItsOwnPlace) {
    Spec wrong = spec("rings", {{"rings", 12}});
    wrong.where = "pile.yaml:12:5";
    wrong.where_key["rings"] = "pile.yaml:12:18";
    EXPECT_EQ(complaint(wrong),
              "pile.yaml:12:18: observable `rings`: `rings` is unknown; known: `average`, `axis`, `bin`, `bulk_density`, `centre`, "
              "`count`, `from`, `ground`, `radius`, `to`, `walls`");
    EXPECT_EQ(complaint(spec("energy", {{"x", 1}})), "observable `energy`: `x` is unknown: this observable has no parameters");
}

TEST(Parameters, IllTypedValuesAreRefused) {
    EXPECT_EQ(complaint(spec("rings", {{"count", 2.5}})), "observable `rings`: `count` must be a whole number of at least 1, not 2.5");
    EXPECT_EQ(complaint(spec("rings", {{"count", 0}})), "observable `rings`: `count` must be a whole number of at least 1, not 0");
    EXPECT_EQ(complaint(spec("rings", {{"average", "yes"}})), "observable `rings`: `average` must be true or false, not \"yes\"; write one of the two");
    EXPECT_EQ(complaint(spec("rings", {{"axis", 1}})), "observable `rings`: `axis` must be a list of at most 3 lengths, not 1");
    EXPECT_EQ(complaint(spec("slope", {{"from", 0.9}})), "observable `slope`: `to` must be greater than `from`");
    EXPECT_EQ(complaint(spec("slope", {{"from", -1}})), "observable `slope`: `from` must lie between 0 and 1, not -1");
    EXPECT_EQ(complaint(spec("wall_force", {{"by", "shape"}})), "observable `wall_force`: `by` must be one of `body`, `tag`, not \"shape\"");
    EXPECT_EQ(complaint(spec("stress")), "observable `stress`: `region` is missing");
    EXPECT_EQ(complaint(spec("stress", {{"region", {{"ball", 1}}}})),
              "observable `stress.region`: must have exactly one of its kinds; give `box`, `cylinder`, `annulus`, `ring`, `sphere`, `whole`");
    EXPECT_EQ(complaint(spec("energy", 3)), "observable `energy`: its parameters must be a mapping of names to values");
}

TEST(Parameters, ATagNameMustExist) {
    Spec wrong = spec("rings", {{"walls", "flor"}});
    wrong.tags = {{"bed", 1001}, {"floor", 1002}};
    EXPECT_EQ(complaint(wrong), "observable `rings`: `walls` names the tag \"flor\", which does not exist; the scene has `bed`, `floor`");
    wrong.parameters = {{"walls", {"floor", 7}}};
    EXPECT_EQ(complaint(wrong), "no complaint");
}

TEST(Parameters, LengthsComeInTheUnitsOfTheScene) {
    Spec region = spec("solid_fraction", {{"region", {{"box", {{"low", {0, 0, 0}}, {"high", {10, 10, 10}}}}}}});
    region.units = UnitSystem::cgs;
    EXPECT_DOUBLE_EQ(measure(region, empty_frame<3>()).value("region"), 1e-3);  // 10 cm cubed
}

TEST(Registry, EveryObservableMeasuresAnEmptyFrameInBothDimensions) {
    const nlohmann::json region = {{"region", {{"cylinder", {{"radius", 1}, {"low", 0}, {"high", 1}}}}}};
    const std::map<std::string, nlohmann::json> needed = {   // those that cannot do without
        {"arching", region}, {"solid_fraction", region}, {"stress", region}, {"discharge", region},
        {"cut", {{"cuts", {{"plane", {{"normal", {1, 0}}}}}}}}, {"probe", {{"radius", 1}}}, {"fossil", {{"layers", {{0, 1}}}}},
        {"tracer", {{"tags", 1}}}, {"wall_stress", {{"x", {{"low", 1}, {"high", 2}}}}}, {"series", {{"of", "energy"}}},
        {"phase", {{"of", "energy"}, {"period", 1}}}};
    for (const Description& known : list_observables()) {
        EXPECT_FALSE(known.summary.empty()) << known.name;
        Spec asked = spec(known.name);
        if (needed.contains(known.name)) asked.parameters = needed.at(known.name);
        if (known.in_2d) {
            EXPECT_EQ(measure(asked, empty_frame<2>()).observable, known.name);
        }
        if (known.in_3d) {
            EXPECT_EQ(measure(asked, empty_frame<3>()).observable, known.name);
        }
    }
}

}  // namespace talus::observe
