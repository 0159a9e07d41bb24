/// \file
/// The grain: a disk in the plane, a sphere in space. Its radius belongs to the body, so all balls share one shape.
#include "shapes/shape_registry.h"

namespace talus {

void register_ball(ShapeRegistry& registry) {
    registry.add({.name = "ball", .sizes_2d = 0, .sizes_3d = 0, .sizes_text = "none: the radius is the body's",
                  .complaint = nullptr, .round = true});
}

}  // namespace talus
