#pragma once
/// \file
/// How far ahead the `gap` rule must look: gaps up to which pairs may close within a step.
///
/// Bodies that go along together do not meet, however fast they are: only differences of their ways count. A body may be
/// pushed by a neighbour, which may have been pushed by another: within a step its way may change by as much as the
/// ways of the bodies about it differ, up to the neighbours of the neighbours of its neighbours.

#include <vector>

#include "detect/broad/candidates.h"

namespace talus {

/// Where a body goes in a step if nothing stops it.
template <int Dim>
struct Going {
    Vec<Dim> way = Vec<Dim>::Zero();   ///< of its centre [m]
    double extra = 0.0;                ///< how much farther a point of it may come: weight, turning [m]
    double stretch = 1.0;              ///< how much faster than its centre a corner may be made to go
};

template <int Dim>
struct WaysAhead {
    std::vector<Going<Dim>> going;     ///< by body; empty but for the `gap` rule
    std::vector<double> need;          ///< by body: how far it must look [m]
    // by rank of the list [m]
    std::vector<double> push;          ///< by how much the way of a grain may change in a step
    std::vector<double> push_before;   ///< scratch
};

/// Fills `need` with what bodies may come nearer by themselves: seen from the mean motion, so that the needs of two
/// together cover whatever they may do.
template <int Dim>
void need_of_own(const CandidateInput<Dim>& in, WaysAhead<Dim>& ways);

/// Fills `push` along the pairs of the list and raises `need` to it.
template <int Dim>
void follow_pushes(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

/// True when the list looks as far as needed, and not much farther on the whole.
template <int Dim>
[[nodiscard]] bool looks_far_enough(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, const std::vector<double>& need);

/// Brings pushes within what the list covers.
template <int Dim>
void limit_pushes(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

}  // namespace talus
