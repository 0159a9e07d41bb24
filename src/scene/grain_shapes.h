#pragma once
/// \file
/// Shapes of generated grains: balls, or solids drawn at random.
///
/// The size of a grain is the diameter of the smallest ball that holds it. Irregular polygons and polyhedra have
/// their vertices on a circle or sphere (an ellipse or ellipsoid with `elongation` and `flatness`), so that every
/// vertex is a corner. `roundness` 1 spreads them evenly, 0 leaves them to chance, between these bounds:
///
/// - a polygon: the arc between neighbours is at least 0.2 of the even one and at most 160 degrees, so that every
///   angle is at least 0.2 (1 - 2/n) 180 degrees;
/// - a polyhedron: no two vertices are nearer than 0.2 sqrt(4 pi/n) of the radius, and no face is nearer to the
///   centre than 0.1 of it, so that it is nowhere thinner than a tenth of the diameter.

#include <cstdint>
#include <vector>

#include "scene/random.h"
#include "talus/shape.h"

namespace talus::scene {

struct GrainShapes {
    enum class Kind : std::uint8_t { ball, polygon, polyhedron, box, capsule, cylinder, points } kind = Kind::ball;
    int dimension = 3;
    int least_vertices = 6, most_vertices = 6;
    double roundness = 0.5;              ///< [0, 1]
    double elongation = 1.0;             ///< longest over middle axis, >= 1
    double flatness = 1.0;               ///< middle over shortest axis, >= 1
    Point aspect = Point::Ones();        ///< box: ratio of the sides; capsule, cylinder: length over diameter first
    std::vector<Point> points;           ///< corners, scaled to the size
    bool random_orientation = true;

    [[nodiscard]] bool is_ball() const { return kind == Kind::ball; }

    struct Drawn {
        ShapeSpec shape;              ///< described from the centre of the ball that holds it
        Point turn = Point::Zero();   ///< orientation as axis times angle [rad]; 2D: first component
    };
    /// Grain `number` of the family `seed`, held by a ball of this radius; not for balls.
    [[nodiscard]] Drawn draw(double radius, std::uint64_t seed, std::uint64_t number) const;
    /// Volume (area in the plane) of that grain, balls included [m3], [m2].
    [[nodiscard]] double volume(double radius, std::uint64_t seed, std::uint64_t number) const;
};

/// Uniform over all orientations, as axis times angle; in the plane an angle.
[[nodiscard]] Point random_turn(int dimension, Random& random);
/// Volume (area in the plane) of a solid; 0 when it is not known.
[[nodiscard]] double volume_of(const ShapeSpec& shape, int dimension);
/// Radius about the origin of the description of a ball that holds the solid [m].
[[nodiscard]] double bound_of(const ShapeSpec& shape, int dimension);

}  // namespace talus::scene
