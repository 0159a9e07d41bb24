/// \file
/// Edge against edge: the edge that faces an axis clipped against the ends of the edge whose normal the axis is; and the same again, step after step,
/// while nothing that decided can have changed.
///
/// Contacts at rest are written by the same two edges, clipped in the same way, for as long as the bodies hardly move. All that decides about it
/// compares lengths that change by no more than points move (or cosines, which change by no more than the bodies turn): which axis is best and how far
/// the others are behind, which edge of the other faces it, on which side of the ends its corners are. The least of these differences is the room
/// that the pair has. Within it the points are written without a search, with the bits that a search would give [pair_memory.h].

#include <algorithm>
#include <array>
#include <limits>

#include "detect/narrow/polygon_pair.h"

namespace talus {
namespace {

constexpr double least_room = 1e-7;   ///< parts of the size: less is not worth remembering

/// Two vertices, or one that stands for both.
struct Ends {
    int from = 0, to = 0;
};

/// A point of the incident edge over the reference edge.
struct Clipped {
    Vec<2> x;
    int vertex = -1;  ///< of the incident polygon, -1: within its edge
    int corner = -1;  ///< of the reference edge: its vertex, -1: within it
    int cut = 0;      ///< at which end of the reference edge: 0 none, 1 where it begins, 2 where it ends
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

/// An end of the incident edge, which is outside at `u`, moved to the end of the reference edge at `limit`.
inline Vec<2> moved(const Vec<2>& p, double u, const Vec<2>& q, double w, double limit) { return p + (limit - u) / (w - u) * (q - p); }

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
        if (at < -same) return {moved(x, at, y, other, 0.0), -1, r.from, 1};
        if (at > length + same) return {moved(x, at, y, other, length), -1, r.to, 2};
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

/// Writes a point of height `height` above the reference edge if it is near enough. No jump depends on that, for it could not be foreseen.
template <bool of_a>
inline void write_point(const PolygonPair& pair, const EdgeAxis& axis, const Vec<2>& x, double height, std::uint32_t feature, Manifold<2>& out) {
    if (out.count == max_manifold_points) return;
    const double gap = height - pair.scale.radii;
    // Halfway between the incident surface, its radius below x, and the reference surface.
    const Vec<2> middle = x - 0.5 * (height + pair.template own<!of_a>().radius - pair.template own<of_a>().radius) * axis.outward;
    out.points[out.count] = {middle, axis.normal(), gap, feature};
    out.count += static_cast<int>(gap <= pair.query.limit);
}

[[nodiscard]] inline double smaller_of(double x, double y) { return x < y ? x : y; }
[[nodiscard]] inline double larger_of(double x, double y) { return x > y ? x : y; }

/// How far the best axis is ahead of what all others can be, so that it is chosen whatever the last normal was [m].
double lead_of_best(const PolygonPair& pair) {
    const double best = pair.axes[pair.best].separation;
    double others = pair.query.memory->others + pair.moved_since(*pair.query.memory);
    for (int k = 0; k < pair.count; ++k)
        if (k != pair.best) others = larger_of(pair.axes[k].separation, others);
    return best - pair.scale.window(best) - others;
}

/// Which way the points may go before an end of the incident edge comes to lie on another side of an end of the reference edge, or too few parts of it are
/// left, or the lowest is no longer within it [m].
double room_of_clip(const PolygonPair& pair, double length, const std::array<double, 2>& at, const std::array<double, 2>& heights, double lowest) {
    const double same = pair.scale.same;
    double room = std::numeric_limits<double>::infinity();
    std::array<bool, 2> within;
    for (int k = 0; k < 2; ++k) {
        for (const double side : {-same, same, length - same, length + same}) room = smaller_of(std::abs(at[k] - side), room);
        within[k] = at[k] >= -same && at[k] <= length + same;
    }
    const double left = std::abs(std::clamp(at[0], 0.0, length) - std::clamp(at[1], 0.0, length));
    room = smaller_of(0.5 * (left - same), room);
    if (within[0] && within[1]) return room;
    const double higher = within[0] ? heights[1] - heights[0] : within[1] ? heights[0] - heights[1] : 0.0;
    return smaller_of(larger_of(0.5 * higher, -same - lowest), room);
}

/// Remembers by which edges the points were written, if these are likely to write them again.
template <bool of_a>
void remember_written(const PolygonPair& pair, const EdgeAxis& axis, int facing, const ClippedEdge& edge, const std::array<std::uint32_t, 2>& features) {
    auto& again = pair.query.memory->again;
    again.room = 0.0;
    const auto& reference = pair.template own<of_a>();
    const auto& incident = pair.template own<!of_a>();
    if (incident.edges < 3) return;
    const int from = facing, to = incident.after(facing);
    const Vec<2>&n = axis.outward, t(-n[1], n[0]);
    const auto above = [&](int v) { return n.dot(incident.vertex(v) - axis.origin); };
    const std::array<double, 2> heights = {above(from), above(to)};
    const std::array<double, 2> at = {t.dot(incident.vertex(from) - axis.origin), t.dot(incident.vertex(to) - axis.origin)};
    const double length = t.dot(reference.vertex(reference.after(axis.edge)) - axis.origin), lowest = smaller_of(heights[0], heights[1]);
    double room = room_of_clip(pair, length, at, heights, lowest);
    // Both of two lengths that are compared may change.
    const double next = smaller_of(above(incident.before(from)), above(incident.after(to))) - lowest;
    const double squareness = smaller_of(n.dot(incident.normal(incident.before(facing))), n.dot(incident.normal(to))) - n.dot(incident.normal(facing));
    room = smaller_of(smaller_of(0.49 * lead_of_best(pair), 0.5 * next), room);
    room = smaller_of(0.5 * (squareness - contact_tolerance) * pair.arm_at_least(), room) - 4.0 * pair.scale.same;   // more than rounding
    if (!(room > least_room * pair.scale.size)) return;
    again = {pair.a.pose.rotation.col(0), pair.a.pose.translation, room, features, PairMemory<2>::marked(axis.edge, of_a), static_cast<std::uint16_t>(facing),
             {static_cast<std::uint8_t>(edge.points[0].cut), static_cast<std::uint8_t>(edge.points[1].cut)}};
}

/// Writes the points of the edge that meets the axis. \returns false, writing none, when no part of it within
/// the reference edge is as near as `expected`: then the nearest parts are elsewhere.
template <bool of_a>
bool write_clipped_by(const PolygonPair& pair, const EdgeAxis& axis, double expected, Manifold<2>& out) {
    const auto& incident = pair.template own<!of_a>();
    const int facing = incident_edge(incident, axis, axis.separation + pair.scale.same);
    const Ends ends = facing < 0 ? Ends{0, 0} : Ends{facing, incident.after(facing)};
    const ClippedEdge edge = clip(pair.template own<of_a>(), axis, incident, ends, pair.scale.same);
    std::array<double, 2> heights;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < edge.count; ++k) least = std::min(least, heights[k] = axis.outward.dot(edge.points[k].x - axis.origin));
    if (!(least <= expected + 2.0 * pair.scale.same)) return false;
    std::array<std::uint32_t, 2> features;
    for (int k = 0; k < edge.count; ++k) {
        features[k] = key_of(edge.points[k], of_a, axis.edge, facing);
        write_point<of_a>(pair, axis, edge.points[k].x, heights[k], features[k], out);
    }
    if (pair.query.memory != nullptr && edge.count == 2 && &axis == pair.axes + pair.best) remember_written<of_a>(pair, axis, facing, edge, features);
    return true;
}

/// The same operations as `clip` for ends of which it is known where they are cut. \returns whether there are any points within the limit: if not, it is
/// for the search to tell by which axis the two are apart.
template <bool of_a>
bool write_again_by(const PolygonPair& pair, const PairMemory<2>::Written& again, int own_edge, Manifold<2>& out) {
    const auto& reference = pair.template own<of_a>();
    const auto& incident = pair.template own<!of_a>();
    const EdgeAxis axis = {0.0, reference.normal(own_edge), reference.vertex(own_edge), own_edge, 0, of_a, false};
    const Vec<2>&n = axis.outward, &origin = axis.origin, t(-n[1], n[0]);
    const std::array<double, 3> limits = {0.0, 0.0, t.dot(reference.vertex(reference.after(own_edge)) - origin)};
    const Vec<2> p = incident.vertex(again.facing), q = incident.vertex(incident.after(again.facing));
    const double u = t.dot(p - origin), w = t.dot(q - origin);
    // Both are worked out, since which it is could not be foreseen.
    const std::array<Vec<2>, 2> first = {p, moved(p, u, q, w, limits[again.cut[0]])}, second = {q, moved(q, w, p, u, limits[again.cut[1]])};
    const Vec<2>&x = first[again.cut[0] != 0], &y = second[again.cut[1] != 0];
    const int before = out.count;
    write_point<of_a>(pair, axis, x, n.dot(x - origin), again.features[0], out);
    write_point<of_a>(pair, axis, y, n.dot(y - origin), again.features[1], out);
    return out.count > before;
}

}  // namespace

bool write_clipped(const PolygonPair& pair, const EdgeAxis& axis, double expected, Manifold<2>& out) {
    return axis.of_a ? write_clipped_by<true>(pair, axis, expected, out) : write_clipped_by<false>(pair, axis, expected, out);
}

bool write_again(const PolygonPair& pair, Manifold<2>& out) {
    if (pair.query.memory == nullptr) return false;
    const auto& again = pair.query.memory->again;
    if (!(pair.moved_since(again) < again.room)) return false;
    const int edge = again.edge & ~PairMemory<2>::of_a;
    return (again.edge & PairMemory<2>::of_a) != 0 ? write_again_by<true>(pair, again, edge, out) : write_again_by<false>(pair, again, edge, out);
}

}  // namespace talus
