#pragma once
/// \file
/// Puts the laws into the contact problem of a step: coefficients frozen at the velocity before the
/// step, the constants of the formal velocities, the pulls of cohesion, and starting impulses brought back
/// into the cone.
///
/// Cohesion acts in closed contacts. Under the rule `moreau` all contacts are; under the rule `gap` those that
/// overlap (up to `touch`) and those that cohesion kept closed in the step before. Brittle bonds form in the
/// first step after their law was set, in the contacts that are closed then.

#include <memory>
#include <vector>

#include "contact/gather.h"
#include "laws/law_registry.h"
#include "state/materials.h"

namespace talus {

/// The laws of all material pairs, made from their descriptions and renewed when those change.
class LawTable {
public:
    void update(const Materials& materials);
    [[nodiscard]] const ContactLaw& operator[](std::int32_t law) const { return *laws_[law]; }
    [[nodiscard]] bool any_bounces() const;
    [[nodiscard]] bool any_springs_back() const;
    /// By law, where the coefficients of all of them are the same at all speeds; else empty.
    [[nodiscard]] const std::vector<FrozenCoefficients>& constants() const { return constants_; }

private:
    std::vector<std::unique_ptr<ContactLaw>> laws_;
    std::vector<FrozenCoefficients> constants_;
    std::int64_t revision_ = -1;
};

template <int Dim>
struct FreezeInput {
    const Bodies<Dim>& bodies;
    const Materials& materials;
    const LawTable& laws;
    const std::vector<Touch<Dim>>& touches;
    const ContactCache<Dim>& cache;
    ContactLinks<Dim>& links;             ///< gets `pull`, `bond` and `unpulled`
    ContactRule rule = ContactRule::moreau;
    double touch = 0.0;                   ///< gap counted as closed, in smaller diameters [-]
    double h = 0.0;
    const Threads& threads;
};

/// The coefficients of one contact, from its law, its velocity before the step and its normal.
template <int Dim>
[[nodiscard]] FrozenCoefficients frozen_coefficients(const ContactLaw& law, const Vec<Dim>& before, const Vec<Dim>& normal);

/// \throws InputError when two materials that touch have no law.
template <int Dim>
void freeze_laws(const FreezeInput<Dim>& in, ContactProblem<Dim>& problem);

}  // namespace talus
