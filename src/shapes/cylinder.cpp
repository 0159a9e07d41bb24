/// \file
/// A circular cylinder with flat ends (drum, disk, coin): radius and length; axis along local z, origin at
/// its centre.
#include "shapes/solids.h"

namespace talus {
namespace {

Solid<3> cylinder(std::span<const double> sizes) {
    Frustum f;
    f.low = f.high = sizes[0];
    f.half = 0.5 * sizes[1];
    Solid<3> solid;
    solid.pieces = {piece_of(f)};
    solid.mass = mass_of(f);
    set_bound(solid);
    return solid;
}

}  // namespace

void register_cylinder(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "cylinder";
    type.sizes_3d = 2;
    type.sizes_text = "radius, length";
    type.complaint = positive_sizes;
    type.solid_3d = cylinder;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
