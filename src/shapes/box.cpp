/// \file
/// A solid box (rectangle in the plane), touched from outside.
#include "shapes/solids.h"

namespace talus {
namespace {

Solid<2> solid_2d(std::span<const double> sizes) {
    const double x = 0.5 * sizes[0], y = 0.5 * sizes[1], area = sizes[0] * sizes[1];
    Solid<2> out;
    out.pieces.push_back(piece_of<2>(polygon_of({{-x, -y}, {x, -y}, {x, y}, {-x, y}})));
    out.mass.volume = area;
    out.mass.inertia(0, 0) = area / 3.0 * (x * x + y * y);
    return out;
}

Solid<3> solid_3d(std::span<const double> sizes) {
    const Vec<3> sides(sizes[0], sizes[1], sizes[2]);
    const Vec<3> squares = sides.cwiseAbs2();
    Solid<3> out;
    out.pieces.push_back(piece_of<3>(box_core(sides)));
    out.mass.volume = sides.prod();
    out.mass.inertia = (out.mass.volume / 12.0 * (Vec<3>::Constant(squares.sum()) - squares)).asDiagonal();
    return out;
}

}  // namespace

void register_box(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "box";
    type.sizes_2d = 2;
    type.sizes_3d = 3;
    type.sizes_text = "side lengths";
    type.complaint = positive_sizes;
    type.solid_2d = solid_2d;
    type.solid_3d = solid_3d;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
