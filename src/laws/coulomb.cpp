/// \file
/// Signorini's condition and dry friction of Coulomb, with Newton-like restitution in both
/// directions. Each coefficient may depend on the speed before the step: restitution falling with
/// the impact, friction that is static below a slip speed and dynamic above. What else a pair may have
/// (static friction, an elliptic cone, couples, cohesion) is in `LawSpec` and put into force by `freeze_laws`.
#include "laws/law_registry.h"

namespace talus {
namespace {

class Coulomb final : public ContactLaw {
public:
    explicit Coulomb(LawSpec spec) : spec_(std::move(spec)) {}

    void freeze(std::span<const ImpactSpeeds> speeds, std::span<FrozenCoefficients> out) const override {
        for (std::size_t k = 0; k < speeds.size(); ++k)
            out[k] = {spec_.restitution.at(speeds[k].normal), spec_.tangential_restitution.at(speeds[k].normal),
                      spec_.friction.at(speeds[k].tangential)};
    }
    [[nodiscard]] std::optional<FrozenCoefficients> constant() const override {
        if (!spec_.restitution.is_constant() || !spec_.tangential_restitution.is_constant() || !spec_.friction.is_constant()) return {};
        return FrozenCoefficients{spec_.restitution.value, spec_.tangential_restitution.value, spec_.friction.value};
    }
    [[nodiscard]] bool bounces() const override { return !is_zero(spec_.restitution) || springs_back(); }
    [[nodiscard]] bool springs_back() const override { return !is_zero(spec_.tangential_restitution); }

private:
    LawSpec spec_;
};

}  // namespace

void register_coulomb(LawRegistry& registry) {
    registry.add("coulomb", [](const LawSpec& spec) { return std::make_unique<Coulomb>(spec); });
}

}  // namespace talus
