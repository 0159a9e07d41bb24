#pragma once
/// \file
/// The energy ledger and the momentum balance of a step.
///
/// From A (u_F - u_I) = h F + sum G* S, multiplied by (u_F + u_I)/2, follows to the last bit
///     dE_k = h F.(u_F + u_I)/2 + sum S.(U+ + U-)/2 - sum S.W,
/// U+ and U- being the relative velocities with the drives' share W included. The first term is the
/// work of weight (minus the change of potential energy, since q_F - q_I = h (u_I + u_F)/2) and of
/// loads; the second, split in normal and tangential part, is what contacts dissipate; the third the
/// work of drives. S is the true impulse, the pull of cohesion included; couples are booked with friction. Of
/// joints U+ + U- vanishes: they do no work but for what the solver left over, which is booked with the impacts.

#include "contact/gather.h"
#include "contact/joints.h"
#include "talus/report.h"

namespace talus {

template <int Dim>
struct Energy {
    double kinetic = 0.0, potential = 0.0;
    [[nodiscard]] double total() const { return kinetic + potential; }
};

/// Energy of one body: its free freedoms only; potential of its weight, zero at the origin.
template <int Dim>
[[nodiscard]] Energy<Dim> energy_of(const Bodies<Dim>& bodies, const Cell<Dim>& cell, const Vec<Dim>& gravity,
                                    std::size_t i);
template <int Dim>
[[nodiscard]] Energy<Dim> energy_of_all(const Bodies<Dim>& bodies, const Cell<Dim>& cell, const Vec<Dim>& gravity,
                                        const Threads& threads);

template <int Dim>
struct LedgerInput {
    const std::vector<Touch<Dim>>& touches;
    const ContactLinks<Dim>& links;
    const ContactProblem<Dim>& problem;      ///< after the solve and `note_start`
    const CandidateList<Dim>& list;
    const Placement<Dim>& at;
    const std::vector<Wrench<Dim>>& loads;
    const std::vector<std::int32_t>& loaded_bodies;
    std::span<const BodyLine<Dim>> correction;
    const std::vector<JointRecord<Dim>>& joints;
    Vec<Dim> gravity;
    double h = 0.0;
    const Threads& threads;
};

/// What the contacts did in a step, summed in their order.
template <int Dim>
struct ContactBooks {
    double impact = 0.0, friction = 0.0, drive_work = 0.0;  ///< [J]
    Vec<Dim> on_free = Vec<Dim>::Zero();                    ///< momentum that they gave to free freedoms [N s]
    double size = 0.0;                                      ///< sum of |S| [N s]
    std::int64_t working = 0;                               ///< those with an impulse
};
template <int Dim>
[[nodiscard]] ContactBooks<Dim> book_contacts(const LedgerInput<Dim>& in, const Bodies<Dim>& bodies);

/// Everything but the end-of-step energies and the residual; `bodies` still as before the step.
template <int Dim>
[[nodiscard]] EnergyLedger book_step(const LedgerInput<Dim>& in, const ContactBooks<Dim>& contacts, const Bodies<Dim>& bodies);

/// The part of the rotation error that needs the orientation after the step (I(q_F) against I(q_m)).
template <int Dim>
[[nodiscard]] double rotation_energy_shift(const Bodies<Dim>& bodies, const Placement<Dim>& at);

/// |momentum change - forces - impulses of walls| over the largest of the three, before `finish`.
template <int Dim>
[[nodiscard]] double momentum_residual(const LedgerInput<Dim>& in, const ContactBooks<Dim>& contacts,
                                       const Bodies<Dim>& bodies);

/// True when contacts gave energy away beyond what the remaining law error explains.
template <int Dim>
[[nodiscard]] bool gained_energy(const LedgerInput<Dim>& in, const EnergyLedger& ledger, const LawError& law,
                                 double kinetic_before);

}  // namespace talus
