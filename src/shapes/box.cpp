/// \file
/// A solid box (rectangle in the plane), touched from outside.
#include "shapes/shape_registry.h"

namespace talus {

void register_box(ShapeRegistry& registry) {
    registry.add({.name = "box", .sizes_2d = 2, .sizes_3d = 3, .sizes_text = "side lengths",
                  .complaint = positive_sizes, .round = false});
}

}  // namespace talus
