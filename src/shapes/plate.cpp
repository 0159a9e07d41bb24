/// \file
/// A rectangle in space without thickness, in the local plane z = 0, touched from both sides and at its edges.
#include "shapes/shape_registry.h"

namespace talus {

void register_plate(ShapeRegistry& registry) {
    registry.add({.name = "plate", .sizes_2d = -1, .sizes_3d = 2, .sizes_text = "length along x, length along y",
                  .complaint = positive_sizes, .round = false});
}

}  // namespace talus
