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
/// Few sweeps are made: what they leave is overlap of the next step, which takes its turn then.

#include "contact/gather.h"

namespace talus {

/// What a contact that takes part wants.
struct CorrectionTarget {
    double wanted = 0.0;      ///< pseudo-velocity that removes the overlap, NaN: takes no part [m/s]
    double impulse = 0.0;     ///< [N s]
    LinePair lines{-1, -1};   ///< of a contact between balls
    bool both_ways = false;   ///< held by cohesion: a gap is closed as an overlap is opened
};

/// Scratch: the contacts that take part.
struct CorrectionWork {
    std::vector<std::uint32_t> balls, others;
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

/// Fills `pseudo`, by line.
template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork& work, std::vector<BodyLine<Dim>>& pseudo);

}  // namespace talus
