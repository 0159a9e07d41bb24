/// \file
/// Signorini's condition alone: the impulse is along the normal [moreau1994, eq. 5.7], with normal
/// restitution. Friction and tangential restitution play no part and must not be given; cohesion and couples may.
#include "laws/law_registry.h"
#include "talus/error.h"

namespace talus {
namespace {

class Frictionless final : public ContactLaw {
public:
    explicit Frictionless(Coefficient restitution) : restitution_(std::move(restitution)) {}

    void freeze(std::span<const ImpactSpeeds> speeds, std::span<FrozenCoefficients> out) const override {
        for (std::size_t k = 0; k < speeds.size(); ++k) out[k] = {restitution_.at(speeds[k].normal), 0.0, 0.0};
    }
    [[nodiscard]] std::optional<FrozenCoefficients> constant() const override {
        if (!restitution_.is_constant()) return {};
        return FrozenCoefficients{restitution_.value, 0.0, 0.0};
    }
    [[nodiscard]] bool bounces() const override { return !is_zero(restitution_); }
    [[nodiscard]] bool springs_back() const override { return false; }

private:
    Coefficient restitution_;
};

}  // namespace

void register_frictionless(LawRegistry& registry) {
    registry.add("frictionless", [](const LawSpec& spec) {
        if (!spec.friction.is_constant() || spec.friction.value != 0.0 || spec.static_friction != 0.0 ||
            spec.friction_second >= 0.0)
            throw InputError("the frictionless law takes no friction; use the law 'coulomb'");
        return std::make_unique<Frictionless>(spec.restitution);
    });
}

}  // namespace talus
