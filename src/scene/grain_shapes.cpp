#include "scene/grain_shapes.h"

#include <algorithm>
#include <cmath>

#include "math/portable.h"
#include "scene/enclosing_ball.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

constexpr std::uint64_t shape_stream = 0x5a9e;
constexpr double least_share = 0.2;             // of the even distance between vertices
constexpr double widest_arc = 8.0 / 9.0 * M_PI;  // between neighbours of a polygon: its centre stays inside
constexpr double least_face = 0.1;              // distance of a face from the centre, in radii
constexpr int attempts = 100000;

[[noreturn]] void fail_to_draw(int n) {
    throw InputError("no convex shape of " + std::to_string(n) + " vertices was found in " + std::to_string(attempts) +
                     " draws; raise 'roundness' or change 'vertices'");
}

/// Vertices on the unit circle, counter-clockwise.
std::vector<Point> points_on_circle(int n, double roundness, Random& random) {
    std::vector<double> cuts(static_cast<std::size_t>(n) - 1), arcs(static_cast<std::size_t>(n));
    for (int attempt = 0; attempt < attempts; ++attempt) {
        // Cutting the circle at random points makes all divisions equally likely.
        for (auto& cut : cuts) cut = random.uniform();
        std::sort(cuts.begin(), cuts.end());
        double widest = 0.0;
        for (std::size_t k = 0; k < arcs.size(); ++k) {
            const double chance = (k < cuts.size() ? cuts[k] : 1.0) - (k > 0 ? cuts[k - 1] : 0.0), even = 1.0 / n;
            const double irregular = least_share * even + (1.0 - least_share) * chance;
            arcs[k] = 2.0 * M_PI * (roundness * even + (1.0 - roundness) * irregular);
            widest = std::max(widest, arcs[k]);
        }
        if (widest <= widest_arc) break;
        if (attempt + 1 == attempts) fail_to_draw(n);
    }
    std::vector<Point> points;
    double angle = 0.0;
    for (const double arc : arcs) {
        points.emplace_back(portable::cos(angle), portable::sin(angle), 0.0);
        angle += arc;
    }
    return points;
}

Point on_unit_sphere(Random& random) {
    while (true) {
        const Point p = random.in_unit_ball(3);
        const double length = p.norm();
        if (length > 0.1) return p / length;
    }
}

/// Points that repel each other until they are spread evenly.
std::vector<Point> spread(std::vector<Point> points) {
    const double pitch = std::sqrt(4.0 * M_PI / static_cast<double>(points.size()));
    for (int round = 0; round < 200; ++round) {
        const double step = 0.15 * pitch * pitch * pitch;
        std::vector<Point> pushed = points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            Point force = Point::Zero();
            for (std::size_t j = 0; j < points.size(); ++j) {
                const Point d = points[i] - points[j];
                const double distance = d.norm();
                if (distance > 0.0) force += d / (distance * distance * distance);
            }
            force -= force.dot(points[i]) * points[i];
            const double move = step * force.norm();
            if (move > 0.3 * pitch) force *= 0.3 * pitch / move;
            pushed[i] = (points[i] + step * force).normalized();
        }
        points = std::move(pushed);
    }
    return points;
}

