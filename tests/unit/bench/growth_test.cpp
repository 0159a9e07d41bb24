#include "bench/growth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "talus/error.h"

namespace talus::bench {
namespace {

void hear_nothing(const std::string&) {}

TEST(Growth, SlopeOfAPowerIsItsExponent) {
    std::vector<double> x, y;
    for (const double n : {1e3, 1e4, 1e5, 1e6}) {
        x.push_back(n);
        y.push_back(3e-7 * std::pow(n, 1.25));
    }
    EXPECT_NEAR(log_slope(x, y), 1.25, 1e-13);  // rounding of four logarithms
}

TEST(Growth, SlopeIsThatOfLeastSquares) {
    // In units of log 10 the points are (0, 0), (1, 2), (2, 1): the slope is (3 * 4 - 3 * 3) / (3 * 5 - 9) = 1/2.
    EXPECT_NEAR(log_slope({1.0, 10.0, 100.0}, {1.0, 100.0, 10.0}), 0.5, 1e-14);
}

TEST(Growth, OneSizeHasNoSlope) {
    EXPECT_EQ(log_slope({1000.0}, {1.0}), 0.0);
    EXPECT_EQ(log_slope({1000.0, 1000.0}, {1.0, 2.0}), 0.0);
}

TEST(Growth, RowsAreSortedAndTellTheSizeThatWasMade) {
    GrowthOptions options;
    options.bodies = {2000, 1000};
    options.sweeps = 2;
    options.seconds = 0.0;
    options.settle = 0.01;
    const GrowthResult result = measure_growth(options, hear_nothing);
    ASSERT_EQ(result.rows.size(), 2u);
    EXPECT_EQ(result.rows[0].bodies, 1000u);
    EXPECT_EQ(result.rows[1].bodies, 2000u);
    EXPECT_GT(result.rows[0].step_seconds, 0.0);
    EXPECT_GT(result.rows[0].stages.total(), 0.0);
    EXPECT_GT(result.rows[1].bytes_per_body, 100.0);  // a body line of the solver alone has 64 bytes, twice
    EXPECT_GE(result.rows[1].peak_bytes, 2000.0 * result.rows[1].bytes_per_body);
}

TEST(Growth, RefusesWhatMakesNoSense) {
    GrowthOptions options;
    options.bodies = {0};
    EXPECT_THROW(static_cast<void>(measure_growth(options, hear_nothing)), InputError);
    options.bodies = {1000};
    options.sweeps = 0;
    EXPECT_THROW(static_cast<void>(measure_growth(options, hear_nothing)), InputError);
    options.sweeps = 1;
    options.solver = "guess";
    EXPECT_THROW(static_cast<void>(measure_growth(options, hear_nothing)), InputError);
}

}  // namespace
}  // namespace talus::bench
