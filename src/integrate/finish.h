#pragma once
/// \file
/// Second half of a step: u_F from the solver, q_F = q_m + (h/2) u_F, driven freedoms exactly where
/// their law says at t + h, periodic positions back into the cell.

#include "contact/problem.h"
#include "detect/broad/candidates.h"
#include "state/drives.h"

namespace talus {

template <int Dim>
struct FinishInput {
    const ContactProblem<Dim>& problem;
    const CandidateList<Dim>& list;
    const Cell<Dim>& cell;
    const Placement<Dim>& at;                        ///< q_m
    std::span<const BodyLine<Dim>> correction;          ///< pseudo-velocities, empty when off
    const std::vector<std::size_t>& drive_index;
    double t_end = 0.0;
    double h = 0.0;
    const Threads& threads;
};

template <int Dim>
void finish(const FinishInput<Dim>& in, std::vector<Drive>& drives, Bodies<Dim>& bodies);

/// Puts glued bodies where their carriers are and positions back into the cell, after bodies were moved.
template <int Dim>
void settle(const Cell<Dim>& cell, Bodies<Dim>& bodies);

}  // namespace talus
