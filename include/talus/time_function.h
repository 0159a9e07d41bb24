#pragma once
/// \file
/// Functions of time that drive or load a freedom of a body.
///
/// A drive prescribes a displacement x(t) (or an angle) relative to where the freedom stood when the
/// drive began; talus needs its value and its slope. Sources that state a velocity or an acceleration
/// are integrated by `integral_of`, exactly where a closed form exists.

#include <memory>
#include <string>
#include <vector>

namespace talus {

/// A function of time with its slope. Implementations are immutable as seen from outside.
class TimeFunction {
public:
    virtual ~TimeFunction() = default;
    /// Value at time `t` [s].
    [[nodiscard]] virtual double value(double t) const = 0;
    /// Time derivative of `value` at `t`.
    [[nodiscard]] virtual double slope(double t) const = 0;
};

using TimeFunctionPtr = std::shared_ptr<const TimeFunction>;

/// f(t) = c.
[[nodiscard]] TimeFunctionPtr constant(double c);
/// f(t) = rate * t: the displacement of a drive of constant velocity.
[[nodiscard]] TimeFunctionPtr linear(double rate);
/// f(t) = amplitude * (sin(2 pi frequency t + phase) - sin(phase)): starts from zero. [frequency: Hz]
[[nodiscard]] TimeFunctionPtr sine(double amplitude, double frequency, double phase);
/// f(t) goes linearly from `from` at `begin` to `to` at `end`, constant before and after.
[[nodiscard]] TimeFunctionPtr ramp(double from, double to, double begin, double end);
/// Linear interpolation through (time, value), constant before the first and after the last point.
/// \throws InputError when times do not increase or sizes differ.
[[nodiscard]] TimeFunctionPtr table(std::vector<double> time, std::vector<double> value);
/// A muParser expression in the variable `t`, e.g. "0.1*sin(2*_pi*t)"; slope by a fourth-order
/// difference over `scale` [s] (about a time step).
/// \throws InputError with position and token when the expression does not parse.
[[nodiscard]] TimeFunctionPtr expression(const std::string& text, double scale);
/// F(t) = integral of f from 0 to t: closed form for the functions above that have one, else
/// Gauss-Legendre over knots `scale` [s] apart (the same bits in whatever order it is evaluated).
[[nodiscard]] TimeFunctionPtr integral_of(TimeFunctionPtr f, double scale);
/// g(t) = f(t) - f(0): makes a displacement law start from zero.
[[nodiscard]] TimeFunctionPtr from_zero(TimeFunctionPtr f);
/// g(t) = f(t - begin): a law that starts at `begin`, for drives that belong to a later stage.
[[nodiscard]] TimeFunctionPtr delayed(TimeFunctionPtr f, double begin);

}  // namespace talus
