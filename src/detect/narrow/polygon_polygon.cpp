/// \file
/// Contacts of two rounded convex polygons of the plane (disks and capsules included).
///
/// Candidate axes are the normals of all edges: cores that overlap, or whose nearest parts include an edge,
/// are separated best by one of them, so the normal comes from the shapes themselves and never from the
/// difference of two nearly equal points. The edge that faces the winning one is clipped against its ends,
/// which gives one or two points. Cores apart whose nearest parts are two corners have the line between
/// the corners as normal.
///
/// Limit: corners nearer than 1e-9 of the size take the best edge's normal, since theirs is not defined.

#include "detect/narrow/polygon_pair.h"

namespace talus {
namespace {

/// Two vertices, or one that stands for both.
struct Ends {
    int from = 0, to = 0;
};

/// In overlap, of the axes that are nearly as good as the best, the one nearest to the last normal.
int choose_axis(const PolygonPair& pair) {
    const Vec<2>& last = pair.query.last_normal;
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

/// A point of the incident edge over the reference edge.
struct Clipped {
    Vec<2> x;
    int vertex = -1;  ///< of the incident polygon, -1: within its edge
    int corner = -1;  ///< of the reference edge: its vertex, -1: within it
};

/// The edge that faces the axis most squarely among those that hold one of the lowest vertices, which are side by side; the first of those
/// that do so equally.
template <class Polygon>
inline int incident_edge(const Polygon& p, const EdgeAxis& axis, double low) {
    if (p.edges == 0) return -1;
    const Vec<2>& n = axis.outward;
    int first = p.before(axis.lowest), last = axis.lowest;   // edges
    if (!axis.alone) {
        const auto is_low = [&](int v) { return n.dot(p.vertex(v) - axis.origin) <= low; };
        int count = 2;
        for (; count < p.edges && is_low(first); ++count) first = p.before(first);
        for (int next = p.after(last); count < p.edges && is_low(next); next = p.after(next), ++count) last = next;
    }
    int chosen = -1;
    double squarest = 0.0;
    const auto look = [&](int from, int to) {
        for (int k = from; k <= to; ++k) {
            const double here = n.dot(p.normal(k));
            if (chosen >= 0 && !(here < squarest - contact_tolerance)) continue;
            chosen = k;
            squarest = here;
        }
    };
    if (first > last) {
        look(0, last);
        look(first, p.edges - 1);
    } else {
        look(first, last);
    }
    return chosen;
}

/// Moves an end of the incident edge, which is outside at `u`, to the end of the reference edge at `limit`.
Clipped cut(const Vec<2>& p, double u, const Vec<2>& q, double w, double limit, int corner) {
    return {p + (limit - u) / (w - u) * (q - p), -1, corner};
}

/// The part of an edge over the reference edge: none, one or two points.
struct ClippedEdge {
    std::array<Clipped, 2> points;
    int count = 0;
};

template <class Reference, class Incident>
inline ClippedEdge clip(const Reference& reference, const EdgeAxis& axis, const Incident& incident, const Ends& ends, double same) {
    const Ends r = {axis.edge, reference.after(axis.edge)};
    const Vec<2>&n = axis.outward, &origin = axis.origin, t(-n[1], n[0]);
    const double length = t.dot(reference.vertex(r.to) - origin);
    const Vec<2> p = incident.vertex(ends.from), q = incident.vertex(ends.to);
    const double u = t.dot(p - origin), w = t.dot(q - origin);
    ClippedEdge out;
    if (std::max(u, w) < -same || std::min(u, w) > length + same) return out;
    const auto place = [&](const Vec<2>& x, double at, const Vec<2>& y, double other, int vertex) -> Clipped {
        if (at < -same) return cut(x, at, y, other, 0.0, r.from);
        if (at > length + same) return cut(x, at, y, other, length, r.to);
        return {x, vertex, std::abs(at) <= same ? r.from : std::abs(at - length) <= same ? r.to : -1};
    };
    out.points[out.count++] = place(p, u, q, w, ends.from);
    const Clipped second = place(q, w, p, u, ends.to);
    if ((second.x - out.points[0].x).squaredNorm() > same * same) out.points[out.count++] = second;
    else if (second.vertex >= 0 && out.points[0].vertex < 0) out.points[0] = second;
    return out;
}

/// What meets at a clipped point, the same whichever polygon was the reference.
std::uint32_t key_of(const Clipped& point, bool of_a, int edge, int incident) {
    const auto v = static_cast<std::uint32_t>(point.vertex), c = static_cast<std::uint32_t>(point.corner);
    const auto e = static_cast<std::uint32_t>(edge), i = static_cast<std::uint32_t>(incident);
    if (point.vertex >= 0 && point.corner >= 0)
        return of_a ? key_of(Meeting::vertex_vertex, c, v) : key_of(Meeting::vertex_vertex, v, c);
    if (point.vertex >= 0) return of_a ? key_of(Meeting::face_vertex, e, v) : key_of(Meeting::vertex_face, v, e);
    return of_a ? key_of(Meeting::vertex_face, c, i) : key_of(Meeting::face_vertex, i, c);
}

/// Writes the points of the edge that meets the axis. \returns false, writing none, when no part of it within
/// the reference edge is as near as `expected`: then the nearest parts are elsewhere.
template <bool of_a>
bool write_clipped_by(const PolygonPair& pair, const EdgeAxis& axis, double expected, Manifold<2>& out) {
    const auto& reference = pair.template own<of_a>();
    const auto& incident = pair.template own<!of_a>();
    const Vec<2>& n = axis.outward;
    const int facing = incident_edge(incident, axis, axis.separation + pair.scale.same);
    const Ends ends = facing < 0 ? Ends{0, 0} : Ends{facing, incident.after(facing)};
    const ClippedEdge edge = clip(reference, axis, incident, ends, pair.scale.same);
    std::array<double, 2> heights;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < edge.count; ++k) least = std::min(least, heights[k] = n.dot(edge.points[k].x - axis.origin));
    if (!(least <= expected + 2.0 * pair.scale.same)) return false;
    for (int k = 0; k < edge.count; ++k) {
        const double height = heights[k], gap = height - pair.scale.radii;
        if (gap > pair.query.limit) continue;
        // Halfway between the incident surface, its radius below x, and the reference surface.
        const Vec<2> middle = edge.points[k].x - 0.5 * (height + incident.radius - reference.radius) * n;
        out.add({middle, axis.normal(), gap, key_of(edge.points[k], of_a, axis.edge, facing)});
    }
    return true;
}

bool write_clipped(const PolygonPair& pair, const EdgeAxis& axis, double expected, Manifold<2>& out) {
    return axis.of_a ? write_clipped_by<true>(pair, axis, expected, out) : write_clipped_by<false>(pair, axis, expected, out);
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
    out.add({incident.vertex(lowest_vertex) - 0.5 * axis.separation * n, axis.normal(),
             axis.separation - pair.scale.radii, key_of({Vec<2>::Zero(), lowest_vertex, -1}, of_a, axis.edge, -1)});
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
    Vec<2> normal = pair.query.last_normal.isZero(0.0) ? Vec<2>(Vec<2>::UnitY()) : pair.query.last_normal;
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
    const Remembered remembered = try_remembered(a, pose, b, pair);
    if (remembered == Remembered::apart || (remembered == Remembered::not_enough && !find_all_axes(a, pose, b, pair))) {
        out.apart = pair.axes[pair.count - 1].separation - scale.radii;
        return;
    }
    pair.count == 0 ? write_nearest(pair, out) : write_contacts(pair, out);
}

}  // namespace talus
