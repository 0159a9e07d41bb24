/// \file
/// Contacts of two rounded convex polyhedra (balls, capsules and flat pieces included).
///
/// Cores that overlap, or whose nearest parts are a face and anything or two edges, are separated best by the
/// normal of a face of their Minkowski difference: a face of either, or two edges. So the normal comes from the
/// shapes themselves, never from the difference of two nearly equal points, and is exact at any depth. When a
/// face wins, what meets it is clipped against its sides; when edges win, there is one point. Cores apart whose
/// nearest parts are corners, or a corner and an edge, have the line between these as normal.
///
/// In overlap near a corner several axes are nearly as good, and the best one changes with every disturbance
/// [moreau2003, §3.2 remark]: then the one nearest to the last normal is taken.
///
/// Limits: corners nearer than 1e-9 of the size take the best axis as normal, since theirs is not defined.

#include "detect/narrow/polyhedron_pair.h"
#include "detect/narrow/reduce.h"

namespace talus {
namespace {

SeparationAxis choose_axis(const PolyhedronPair& pair) {
    const Vec<3> last = pair.query.last();
    if (last.isZero(0.0) || pair.separation > 0.0) return pair.best;
    const double least = pair.separation - pair.scale.window(pair.separation);
    const auto cost = [&](const SeparationAxis& axis) {
        const double off = (axis.normal - last).norm();
        return axis.kind == SeparationAxis::Kind::edges ? off + face_before_edges : off;
    };
    SeparationAxis chosen = pair.best;
    double lowest = cost(chosen);
    for (const SeparationAxis& axis : pair.axes) {
        const double here = cost(axis);
        if (axis.separation < least || here > lowest - rounding_tolerance) continue;
        chosen = axis;
        lowest = here;
    }
    return chosen;
}

bool write_axis(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, Manifold<3>& out) {
    if (axis.kind == SeparationAxis::Kind::none) return false;
    if (axis.kind == SeparationAxis::Kind::edges) {
        const EdgeEnds ends(pair, axis.a, axis.b);
        return write_edges(pair, axis, ends, EdgeLines(pair, ends), out);
    }
    return write_clipped(pair, axis, expected, out);
}

/// Overlap in which nothing lies within the reference face, by rounding alone: the lowest corner.
void write_deepest(const PolyhedronPair& pair, Manifold<3>& out) {
    const SeparationAxis& axis = pair.best;
    const bool of_a = axis.kind == SeparationAxis::Kind::face_of_a;
    const PlacedPolyhedron& incident = of_a ? pair.b : pair.a;
    const Vec<3> n = of_a ? Vec<3>(-axis.normal) : axis.normal;
    std::size_t lowest = 0;
    for (std::size_t v = 1; v < incident.vertices.size(); ++v)
        if (n.dot(incident.vertices[v]) < n.dot(incident.vertices[lowest])) lowest = v;
    const auto vertex = static_cast<std::uint32_t>(lowest), face = static_cast<std::uint32_t>(of_a ? axis.a : axis.b);
    out.add({incident.vertices[lowest] - 0.5 * axis.separation * n, axis.normal, axis.separation - pair.scale.radii,
             of_a ? key_of(Meeting::face_vertex, face, vertex) : key_of(Meeting::vertex_face, vertex, face)});
}

/// Notes the axis by which they were written.
void write_contacts(PolyhedronPair& pair, Manifold<3>& out) {
    const double most = pair.separation;
    const SeparationAxis chosen = choose_axis(pair);
    const auto is_written = [&](const SeparationAxis& axis, double expected) {
        if (!write_axis(pair, axis, expected, out)) return false;
        pair.written = axis;
        return true;
    };
    if (!chosen.same_as(pair.best) && is_written(chosen, most + pair.scale.window(most))) return;
    // In overlap the best axis meets what faces it; apart, corners may be nearer than any face or edges tell.
    const bool overlap = most < -pair.scale.same;
    if (is_written(pair.best, overlap ? std::numeric_limits<double>::max() : most)) return;
    if (overlap) return write_deepest(pair, out);
    for (const SeparationAxis* axis : {&pair.best_face, &pair.best_edges})
        if (!axis->same_as(pair.best) && axis->separation >= most - 4.0 * pair.scale.same && is_written(*axis, most)) return;
    write_nearest(pair, out);
}

/// Parts that may meet within the step besides two edges, or corners, that are nearest now: faces that are
/// nearly parallel touch at an edge first and at the opposite corners a moment later. Only where points at
/// a positive gap are asked for, and none that lies deeper than the nearest parts.
void write_companions(const PolyhedronPair& pair, int first, Manifold<3>& out) {
    constexpr double apart = 0.02;  // of the size: nearer points say nothing new
    const SeparationAxis& axis = pair.best_face;
    if (axis.kind == SeparationAxis::Kind::none || axis.separation < pair.separation - pair.query.limit) return;
    const int own = out.count;
    write_axis(pair, axis, std::numeric_limits<double>::max(), out);
    int kept = own;
    for (int k = own; k < out.count; ++k) {
        bool is_new = out.points[k].gap >= pair.separation - pair.scale.radii - pair.scale.same;
        for (int j = first; j < kept && is_new; ++j)
            is_new = (out.points[k].point - out.points[j].point).norm() > apart * pair.scale.size;
        if (is_new) out.points[kept++] = out.points[k];
    }
    out.count = kept;
    if (kept > own) keep_support_polygon(out, first, 8, out.points[first].normal);
}

/// Separation of the cores along the direction that kept them apart when they were last looked at; minus infinity where none did [m].
double separation_remembered(const Polytope<3>& a, const Pose<3>& pose, const PairMemory<3>& memory) {
    if (!memory.met.is_apart) return -std::numeric_limits<double>::infinity();
    const Vec<3> n = pose.rotation.transpose() * memory.normal;
    double low = std::numeric_limits<double>::infinity();
    for (const Vec<3>& v : a.vertices) {
        const double height = dot(n, v);
        low = height < low ? height : low;
    }
    return low + memory.normal.dot(pose.translation) - memory.top;
}

void remember_apart(const PolyhedronPair& pair) {
    PairMemory<3>& memory = *pair.query.memory;
    memory.met.is_apart = true;
    memory.normal = pair.best.normal;
    memory.top = -std::numeric_limits<double>::infinity();
    for (const Vec<3>& v : pair.b.vertices) memory.top = std::max(memory.top, dot(memory.normal, v));
}

}  // namespace

void touch_polytopes(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b, const TouchQuery<3>& query,
                     Manifold<3>& out) {
    const PairScale scale(a, b, query.limit);
    if (query.memory != nullptr) {
        const double apart = separation_remembered(a, pose, *query.memory);
        if (apart > scale.reach + 1e-6 * scale.size) {   // beyond what tolerances could let pass
            out.apart = apart - scale.radii;
            return;
        }
        query.memory->met.is_apart = false;   // pairs at rest do not ask again
    }
    thread_local std::vector<Vec<3>> vertices;  // keep their memory from pair to pair
    thread_local std::vector<SeparationAxis> axes;
    const std::size_t corners = a.vertices.size();
    if (vertices.size() < corners) vertices.resize(corners);
    PolyhedronPair pair({a, {vertices.data(), corners}, &pose}, {b, b.vertices, nullptr}, query, scale, axes);
    const std::span<Vec<3>> room(vertices.data(), corners);
    const int first = out.count;
    if (query.memory != nullptr && write_met(pair, room, pose, out)) {
        if (query.limit > 0.0 && out.count > first) write_companions(pair, first, out);
        return;
    }
    place_corners(pair, room, pose);
    if (!find_axes(pair)) {
        if (query.memory != nullptr) remember_apart(pair);
        out.apart = pair.best.separation - scale.radii;
        return;
    }
    if (axes.empty()) return write_nearest(pair, out);  // balls, a ball and a capsule, parallel capsules
    write_contacts(pair, out);
    if (out.count == first) return;
    if (query.memory != nullptr) remember_met(pair);
    if (query.limit > 0.0 && !pair.written.is_of_face()) write_companions(pair, first, out);   // a face has all points there are
}

}  // namespace talus
