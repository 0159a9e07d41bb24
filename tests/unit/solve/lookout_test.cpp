// Which sweeps measure: geometrically spread without more knowledge, foreseen where sweeps tell the energy of their changes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "solve/sweep_control.h"

namespace talus {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

SolverSettings to(double tolerance, int min_sweeps = 1) {
    SolverSettings s;
    s.tolerance = tolerance;
    s.min_sweeps = min_sweeps;
    return s;
}

/// The sweeps that measure, of an error that falls by `rate` a sweep; `tells`: sweeps tell their energy. Ends where the error is within.
std::vector<int> measuring(const SolverSettings& settings, double rate, bool tells, int most = 400) {
    Lookout lookout(settings);
    std::vector<int> all;
    double error = 1.0;
    for (int sweep = 1; sweep <= most; ++sweep) {
        const bool due = lookout.is_due(sweep);
        error *= rate;
        lookout.swept(tells ? 7.0 * error * error : unknown);
        if (!due) continue;
        all.push_back(sweep);
        if (error <= settings.tolerance) break;
        lookout.measured(sweep, error);
    }
    return all;
}

TEST(Lookout, IsSpreadGeometricallyWhereNothingIsKnown) {
    const std::vector<int> seen = measuring(to(1e-3), 0.9, false);   // within after 66 sweeps
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(seen.front(), 1);
    EXPECT_EQ(seen[7], 8);            // every sweep at first
    EXPECT_GE(seen.back(), 66);
    EXPECT_LE(seen.back(), 66 + 66 / 8 + 1);
}

TEST(Lookout, ForeseesTheEndFromTheEnergy) {
    for (const double rate : {0.5, 0.9, 0.97}) {
        const int within = static_cast<int>(std::ceil(std::log(1e-3) / std::log(rate)));
        const std::vector<int> seen = measuring(to(1e-3), rate, true), blind = measuring(to(1e-3), rate, false);
        EXPECT_NEAR(seen.back(), within, 1) << rate;
        EXPECT_LT(seen.size(), blind.size()) << rate;
    }
}

TEST(Lookout, IsNotMisledByAnEnergyThatDoesNotFall) {
    Lookout lookout(to(1e-3));
    int measured = 0;
    for (int sweep = 1; sweep <= 200; ++sweep) {
        const bool due = lookout.is_due(sweep);
        lookout.swept(1.0);
        if (!due) continue;
        ++measured;
        lookout.measured(sweep, 0.5);
    }
    EXPECT_GE(measured, 10);   // it goes on looking
    EXPECT_LE(measured, 30);
}

TEST(Lookout, WaitsForTheLeastNumberOfSweeps) {
    EXPECT_EQ(measuring(to(1e-3, 20), 0.5, true).front(), 20);
}

TEST(Lookout, NeverLooksWithoutATolerance) { EXPECT_TRUE(measuring(to(0.0), 0.5, true, 50).empty()); }

TEST(Lookout, SpreadsOutAgainWhereTheMeanIsMetButNotAccepted) {
    // A worst contact may be asked for as well: the mean is within the tolerance, and the sweeps go on.
    Lookout lookout(to(1e-3));
    int measured = 0;
    for (int sweep = 1; sweep <= 160; ++sweep) {
        const bool due = lookout.is_due(sweep);
        lookout.swept(1e-12);
        if (!due) continue;
        ++measured;
        lookout.measured(sweep, 1e-4);
    }
    EXPECT_LE(measured, 40);
}

}  // namespace
}  // namespace talus
