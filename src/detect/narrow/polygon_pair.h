#pragma once
/// \file
/// Two polygons placed in the axes of b, and the search for the edge that separates them best. See polygon_polygon.cpp.

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "detect/narrow/tolerances.h"

namespace talus {

/// A polygon in the axes of b. Few of its normals are asked for, so that they are turned when they are.
struct PlacedPolygon {
    const Vec<2>* vertices;            ///< placed
    const Vec<2>* own_normals;
    const Mat<2>* turn;                ///< from its own axes to those of b, which has none
    int size, edges;
    double radius;
    [[nodiscard]] Vec<2> normal(int edge) const { return turn == nullptr ? own_normals[edge] : Vec<2>(*turn * own_normals[edge]); }
    [[nodiscard]] int after(int k) const { return k + 1 < size ? k + 1 : 0; }
    [[nodiscard]] int before(int k) const { return k > 0 ? k - 1 : size - 1; }
};

/// A normal of an edge, along which the two are compared.
struct EdgeAxis {
    double separation;
    Vec<2> outward;      ///< from the polygon that the edge belongs to
    int edge;
    int lowest;          ///< vertex of the other
    bool of_a;
    [[nodiscard]] Vec<2> normal() const { return of_a ? Vec<2>(-outward) : outward; }   ///< towards a
};

struct PolygonPair {
    /// Member by member: what is left out would be filled with zeros first.
    PolygonPair(const PlacedPolygon& placed_a, const PlacedPolygon& placed_b, const TouchQuery<2>& q, const PairScale& s, EdgeAxis* room)
        : a(placed_a), b(placed_b), query(q), scale(s), bonus{s.bonus(false), s.bonus(true)}, axes(room) {}

    PlacedPolygon a, b;
    const TouchQuery<2>& query;
    PairScale scale;
    std::array<double, 2> bonus;  ///< of the edges of b and of those of a
    EdgeAxis* axes;               ///< those that may be chosen; room for all there are
    int count = 0;
    int best = 0;                 ///< of largest separation, by a margin where they are nearly equal
    double best_score = -std::numeric_limits<double>::infinity();
};

/// Separation of the cores along the edge that kept two polygons apart when they were last looked at; minus infinity where none did [m].
[[nodiscard]] double separation_remembered(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const PairMemory<2>& memory);

/// Tries the edges of both, or those that the pair remembers. \returns false when one separates the cores by more than the reach; then that is
/// the last of `axes`.
[[nodiscard]] bool find_axes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, PolygonPair& pair);

}  // namespace talus
