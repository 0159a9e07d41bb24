/// \file
/// A convex polyhedron: the hull of its points, in any order. Points within the hull change nothing.
#include <cmath>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

std::vector<Vec<3>> points_of(std::span<const double> sizes) {
    std::vector<Vec<3>> points;
    for (std::size_t k = 0; k + 2 < sizes.size(); k += 3) points.emplace_back(sizes[k], sizes[k + 1], sizes[k + 2]);
    return points;
}

std::string complaint(std::span<const double> sizes) {
    if (sizes.size() % 3 != 0)
        return "takes triples of numbers x y z, not " + std::to_string(sizes.size()) + " numbers";
    if (sizes.size() < 12) return "needs at least 4 points, not " + std::to_string(sizes.size() / 3);
    for (const double s : sizes)
        if (!std::isfinite(s)) return "coordinates must be finite, not " + std::to_string(s);
    try {
        (void)hull_of(points_of(sizes));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

Solid<3> solid(std::span<const double> sizes) {
    Solid<3> out;
    out.pieces.push_back(piece_of<3>(hull_of(points_of(sizes))));
    out.mass = mass_of(out.pieces[0].polytope);
    return out;
}

/// Only the corners are moved, so that what no longer matters is not carried on.
std::vector<double> moved_sizes(std::span<const double> sizes, const Vec<3>& centre, const Mat<3>& axes) {
    std::vector<double> out;
    for (const Vec<3>& p : hull_of(points_of(sizes)).vertices) {
        const Vec<3> x = axes.transpose() * (p - centre);
        out.insert(out.end(), {x[0], x[1], x[2]});
    }
    return out;
}

}  // namespace

void register_polyhedron(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "polyhedron";
    type.sizes_3d = any_number;
    type.sizes_text = "x, y and z of each point, from wherever they are measured";
    type.complaint = complaint;
    type.solid_3d = solid;
    type.moved_3d = moved_sizes;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
