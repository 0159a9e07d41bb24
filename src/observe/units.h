#pragma once
/// \file
/// Units of measured quantities. Results are kept in SI; a scene written in CGS wants to read them in
/// CGS. A unit is a name, and a table of names says what one of it is in the other system.

#include <string>
#include <string_view>

namespace talus::observe {

enum class UnitSystem { si, cgs };

/// A unit of a system: `value_in_system = value_in_si * factor`.
struct Unit {
    std::string name;
    double factor = 1.0;
};

/// The unit of `system` that measures what the SI unit `si` measures ("Pa" -> "dPa", factor 10).
/// Units without a counterpart (s, deg, "") are returned as they are.
[[nodiscard]] Unit unit_in(UnitSystem system, std::string_view si);

/// Factor from a length of `system` to metres.
[[nodiscard]] double metres_per_length(UnitSystem system);

/// Factor from a bulk density of `system` to kg/m3 (kg/m2 in the plane).
[[nodiscard]] double si_per_density(UnitSystem system, int dim);

}  // namespace talus::observe
