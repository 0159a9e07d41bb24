// Elementary functions from + - * / and sqrt alone round as well as can be asked for. What they are compared with, the C library's long double ones,
// has eleven bits more than a double, and a last bit of its own.
#include "math/portable.h"

#include <cmath>
#include <functional>
#include <limits>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Error over the distance between doubles at the exact value.
double error_in_ulp(double found, long double exact) {
    const auto size = static_cast<double>(std::abs(exact));
    if (!std::isfinite(size)) return found == static_cast<double>(exact) ? 0.0 : inf;
    return static_cast<double>(std::abs(found - exact)) / (std::nextafter(size, inf) - size);
}

/// A function, what it should be, and where.
struct Case {
    const char* name;
    double (*ours)(double);
    std::function<long double(long double)> exact;
    double low, high;
};

const Case cases[] = {
    {"asin", portable::asin, [](long double x) { return std::asin(x); }, -1.0, 1.0},
    {"acos", portable::acos, [](long double x) { return std::acos(x); }, -1.0, 1.0},
    {"atan", portable::atan, [](long double x) { return std::atan(x); }, -20.0, 20.0},
    {"exp", portable::exp, [](long double x) { return std::exp(x); }, -700.0, 709.0},
    {"exp", portable::exp, [](long double x) { return std::exp(x); }, -2.0, 2.0},
    {"log", portable::log, [](long double x) { return std::log(x); }, 0.0, 3.0},
    {"log2", portable::log2, [](long double x) { return std::log2(x); }, 0.0, 1e9},
    {"log10", portable::log10, [](long double x) { return std::log10(x); }, 0.0, 1e9},
    {"sinh", portable::sinh, [](long double x) { return std::sinh(x); }, -20.0, 20.0},
    {"cosh", portable::cosh, [](long double x) { return std::cosh(x); }, -20.0, 20.0},
    {"tanh", portable::tanh, [](long double x) { return std::tanh(x); }, -20.0, 20.0},
    {"asinh", portable::asinh, [](long double x) { return std::asinh(x); }, -20.0, 20.0},
    {"acosh", portable::acosh, [](long double x) { return std::acosh(x); }, 1.0, 20.0},
    {"atanh", portable::atanh, [](long double x) { return std::atanh(x); }, -1.0, 1.0},
    {"sin", portable::sin, [](long double x) { return std::sin(x); }, -100.0, 100.0},
    {"cos", portable::cos, [](long double x) { return std::cos(x); }, -100.0, 100.0},
    {"tan", portable::tan, [](long double x) { return std::tan(x); }, -100.0, 100.0}};

TEST(PortableFunctions, RoundToTheNearestOrNextToIt) {
    Random random(5);
    for (const Case& c : cases) {
        double worst = 0.0;
        for (int i = 0; i < 20000; ++i) {
            const double x = random.uniform(c.low, c.high), near_0 = std::ldexp(random.uniform(0.5, 1.0), -random.below(60)), near_1 = 1.0 + 0.1 * near_0;
            for (const double at : {x, near_0, -near_0, near_1, 2.0 - near_1})
                if (at > c.low && at < c.high) worst = std::max(worst, error_in_ulp(c.ours(at), c.exact(at)));
        }
        EXPECT_LE(worst, 0.51) << c.name;   // seen: 0.502
    }
}

TEST(PortableFunctions, PowersDoSoToTheEndOfTheirRange) {
    Random random(6);
    double worst = 0.0;
    const auto look = [&](double x, double y) {
        const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
        if (exact > 1e-300L && exact < 1e308L) worst = std::max(worst, error_in_ulp(portable::pow(x, y), exact));
    };
    for (int i = 0; i < 50000; ++i) {
        look(random.uniform(0.0, 10.0), random.uniform(-20.0, 20.0));
        look(random.uniform(0.0, 10.0), random.uniform(-700.0, 700.0));
        look(1.0 + std::ldexp(random.uniform(-0.5, 1.0), -random.below(50)), std::ldexp(random.uniform(-1.0, 1.0), random.below(60)));
        look(std::ldexp(random.uniform(0.5, 1.0), random.below(600) - 300), random.uniform(-3.0, 3.0));
    }
    EXPECT_LE(worst, 0.51);   // seen: 0.503
}

