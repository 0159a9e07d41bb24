#pragma once
/// \file
/// A candidate list made fit again for a few bodies that have used up their margins or are new, instead of a new one: a
/// grain that falls on a pile at rest concerns its neighbours only.
///
/// Those bodies get present positions and margins, their rows are found by looking at all bodies, and the rest of the list
/// stays. Ranks stay too, new grains following the others, so the working order slowly loses its sense: after many patches
/// a new list is due. The patched list is the one that a search among all from the same positions, margins and ranks gives.

#include <vector>

#include "detect/broad/near_pairs.h"

namespace talus {

/// A pair that enters the list, in its row.
struct NewPair {
    std::int32_t row;
    Candidate candidate;
    [[nodiscard]] bool operator<(const NewPair& o) const { return row != o.row ? row < o.row : candidate.other < o.candidate.other; }
};

/// The bodies to patch, and scratch.
template <int Dim>
struct PatchWork {
    std::vector<std::int32_t> few;
    std::vector<std::uint8_t> is_patched;             ///< by rank
    std::vector<NewPair> grains, walls;
    std::vector<std::vector<NewPair>> parts;          ///< of `grains`, as threads find them
    std::vector<Candidate> grain_rows, wall_rows;
    NearBoundaries<Dim> boundaries;
};

/// Bodies to patch, in increasing order: those that have used up their margins, those that will soon, and those that the list
/// does not know.
/// \returns false when a new list is due or cheaper.
template <int Dim>
[[nodiscard]] bool find_few_to_patch(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list,
                                     std::vector<std::int32_t>& few);

/// Patches the list for `work.few`; `lost` gets the cache entries of pairs that are no more in it.
template <int Dim>
void patch_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const CachedPairs& cached,
                      PatchWork<Dim>& work, CandidateList<Dim>& list, std::vector<std::int32_t>& lost);

}  // namespace talus
