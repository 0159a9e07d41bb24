#pragma once
/// \file
/// Contact laws by name. A member of this open set is one file `src/laws/<name>.cpp` that defines
/// `void register_<name>(LawRegistry&)`.
///
/// A law is complete [moreau1994, sec. 5]: no impulse unless the formal normal velocity is zero, and
/// never a negative formal normal velocity. The laws here are positively homogeneous, so they act on
/// the unnormalised formal velocities and reduce, for one step, to three frozen coefficients: the
/// restitutions rho and tau and the friction mu, evaluated at the velocity before the step. The exact
/// solution for one contact with those is in `laws/local.h`.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "talus/law.h"

namespace talus {

/// Speeds of a contact before the step [m/s].
struct ImpactSpeeds {
    double normal = 0.0;      ///< |U_N-|
    double tangential = 0.0;  ///< |U_T-|
};

struct FrozenCoefficients {
    double rho = 0.0;  ///< normal restitution
    double tau = 0.0;  ///< tangential restitution
    double mu = 0.0;   ///< friction
};

class ContactLaw {
public:
    virtual ~ContactLaw() = default;
    /// Coefficients of a batch of contacts.
    virtual void freeze(std::span<const ImpactSpeeds> speeds, std::span<FrozenCoefficients> out) const = 0;
    /// The coefficients where they are the same at all speeds.
    [[nodiscard]] virtual std::optional<FrozenCoefficients> constant() const = 0;
    /// Some contact may bounce: such laws are refused by the `gap` rule.
    [[nodiscard]] virtual bool bounces() const = 0;
    /// Some contact may give tangential velocity back (tau).
    [[nodiscard]] virtual bool springs_back() const = 0;
};

/// Zero at every speed.
[[nodiscard]] bool is_zero(const Coefficient& coefficient);

class LawRegistry {
public:
    using Factory = std::function<std::unique_ptr<ContactLaw>(const LawSpec&)>;
    void add(const std::string& name, Factory factory) { factories_[name] = std::move(factory); }
    /// \throws InputError naming the laws there are.
    [[nodiscard]] std::unique_ptr<ContactLaw> make(const LawSpec& spec) const;

private:
    std::map<std::string, Factory> factories_;
};

void register_members(LawRegistry& registry);
[[nodiscard]] const LawRegistry& law_registry();

}  // namespace talus
