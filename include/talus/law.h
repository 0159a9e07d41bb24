#pragma once
/// \file
/// What a user says about a pair of materials: which contact law, with which coefficients.

#include <string>
#include <vector>

namespace talus {

/// A coefficient of a law: a constant, or a function of an impact speed given by points and linear
/// interpolation (constant outside). The speed is |U_N-| for restitution, |U_T-| for friction; the
/// coefficient is evaluated once at the start of the step and frozen [moreau1994, sec. 6].
struct Coefficient {
    double value = 0.0;               ///< used when `speed` is empty [-]
    std::vector<double> speed;        ///< increasing [m/s]; empty for a constant
    std::vector<double> at_speed;     ///< same size as `speed` [-]

    Coefficient() = default;
    Coefficient(double constant) : value(constant) {}  // NOLINT: a number is a coefficient
    [[nodiscard]] bool is_constant() const { return speed.empty(); }
    /// The coefficient at impact speed `v` >= 0 [m/s].
    [[nodiscard]] double at(double v) const;
};

/// The law that acts between two materials.
struct LawSpec {
    std::string name = "coulomb";      ///< a file of `src/laws/`: coulomb, frictionless, ...
    Coefficient friction;              ///< mu [-]
    Coefficient restitution;           ///< rho, normal, in [0, 1]
    Coefficient tangential_restitution;  ///< tau, in [-1, 1]; [0, 1] in the papers
};

}  // namespace talus
