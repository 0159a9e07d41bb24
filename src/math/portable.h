#pragma once
/// \file
/// Elementary functions with the same bits on every x86-64 machine.
///
/// The C library picks its double versions of these by the processor it finds: with fused multiply-add
/// they round differently in the last bit, and a run would depend on the machine. Most of its long double
/// versions leave the work to an instruction (`fyl2x`, `f2xm1`, `fpatan`) whose last bit is each maker's own.
///
/// Method: series after a reduction of the argument, in long double, of which + - * / and sqrt alone are
/// used: those are exact to rounding everywhere. Sine, cosine and tangent are the C library's long double
/// ones, which are made so as well. The 64 bits of mantissa are rounded to double at the end.
///
/// Error: at most 0.51 units in the last place. They cost up to five times what the C library's take, so they
/// belong to drives and set-up, not to sweeps; rotations have `math/sin_cos.h`. (+ - * / and sqrt of doubles
/// need no such care.)

#include <cmath>

namespace talus::portable {

[[nodiscard]] inline double sin(double x) { return static_cast<double>(std::sin(static_cast<long double>(x))); }
[[nodiscard]] inline double cos(double x) { return static_cast<double>(std::cos(static_cast<long double>(x))); }
[[nodiscard]] inline double tan(double x) { return static_cast<double>(std::tan(static_cast<long double>(x))); }
[[nodiscard]] double asin(double x);
[[nodiscard]] double acos(double x);
[[nodiscard]] double atan(double x);
[[nodiscard]] double atan2(double y, double x);
[[nodiscard]] double exp(double x);
[[nodiscard]] double log(double x);
[[nodiscard]] double log2(double x);
[[nodiscard]] double log10(double x);
[[nodiscard]] double pow(double x, double y);
[[nodiscard]] double sinh(double x);
[[nodiscard]] double cosh(double x);
[[nodiscard]] double tanh(double x);
[[nodiscard]] double asinh(double x);
[[nodiscard]] double acosh(double x);
[[nodiscard]] double atanh(double x);

}  // namespace talus::portable
