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
    void set(const CandidateInput<Dim>& in, const CandidateList<Dim>& list);
    /// Calls f(boundary) for those of grain i, increasing. Input and list are those that were set.
    template <class F>
    void for_each(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::int32_t i, F&& f) const {
        for (std::size_t k = 0; k < walls_.size(); ++k)
            if (is_near(in, list, i, k)) f(list.boundaries[k]);
    }

private:
    [[nodiscard]] bool is_near(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::int32_t i, std::size_t k) const;
    struct Wall {
        BoundaryShape<Dim> shape;
        Mat<Dim> to_local;
    };
    std::vector<Wall> walls_;
};

/// Fills `list.grain_begin` and `list.grains` from order, positions, margins and look-ahead.
template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list);

/// Fills `list.wall_begin` and `list.walls`.
template <int Dim>
void pair_boundaries(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list);

}  // namespace talus
