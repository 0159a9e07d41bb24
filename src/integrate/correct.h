#pragma once
/// \file
/// Position correction: overlap is taken out by a pseudo-velocity that moves bodies for one step and
/// is then forgotten, so it adds no kinetic energy. Its potential energy is booked.
///
/// The velocity law never undoes overlap: an impact leaves up to v h/2, and on a curved wall a
/// sliding body sinks by (v h)^2/(2 R) each step. With w the pseudo-velocity, the least motion in the
/// metric of the masses with g_F + h w_N >= -rest at every contact that is closed at the end of the
/// step is found by Gauss-Seidel on the normal directions, without friction. A rest of overlap, 1e-6
/// of the smaller diameter, stays so that lasting contacts remain contacts. Of the overlap
/// beyond it a fifth is taken out a step between balls, half at a boundary. Contacts that cohesion holds are
/// brought to the rest from both sides: a bond that rolls opens by (v h)^2/(2 R) each step.

#include "contact/gather.h"

namespace talus {

/// A contact that takes part.
struct CorrectionTarget {
    std::size_t contact;
    double wanted;        ///< pseudo-velocity that removes the overlap [m/s]
    bool both_ways;       ///< held by cohesion: a gap is closed as an overlap is opened
    double impulse = 0.0;
};

/// Fills `pseudo` (by line) from the contacts and the velocities after the solve; `targets` is scratch.
template <int Dim>
void correct_positions(const Bodies<Dim>& bodies, const std::vector<Touch<Dim>>& touches,
                       const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, double h,
                       std::vector<CorrectionTarget>& targets, std::vector<BodyLine<Dim>>& pseudo);

}  // namespace talus
