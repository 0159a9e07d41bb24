#pragma once
/// \file
/// Ball and a flat piece without thickness (segment in 2D, rectangle in 3D): the nearest point of
/// the piece decides. Features: 0 and 1 are the two sides, the others edges and corners.

#include <algorithm>
#include <cmath>

#include "detect/narrow/pair_registry.h"

namespace talus {

/// `half` holds the half lengths along the first Dim-1 axes; the last axis is across the piece.
template <int Dim>
int touch_flat(const Vec<Dim>& half, const Vec<Dim>& centre, double radius, double limit, LocalTouches<Dim>& out) {
    Vec<Dim> nearest = Vec<Dim>::Zero();
    std::uint32_t region = 0;
    for (int k = 0; k + 1 < Dim; ++k) {
        nearest[k] = std::clamp(centre[k], -half[k], half[k]);
        const std::uint32_t beyond = centre[k] < -half[k] ? 1u : centre[k] > half[k] ? 2u : 0u;
        region = region * 3u + beyond;
    }
    const Vec<Dim> d = centre - nearest;
    const double distance = d.norm();
    const double gap = distance - radius;
    if (gap > limit) return 0;
    // A centre exactly on the piece has no side: take the positive one.
    const Vec<Dim> n = distance > 0.0 ? Vec<Dim>(d / distance) : Vec<Dim>::Unit(Dim - 1);
    const std::uint32_t feature = region == 0 ? (d[Dim - 1] < 0.0 ? 1u : 0u) : 1u + region;
    out[0] = {n, gap, feature};
    return 1;
}

}  // namespace talus
