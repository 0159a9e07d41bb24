// Observables that compare instants: what they see, what they remember, and that a resumed one remembers the same.
#include <gtest/gtest.h>

#include <cstring>

#include "frames.h"
#include "observe/observers.h"

namespace talus::observe {
namespace {

constexpr double pi = std::numbers::pi;

/// The same frame at another time.
template <int Dim>
Snapshot<Dim> at(Snapshot<Dim> frame, double time, std::int64_t step) {
    frame.time = time;
    frame.step = step;
    return frame;
}

/// Nine grains on a square grid of side 2 about the origin.
Snapshot<2> nine() {
    auto frame = empty_frame<2>(10.0);
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) add_grain<2>(frame, {static_cast<double>(i), static_cast<double>(j)}, 0.1);
    return frame;
}

template <class Move>
Snapshot<2> moved(Snapshot<2> frame, double time, const Move& move) {
    for (auto& x : frame.position) x += move(x);
    return at(frame, time, static_cast<std::int64_t>(std::lround(time / frame.h)));
}

std::string bytes_of(const std::vector<Result>& results) {
    nlohmann::json json = nlohmann::json::array();
    for (const auto& result : results) json.push_back(to_json(result));
    return json.dump();
}

TEST(Displacement, OfASmallRotationHasTwiceItsAngleAsVorticity) {
    const nlohmann::json asked = {{"regions", {{{"name", "all"}, {"whole", true}}, {{"name", "right"}, {"box", {{"low", {0.5, -2}}, {"high", {2, 2}}}}}}},
                                  {"grains", true}, {"grid", {{"low", {-2, -2}}, {"high", {2, 2}}, {"cells", {2, 1}}}}};
    Observers<2> observers({spec("displacement", asked)}, true);
    (void)observers.at_frame(nine());
    const double angle = 0.01;
    const auto later = moved(nine(), 1.0, [&](const Vec<2>& x) { return Vec<2>(-angle * x.y(), angle * x.x() + 0.5); });
    const Result result = observers.at_frame(later)[0];
    EXPECT_EQ(result.value("begin"), 0.0);
    EXPECT_EQ(result.value("end"), 1.0);
    EXPECT_EQ(result.value("grains"), 9);
    EXPECT_NEAR(result.value("mean_y"), 0.5, 1e-15);
    EXPECT_NEAR(result.value("all_vorticity"), 2.0 * angle, 1e-14);
    EXPECT_NEAR(result.value("right_y"), 0.5 + angle, 1e-15);
    EXPECT_EQ(result.value("right_grains"), 3);
    EXPECT_TRUE(std::isnan(result.value("right_vorticity")));   // three grains on a line
    EXPECT_TRUE(std::isnan(result.value("right_sigma_y")));     // one interval has no scatter
    EXPECT_NEAR(result.table("grains")->column("dy")->values[0], 0.5 - angle, 1e-15);
    EXPECT_EQ(result.table("grid")->column("count")->values, (std::vector<double>{3, 6}));
    EXPECT_NEAR(result.table("grid")->column("vorticity")->values[1], 2.0 * angle, 1e-14);
}

TEST(Displacement, UnwrapsPeriodicBordersAndForgetsGrainsThatLeft) {
    auto frame = nine();
    frame.periodic = {true, false};
    frame.cell_low = {-2, 0};
    frame.cell_high = {2, 0};
    Observers<2> observers({spec("displacement", {{"grains", true}, {"beyond", 1.0}})}, true);
    (void)observers.at_frame(frame);
    auto later = at(frame, 1.0, 100);
    later.position[0].x() += 3.5 - 4.0;   // went to the right through the border
    later.image[0].x() = 1;
    later.id[8] = 12;                     // another grain
    const Result result = observers.at_frame(later)[0];
    EXPECT_EQ(result.value("grains"), 8);
    EXPECT_NEAR(result.value("max"), 3.5, 1e-15);
    EXPECT_EQ(result.value("moved"), 1);
}

TEST(Displacement, UnderAStroboscopeAveragesOverPeriods) {
    const nlohmann::json asked = {{"frequency", 1.0}, {"from", 1.0}, {"to", 3.0}, {"regions", {{{"name", "bed"}, {"whole", true}}}}};
    Observers<2> observers({spec("displacement", asked)}, true);
    const auto shift = [](double y) { return [y](const Vec<2>&) { return Vec<2>(0, y); }; };
    (void)observers.at_frame(at(nine(), 0.0, 0));
    (void)observers.at_frame(moved(nine(), 1.0, shift(7.0)));     // the reference
    (void)observers.at_frame(moved(nine(), 1.5, shift(99.0)));    // between strobes: not looked at
    (void)observers.at_frame(moved(nine(), 2.0, shift(8.0)));
    (void)observers.at_frame(moved(nine(), 3.0, shift(11.0)));
    const Result result = observers.at_frame(moved(nine(), 4.0, shift(50.0)))[0];   // after the end
    EXPECT_EQ(result.value("intervals"), 2);
    EXPECT_NEAR(result.value("bed_y"), 2.0, 1e-15);                       // of 1 and 3
    EXPECT_NEAR(result.value("bed_sigma_y"), std::sqrt(2.0 / 2.0), 1e-15);  // their standard error
    EXPECT_NEAR(result.table("intervals")->column("bed_y")->values[1], 3.0, 1e-15);
}

TEST(Displacement, SaysWhichFrameOfARunFileIsMissing) {
    Observers<2> observers({spec("displacement", {{"period", 1.0}})}, true);
    (void)observers.at_frame(at(nine(), 0.0, 0));
    try {
        (void)observers.at_frame(at(nine(), 1.5, 150));
        FAIL() << "no complaint";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("at t = 1 s"), std::string::npos) << error.what();
    }
}

