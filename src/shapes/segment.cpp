/// \file
/// A straight wall of the plane without thickness, along local x, touched from both sides and at its ends.
#include "shapes/solids.h"

namespace talus {
namespace {

Solid<2> solid(std::span<const double> sizes) {
    const Vec<2> half(0.5 * sizes[0], 0.0);
    Solid<2> out;
    out.pieces.push_back(piece_of<2>(segment_core(Vec<2>(-half), half, 0.0)));
    return out;
}

}  // namespace

void register_segment(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "segment";
    type.sizes_2d = 1;
    type.sizes_text = "length";
    type.complaint = positive_sizes;
    type.solid_2d = solid;
    registry.add(std::move(type));
}

}  // namespace talus
