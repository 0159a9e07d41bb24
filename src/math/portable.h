#pragma once
/// \file
/// Elementary functions with the same bits on every x86-64 machine.
///
/// The C library picks its double versions of these by the processor it finds: with fused multiply-add
/// they round differently in the last bit, and a run would depend on the machine. Its long double
/// versions exist once. They are computed with 64 bits of mantissa and rounded to double here, which
/// is also closer to the exact value; they cost about five times more, so they belong to drives,
/// rotations and set-up, not to sweeps. (+ - * / and sqrt are exact to rounding everywhere and need
/// no such care.)

#include <cmath>

namespace talus::portable {

[[nodiscard]] inline double sin(double x) { return static_cast<double>(std::sin(static_cast<long double>(x))); }
[[nodiscard]] inline double cos(double x) { return static_cast<double>(std::cos(static_cast<long double>(x))); }
[[nodiscard]] inline double tan(double x) { return static_cast<double>(std::tan(static_cast<long double>(x))); }
[[nodiscard]] inline double asin(double x) { return static_cast<double>(std::asin(static_cast<long double>(x))); }
[[nodiscard]] inline double acos(double x) { return static_cast<double>(std::acos(static_cast<long double>(x))); }
[[nodiscard]] inline double atan(double x) { return static_cast<double>(std::atan(static_cast<long double>(x))); }
[[nodiscard]] inline double atan2(double y, double x) {
    return static_cast<double>(std::atan2(static_cast<long double>(y), static_cast<long double>(x)));
}
[[nodiscard]] inline double sinh(double x) { return static_cast<double>(std::sinh(static_cast<long double>(x))); }
[[nodiscard]] inline double cosh(double x) { return static_cast<double>(std::cosh(static_cast<long double>(x))); }
[[nodiscard]] inline double tanh(double x) { return static_cast<double>(std::tanh(static_cast<long double>(x))); }
[[nodiscard]] inline double exp(double x) { return static_cast<double>(std::exp(static_cast<long double>(x))); }
[[nodiscard]] inline double log(double x) { return static_cast<double>(std::log(static_cast<long double>(x))); }
[[nodiscard]] inline double log2(double x) { return static_cast<double>(std::log2(static_cast<long double>(x))); }
[[nodiscard]] inline double log10(double x) { return static_cast<double>(std::log10(static_cast<long double>(x))); }
[[nodiscard]] inline double pow(double x, double y) {
    return static_cast<double>(std::pow(static_cast<long double>(x), static_cast<long double>(y)));
}

}  // namespace talus::portable
