/// \file
/// A half-plane (2D) or half-space (3D): solid below, free on the side of its normal.
#include <cmath>

#include "shapes/shape_registry.h"

namespace talus {
namespace {

std::string normal_complaint(std::span<const double> n) {
    double square = 0.0;
    for (const double x : n) square += x * x;
    if (std::abs(square - 1.0) < 1e-12) return {};
    return "the normal must have length 1, not " + std::to_string(std::sqrt(square));
}

}  // namespace

void register_plane(ShapeRegistry& registry) {
    registry.add({.name = "plane", .sizes_2d = 2, .sizes_3d = 3, .sizes_text = "unit normal",
                  .complaint = normal_complaint, .round = false});
}

}  // namespace talus