TEST(Stagnation, IsAlongTheLineOfLeastMotion) {
    auto frame = empty_frame<2>(0.0);
    for (int j = -10; j <= 10; ++j)
        for (int i = -10; i <= 10; ++i) add_grain<2>(frame, {0.1 * i, 0.1 * j}, 0.05);
    for (const double sign : {1.0, -1.0}) {   // nothing moves on the line y = sign x, the rest moves in proportion to its distance
        Observers<2> observers({spec("stagnation")}, true);
        (void)observers.at_frame(frame);
        const Result result = observers.at_frame(moved(frame, 1.0, [&](const Vec<2>& x) { return Vec<2>(0.0, 0.01 * (x.y() - sign * x.x())); }))[0];
        EXPECT_NEAR(result.value("band_angle"), sign * 45.0, 1e-6);
        // In a disk evenly filled the moments are as the integrals of |sin| cos^2 and |sin|^3: 4/3 and 8/3. The grid is coarse.
        EXPECT_NEAR(result.value("band_contrast"), 1.0 / 3.0, 0.03);
    }
    Observers<2> even({spec("stagnation")}, true);
    (void)even.at_frame(frame);
    const Result none = even.at_frame(moved(frame, 1.0, [](const Vec<2>& x) { return Vec<2>(0.01 * x.x(), -0.01 * x.y()); }))[0];
    EXPECT_NEAR(none.value("band_contrast"), 0.0, 1e-12);   // pure shear: |d| depends on the distance alone
}

TEST(Discharge, CountsGrainsThatFellOrWereTakenAway) {
    auto frame = empty_frame<2>(10.0);
    for (int k = 0; k < 4; ++k) add_grain<2>(frame, {static_cast<double>(k), 1.0}, 0.1, 2.0);
    Observers<2> observers({spec("discharge", {{"below", 0.5}, {"rate", {0.5, 3}}})}, true);
    EXPECT_EQ(observers.at_frame(at(frame, 0.0, 0))[0].value("discharged"), 0);
    auto falling = at(frame, 1.0, 100);
    falling.position[0].y() = 0.0;
    EXPECT_EQ(observers.at_frame(falling)[0].value("discharged"), 1);
    auto next = at(frame, 2.0, 200);
    next.position[0].y() = 0.0;
    next.position[1].y() = 0.0;
    next.id = {0, 1, 3, 9};               // grain 2 is gone, a new one came
    const Result result = observers.at_frame(next)[0];
    EXPECT_EQ(result.value("discharged"), 3);
    EXPECT_EQ(result.value("discharged_mass"), 6.0);
    EXPECT_EQ(result.value("remaining"), 2);
    EXPECT_NEAR(result.value("rate"), 2.0, 1e-14);     // from 1 at 1 s to 3 at 2 s
    EXPECT_EQ(result.table("series")->column("discharged")->values, (std::vector<double>{0, 1, 3}));
}

TEST(Ledger, AddsUpTheSteps) {
    Observers<2> observers({spec("ledger", {{"every", 1.0}})}, true);
    ASSERT_TRUE(observers.wants_reports());
    StepReport report;
    report.energy.potential = 10.0;
    for (std::int64_t step = 1; step <= 3; ++step) {
        report.step = step;
        report.time = static_cast<double>(step);
        report.energy.drive_work = 2.0;
        report.energy.impact = 0.5;
        report.energy.kinetic = 1.5 * static_cast<double>(step);
        observers.see_report(report);
    }
    const Result result = observers.at_frame(at(nine(), 3.0, 3))[0];
    EXPECT_EQ(result.value("drive_work"), 6.0);
    EXPECT_EQ(result.value("dissipated"), 1.5);
    EXPECT_NEAR(result.value("change"), 4.5, 1e-14);    // drive work less what was lost
    EXPECT_EQ(result.table("series")->column("impact")->values, (std::vector<double>{0.5, 1.0, 1.5}));
    report.step = 5;
    EXPECT_THROW(observers.see_report(report), InputError);   // a step is missing
}

