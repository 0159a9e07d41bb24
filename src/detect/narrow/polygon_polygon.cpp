/// \file
/// Contacts of two rounded convex polygons of the plane (disks and capsules included).
///
/// Candidate axes are the normals of all edges: cores that overlap, or whose nearest parts include an edge,
/// are separated best by one of them, so the normal comes from the shapes themselves and never from the
/// difference of two nearly equal points. The edge that faces the winning one is clipped against its ends,
/// which gives one or two points [polygon_clip.cpp]. Cores apart whose nearest parts are two corners have the line between
/// the corners as normal.
///
/// Limit: corners nearer than 1e-9 of the size take the best edge's normal, since theirs is not defined.

#include "detect/narrow/polygon_pair.h"

namespace talus {
namespace {

/// In overlap, of the axes that are nearly as good as the best, the one nearest to the last normal.
int choose_axis(const PolygonPair& pair) {
    const Vec<2> last = pair.query.last();
    const double best = pair.axes[pair.best].separation;
    if (pair.count == 1 || best > 0.0 || last.isZero(0.0)) return pair.best;
    const double least = best - pair.scale.window(best);
    int chosen = pair.best;
    double nearness = pair.axes[chosen].normal().dot(last);
    for (int k = 0; k < pair.count; ++k) {
        const double here = pair.axes[k].normal().dot(last);
        if (pair.axes[k].separation < least || !(here > nearness + rounding_tolerance)) continue;
        chosen = k;
        nearness = here;
    }
    return chosen;
}

/// Overlap in which nothing lies within the reference edge, by rounding alone: the lowest corner.
template <bool of_a>
void write_deepest(const PolygonPair& pair, Manifold<2>& out) {
    const EdgeAxis& axis = pair.axes[pair.best];
    const auto& incident = pair.template own<!of_a>();
    const Vec<2>& n = axis.outward;
    int lowest_vertex = 0;
    for (int v = 1; v < incident.size; ++v)
        if (n.dot(incident.vertex(v)) < n.dot(incident.vertex(lowest_vertex))) lowest_vertex = v;
    const auto v = static_cast<std::uint32_t>(lowest_vertex), e = static_cast<std::uint32_t>(axis.edge);
    out.add({incident.vertex(lowest_vertex) - 0.5 * axis.separation * n, axis.normal(), axis.separation - pair.scale.radii,
             of_a ? key_of(Meeting::face_vertex, e, v) : key_of(Meeting::vertex_face, v, e)});
}

/// The nearest points of two cores that are apart.
struct Nearest {
    double square = std::numeric_limits<double>::infinity();
    Vec<2> on_a = Vec<2>::Zero(), on_b = Vec<2>::Zero();
    std::uint32_t feature = 0;
};

/// Nearest point to x on the edge from p to q; `at` is 0 or 1 at its ends.
Vec<2> nearest_on_edge(const Vec<2>& x, const Vec<2>& p, const Vec<2>& q, double& at) {
    const Vec<2> d = q - p;
    const double square = d.squaredNorm();
    at = square > 0.0 ? std::clamp(d.dot(x - p) / square, 0.0, 1.0) : 0.0;
    return at == 0.0 ? p : at == 1.0 ? q : Vec<2>(p + at * d);
}

/// Vertices of one polygon against edges of the other.
template <bool from_a>
void try_vertices(const PolygonPair& pair, Nearest& nearest) {
    const auto& from = pair.template own<from_a>();
    const auto& to = pair.template own<!from_a>();
    const int edges = std::max(1, to.edges);
    for (int v = 0; v < from.size; ++v)
        for (int k = 0; k < edges; ++k) {
            double at = 0.0;
            const Vec<2> y = nearest_on_edge(from.vertex(v), to.vertex(k), to.vertex(to.after(k)), at);
            const double square = (from.vertex(v) - y).squaredNorm();
            if (!(square < nearest.square)) continue;
            const bool corner = at == 0.0 || at == 1.0;
            const auto i = static_cast<std::uint32_t>(v);
            const auto j = static_cast<std::uint32_t>(at == 1.0 ? to.after(k) : k);
            nearest.square = square;
            nearest.on_a = from_a ? from.vertex(v) : y;
            nearest.on_b = from_a ? y : from.vertex(v);
            const Meeting edge = from_a ? Meeting::vertex_face : Meeting::face_vertex;
            nearest.feature = key_of(corner ? Meeting::vertex_vertex : edge, from_a ? i : j, from_a ? j : i);
        }
}

/// Cores whose nearest parts are corners, or that have no edges at all.
void write_nearest(const PolygonPair& pair, Manifold<2>& out) {
    Nearest nearest;
    try_vertices<true>(pair, nearest);
    try_vertices<false>(pair, nearest);
    const double distance = std::sqrt(nearest.square);
    if (distance > pair.scale.reach) return;
    Vec<2> normal = pair.query.last().isZero(0.0) ? Vec<2>(Vec<2>::UnitY()) : pair.query.last();
    if (distance > (pair.count == 0 ? 0.0 : pair.scale.same)) normal = (nearest.on_a - nearest.on_b) / distance;
    else if (pair.count > 0) normal = pair.axes[pair.best].normal();
    const Vec<2> middle = 0.5 * (nearest.on_a + nearest.on_b + (pair.b.radius - pair.a.radius) * normal);
    out.add({middle, normal, distance - pair.scale.radii, nearest.feature});
}

/// Keeps its memory from pair to pair, and grows only.
struct Scratch {
    std::vector<Vec<2>> vertices;   ///< of a in the axes of b
    std::vector<EdgeAxis> axes;

