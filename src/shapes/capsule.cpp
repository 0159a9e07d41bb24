/// \file
/// A rod with round ends: all points within the radius of a segment, which lies along local x in the plane
/// and along local z in space.
#include "shapes/solids.h"

namespace talus {
namespace {

Solid<2> solid_2d(std::span<const double> sizes) {
    const Vec<2> half(0.5 * sizes[0], 0.0);
    Solid<2> out;
    out.pieces.push_back(piece_of<2>(segment_core(Vec<2>(-half), half, sizes[1])));
    out.mass = mass_of(out.pieces[0].polytope);
    return out;
}

Solid<3> solid_3d(std::span<const double> sizes) {
    const Vec<3> half(0.0, 0.0, 0.5 * sizes[0]);
    Solid<3> out;
    out.pieces.push_back(piece_of<3>(segment_core(Vec<3>(-half), half, sizes[1])));
    out.mass = mass_of(out.pieces[0].polytope);
    return out;
}

}  // namespace

void register_capsule(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "capsule";
    type.sizes_2d = 2;
    type.sizes_3d = 2;
    type.sizes_text = "length of the straight part, radius";
    type.complaint = positive_sizes;
    type.solid_2d = solid_2d;
    type.solid_3d = solid_3d;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
