#include "scene/quantity.h"

#include <charconv>
#include <cmath>

namespace talus::scene {

namespace {

/// value * 10^power; powers up to 22 are exact doubles, so the result is rounded once.
double times_power_of_ten(double value, int power) {
    double ten = 1.0;
    for (int i = 0; i < std::abs(power); ++i) ten *= 10.0;
    return power < 0 ? value / ten : value * ten;
}

}  // namespace

double to_si(double value, Quantity quantity, observe::UnitSystem units) {
    if (units == observe::UnitSystem::si) return value;
    return times_power_of_ten(value, -2 * quantity.length - 3 * quantity.mass);
}

double from_si(double value, Quantity quantity, observe::UnitSystem units) {
    if (units == observe::UnitSystem::si) return value;
    return times_power_of_ten(value, 2 * quantity.length + 3 * quantity.mass);
}

bool Range::contains(double x) const {
    if (std::isnan(x)) return false;
    if (std::isinf(x)) return may_be_infinite && (x > 0 ? std::isinf(high) : std::isinf(low));
    return (above_low ? x > low : x >= low) && x <= high;
}

std::string Range::text() const {
    std::string text = "a number";
    if (std::isfinite(low) && std::isfinite(high)) {
        text += std::string(" in ") + (above_low ? "(" : "[") + number_text(low) + ", " + number_text(high) + "]";
    } else if (std::isfinite(low)) {
        text += (above_low ? " > " : " >= ") + number_text(low);
    } else if (std::isfinite(high)) {
        text += " <= " + number_text(high);
    }
    return may_be_infinite ? text + " or .inf" : text;
}

namespace {

/// `2e-04` as people write it: `2e-4`.
std::string tidy(std::string text) {
    const auto e = text.find('e');
    if (e == std::string::npos) return text;
    std::string mantissa = text.substr(0, e), exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    exponent.erase(0, exponent.find_first_not_of("+-0"));
    return mantissa + "e" + (negative ? "-" : "") + exponent;
}

}  // namespace

std::string number_text(double value) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return tidy({buffer, result.ptr});
}

std::string number_text(double value, int digits) {
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
    return tidy({buffer, result.ptr});
}

}  // namespace talus::scene
