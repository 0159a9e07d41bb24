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
    double wanted = 0.0;      ///< pseudo-velocity that removes the overlap [m/s]
    double impulse = 0.0;     ///< [N s]
    bool both_ways = false;   ///< held by cohesion: a gap is closed as an overlap is opened
};

/// A ball contact that takes part, with all that a visit needs.
template <int Dim>
struct BallCorrection {
    Vec<Dim> n;
    double inv_wn;            ///< 1/H_NN [kg]
    std::int32_t a, b;        ///< lines
    CorrectionTarget target;
};

/// Any other.
struct OtherCorrection {
    ContactRecord record;
    CorrectionTarget target;
};

/// Scratch.
template <int Dim>
struct CorrectionWork {
    std::vector<CorrectionTarget> all;   ///< by contact; wanted is NaN for those that take no part
    std::vector<BallCorrection<Dim>> balls;
    std::vector<OtherCorrection> others;
};

template <int Dim>
struct CorrectionInput {
    const Bodies<Dim>& bodies;
    const std::vector<Touch<Dim>>& touches;
    const ContactLinks<Dim>& links;
    const ContactProblem<Dim>& problem;    ///< with the velocities after the solve
    double h;
    const Threads& threads;
};

/// Fills `pseudo`, by line.
template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork<Dim>& work, std::vector<BodyLine<Dim>>& pseudo);

}  // namespace talus
