#pragma once
/// \file
/// The contact problem of the step that a world is about to make, without making it: for other programs to
/// solve, and for tests.
///
/// The stages up to `gather` are run as the step itself runs them, and what they changed is put back: the step
/// that follows is the same to the bit. Velocities are formal ones, with restitution and the motion of driven bodies
/// folded into the constants, as the solver sees them [moreau1994, eq. 7.7].
///
/// Freedoms are those that are free, body by body in the order of ids: v, then the spin in world axes. M is
/// block-diagonal, one block a body: m, and the inertia at q_m without the rotations that are held.

#include "solve/condense.h"
#include "talus/world.h"

namespace talus {

template <int Dim>
struct NextProblem {
    double time = 0.0;               ///< at which the step starts [s]
    std::int64_t step = 0;           ///< steps made before it
    std::int64_t bodies = 0;         ///< with a free freedom
    GlobalProblem<Dim> global;
    MatrixProblem<Dim> local;        ///< the same contacts, without bodies; impulses are those a solver would start from
};

/// Contacts in the order of the local form, without those of the last step, which `world.contacts()` no longer tells.
/// \throws InputError when the step has joints or contacts that pass more than a force: they have no such form.
template <int Dim>
[[nodiscard]] NextProblem<Dim> next_problem(World<Dim>& world);

/// The same problem on the bodies of the world, as the step hands it to its solver, links included.
template <int Dim>
[[nodiscard]] ContactProblem<Dim> next_contact_problem(World<Dim>& world);

}  // namespace talus
