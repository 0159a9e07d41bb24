#pragma once
/// \file
/// The rows of the candidate list: near grains and near boundaries of each rank.

#include "detect/broad/candidates.h"

namespace talus {

/// Fills `list.grain_begin` and `list.grains` from order, positions, margins and look-ahead.
template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, CandidateList<Dim>& list);

/// Fills `list.wall_begin` and `list.walls`.
template <int Dim>
void pair_boundaries(const CandidateInput<Dim>& in, CandidateList<Dim>& list);

}  // namespace talus
