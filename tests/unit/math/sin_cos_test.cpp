// Sine and cosine from + - * alone are as good as those of the C library.
#include "math/sin_cos.h"

#include <cmath>

#include "../../physics/testbed.h"

namespace talus::test {
namespace {

/// Error over the distance of the double at the exact value to the next one. Below 1e-28 counts as none: so near to a multiple of pi/2 the bits
/// of pi that are used end.
double error_in_ulp(double found, long double exact) {
    const double error = std::abs(static_cast<double>(found - exact)), size = std::abs(static_cast<double>(exact));
    return error < 1e-28 ? 0.0 : error / (std::nextafter(size, 2.0) - size);
}

double worst_at(double x) {
    const SineCosine y = sin_cos(x);
    return std::max(error_in_ulp(y.sin, std::sin(static_cast<long double>(x))), error_in_ulp(y.cos, std::cos(static_cast<long double>(x))));
}

TEST(SineAndCosine, AreWithinOneUnitInTheLastPlace) {
    Random random(5);
    double worst = 0.0;
    for (int i = 0; i < 100000; ++i)
        for (const double x : {random.uniform(-7.0, 7.0), random.uniform(-0x1p19, 0x1p19), std::ldexp(random.uniform(-1.0, 1.0), -random.below(80))})
            worst = std::max(worst, worst_at(x));
    EXPECT_LT(worst, 0.85);   // seen: 0.79
}

TEST(SineAndCosine, AreSoBesideMultiplesOfAQuarterOfPi) {
    // There the quadrant changes, and close to zero most digits of the angle cancel.
    double worst = 0.0;
    for (int k = -660000; k <= 660000; k += (std::abs(k) < 1000 ? 1 : 37)) {
        const double x = k * (0.25 * M_PI);
        for (const double y : {x, std::nextafter(x, 1e9), std::nextafter(x, -1e9)}) worst = std::max(worst, worst_at(y));
    }
    EXPECT_LT(worst, 0.85);
}

TEST(SineAndCosine, HaveTheirExactValuesAndSymmetries) {
    EXPECT_EQ(sin_cos(0.0).sin, 0.0);
    EXPECT_EQ(sin_cos(0.0).cos, 1.0);
    EXPECT_TRUE(std::isnan(sin_cos(std::nan("")).sin));
    EXPECT_TRUE(std::isnan(sin_cos(INFINITY).cos));
    Random random(6);
    for (int i = 0; i < 10000; ++i) {
        const double x = random.uniform(-100.0, 100.0);
        const SineCosine plus = sin_cos(x), minus = sin_cos(-x);
        EXPECT_EQ(plus.sin, -minus.sin);
        EXPECT_EQ(plus.cos, minus.cos);
        EXPECT_NEAR(plus.sin * plus.sin + plus.cos * plus.cos, 1.0, 5e-16);   // a rounding of each
    }
}

TEST(SineAndCosine, GoOnBeyondTheLargestAngleOfTheFastWay) {
    for (const double x : {std::nextafter(0x1p19, 0.0), 0x1p19, -0x1p19, 1e9, 1e22}) EXPECT_LT(worst_at(x), 0.85) << x;
}

}  // namespace
}  // namespace talus::test
