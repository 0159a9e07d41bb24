#pragma once
/// \file
/// The rows of the candidate list: near grains and near boundaries of each rank.

#include <algorithm>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/boundary.h"

namespace talus {

/// Walls do not touch walls, nor a body what is glued to it or held by a joint.
template <int Dim>
[[nodiscard]] inline bool can_touch(const Bodies<Dim>& bodies, const CandidateList<Dim>& list, std::int32_t i, std::int32_t j) {
    const std::int32_t a = bodies.carrier(i), b = bodies.carrier(j);
    if (a == b || (bodies.is_wall(i) && bodies.is_wall(j))) return false;
    return list.apart.empty() || !std::binary_search(list.apart.begin(), list.apart.end(), std::minmax({a, b}));
}

/// Tells which boundaries are near a grain, by positions and margins on record.
template <int Dim>
class NearBoundaries {
public:
    NearBoundaries(const CandidateInput<Dim>& in, const CandidateList<Dim>& list);
    /// Adds those of grain i, increasing.
    void add(std::int32_t i, std::vector<Candidate>& near) const;

private:
    const CandidateInput<Dim>& in_;
    const CandidateList<Dim>& list_;
    std::vector<BoundaryShape<Dim>> shape_;
    std::vector<Mat<Dim>> to_local_;
};

/// Fills `list.grain_begin` and `list.grains` from order, positions, margins and look-ahead.
template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, CandidateList<Dim>& list);

/// Fills `list.wall_begin` and `list.walls`.
template <int Dim>
void pair_boundaries(const CandidateInput<Dim>& in, CandidateList<Dim>& list);

}  // namespace talus
