#pragma once
/// \file
/// Two polygons placed in the axes of b, and the search for the edge that separates them best. See polygon_polygon.cpp.

#include <limits>
#include <span>
#include <vector>

#include "detect/narrow/tolerances.h"

namespace talus {

/// A polygon in the axes of b. Few of its normals are asked for, so that they are turned when they are.
struct PlacedPolygon {
    const Polytope<2>& shape;
    std::span<const Vec<2>> vertices;  ///< placed
    const Mat<2>* turn = nullptr;      ///< from its own axes to those of b, which has none
    double radius = 0.0;
    [[nodiscard]] int size() const { return static_cast<int>(vertices.size()); }
    [[nodiscard]] int edges() const { return static_cast<int>(shape.normals.size()); }
    [[nodiscard]] Vec<2> normal(int edge) const { return turn == nullptr ? shape.normals[edge] : Vec<2>(*turn * shape.normals[edge]); }
    [[nodiscard]] int after(int k) const { return k + 1 < size() ? k + 1 : 0; }
};

/// A normal of an edge, along which the two are compared.
struct EdgeAxis {
    double separation = -std::numeric_limits<double>::infinity();
    Vec<2> normal = Vec<2>::Zero();  ///< towards a
    int edge = -1;
    bool of_a = false;
};

struct PolygonPair {
    PlacedPolygon a, b;
    Vec<2> inside_a, inside_b;
    const TouchQuery<2>& query;
    PairScale scale;
    std::vector<EdgeAxis>& axes;  ///< those that may be chosen
    double arm_a, arm_b;          ///< farthest vertices from the centres [m]
    EdgeAxis best = {};           ///< of largest separation, by a margin where they are nearly equal
    double best_score = -std::numeric_limits<double>::infinity();
};

/// Tries the edges of both, or those that the pair remembers. \returns false when one separates the cores by more than the reach.
[[nodiscard]] bool find_axes(PolygonPair& pair, const Pose<2>& pose);

}  // namespace talus
