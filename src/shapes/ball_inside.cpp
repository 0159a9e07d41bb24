/// \file
/// A circle (drum) or a sphere (vessel) touched from inside.
#include "shapes/shape_registry.h"

namespace talus {

void register_ball_inside(ShapeRegistry& registry) {
    registry.add({.name = "ball_inside", .sizes_2d = 1, .sizes_3d = 1, .sizes_text = "radius",
                  .complaint = positive_sizes, .round = true});
}

}  // namespace talus
