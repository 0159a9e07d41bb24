#pragma once
/// \file
/// What a user says about a pair of materials: which contact law, with which coefficients.

#include <array>
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

/// The law that acts between two materials [docs/laws.md].
struct LawSpec {
    std::string name = "coulomb";      ///< a file of `src/laws/`: coulomb, frictionless, ...
    Coefficient friction;              ///< mu [-]
    Coefficient restitution;           ///< rho, normal, in [0, 1]
    Coefficient tangential_restitution;  ///< tau, in [-1, 1]; [0, 1] in the papers

    double static_friction = 0.0;      ///< mu_s [-]: sticks up to it, slides with `friction`; 0: the same
    double friction_second = -1.0;     ///< across `axis` [-], the cone is an ellipse; < 0: as `friction`. 3D only
    std::array<double, 3> axis{};      ///< world direction along which `friction` acts, where there is a second
    double rolling = 0.0;              ///< largest rolling couple over S_N, in effective radii [-]
    double rolling_length = 0.0;       ///< the same as a length [m]; one of the two
    double pivoting = 0.0;             ///< largest couple about the normal over S_N, in effective radii [-]. 3D only
    double pivoting_length = 0.0;      ///< the same as a length [m]
    double cohesion = 0.0;             ///< pull that a contact bears [N]
    bool brittle = false;              ///< cohesion of contacts that are there when the law is set; lost for good when one opens

    /// Couples, an ellipse or static friction: more than a cone of revolution.
    [[nodiscard]] bool is_plain() const {
        return static_friction == 0.0 && friction_second < 0.0 && rolling == 0.0 && rolling_length == 0.0 &&
               pivoting == 0.0 && pivoting_length == 0.0;
    }
};

}  // namespace talus
