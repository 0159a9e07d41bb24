#pragma once
/// \file
/// What it takes to make a list besides the list. Small things are kept from list to list, large ones lie in memory that stages of a step
/// share: a list is made while contacts, or velocities to correct positions with, are not.

#include "detect/broad/cell_grid.h"
#include "detect/broad/near_pairs.h"
#include "detect/broad/number_pages.h"
#include "math/scratch.h"

namespace talus {

/// What one task found, in streams of a ball's rank, ~rank, followed by those of its partners.
struct FoundPairs {
    NumberStream own;     ///< pairs whose ball of lower rank is in the hands of the task alone
    NumberStream stray;   ///< others
};

template <int Dim>
struct ListWork {
    CellGrid<Dim> grid;
    NumberPages pages;
    std::vector<FoundPairs> found;         ///< by task
    NearBoundaries<Dim> boundaries;
    NumberPages wall_pages;
    std::vector<NumberStream> near_walls;  ///< by task
};

template <int Dim>
struct ListMemory {
    ListWork<Dim>& work;
    Scratch &first, &second;   ///< what was there is lost
};

}  // namespace talus