/// No vertex too near another one.
bool is_apart(const std::vector<Point>& points) {
    const double least = least_share * std::sqrt(4.0 * M_PI / static_cast<double>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if ((points[i] - points[j]).norm() < least) return false;
    return true;
}

/// No face of the hull too near the centre.
bool is_thick(const std::vector<Point>& points) {
    try {
        const Polytope<3> hull = hull_of({points.begin(), points.end()});
        return std::all_of(hull.faces.begin(), hull.faces.end(), [](const auto& f) { return f.offset >= least_face; });
    } catch (const InputError&) {
        return false;  // all in a plane
    }
}

std::vector<Point> points_on_sphere(int n, double roundness, Random& random) {
    std::vector<Point> points(static_cast<std::size_t>(n));
    for (int attempt = 0; attempt < attempts; ++attempt) {
        for (auto& p : points) p = on_unit_sphere(random);
        if (roundness > 0.0) {
            const auto even = spread(points);
            for (std::size_t k = 0; k < points.size(); ++k)
                points[k] = ((1.0 - roundness) * points[k] + roundness * even[k]).normalized();
        }
        if (is_apart(points) && is_thick(points)) break;
        if (attempt + 1 == attempts) fail_to_draw(n);
    }
    return points;
}

/// The points moved and scaled into a ball of `radius` about the origin.
ShapeSpec scaled(std::vector<Point> points, int dimension, double radius) {
    const EnclosingBall ball = enclosing_ball(points);
    ShapeSpec shape{dimension == 2 ? "polygon" : "polyhedron", {}};
    for (const Point& p : points) {
        const Point x = (p - ball.centre) * (radius / ball.radius);
        shape.sizes.insert(shape.sizes.end(), x.data(), x.data() + dimension);
    }
    return shape;
}

/// Half the length of a vector of sides becomes the radius.
ShapeSpec scaled_box(const Point& sides, int dimension, double radius) {
    const double factor = 2.0 * radius / sides.head(dimension).norm();
    ShapeSpec shape{"box", {}};
    for (int k = 0; k < dimension; ++k) shape.sizes.push_back(factor * sides[k]);
    return shape;
}

template <int Dim>
double reach_of(const Polytope<Dim>& polytope) {
    double reach = 0.0;
    for (const auto& v : polytope.vertices) reach = std::max(reach, v.norm());
    return reach + polytope.radius;
}
/// The farthest point of one of its rims.
double reach_of(const Frustum& f) {
    double reach = 0.0;
    for (const auto& [side, radius] : {std::pair(-f.half, f.low), std::pair(f.half, f.high)}) {
        const Vec<3> centre = f.middle + side * f.axis;
        const double along = centre.dot(f.axis), across = (centre - along * f.axis).norm() + radius;
        reach = std::max(reach, std::sqrt(along * along + across * across));
    }
    return reach;
}

template <int Dim>
double bound_in(const ShapeSpec& spec) {
    double bound = 0.0;
    for (const auto& piece : solid_of<Dim>(spec).pieces) {
        const bool is_frustum = piece.kind == Piece<Dim>::Kind::frustum;
        bound = std::max(bound, is_frustum ? reach_of(piece.frustum) : reach_of(piece.polytope));
    }
    return bound;
}

}  // namespace

Point random_turn(int dimension, Random& random) {
    if (dimension == 2) return {2.0 * M_PI * random.uniform(), 0.0, 0.0};
    // A unit quaternion uniform on its sphere.
    Eigen::Vector4d q;
    double square = 0.0;
    do {
        for (int k = 0; k < 4; ++k) q[k] = random.uniform(-1.0, 1.0);
        square = q.squaredNorm();
    } while (square > 1.0 || square < 0.01);
    const double sine = q.tail<3>().norm();
    if (sine == 0.0) return Point::Zero();
    return q.tail<3>() * (2.0 * portable::atan2(sine, q[0]) / sine);
}

GrainShapes::Drawn GrainShapes::draw(double radius, std::uint64_t seed, std::uint64_t number) const {
    Random random(seed, shape_stream, number);
    Drawn drawn;
    if (random_orientation) drawn.turn = random_turn(dimension, random);
    const auto choices = static_cast<std::uint64_t>(most_vertices - least_vertices + 1);
    const int n = least_vertices + static_cast<int>(random.below(choices));
    std::vector<Point> corners = points;
    switch (kind) {
        case Kind::ball: break;
        case Kind::box: drawn.shape = scaled_box(aspect, dimension, radius); return drawn;
        case Kind::capsule: {
            const double r = radius / aspect[0];
            drawn.shape = {"capsule", {2.0 * (radius - r), r}};
            return drawn;
        }
        case Kind::cylinder: {
            const double r = radius / std::sqrt(1.0 + aspect[0] * aspect[0]);
            drawn.shape = {"cylinder", {r, 2.0 * r * aspect[0]}};
            return drawn;
        }
        case Kind::polygon: corners = points_on_circle(n, roundness, random); break;
        case Kind::polyhedron: corners = points_on_sphere(n, roundness, random); break;
        case Kind::points: break;
    }
    const Point squash(1.0, 1.0 / elongation, 1.0 / (elongation * flatness));
    for (Point& p : corners) p = p.cwiseProduct(squash);
    drawn.shape = scaled(std::move(corners), dimension, radius);
    return drawn;
}

double GrainShapes::volume(double radius, std::uint64_t seed, std::uint64_t number) const {
    if (!is_ball()) return volume_of(draw(radius, seed, number).shape, dimension);
    return dimension == 2 ? M_PI * radius * radius : 4.0 / 3.0 * M_PI * radius * radius * radius;
}

double volume_of(const ShapeSpec& shape, int dimension) {
    return dimension == 2 ? solid_of<2>(shape).mass.volume : solid_of<3>(shape).mass.volume;
}

double bound_of(const ShapeSpec& shape, int dimension) {
    return dimension == 2 ? bound_in<2>(shape) : bound_in<3>(shape);
}

}  // namespace talus::scene
