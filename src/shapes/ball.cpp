/// \file
/// The grain: a disk in the plane, a sphere in space. Its radius belongs to the body, so all balls share one
/// shape, of radius 1.
#include "shapes/solids.h"

namespace talus {
namespace {

template <int Dim>
Solid<Dim> solid(std::span<const double>) {
    Solid<Dim> out;
    out.pieces.push_back(piece_of<Dim>(point_core(Vec<Dim>(Vec<Dim>::Zero()), 1.0)));
    out.mass = mass_of(out.pieces[0].polytope);
    return out;
}

}  // namespace

void register_ball(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "ball";
    type.sizes_2d = 0;
    type.sizes_3d = 0;
    type.sizes_text = "none: the radius is the body's";
    type.round = true;
    type.solid_2d = solid<2>;
    type.solid_3d = solid<3>;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
