#pragma once
/// \file
/// Ranks of the grains along a Morton curve: near in space is near in memory.

#include "detect/broad/candidates.h"

namespace talus {

/// Sorts `list.order` (increasing body indices on entry) along a Morton curve through cells of the mean diameter at
/// `list.built_position`, ties by index, and sets `list.rank`.
template <int Dim>
void sort_along_curve(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list);

/// Sets `list.rank` from `list.order`; boundaries follow the grains.
template <int Dim>
void number_ranks(const CandidateInput<Dim>& in, CandidateList<Dim>& list);

}  // namespace talus
