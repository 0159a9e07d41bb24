#include "math/portable.h"

#include <array>
#include <limits>

namespace talus::portable {
namespace {

using Real = long double;

constexpr double infinity = std::numeric_limits<double>::infinity(), not_a_number = std::numeric_limits<double>::quiet_NaN();
/// ln 2 is the sum of these: the first has 36 bits, so that a multiple of it below 2^28 is exact.
constexpr Real ln2_high = 0x1.62e42fefap-1L, ln2_low = 0x1.cf79abc9e3b39804p-40L;
constexpr Real per_ln2 = 0x1.71547652b82fe178p+0L, per_ln10 = 0x1.bcb7b1526e50e32ap-2L;
constexpr Real half_pi = 0x1.921fb54442d1846ap+0L, root_half = 0x1.6a09e667f3bcc908p-1L;
constexpr double least_log = -746.0, largest_log = 710.0;   ///< beyond them e^x is 0, or infinite

// --- series: what follows the last terms is below half of the last bit of a long double ------------
constexpr auto odd_reciprocals = [] {   // 1, 1/3, 1/5, ...
    std::array<Real, 13> c{};
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1.0L / static_cast<Real>(2 * k + 1);
    return c;
}();
constexpr auto reciprocal_factorials = [] {   // 1/1!, 1/2!, ...
    std::array<Real, 17> c{};
    Real factorial = 1.0L;
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = 1.0L / (factorial *= static_cast<Real>(k + 1));
    return c;
}();

/// The polynomial with these coefficients, from number `first` on.
template <std::size_t N>
Real polynomial(const std::array<Real, N>& c, Real x, std::size_t first = 0) {
    Real sum = c[N - 1];
    for (std::size_t k = N - 1; k > first; --k) sum = sum * x + c[k - 1];
    return sum;
}

/// e^r - 1 for |r| <= 0.35, with a small relative error near 0 too.
Real exp_minus_1(Real r) { return r * polynomial(reciprocal_factorials, r); }

/// e^x for least_log <= x <= largest_log; the exponent is the sum of `high`, of which ln 2 can be subtracted without rounding, and `low`.
Real exp_of(Real high, Real low = 0.0L) {
    const Real k = std::rint((high + low) * per_ln2);
    const Real r = (high - k * ln2_high) + (low - k * ln2_low);
    return std::ldexp(1.0L + exp_minus_1(r), static_cast<int>(k));
}

/// x = 2^exponent m with m between sqrt(1/2) and sqrt(2).
struct Parts {
    Real m;
    int exponent;
};

Parts parts_of(Real x) {
    int exponent = 0;
    const Real m = std::frexp(x, &exponent);
    return m < root_half ? Parts{2.0L * m, exponent - 1} : Parts{m, exponent};
}

/// log m = 2 atanh((m - 1) / (m + 1)).
Real log_of_mantissa(Real m) {
    const Real s = (m - 1.0L) / (m + 1.0L);
    return 2.0L * s * polynomial(odd_reciprocals, s * s);
}

Real log_of(Real x) {
    const auto [m, exponent] = parts_of(x);
    return static_cast<Real>(exponent) * ln2_high + (static_cast<Real>(exponent) * ln2_low + log_of_mantissa(m));
}

/// A number as the sum of two, the first of 32 bits: products of two such are exact [Dekker 1971].
struct Split {
    Real high, low;
};

Split split(Real x) {
    const Real shifted = x * 0x1.00000001p32L, high = shifted - (shifted - x);
    return {high, x - high};
}

/// log x to some 70 bits, for powers: y times the error of the sum must still be small.
Split long_log(double x) {
    const auto [m, exponent] = parts_of(x);
    const Real a = m - 1.0L, b = m + 1.0L, s = a / b, e = static_cast<Real>(exponent);   // a and b are exact
    const Real s_high = split(s).high;
    const Split divisor = split(b);
    const Real s_low = ((a - s_high * divisor.high) - s_high * divisor.low) / b;
    const Real tail = 2.0L * s * s * s * polynomial(odd_reciprocals, s * s, 1);
    const Real first = e * ln2_high, high = first + 2.0L * s_high;
    const Real low = (2.0L * s_high - (high - first)) + (e * ln2_low + (2.0L * s_low + tail));
    const Real leading = split(high + low).high;
    return {leading, (high - leading) + low};
}

/// x^y for x > 0, both finite.
double positive_power(double x, double y) {
    const Split log = long_log(x), by = split(y);
    const Real high = by.high * log.high, low = by.low * log.high + static_cast<Real>(y) * log.low, sum = high + low;
    if (sum > largest_log) return infinity;
    return sum < least_log ? 0.0 : static_cast<double>(exp_of(high, low));
}

/// Arc tangent for 0 <= t <= 1: the angle is halved three times, which leaves t <= 0.1.
Real small_arc_tangent(Real t) {
    for (int k = 0; k < 3; ++k) t /= 1.0L + std::sqrt(1.0L + t * t);
    return 8.0L * t * polynomial(odd_reciprocals, -t * t);
}

/// Angle of the vector (x, y), 0 to pi, for y >= 0, not both zero.
Real angle_of(Real y, Real x) {
    const Real across = std::abs(x);
    const Real angle = y <= across ? small_arc_tangent(y / across) : half_pi - small_arc_tangent(across / y);
    return std::signbit(x) ? 2.0L * half_pi - angle : angle;
}

Real root_of_1_minus_square(double x) {
    const Real wide = x;
    return std::sqrt((1.0L - wide) * (1.0L + wide));
}

/// An odd function from its values at x >= 0.
template <class F>
double odd(double x, F f) {
    return std::copysign(static_cast<double>(f(std::abs(static_cast<Real>(x)))), x);
}

/// 0 <= x <= 1; the series where log would cancel.
Real positive_atanh(Real x) { return x < 0.17L ? x * polynomial(odd_reciprocals, x * x) : 0.5L * log_of((1.0L + x) / (1.0L - x)); }

Real positive_asinh(Real x) {
    const Real root = std::sqrt(1.0L + x * x);
    return x < 0.17L ? positive_atanh(x / root) : log_of(x + root);
}

bool is_integer(double x) { return x == std::rint(x); }
bool is_odd(double x) { return is_integer(x) && std::fmod(x, 2.0) != 0.0; }

}  // namespace

double asin(double x) {
    if (!(std::abs(x) <= 1.0)) return not_a_number;
    return odd(x, [x](Real size) { return angle_of(size, root_of_1_minus_square(x)); });
}

double acos(double x) { return std::abs(x) <= 1.0 ? static_cast<double>(angle_of(root_of_1_minus_square(x), x)) : not_a_number; }

double atan(double x) { return atan2(x, 1.0); }

double atan2(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return not_a_number;
    if (std::isinf(y) && std::isinf(x)) return atan2(std::copysign(1.0, y), std::copysign(1.0, x));
    if (y == 0.0) return std::copysign(std::signbit(x) ? static_cast<double>(2.0L * half_pi) : 0.0, y);
    return odd(y, [x](Real size) { return angle_of(size, x); });
}

double exp(double x) {
    if (!(x <= largest_log)) return std::isnan(x) ? x : infinity;
    return x < least_log ? 0.0 : static_cast<double>(exp_of(x));
}

double log(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -infinity : not_a_number;
    return std::isinf(x) ? x : static_cast<double>(log_of(x));
}

double log2(double x) {
    if (!(x > 0.0) || std::isinf(x)) return log(x);
    const auto [m, exponent] = parts_of(x);
    return static_cast<double>(static_cast<Real>(exponent) + log_of_mantissa(m) * per_ln2);
}

double log10(double x) { return x > 0.0 && !std::isinf(x) ? static_cast<double>(log_of(x) * per_ln10) : log(x); }

double pow(double x, double y) {
    if (y == 2.0) return x * x;   // exact to rounding, and what most powers are
    if (x == 1.0 || y == 0.0) return 1.0;
    if (std::isnan(x) || std::isnan(y)) return not_a_number;
    const double size = std::abs(x);
    if (std::isinf(y)) return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? infinity : 0.0;
    const bool edge = size == 0.0 || std::isinf(size);
    if (x < 0.0 && !edge && !is_integer(y)) return not_a_number;
    const double power = !edge ? positive_power(size, y) : (size > 0.0) == (y > 0.0) ? infinity : 0.0;
    return std::signbit(x) && is_odd(y) ? -power : power;
}

double sinh(double x) {
    if (!(std::abs(x) <= largest_log + 1.0)) return std::isnan(x) ? x : std::copysign(infinity, x);
    return odd(x, [](Real size) {
        const Real more = size < 0.3L ? exp_minus_1(size) : exp_of(size) - 1.0L;
        return 0.5L * (more + more / (1.0L + more));
    });
}

double cosh(double x) {
    if (!(std::abs(x) <= largest_log + 1.0)) return std::isnan(x) ? x : infinity;
    const Real e = exp_of(std::abs(static_cast<Real>(x)));
    return static_cast<double>(0.5L * (e + 1.0L / e));
}

double tanh(double x) {
    if (!(std::abs(x) <= 30.0)) return std::isnan(x) ? x : std::copysign(1.0, x);
    return odd(x, [](Real size) {
        const Real more = size < 0.15L ? exp_minus_1(2.0L * size) : exp_of(2.0L * size) - 1.0L;
        return more / (more + 2.0L);
    });
}

double asinh(double x) { return std::isfinite(x) ? odd(x, positive_asinh) : x; }

double acosh(double x) {
    if (!(x >= 1.0)) return not_a_number;
    // acosh x = 2 asinh sqrt((x - 1) / 2) loses nothing near 1.
    return std::isinf(x) ? x : static_cast<double>(2.0L * positive_asinh(std::sqrt(0.5L * (static_cast<Real>(x) - 1.0L))));
}

double atanh(double x) {
    if (!(std::abs(x) < 1.0)) return std::abs(x) == 1.0 ? std::copysign(infinity, x) : not_a_number;
    return odd(x, positive_atanh);
}

}  // namespace talus::portable