    void make_room(std::size_t corners, std::size_t edges) {
        if (vertices.size() < corners) vertices.resize(corners);
        if (axes.size() < edges) axes.resize(edges);
    }
};

/// Tries all edges. \returns what `find_axes` does.
bool find_all_axes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, PolygonPair& pair) {
    thread_local Scratch scratch;
    const std::size_t n = a.vertices.size();
    scratch.make_room(n, a.normals.size() + b.normals.size());
    for (std::size_t k = 0; k < n; ++k) scratch.vertices[k] = pose.point(a.vertices[k]);
    pair.a.placed = scratch.vertices.data();
    pair.axes = scratch.axes.data();
    return find_axes(a, pose, b, pair);
}

void write_contacts(const PolygonPair& pair, Manifold<2>& out) {
    const double best = pair.axes[pair.best].separation;
    const int chosen = choose_axis(pair);
    if (chosen != pair.best && write_clipped(pair, pair.axes[chosen], best + pair.scale.window(best), out)) return;
    // In overlap the best axis meets what faces it; apart, corners may be nearer to each other than to any edge.
    const bool overlap = best < -pair.scale.same;
    const double expected = overlap ? std::numeric_limits<double>::max() : best;
    if (write_clipped(pair, pair.axes[pair.best], expected, out)) return;
    if (!overlap) write_nearest(pair, out);
    else if (pair.axes[pair.best].of_a) write_deepest<true>(pair, out);
    else write_deepest<false>(pair, out);
}

}  // namespace

void touch_polytopes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const TouchQuery<2>& query,
                     Manifold<2>& out) {
    const PairScale scale(a, b, query.limit);
    if (query.memory != nullptr && query.memory->apart != 0) {
        const double apart = separation_remembered(a, pose, b, *query.memory);
        if (apart > scale.reach + scale.same) {   // beyond what rounding could let pass
            out.apart = apart - scale.radii;
            return;
        }
    }
    std::array<EdgeAxis, PairMemory<2>::most> few;
    PolygonPair pair(a, pose, b, query, scale, few.data());
    if (write_again(pair, out)) return;
    const Remembered remembered = try_remembered(pair);
    if (remembered == Remembered::apart || (remembered == Remembered::not_enough && !find_all_axes(a, pose, b, pair))) {
        out.apart = pair.axes[pair.count - 1].separation - scale.radii;
        return;
    }
    pair.count == 0 ? write_nearest(pair, out) : write_contacts(pair, out);
}

}  // namespace talus
