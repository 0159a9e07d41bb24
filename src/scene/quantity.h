#pragma once
/// \file
/// Units of scene files: what a number becomes in SI, and which numbers are acceptable.

#include <limits>
#include <string>

#include "observe/units.h"

namespace talus::scene {

/// A physical dimension by its powers of length and mass (seconds are seconds in both systems).
struct Quantity {
    int length = 0, mass = 0;
};

namespace quantity {
inline constexpr Quantity number{0, 0}, time{0, 0}, length{1, 0}, velocity{1, 0}, acceleration{1, 0};
inline constexpr Quantity mass{0, 1}, inertia{2, 1}, force{1, 1}, torque{2, 1}, energy{2, 1};
[[nodiscard]] constexpr Quantity density(int dimension) { return {-dimension, 1}; }
[[nodiscard]] constexpr Quantity pressure(int dimension) { return {2 - dimension, 1}; }
}  // namespace quantity

/// `value` in SI, rounded once: a power of ten is an exact double.
[[nodiscard]] double to_si(double value, Quantity quantity, observe::UnitSystem units);
[[nodiscard]] double from_si(double value, Quantity quantity, observe::UnitSystem units);

/// The numbers a key accepts.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool above_low = false;        ///< `low` itself is refused
    bool may_be_infinite = false;  ///< `.inf` is accepted

    [[nodiscard]] bool contains(double x) const;
    /// `a number > 0`, `a number in [0, 1]`, ...
    [[nodiscard]] std::string text() const;
};

namespace range {
inline constexpr Range any{};
inline constexpr Range positive{0.0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr Range positive_or_infinite{0.0, std::numeric_limits<double>::infinity(), true, true};
inline constexpr Range not_negative{0.0, std::numeric_limits<double>::infinity(), false, false};
inline constexpr Range fraction{0.0, 1.0, false, false};
inline constexpr Range signed_fraction{-1.0, 1.0, false, false};
}  // namespace range

/// A number as people write it: the shortest text that gives the same double.
[[nodiscard]] std::string number_text(double value);
/// The same with at most `digits` significant digits.
[[nodiscard]] std::string number_text(double value, int digits);

}  // namespace talus::scene
