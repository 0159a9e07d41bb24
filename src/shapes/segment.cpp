/// \file
/// A straight wall of the plane without thickness, along local x, touched from both sides and at its ends.
#include "shapes/shape_registry.h"

namespace talus {

void register_segment(ShapeRegistry& registry) {
    registry.add({.name = "segment", .sizes_2d = 1, .sizes_3d = -1, .sizes_text = "length",
                  .complaint = positive_sizes, .round = false});
}

}  // namespace talus
