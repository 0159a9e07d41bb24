#pragma once
/// \file
/// How far ahead the `gap` rule must look: gaps up to which pairs may close within a step.
///
/// Bodies that go along together do not meet, however fast they are: only differences of their ways count. A body that meets
/// another is pushed by what is left of the difference once the gap between them is closed, and pushes its neighbours in turn by
/// what is left of that, and so on. A pair counts when its gap is at most the difference of its ways, the pushes of both, and what
/// weight adds: pushes may come from any side.

#include <algorithm>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/boundary.h"

namespace talus {

/// Where a body goes in a step if nothing stops it.
template <int Dim>
struct Going {
    Vec<Dim> way = Vec<Dim>::Zero();   ///< of its centre [m]
    double turn = 0.0;                 ///< how much farther a point of it may come by turning or by a drive that sets in [m]
    double fall = 0.0;                 ///< what weight adds [m]
    double stretch = 1.0;              ///< how much faster than its centre a corner may be made to go
};

/// How much nearer two bodies may come in a step by themselves, weight left out [m].
template <int Dim>
[[nodiscard]] inline double approach(const Going<Dim>& a, const Going<Dim>& b) {
    return std::max(a.stretch, b.stretch) * (a.way - b.way).norm() + a.turn + b.turn;
}

template <int Dim>
struct WaysAhead {
    std::vector<Going<Dim>> going;     ///< by body; empty but for the `gap` rule
    std::vector<double> own;           ///< by body: by how much it may come nearer to others by itself [m]
    std::vector<double> need;          ///< by body: how far it must look [m]
    std::vector<double> push;          ///< by rank of the list: by how much a grain may be pushed [m]
    // scratch
    std::vector<double> gap;           ///< by pair of grains of the list [m]
    struct Wall {
        BoundaryShape<Dim> shape;
        Mat<Dim> to_local;
        Vec<Dim> position;
    };
    std::vector<Wall> walls;           ///< the list's boundaries

    void clear() { going.clear(); own.clear(); need.clear(); push.clear(); }
};

/// Fills `own` and `need` from `going`: seen from the mean motion, so that those of two bodies together cover whatever they
/// may do by themselves.
template <int Dim>
void need_of_own(const CandidateInput<Dim>& in, WaysAhead<Dim>& ways);

/// Fills `push` along the pairs of the list, and adds it to `need`.
template <int Dim>
void follow_pushes(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

/// True when the list looks as far as needed, and not much farther on the whole.
template <int Dim>
[[nodiscard]] bool looks_far_enough(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, const std::vector<double>& need);

}  // namespace talus