TEST(WallStress, IsForceOverAreaAndShorteningOverLength) {
    auto frame = empty_frame<2>(0.0);
    const BodyId left = add_body<2>(frame, {-1, 0}, 0, 0, true, 1), right = add_body<2>(frame, {1, 0}, 0, 0, true, 2);
    const BodyId low = add_body<2>(frame, {0, 0}, 0, 0, true, 3), high = add_body<2>(frame, {0, 4}, 0, 0, true, 4);
    const BodyId grain = add_grain<2>(frame, {0, 2});
    const nlohmann::json asked = {{"x", {{"low", 1}, {"high", 2}}}, {"y", {{"low", 3}, {"high", 4}}}};
    Observers<2> observers({spec("wall_stress", asked)}, true);
    (void)observers.at_frame(frame);
    auto later = at(frame, 1.0, 100);
    later.position[1].x() = 0.9;
    later.position[3].y() = 4.1;
    add_contact<2>(later, grain, left, {-1, 2}, Vec<2>::UnitX(), {8, 0});
    add_contact<2>(later, grain, right, {0.9, 2}, -Vec<2>::UnitX(), {-8.4, 0});
    add_contact<2>(later, grain, low, {0, 0}, Vec<2>::UnitY(), {0, 19});
    add_contact<2>(later, grain, high, {0, 4.1}, -Vec<2>::UnitY(), {0, -19});
    const Result result = observers.at_frame(later)[0];
    EXPECT_NEAR(result.value("strain_x"), 0.05, 1e-15);
    EXPECT_NEAR(result.value("strain_y"), -0.025, 1e-15);
    EXPECT_NEAR(result.value("stress_x"), 8.2 / 4.1, 1e-14);
    EXPECT_NEAR(result.value("stress_y"), 19.0 / 1.9, 1e-14);
    EXPECT_NEAR(result.value("deviator"), 8.0, 1e-13);
    EXPECT_NEAR(result.value("strain_volume"), (8.0 - 1.9 * 4.1) / 8.0, 1e-15);
}

/// One grain whose speed at step k is `speed(k)`.
template <class Speed>
Snapshot<2> with_speed(std::int64_t step, const Speed& speed) {
    auto frame = empty_frame<2>(10.0);
    add_grain<2>(frame, {0, 0}, 0.5, 2.0);
    frame.velocity[0] = {speed(step), 0.0};
    return at(frame, 0.01 * static_cast<double>(step), step);
}

TEST(Series, CollectsNumbersAndTheirExtremes) {
    const auto speed = [](std::int64_t k) { return static_cast<double>(k * (4 - k)); };   // 0 3 4 3 0
    Observers<2> observers({spec("series", {{"of", "energy"}, {"values", {"max_speed"}}, {"from", 0.01}})}, true);
    std::vector<Result> results;
    for (std::int64_t step = 0; step <= 4; ++step) results = observers.at_frame(with_speed(step, speed));
    EXPECT_EQ(results[0].value("samples"), 4);
    EXPECT_EQ(results[0].value("max_speed_max"), 4.0);
    EXPECT_NEAR(results[0].value("time_of_max_max_speed"), 0.02, 1e-15);
    EXPECT_EQ(results[0].value("max_speed_mean"), 2.5);
    EXPECT_EQ(results[0].value("max_speed_median"), 3.0);
    EXPECT_EQ(results[0].value("max_speed_last"), 0.0);
    EXPECT_EQ(results[0].table("series")->column("max_speed")->values, (std::vector<double>{3, 4, 3, 0}));
    EXPECT_EQ(results[0].table("series")->column("max_speed")->unit, "m/s");
}

TEST(Series, OfOneThatComparesInstantsShowsItWhatItNeeds) {
    auto frame = empty_frame<2>(0.0);
    add_body<2>(frame, {0, 0}, 0, 0, true, 1);
    add_body<2>(frame, {2, 0}, 0, 0, true, 2);
    const nlohmann::json walls = {{"name", "wall_stress"}, {"x", {{"low", 1}, {"high", 2}}}, {"from", 1.0}};
    Observers<2> observers({spec("series", {{"of", walls}, {"values", "strain_x"}, {"from", 2.0}})}, true);
    std::vector<Result> results;
    for (int k = 0; k <= 3; ++k) {
        auto later = at(frame, k, 100 * k);
        later.position[1].x() = 2.0 - 0.1 * k;
        results = observers.at_frame(later);
    }
    const auto& strains = results[0].table("series")->column("strain_x")->values;
    ASSERT_EQ(strains.size(), 2u);
    EXPECT_NEAR(strains[1], 0.2 / 1.9, 1e-14);   // since 1 s
}

