/// \file
/// A circular cylinder touched from inside, axis along local z, closed by flat ends at half its length.
#include "shapes/shape_registry.h"

namespace talus {

void register_cylinder_inside(ShapeRegistry& registry) {
    registry.add({.name = "cylinder_inside", .sizes_2d = -1, .sizes_3d = 2, .sizes_text = "radius, length (.inf: no ends)",
                  .complaint = positive_sizes, .round = false});
}

}  // namespace talus
