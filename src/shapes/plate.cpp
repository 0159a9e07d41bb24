/// \file
/// A rectangle in space without thickness, in the local plane z = 0, touched from both sides and at its edges.
#include "shapes/solids.h"

namespace talus {
namespace {

Solid<3> solid(std::span<const double> sizes) {
    const double x = 0.5 * sizes[0], y = 0.5 * sizes[1];
    Solid<3> out;
    out.pieces.push_back(piece_of<3>(flat_of({{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}})));
    return out;
}

}  // namespace

void register_plate(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "plate";
    type.sizes_3d = 2;
    type.sizes_text = "length along x, length along y";
    type.complaint = positive_sizes;
    type.solid_3d = solid;
    registry.add(std::move(type));
}

}  // namespace talus