TEST(Series, RefusesWhatCannotBeSampled) {
    EXPECT_NE(complaint<2>(spec("series")).find("`of` is missing"), std::string::npos);
    EXPECT_NE(complaint<2>(spec("series", {{"of", "enrgy"}})).find("unknown observable `enrgy`"), std::string::npos);
    EXPECT_NE(complaint<2>(spec("series", {{"of", {{"name", "wall_force"}, {"average", true}}}, {"sample", "steps"}})).find("average"), std::string::npos);
    EXPECT_NE(complaint<2>(spec("phase", {{"of", "energy"}})).find("`period` is missing"), std::string::npos);
}

TEST(Phase, AveragesByPartsOfThePeriod) {
    // Period of 4 steps in two parts; speeds 1 1 3 3, 2 2 4 4. A step counts at its middle.
    const auto speed = [](std::int64_t k) { return static_cast<double>(1 + 2 * (((k - 1) % 4) / 2) + (k - 1) / 4); };
    const nlohmann::json asked = {{"of", "energy"}, {"values", "max_speed"}, {"period", 0.04}, {"bins", 2}, {"from", 0.0}, {"periods", 2},
                                  {"sample", "frames"}, {"windows", {{{"name", "late"}, {"from", 0.02}}}}};
    Observers<2> observers({spec("phase", asked)}, true);
    std::vector<Result> results;
    for (std::int64_t step = 0; step <= 12; ++step) results = observers.at_frame(with_speed(step, speed));   // the last period is not asked for
    EXPECT_EQ(results[0].value("samples"), 8);
    EXPECT_EQ(results[0].table("phase")->column("max_speed")->values, (std::vector<double>{1.5, 3.5}));
    EXPECT_EQ(results[0].table("phase")->column("count")->values, (std::vector<double>{4, 4}));
    EXPECT_NEAR(results[0].table("phase")->column("max_speed_sigma")->values[0], std::sqrt(1.0 / 3.0), 1e-15);
    EXPECT_EQ(results[0].value("max_speed_mean"), 2.5);
    EXPECT_NEAR(results[0].value("max_speed_phase_of_max"), 0.03, 1e-15);
    EXPECT_EQ(results[0].value("late_max_speed_mean"), 3.5);
}

TEST(Phase, SamplesStepsUnlessToldOtherwise) {
    Observers<2> observers({spec("phase", {{"of", "energy"}, {"period", 0.04}})}, true);
    try {
        (void)observers.at_frame(with_speed(1, [](std::int64_t) { return 1.0; }));
        FAIL() << "no complaint";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("which a run file does not hold"), std::string::npos) << error.what();
    }
}

TEST(Observers, ResumedGiveTheSameBits) {
    const std::vector<Spec> all = {spec("displacement", {{"period", 0.02}, {"regions", {{{"name", "bed"}, {"whole", true}}}}, {"grains", true},
                                                         {"grid", {{"low", {-2, -2}}, {"high", {2, 2}}, {"cells", {2, 2}}}}}),
                                   spec("stagnation", {{"to", 0.05}}),
                                   spec("energy"),
                                   spec("discharge", {{"below", 0.0}}),
                                   spec("ledger", {{"every", 0.02}}),
                                   spec("wall_stress", {{"x", {{"low", 0}, {"high", 0}}}, {"from", 0.02}}),
                                   spec("series", {{"of", "energy"}, {"every", 0.02}}),
                                   spec("phase", {{"of", "energy"}, {"period", 0.03}, {"bins", 3}, {"sample", "frames"}})};
    const auto show = [&](Observers<2>& observers, std::int64_t step) {
        StepReport report;
        report.step = step;
        report.time = 0.01 * static_cast<double>(step);
        report.energy.kinetic = 1.0 / static_cast<double>(step);
        report.energy.impact = 0.1;
        if (step > 0) observers.see_report(report);
        const double t = report.time;
        auto frame = moved(nine(), t, [&](const Vec<2>& x) { return Vec<2>(t * x.y() * x.x(), -t * t * x.y()); });
        for (auto& v : frame.velocity) v = {t, 1.0 / (1.0 + t)};
        return observers.at_frame(frame);
    };
    Observers<2> straight(all, false), first(all, false), second(all, false);
    std::vector<Result> expected, found;
    for (std::int64_t step = 0; step <= 9; ++step) expected = show(straight, step);
    for (std::int64_t step = 0; step <= 5; ++step) (void)show(first, step);
    second.load(first.save());
    for (std::int64_t step = 6; step <= 9; ++step) found = show(second, step);
    EXPECT_EQ(bytes_of(expected), bytes_of(found));
    EXPECT_EQ(straight.save(), second.save());
    Observers<2> other({spec("displacement")}, false);
    EXPECT_THROW(other.load(first.save()), IoError);
}

}  // namespace
}  // namespace talus::observe
