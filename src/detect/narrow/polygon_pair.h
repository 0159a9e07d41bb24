#pragma once
/// \file
/// Two polygons placed in the axes of b, and the search for the edge that separates them best. See polygon_polygon.cpp.

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "detect/narrow/tolerances.h"

namespace talus {

/// What is common to both polygons of a pair.
struct PolygonCore {
    const Vec<2>* vertices;            ///< in its own axes
    const Vec<2>* normals;
    int size, edges;
    double radius, arm;                ///< arm: farthest vertex from the origin [m]

    explicit PolygonCore(const Polytope<2>& p)
        : vertices(p.vertices.data()), normals(p.normals.data()), size(static_cast<int>(p.vertices.size())), edges(static_cast<int>(p.normals.size())),
          radius(p.radius), arm(p.core.arm) {}
    [[nodiscard]] int after(int k) const { return k + 1 < size ? k + 1 : 0; }
    [[nodiscard]] int before(int k) const { return k > 0 ? k - 1 : size - 1; }
};

/// Polygon b, in whose axes both are seen.
struct RestingPolygon : PolygonCore {
    using PolygonCore::PolygonCore;
    [[nodiscard]] const Vec<2>& vertex(int k) const { return vertices[k]; }
    [[nodiscard]] const Vec<2>& normal(int edge) const { return normals[edge]; }
};

/// Polygon a in the axes of b. Where a pair remembers its axes, few of its corners and normals are asked for: these are turned when they are.
struct PlacedPolygon : PolygonCore {
    const Pose<2>& pose;
    const Vec<2>* placed = nullptr;    ///< its vertices; null: not yet

    PlacedPolygon(const Polytope<2>& p, const Pose<2>& pose_of_a) : PolygonCore(p), pose(pose_of_a) {}
    [[nodiscard]] Vec<2> vertex(int k) const { return placed != nullptr ? placed[k] : Vec<2>(turned(vertices[k]) + pose.translation); }
    [[nodiscard]] Vec<2> normal(int edge) const { return turned(normals[edge]); }

private:
    /// Number by number, as `Pose` does: a product of matrices may become a call.
    [[nodiscard]] Vec<2> turned(const Vec<2>& d) const {
        const Mat<2>& r = pose.rotation;
        return {r(0, 0) * d[0] + r(0, 1) * d[1], r(1, 0) * d[0] + r(1, 1) * d[1]};
    }
};

/// A normal of an edge, along which the two are compared.
struct EdgeAxis {
    double separation;
    Vec<2> outward;      ///< from the polygon that the edge belongs to
    Vec<2> origin;       ///< where the edge begins
    int edge;
    int lowest;          ///< vertex of the other
    bool of_a;
    bool alone;          ///< the vertices beside the lowest are known to be higher by more than what counts as the same
    [[nodiscard]] Vec<2> normal() const { return of_a ? Vec<2>(-outward) : outward; }   ///< towards a
};

struct PolygonPair {
    /// Member by member: what is left out would be filled with zeros first.
    PolygonPair(const Polytope<2>& core_a, const Pose<2>& pose, const Polytope<2>& core_b, const TouchQuery<2>& q, const PairScale& s, EdgeAxis* room)
        : a(core_a, pose), b(core_b), query(q), scale(s), bonus{s.bonus(false), s.bonus(true)}, axes(room) {}

    /// That with the edge in question, and the other; which is which is known when compiled, since what it decides is hard to foresee.
    template <bool of_a>
    [[nodiscard]] const auto& own() const { if constexpr (of_a) return a; else return b; }

    /// No less than the distance to which motion turns points in `moved_since` [m].
    [[nodiscard]] double arm_at_least() const { return std::max(a.arm, b.arm); }

    /// Distance by which a point of either may have come nearer to an edge of the other since the pose remembered [m].
    template <class Memory>
    [[nodiscard]] double moved_since(const Memory& memory) const {
        // The sum of a vector's components is as long as it or longer, and needs no root.
        const auto length = [](const Vec<2>& d) { return std::abs(d[0]) + std::abs(d[1]); };
        const Pose<2>& pose = a.pose;
        const double arm = std::max(a.arm, b.arm + length(pose.translation));
        return length(pose.translation - memory.translation) + length(pose.rotation.col(0) - memory.turn) * arm;
    }

    PlacedPolygon a;
    RestingPolygon b;
    const TouchQuery<2>& query;
    PairScale scale;
    std::array<double, 2> bonus;  ///< of the edges of b and of those of a
    EdgeAxis* axes;               ///< those that may be chosen; room for those remembered, or for all
    int count = 0;
    int best = 0;                 ///< of largest separation, by a margin where they are nearly equal
    double best_score = -std::numeric_limits<double>::infinity();
};

/// Separation of the cores along the edge that kept two polygons apart when they were last looked at; minus infinity where none did [m].
[[nodiscard]] double separation_remembered(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const PairMemory<2>& memory);

/// Of the axes that a pair remembers.
enum class Remembered { apart, enough, not_enough };

/// Tries the axes remembered, in the order in which they are tried among all. \returns `apart` when one separates the cores by more than the reach,
/// which is then the last of `axes`; `not_enough` when others may be better, or none are remembered.
[[nodiscard]] Remembered try_remembered(PolygonPair& pair);

/// Tries the edges of both, whose vertices are placed, and remembers the best. \returns false when one separates the cores by more than the reach;
/// then that is the last of `axes`.
[[nodiscard]] bool find_axes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, PolygonPair& pair);

/// Writes the points of the edge that meets the axis. \returns false, writing none, when no part of it within
/// the edge of the axis is as near as `expected`: then the nearest parts are elsewhere.
bool write_clipped(const PolygonPair& pair, const EdgeAxis& axis, double expected, Manifold<2>& out);

/// Writes what a search would find, where the pair remembers by which edges and has not moved too far since. \returns whether it did.
[[nodiscard]] bool write_again(const PolygonPair& pair, Manifold<2>& out);

}  // namespace talus