TEST(PortableFunctions, AnglesOfVectorsDoSoInEveryQuadrant) {
    Random random(7);
    double worst = 0.0;
    for (int i = 0; i < 50000; ++i) {
        const double x = std::ldexp(random.uniform(-1.0, 1.0), -random.below(40)), y = std::ldexp(random.uniform(-1.0, 1.0), -random.below(40));
        worst = std::max(worst, error_in_ulp(portable::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
    }
    EXPECT_LE(worst, 0.51);   // seen: 0.502
}

TEST(PortableFunctions, HaveTheirExactValues) {
    EXPECT_EQ(portable::exp(0.0), 1.0);
    EXPECT_EQ(portable::log(1.0), 0.0);
    for (int k = -1074; k <= 1023; ++k) EXPECT_EQ(portable::log2(std::ldexp(1.0, k)), k);
    for (int k = 0; k <= 22; ++k) EXPECT_EQ(portable::log10(portable::pow(10.0, k)), k);
    for (int k = 0; k <= 33; ++k) EXPECT_EQ(portable::pow(3.0, k), std::rint(portable::pow(3.0, k)));
    EXPECT_EQ(portable::pow(3.0, 33), 5559060566555523.0);
    EXPECT_EQ(portable::pow(0.1, 2.0), 0.1 * 0.1);
    EXPECT_EQ(portable::acos(1.0), 0.0);
    EXPECT_EQ(portable::acos(-1.0), M_PI);
    EXPECT_EQ(portable::asin(-1.0), -M_PI_2);
    EXPECT_EQ(portable::atan(1.0), M_PI_4);
    EXPECT_EQ(portable::atan2(-1.0, 0.0), -M_PI_2);
}

/// Equal, or neither a number; zeros by their sign.
void expect_same(double found, double wanted, double x, double y) {
    if (std::isnan(wanted)) EXPECT_TRUE(std::isnan(found)) << x << ' ' << y;
    else {
        EXPECT_EQ(found, wanted) << x << ' ' << y;
        EXPECT_EQ(std::signbit(found), std::signbit(wanted)) << x << ' ' << y;
    }
}

TEST(PortableFunctions, AreThoseOfTheCLibraryAtTheEdges) {
    // Where nothing is rounded all machines agree, and so do we.
    const double edges[] = {0.0, -0.0, 1.0, -1.0, inf, -inf, std::nan(""), 1e308, -1e308, 3.0, -3.0, 0.5, -0.5};
    for (const double x : edges)
        for (const double y : edges) {
            const bool exact = std::isnan(x) || std::isnan(y) || x == 0.0 || y == 0.0 || std::isinf(x) || std::isinf(y) || std::abs(y) >= 1e308;
            if (exact || std::abs(x) == 1.0 || x < 0.0) expect_same(portable::pow(x, y), std::pow(x, y), x, y);
            if (exact) expect_same(portable::atan2(y, x), std::atan2(y, x), x, y);
        }
    for (const double x : {0.0, -0.0, inf, -inf, std::nan(""), 800.0, -800.0}) {
        expect_same(portable::exp(x), std::exp(x), x, 0.0);
        expect_same(portable::sinh(x), std::sinh(x), x, 0.0);
        expect_same(portable::cosh(x), std::cosh(x), x, 0.0);
        expect_same(portable::tanh(x), std::tanh(x), x, 0.0);
        expect_same(portable::atan(x), static_cast<double>(std::atan(static_cast<long double>(x))), x, 0.0);
    }
    for (const double x : {0.0, -0.0, inf, -inf, std::nan(""), 1.0, -1.0, 2.0, -2.0}) {
        if (x != 2.0) expect_same(portable::log(x), std::log(x), x, 0.0);
        if (x != 2.0) expect_same(portable::log2(x), std::log2(x), x, 0.0);
        if (x != 2.0) expect_same(portable::log10(x), std::log10(x), x, 0.0);
        if (std::abs(x) != 1.0) expect_same(portable::asin(x), std::asin(x), x, 0.0);
        if (x == 1.0 || std::abs(x) > 1.0) expect_same(portable::acos(x), std::acos(x), x, 0.0);
        if (x != 2.0) expect_same(portable::acosh(x), std::acosh(x), x, 0.0);
        if (x == 0.0 || !std::isfinite(x)) expect_same(portable::asinh(x), std::asinh(x), x, 0.0);
        expect_same(portable::atanh(x), std::atanh(x), x, 0.0);
    }
    EXPECT_EQ(portable::exp(-745.0), std::numeric_limits<double>::denorm_min());
}

}  // namespace
}  // namespace talus::test
