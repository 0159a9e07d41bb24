#pragma once
/// \file
/// How much the ways of grains differ from those of their neighbours: what falls together, or rests together, need not look
/// as far as what falls on what rests.

#include <vector>

#include "detect/broad/candidates.h"

namespace talus {

/// Adds to the radii `r` of balls at `x` such lengths that for every two balls that can meet, those of both together are at least the
/// difference of their ways. Two balls can meet when their distance is at most the sum of their radii and that difference.
template <int Dim>
void add_local_ways(const std::vector<Vec<Dim>>& x, const std::vector<Vec<Dim>>& way, const Cell<Dim>& cell, const Threads& threads,
                    std::vector<double>& r);

}  // namespace talus
