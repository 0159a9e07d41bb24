/// \file
/// A box touched from inside: the container. Sides of infinite length have no faces.
#include "shapes/shape_registry.h"

namespace talus {

void register_box_inside(ShapeRegistry& registry) {
    registry.add({.name = "box_inside", .sizes_2d = 2, .sizes_3d = 3, .sizes_text = "side lengths, .inf for a pair of faces that is not there",
                  .complaint = positive_sizes, .round = false});
}

}  // namespace talus
