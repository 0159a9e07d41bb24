#pragma once
/// \file
/// Two polyhedra placed in the axes of b, and the steps by which their contacts are found: axes of
/// separation, clipping of the faces that meet, nearest corners and edges. See polyhedron_polyhedron.cpp.

#include <limits>
#include <span>
#include <vector>

#include "detect/narrow/tolerances.h"

namespace talus {

/// Component by component: for three, packets of two cost more than they save.
[[nodiscard]] inline double dot(const Vec<3>& x, const Vec<3>& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

/// A face is taken for two edges when its normal is not farther from the last one than theirs by this angle.
inline constexpr double face_before_edges = 0.05;

/// Axes that lean from one another by no more than this angle are near.
inline constexpr double near_best = 0.3;

/// A polyhedron in the axes of b.
struct PlacedPolyhedron {
    const Polytope<3>& shape;
    std::span<const Vec<3>> vertices;  ///< placed
    const Pose<3>* pose;               ///< of its own axes in those of b; null: it is b

    [[nodiscard]] Vec<3> placed(const Vec<3>& direction) const { return pose != nullptr ? Vec<3>(pose->rotation * direction) : direction; }
    [[nodiscard]] Vec<3> own(const Vec<3>& direction) const {
        return pose != nullptr ? Vec<3>(pose->rotation.transpose() * direction) : direction;
    }
    [[nodiscard]] Vec<3> own_point(const Vec<3>& x) const { return pose != nullptr ? own(x - pose->translation) : x; }
    /// A corner, whether it is placed already or not.
    [[nodiscard]] Vec<3> corner(int v) const { return pose != nullptr ? pose->point(shape.vertices[v]) : shape.vertices[v]; }
    /// A point of it, placed.
    [[nodiscard]] Vec<3> inside() const { return pose != nullptr ? pose->point(shape.core.inner) : shape.core.inner; }
    [[nodiscard]] std::span<const std::int32_t> loop(int face) const {
        const Polytope<3>::Face& f = shape.faces[face];
        return {shape.loops.data() + f.first, static_cast<std::size_t>(f.count)};
    }
    /// The number of an edge in a feature.
    [[nodiscard]] static std::uint32_t edge_number(std::int32_t v, std::int32_t w) {
        return static_cast<std::uint32_t>(std::min(v, w)) << 16 | static_cast<std::uint32_t>(std::max(v, w));
    }
    [[nodiscard]] std::uint32_t edge_number(int edge) const {
        return edge_number(shape.edges[edge].from, shape.edges[edge].to);
    }
};

/// A direction along which the two are compared.
struct SeparationAxis {
    enum class Kind { none, face_of_a, face_of_b, edges };
    double separation = -std::numeric_limits<double>::infinity();  ///< of the cores [m]
    Vec<3> normal;                                                 ///< towards a
    Kind kind = Kind::none;
    int a = -1, b = -1;                                            ///< face or edge; of a face, in the other, that which meets it, -1: to be found
    SeparationAxis() {}   // the normal of none is set where it may be asked for: a pair has several axes, and most need none
    [[nodiscard]] bool is_of_face() const { return kind == Kind::face_of_a || kind == Kind::face_of_b; }
    [[nodiscard]] bool same_as(const SeparationAxis& o) const { return kind == o.kind && a == o.a && b == o.b; }
};

struct PolyhedronPair {
    PlacedPolyhedron a, b;
    const TouchQuery<3>& query;
    PairScale scale;
    std::vector<SeparationAxis>& axes;  ///< those that may be chosen
    SeparationAxis best;                ///< of largest separation; faces before edges where nearly equal
    SeparationAxis best_face, best_edges;
    SeparationAxis written;             ///< by which contacts were written; none where the nearest parts were corners
    double separation = -std::numeric_limits<double>::infinity();  ///< largest of all [m]
    double others = std::numeric_limits<double>::infinity();       ///< axes that lean from the best by more than near_best separate by no more than this; infinity: not known [m]

    // As an aggregate it would be cleared first, as a whole, which takes as long as to find a contact that is remembered.
    PolyhedronPair(const PlacedPolyhedron& first, const PlacedPolyhedron& second, const TouchQuery<3>& asked, const PairScale& lengths, std::vector<SeparationAxis>& room)
        : a(first), b(second), query(asked), scale(lengths), axes(room) {}
};

/// Tries faces and pairs of edges. \returns false when one separates the cores by more than the reach; then that is `best`.
[[nodiscard]] bool find_axes(PolyhedronPair& pair);

/// Points of the face that meets the axis, clipped to the face the axis belongs to. Where it is known, only corners of these two need to be placed.
/// \returns false, writing nothing, when no part of it within that face is as near as `expected`.
bool write_clipped(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, Manifold<3>& out);

/// The same for faces that are certain to meet, bodies having moved so far since what met was noted [m]: cut as it was before, where that is surely how it is cut now.
/// `room` is for the corners of a, of which some are placed.
bool write_clipped_again(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, double moved, std::span<Vec<3>> room, Manifold<3>& out);

/// The axis of a face, but for what it separates by.
[[nodiscard]] SeparationAxis axis_of_face(const PolyhedronPair& pair, bool of_a, int face);

/// Corners of two edges: where they begin and end.
struct EdgeEnds {
    int from_a, to_a, from_b, to_b;
    EdgeEnds(int first_a, int last_a, int first_b, int last_b) : from_a(first_a), to_a(last_a), from_b(first_b), to_b(last_b) {}
    EdgeEnds(const PolyhedronPair& pair, int edge_a, int edge_b) : EdgeEnds(pair.a.shape.edges[edge_a], pair.b.shape.edges[edge_b]) {}

private:
    EdgeEnds(const Polytope<3>::Edge& a, const Polytope<3>::Edge& b) : EdgeEnds(a.from, a.to, b.from, b.to) {}
};

/// Two edges, from where they begin along vectors as long as they are.
struct EdgeLines {
    Vec<3> from_a, along_a, from_b, along_b;
    Vec<3> across;   ///< product of both
    EdgeLines(const Vec<3>& a, const Vec<3>& a_along, const Vec<3>& b, const Vec<3>& b_along)
        : from_a(a), along_a(a_along), from_b(b), along_b(b_along), across(along_a.cross(along_b)) {}
    EdgeLines(const PolyhedronPair& pair, const EdgeEnds& ends)
        : EdgeLines(pair.a.vertices[ends.from_a], pair.a.vertices[ends.to_a] - pair.a.vertices[ends.from_a],
                    pair.b.vertices[ends.from_b], pair.b.vertices[ends.to_b] - pair.b.vertices[ends.from_b]) {}

    /// Their normal, in the sense `sign` of a x b, and what it separates by. \returns false where they have none.
    [[nodiscard]] bool find_normal(double sign, SeparationAxis& axis) const {
        constexpr double parallel = 1e-8;   // sine of the angle below which two edges have no common normal
        const double square = dot(across, across), least = parallel * parallel * dot(along_a, along_a) * dot(along_b, along_b);
        if (!(square >= least && square > 0.0)) return false;
        axis.normal = across * (sign / std::sqrt(square));
        axis.separation = dot(axis.normal, from_a - from_b);
        axis.kind = SeparationAxis::Kind::edges;
        return true;
    }
};

/// The point where two edges pass, the parts of this axis. \returns false, writing nothing, when the cores are apart and the edges are
/// nearest beyond their ends.
bool write_edges(const PolyhedronPair& pair, const SeparationAxis& axis, const EdgeEnds& corners, const EdgeLines& edges, Manifold<3>& out);

/// Cores apart whose nearest parts are corners or a corner and an edge.
void write_nearest(const PolyhedronPair& pair, Manifold<3>& out);

/// Distance by which a point of either may have come nearer to a face of the other since that pose; a little more, as it is rounded.
[[nodiscard]] double moved_since(const PolyhedronPair& pair, const PairMemory<3>::Pose& pose);
[[nodiscard]] PairMemory<3>::Pose pose_now(const PolyhedronPair& pair);

/// Writes the contact of the parts that the pair remembers, where this is what a search would find; `room` is for the corners of a. Of two edges `separation` is
/// known then and, where points at a positive gap are asked for, `best_face`, as if there had been a search. \returns whether it did.
[[nodiscard]] bool write_met(PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose, Manifold<3>& out);

/// Remembers what `write_met` may write next time.
void remember_met(const PolyhedronPair& pair);

/// Places all corners of a, or those of one face.
void place_corners(const PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose);
void place_loop(const PolyhedronPair& pair, int face, std::span<Vec<3>> room);

/// Two edges side by side: a point at each end of the stretch they share, each with its own normal.
/// \returns the smallest gap written, infinity if none.
double write_parallel(const PolyhedronPair& pair, int edge_a, int edge_b, Manifold<3>& out);

}  // namespace talus
