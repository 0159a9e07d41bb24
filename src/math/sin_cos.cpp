#include "math/sin_cos.h"

#include <cmath>
#include <cstdint>

#include "math/portable.h"

namespace talus {
namespace {

/// pi/2 is the sum of these: two of 33 bits, so that a multiple below 2^20 of either is exact, and the rest.
constexpr double half_pi_high = 0x1.921fb544p+0, half_pi_middle = 0x1.0b4611a6p-34, half_pi_low = 0x1.3198a2e037073p-69;
constexpr double farthest = 0x1p19;   ///< [rad]

/// An angle as the sum of two doubles, the second much smaller, after so many quarter turns.
struct Reduced {
    double high, low;
    unsigned quarter;
};

Reduced reduce(double x) {
    constexpr double to_integer = 0x1.8p52, per_radian = 0x1.45f306dc9c883p-1;   // 2/pi
    const double k = (x * per_radian + to_integer) - to_integer;
    const double first = x - k * half_pi_high;   // exact
    const double taken = k * half_pi_middle, second = first - taken;
    // What the second difference loses, whichever of the two is larger.
    const double back = second - first, lost = (first - (second - back)) - (taken + back);
    const double rest = lost - k * half_pi_low, high = second + rest;
    return {high, (second - high) + rest, static_cast<unsigned>(static_cast<std::int32_t>(k)) & 3u};
}

}  // namespace

SineCosine sin_cos(double angle) {
    if (!(std::abs(angle) < farthest)) return {portable::sin(angle), portable::cos(angle)};
    const auto [x, rest, quarter] = reduce(angle);
    const double z = x * x;
    // sin(x + rest) = x + (x^3 (-1/6 + ...) + rest (1 - x^2/2)), and the cosine likewise: the largest term is added last.
    const double s = -1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 + z * (1.0 / 6227020800.0 +
                     z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0)))))));
    const double c = 1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 + z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +
                     z * (1.0 / 20922789888000.0))))));
    const double half = 0.5 * z, near = 1.0 - half;
    const double sine = x + (x * z * s + rest * near);
    const double cosine = near + (((1.0 - near) - half) + (z * z * c - x * rest));
    const double even = quarter & 1u ? cosine : sine, odd = quarter & 1u ? sine : cosine;
    return {quarter & 2u ? -even : even, (quarter + 1u) & 2u ? -odd : odd};
}

}  // namespace talus
