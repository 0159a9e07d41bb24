// Formulas keep muParser's language, with functions and powers of our own.
#include "state/expression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/portable.h"
#include "talus/error.h"

namespace talus::test {
namespace {

double value(const std::string& text, double t = 0.0) { return Formula(text, {"t"}).value({&t, 1}); }

TEST(Formula, OperatorsBindAsInMuParser) {
    EXPECT_EQ(value("1 + 2*3"), 7.0);
    EXPECT_EQ(value("1 - 2 - 3"), -4.0);
    EXPECT_EQ(value("12/3/2"), 2.0);
    EXPECT_EQ(value("2^3^2"), 512.0);
    EXPECT_EQ(value("-2^2"), -4.0);
    EXPECT_EQ(value("2^-1^2"), 0.5);
    EXPECT_EQ(value("t*-2^2", 0.5), -2.0);
    EXPECT_EQ(value("2--t", 1.0), 3.0);
    EXPECT_EQ(value("t<-1", -2.0), 1.0);
    EXPECT_EQ(value("1<2==1"), 1.0);
    EXPECT_EQ(value("1e3-1"), 999.0);
    EXPECT_EQ(value("2*t^2", 0.1), 2.0 * (0.1 * 0.1));
}

TEST(Formula, ChoicesAndComparisonsAreThere) {
    for (const double t : {-1.0, 0.0, 1.0}) {
        EXPECT_EQ(value("t<0 ? 2 : t>0 ? 3 : 4", t), t < 0 ? 2 : t > 0 ? 3 : 4);
        EXPECT_EQ(value("t<=0 && t>=0", t), t == 0.0);
        EXPECT_EQ(value("t!=0 || t==0", t), 1.0);
    }
    EXPECT_EQ(value("t || 0 && 0", 0.7), 1.0);
}

TEST(Formula, FunctionsAndPowersHaveTheSameBitsEverywhere) {
    const double t = 0.7;
    EXPECT_EQ(value("t^2.5", t), portable::pow(t, 2.5));
    EXPECT_EQ(value("exp(t)", t), portable::exp(t));
    EXPECT_EQ(value("ln(t)", t), portable::log(t));
    EXPECT_EQ(value("asinh(t)", t), portable::asinh(t));
    EXPECT_EQ(value("atan2(t, 2)", t), portable::atan2(t, 2.0));
}

TEST(Formula, NothingCanBeAssigned) { EXPECT_THROW(Formula("t = 3", {"t"}), InputError); }

}  // namespace
}  // namespace talus::test
