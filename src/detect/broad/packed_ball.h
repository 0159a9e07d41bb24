#pragma once
/// \file
/// A grain as the search for pairs sees it, by rank: all that is asked of it side by side.

#include <span>

#include "detect/broad/candidates.h"

namespace talus {

template <int Dim>
struct PackedBall {
    Vec<Dim> x;
    double r = 0.0;        ///< with margin and look-ahead [m]
    Vec<Dim> way;          ///< in a step; zero where lists do not look ahead [m]
    bool is_wall = false;
};

}  // namespace talus
