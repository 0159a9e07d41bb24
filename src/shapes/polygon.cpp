/// \file
/// A convex polygon of the plane, by its points in order around it, either way round.
#include <algorithm>
#include <cmath>

#include "shapes/solids.h"

namespace talus {
namespace {

/// Points nearer than this part of the size are the same, turns smaller than this are straight.
constexpr double least_turn = 1e-12;

double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

std::vector<Vec<2>> points_of(std::span<const double> sizes) {
    std::vector<Vec<2>> points;
    for (std::size_t k = 0; k + 1 < sizes.size(); k += 2) points.emplace_back(sizes[k], sizes[k + 1]);
    return points;
}

std::string name_of(const std::vector<Vec<2>>& points, std::size_t k) {
    return "point " + std::to_string(k + 1) + " (" + std::to_string(points[k][0]) + ", " +
           std::to_string(points[k][1]) + ")";
}

double twice_area(const std::vector<Vec<2>>& points) {
    double sum = 0.0;
    for (std::size_t k = 1; k + 1 < points.size(); ++k)
        sum += cross(points[k] - points[0], points[k + 1] - points[0]);
    return sum;
}

std::string repeated_point(const std::vector<Vec<2>>& points) {
    double size = 0.0;
    for (const Vec<2>& p : points) size = std::max(size, (p - points[0]).norm());
    for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t j = 0; j < k; ++j)
            if ((points[k] - points[j]).norm() <= least_turn * size)
                return name_of(points, k) + " repeats point " + std::to_string(j + 1) + "; leave one of them out";
    return {};
}

/// Every corner turns the same way, and all turns together are once around.
std::string not_convex(const std::vector<Vec<2>>& points) {
    const std::size_t n = points.size();
    const double sense = twice_area(points) < 0.0 ? -1.0 : 1.0;
    int rounds = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec<2> in = points[k] - points[(k + n - 1) % n], out = points[(k + 1) % n] - points[k];
        const double turn = sense * cross(in, out) / (in.norm() * out.norm());
        if (!(turn > least_turn))
            return name_of(points, k) + (turn < -least_turn ? " makes the polygon not convex; leave it out, or make a clump of convex ones"
                                                            : " lies on the line of its neighbours; leave it out");
        // The direction of the side passes "upwards to downwards" once a round.
        if (sense * in[1] > 0.0 && sense * out[1] <= 0.0) ++rounds;
    }
    if (rounds != 1) return "the points go " + std::to_string(rounds) + " times around; list them once, in order";
    return {};
}

std::string complaint(std::span<const double> sizes) {
    if (sizes.size() % 2 != 0)
        return "takes pairs of numbers x y, not " + std::to_string(sizes.size()) + " numbers";
    if (sizes.size() < 6) return "needs at least 3 points, not " + std::to_string(sizes.size() / 2);
    for (const double s : sizes)
        if (!std::isfinite(s)) return "coordinates must be finite, not " + std::to_string(s);
    const std::vector<Vec<2>> points = points_of(sizes);
    const std::string repeated = repeated_point(points);
    return repeated.empty() ? not_convex(points) : repeated;
}

Solid<2> solid(std::span<const double> sizes) {
    std::vector<Vec<2>> points = points_of(sizes);
    if (twice_area(points) < 0.0) std::reverse(points.begin(), points.end());
    Solid<2> out;
    out.pieces.push_back(piece_of<2>(polygon_of(points)));
    out.mass = mass_of(out.pieces[0].polytope);
    return out;
}

std::vector<double> moved_sizes(std::span<const double> sizes, const Vec<2>& centre, const Mat<2>& axes) {
    std::vector<double> out;
    for (const Vec<2>& p : points_of(sizes)) {
        const Vec<2> x = axes.transpose() * (p - centre);
        out.insert(out.end(), {x[0], x[1]});
    }
    return out;
}

}  // namespace

Polytope<2> polygon_of(const std::vector<Vec<2>>& counter_clockwise, double radius) {
    Polytope<2> p;
    p.vertices = counter_clockwise;
    p.radius = radius;
    const std::size_t n = p.vertices.size();
    for (std::size_t k = 0; k < n && n > 1; ++k) {
        const Vec<2> along = (p.vertices[(k + 1) % n] - p.vertices[k]).normalized();
        p.normals.emplace_back(along[1], -along[0]);
    }
    measure(p);
    return p;
}

void register_polygon(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "polygon";
    type.sizes_2d = any_number;
    type.sizes_text = "x and y of each point, in order around it, from wherever they are measured";
    type.complaint = complaint;
    type.solid_2d = solid;
    type.moved_2d = moved_sizes;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
