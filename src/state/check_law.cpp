#include "state/check_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace talus {
namespace {

using Fault = std::optional<LawFault>;

double largest(const Coefficient& c) {
    return c.is_constant() ? c.value : *std::max_element(c.at_speed.begin(), c.at_speed.end());
}
double least(const Coefficient& c) {
    return c.is_constant() ? c.value : *std::min_element(c.at_speed.begin(), c.at_speed.end());
}

Fault fault_of_sign(const LawSpec& law) {
    const std::pair<const char*, double> all[] = {
        {"static_friction", law.static_friction}, {"friction_second", std::max(0.0, law.friction_second)},
        {"rolling", law.rolling},   {"rolling_length", law.rolling_length},
        {"pivoting", law.pivoting}, {"pivoting_length", law.pivoting_length}, {"cohesion", law.cohesion}};
    for (const auto& [key, value] : all)
        if (!std::isfinite(value) || value < 0.0)
            return LawFault{key, std::string(key) + " must be finite and >= 0, not " + std::to_string(value)};
    return {};
}

Fault fault_of_friction(const LawSpec& law) {
    if (law.static_friction > 0.0 && law.static_friction < largest(law.friction))
        return LawFault{"static_friction", "static_friction must not be below friction; raise it, or lower friction"};
    if (law.friction_second < 0.0) return {};
    const double size = std::abs(law.axis[0]) + std::abs(law.axis[1]) + std::abs(law.axis[2]);
    if (!std::isfinite(size) || size == 0.0)
        return LawFault{"friction_second", "friction_second needs the direction along which friction acts; write for example "
                                           "'axis: [1, 0, 0]'"};
    if (law.static_friction > 0.0 && least(law.friction) == 0.0)
        return LawFault{"static_friction", "static_friction with friction_second needs friction above 0: the static cone has "
                                           "the shape of the other"};
    return {};
}

Fault fault_of_dimension(const LawSpec& law) {
    if (law.friction_second >= 0.0)
        return LawFault{"friction_second", "friction_second is for three dimensions: in the plane there is one tangent; drop it"};
    if (law.pivoting > 0.0 || law.pivoting_length > 0.0)
        return LawFault{law.pivoting > 0.0 ? "pivoting" : "pivoting_length",
                        "pivoting is for three dimensions: in the plane nothing turns about the normal; use rolling"};
    return {};
}

}  // namespace

std::optional<LawFault> find_fault(const LawSpec& law, int dimension) {
    if (Fault fault = fault_of_sign(law)) return fault;
    if (Fault fault = fault_of_friction(law)) return fault;
    if (law.rolling > 0.0 && law.rolling_length > 0.0)
        return LawFault{"rolling_length", "rolling and rolling_length are two ways to say one thing; keep one"};
    if (law.pivoting > 0.0 && law.pivoting_length > 0.0)
        return LawFault{"pivoting_length", "pivoting and pivoting_length are two ways to say one thing; keep one"};
    if (law.brittle && law.cohesion == 0.0) return LawFault{"cohesion", "brittle cohesion needs a force above 0"};
    return dimension < 3 ? fault_of_dimension(law) : Fault{};
}

}  // namespace talus
