#include "observe/units.h"

#include <array>

namespace talus::observe {

namespace {

struct Pair {
    std::string_view si;
    std::string_view cgs;
    double factor;
};

// One dyn/cm2 is one decipascal, the name that moreau2003 uses.
constexpr std::array<Pair, 16> table{{
    {"m", "cm", 1e2},
    {"m2", "cm2", 1e4},
    {"m3", "cm3", 1e6},
    {"m/s", "cm/s", 1e2},
    {"m/s2", "cm/s2", 1e2},
    {"kg", "g", 1e3},
    {"kg/m2", "g/cm2", 1e-1},
    {"kg/m3", "g/cm3", 1e-3},
    {"N", "dyn", 1e5},
    {"N/m", "dyn/cm", 1e3},
    {"Pa", "dPa", 1e1},
    {"J", "erg", 1e7},
    {"kg m/s", "g cm/s", 1e5},
    {"kg m2/s", "g cm2/s", 1e7},
    {"N s", "dyn s", 1e5},
    {"N m", "dyn cm", 1e7},
}};

}  // namespace

Unit unit_in(UnitSystem system, std::string_view si) {
    if (system == UnitSystem::cgs)
        for (const Pair& pair : table)
            if (pair.si == si) return {std::string(pair.cgs), pair.factor};
    return {std::string(si), 1.0};
}

double metres_per_length(UnitSystem system) { return system == UnitSystem::cgs ? 1e-2 : 1.0; }

double si_per_density(UnitSystem system, int dim) {
    if (system == UnitSystem::si) return 1.0;
    return dim == 2 ? 10.0 : 1000.0;
}

}  // namespace talus::observe
