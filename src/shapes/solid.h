#pragma once
/// \file
/// What shapes are made of. A solid is a union of convex pieces, each either a polytope with a rounding
/// radius (ball: one vertex; capsule: two; polygon, box, polyhedron: many) or, in space, a frustum with
/// flat ends (cylinder, cone). Pieces are in the axes of their body, whose origin is the centre of mass
/// and whose axes are principal.

#include <cstdint>
#include <vector>

#include "talus/math.h"

namespace talus {

/// What every pair asks of a core; `measure` sets it.
template <int Dim>
struct CoreMeasures {
    Vec<Dim> inner = Vec<Dim>::Zero();  ///< a point inside: the mean of the vertices, in space of about eight of them [m]
    double span = 0.0;                  ///< largest distance of a vertex from the first one [m]
    double arm = 0.0;                   ///< largest distance of a vertex from the origin [m]
    double depth = 0.0;                 ///< in space: how far `inner` lies behind the nearest face [m]
};

/// Convex core plus a ball of `radius`.
template <int Dim>
struct Polytope;

/// In the plane: vertices counter-clockwise. A single vertex has no edges; a segment (two vertices) has
/// two, one for each side.
template <>
struct Polytope<2> {
    std::vector<Vec<2>> vertices;
    std::vector<Vec<2>> normals;   ///< outward unit normal of edge k, from vertex k to vertex k+1
    double radius = 0.0;           ///< [m]
    CoreMeasures<2> core = {};
};

/// In space. A flat core (one polygon) has two faces, one for each side; a segment has one edge and no
/// face; a point has neither.
template <>
struct Polytope<3> {
    struct Face {
        Vec<3> normal = Vec<3>::Zero();  ///< outward, unit
        double offset = 0.0;             ///< normal . x on the face [m]
        std::int32_t first = 0, count = 0;  ///< its vertices: `loops[first .. first + count)`, counter-clockwise from outside
    };
    struct Edge {
        std::int32_t from = 0, to = 0;        ///< vertices
        std::int32_t left = -1, right = -1;   ///< faces beside it; -1: none
    };
    std::vector<Vec<3>> vertices;
    std::vector<Face> faces;
    std::vector<Edge> edges;
    std::vector<std::int32_t> loops;
    double radius = 0.0;                      ///< [m]
    CoreMeasures<3> core = {};
};

/// Straight solid of revolution with flat ends: a cylinder when both radii are equal, a cone when one is 0.
struct Frustum {
    Vec<3> middle = Vec<3>::Zero();   ///< on the axis, halfway between the ends [m]
    Vec<3> axis = Vec<3>::UnitZ();    ///< unit, from the low end to the high one
    Vec<3> across = Vec<3>::UnitX();  ///< unit, across the axis: where angles on the rims are counted from
    double half = 0.0;                ///< half its height [m]
    double low = 0.0, high = 0.0;     ///< radii of the ends [m]
};

template <int Dim>
struct Piece {
    enum class Kind : std::uint8_t { polytope, frustum } kind = Kind::polytope;
    Polytope<Dim> polytope;
    Frustum frustum;
    Vec<Dim> centre = Vec<Dim>::Zero();  ///< of a ball that holds the piece [m]
    double bound = 0.0;                  ///< radius of that ball [m]
};

/// Volume (area in the plane), centre of mass and inertia about that centre, for density 1.
template <int Dim>
struct MassProperties {
    double volume = 0.0;                           ///< [m3], [m2] in the plane
    Vec<Dim> centre = Vec<Dim>::Zero();            ///< [m]
    Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> inertia =
        Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>>::Zero();  ///< about `centre` [m5], [m4]
};

/// A union of convex pieces.
template <int Dim>
struct Solid {
    std::vector<Piece<Dim>> pieces;
    MassProperties<Dim> mass;
    double bound = 0.0;        ///< radius of the ball about the origin that holds all pieces [m]
};

}  // namespace talus
