#pragma once
/// \file
/// Contacts of two single bodies wherever they are placed, for those who ask about few pairs: the narrow phase without its list, memory and history.

#include <span>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/manifold.h"

namespace talus {

/// Bodies, and where they are.
template <int Dim>
struct PlacedBodies {
    const Bodies<Dim>& bodies;
    const ShapeTable<Dim>& shapes;
    const Cell<Dim>& cell;
    const std::vector<Vec<Dim>>& position;
    const std::vector<Rotation<Dim>>& rotation;   ///< asked of those that are not balls
};

/// Contacts of a grain and another body with gaps up to `limit`, told in the axes of b. Valid until the thread asks again.
template <int Dim>
[[nodiscard]] std::span<const ManifoldPoint<Dim>> contacts_of_pair(const PlacedBodies<Dim>& in, std::size_t a, std::size_t b, double limit);

}  // namespace talus
