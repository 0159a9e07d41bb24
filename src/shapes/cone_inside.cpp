/// \file
/// A frustum touched at its side, axis along local z from 0 to the height, open at both ends: the hopper.
#include "shapes/shape_registry.h"

namespace talus {
namespace {

std::string cone_complaint(std::span<const double> s) {
    if (s[0] < 0.0 || s[1] < 0.0) return "radii must not be negative";
    if (s[0] == 0.0 && s[1] == 0.0) return "one of the radii must be > 0";
    if (!(s[2] > 0.0)) return "the height must be > 0";
    return {};
}

}  // namespace

void register_cone_inside(ShapeRegistry& registry) {
    registry.add({.name = "cone_inside", .sizes_2d = -1, .sizes_3d = 3, .sizes_text = "lower radius, upper radius, height",
                  .complaint = cone_complaint, .round = false});
}

}  // namespace talus
