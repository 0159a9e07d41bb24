#pragma once
/// \file
/// Fewer contact points with the same support. A face clipped against another may have more corners than
/// a contact needs; what matters for equilibrium is the polygon they span and the deepest of them.

#include <span>

#include "detect/narrow/manifold.h"

namespace talus {

/// Keeps at most `most` of the points, moved to the front in their order, and returns how many: the deepest
/// one always; points within the polygon that the others span go first, then the corners whose loss takes
/// the least area from it. Points are compared along the plane across `normal`.
[[nodiscard]] int keep_support_polygon(std::span<ManifoldPoint<3>> points, int most, const Vec<3>& normal);

/// The same for points[first .. count) of a manifold.
void keep_support_polygon(Manifold<3>& manifold, int first, int most, const Vec<3>& normal);

}  // namespace talus
