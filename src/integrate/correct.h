#pragma once
/// \file
/// Position correction: overlap is taken out by a pseudo-velocity that moves bodies for one step and
/// is then forgotten, so it adds no kinetic energy. Its potential energy is booked.
///
/// The velocity law never undoes overlap: an impact leaves up to v h/2, and on a curved wall a
/// sliding body sinks by (v h)^2/(2 R) each step. With w the pseudo-velocity, the least motion in the
/// metric of the masses with g_F + h w_N >= -rest at every contact that is closed at the end of the
/// step is sought by Gauss-Seidel on the normal directions, without friction. A rest of overlap, 1e-6
/// of the smaller diameter, stays so that lasting contacts remain contacts. Of the overlap
/// beyond it a fifth is taken out a step between balls, half at a boundary. Contacts that cohesion holds are
/// brought to the rest from both sides: a bond that rolls opens by (v h)^2/(2 R) each step.
///
/// Contacts of balls go four at a time, in the groups of the sweeps, which threads share; then the others.
/// Few sweeps are made: what they leave is overlap of the next step, which takes its turn then.

#include "contact/gather.h"

namespace talus {

/// What a contact wants.
struct CorrectionTarget {
    std::uint32_t contact = 0;
    double wanted = 0.0;      ///< pseudo-velocity that removes the overlap, -infinity: takes no part [m/s]
    double impulse = 0.0;     ///< [N s]
    double least = 0.0;       ///< impulse: -infinity where cohesion holds, so that a gap is closed as an overlap is opened [N s]
};

/// Scratch: contacts that are not between balls. What those want lies beside their blocks.
struct CorrectionWork {
    std::vector<CorrectionTarget> others;
};

template <int Dim>
struct CorrectionInput {
    const Bodies<Dim>& bodies;
    const std::vector<Touch<Dim>>& touches;
    const ContactLinks<Dim>& links;
    ContactProblem<Dim>& problem;          ///< with the velocities after the solve; its scratch by contact is used
    double h;
    const Threads& threads;
};

/// Fills `pseudo`, one for every line.
template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork& work, std::span<BodyLine<Dim>> pseudo);

}  // namespace talus
