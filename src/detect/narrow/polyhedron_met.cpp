/// \file
/// The parts of two polyhedra that met when they were last looked at: a corner and a face, two edges, two faces. Most pairs at rest meet in the same ones
/// for long. Where these are certain to be all that there is [polyhedron_certain.cpp], their contact is written without a search, however the
/// bodies have moved; within the way that was found with it, not even that is asked again, but of faces chosen before edges.

#include "detect/narrow/polyhedron_certain.h"
#include "detect/narrow/polyhedron_search.h"

#include <algorithm>
#include <utility>

namespace talus {
namespace {

using Met = PairMemory<3>::Met;

/// The operations of the search and of clipping [polyhedron_axes.cpp, polyhedron_clip.cpp].
bool write_corner(const PolyhedronPair& pair, bool of_a, int face, int corner, const Pose<3>& pose, Manifold<3>& out) {
    const Met& met = pair.query.memory->met;
    const Polytope<3>&own = of_a ? pair.a.shape : pair.b.shape, &other = of_a ? pair.b.shape : pair.a.shape;
    const Polytope<3>::Face& f = own.faces[face];
    const Vec<3>& end = own.vertices[met.ends[0]];
    const Vec<3> n = of_a ? Vec<3>(pose.rotation * f.normal) : f.normal, origin = of_a ? pose.point(end) : end;
    const Vec<3> x = of_a ? other.vertices[corner] : pose.point(other.vertices[corner]);
    const double height = dot(n, x - origin), gap = height - pair.scale.radii;
    if (height > pair.scale.reach - 4.0 * pair.scale.same || pair.scale.reach - height > static_cast<double>(met.clear)) return false;
    const double down = 0.5 * (height + other.radius - own.radius);
    const auto i = static_cast<std::uint32_t>(face), v = static_cast<std::uint32_t>(corner);
    out.add({x - down * n, of_a ? Vec<3>(-n) : n, gap, of_a ? key_of(Meeting::face_vertex, i, v) : key_of(Meeting::vertex_face, v, i)});
    return true;
}

/// The face of the one, and that of the other which is clipped against it.
SeparationAxis faces_met(const PolyhedronPair& pair, bool of_a) {
    SeparationAxis axis = axis_of_face(pair, of_a, of_a ? pair.query.memory->met.a : pair.query.memory->met.b);
    axis.a = pair.query.memory->met.a;
    axis.b = pair.query.memory->met.b;
    return axis;
}

/// Writes what a face and a corner, or two faces, make, as far as these are certain. Corners of a are placed where a face is cut anew.
bool write_over(PolyhedronPair& pair, std::span<Vec<3>> room, bool of_a, double moved, const Pose<3>& pose, Manifold<3>& out) {
    const Met& met = pair.query.memory->met;
    if (met.kind == Met::Kind::corner_on_face) return write_corner(pair, false, met.b, met.a, pose, out);
    if (met.kind == Met::Kind::face_on_corner) return write_corner(pair, true, met.a, met.b, pose, out);
    // What is as near as rounding may tell is left to a search; and cores that are apart, where edges nearly parallel to sides may be taken for the face.
    return write_clipped_again(pair, faces_met(pair, of_a), std::min(pair.scale.reach, 0.0) - 8.0 * pair.scale.same, moved, room, out);
}

EdgeEnds ends_of(const Met& met) { return {met.ends[0], met.ends[1], met.ends[2], met.ends[3]}; }

/// The corners of the edges remembered, those of a now being placed.
EdgeEnds place_edges(const PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose) {
    const EdgeEnds ends = ends_of(pair.query.memory->met);
    for (const int v : {ends.from_a, ends.to_a}) room[v] = pose.point(pair.a.shape.vertices[v]);
    return ends;
}

/// The edges remembered, that of a being placed.
struct EdgesMet {
    EdgeLines lines;
    SeparationAxis axis;
    bool has_normal;

    EdgesMet(const PolyhedronPair& pair, const EdgeEnds& ends, int edge_a, int edge_b) : lines(pair, ends) {
        // From b's middle to a's: of the two senses that of the axis, where no other separates more.
        const double sign = dot(lines.across, pair.a.inside() - pair.b.inside()) < 0.0 ? -1.0 : 1.0;
        has_normal = lines.find_normal(sign, axis);
        axis.a = edge_a;
        axis.b = edge_b;
    }
};

void tell_best_face(PolyhedronPair& pair, const SeparationAxis& edges) {
    const Met& met = pair.query.memory->met;
    pair.separation = edges.separation;
    pair.best_face = axis_of_face(pair, met.of_a, met.face);
    pair.best_face.separation = polyhedra::measure(pair, met.of_a, static_cast<std::size_t>(met.face)).height;
    (met.of_a ? pair.best_face.b : pair.best_face.a) = met.facing;
}

/// What bodies did since they were looked at last.
struct Since {
    double moved;
    bool is_certain;   ///< what was certain then is so still
};

/// Corners of a are placed on the way, where faces may be about to meet.
bool write_edges_met(PolyhedronPair& pair, std::span<Vec<3>> room, const Since& since, const Pose<3>& pose, Manifold<3>& out) {
    constexpr double fast = 0.01;   // of the size: to search for the best face then costs what a search for all does
    Met& met = pair.query.memory->met;
    const bool asks_faces = pair.query.limit > 0.0;
    if (asks_faces && !since.is_certain && since.moved > fast * pair.scale.size) return false;
    const EdgeEnds ends = place_edges(pair, room, pose);
    const EdgesMet edges(pair, ends, met.a, met.b);
    if (!edges.has_normal || edges.axis.separation > pair.scale.reach || edges.axis.separation - pair.scale.radii > pair.query.limit) return false;
    const bool is_certain = since.is_certain && (met.face >= 0 || !asks_faces);
    if (asks_faces) place_corners(pair, room, pose);
    if (!is_certain && !polyhedra::are_all(pair, {edges.axis, edges.lines}, since.moved, met)) return false;
    if (!write_edges(pair, edges.axis, ends, edges.lines, out)) return false;
    if (asks_faces) tell_best_face(pair, edges.axis);
    return true;
}

/// Of the lowest corner of the other face above the one, in the operations of the search.
double height_of_facing(const PolyhedronPair& pair, bool of_a) {
    const Met& met = pair.query.memory->met;
    const PlacedPolyhedron &own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
    const Polytope<3>::Face& face = own.shape.faces[of_a ? met.a : met.b];
    const Vec<3> n = own.placed(face.normal);
    double low = std::numeric_limits<double>::infinity();
    for (const std::int32_t v : other.loop(of_a ? met.b : met.a)) low = std::min(low, dot(n, other.vertices[v]));
    return low - n.dot(own.vertices[own.shape.loops[face.first]]);
}

/// A face that was chosen before two edges which separate more [polyhedron_polyhedron.cpp]: it is again where it separates nearly as much, is about where it
/// was in the last step, and the face that meets it is not nearer to there.
bool write_chosen(PolyhedronPair& pair, std::span<Vec<3>> room, bool of_a, const Since& since, const Pose<3>& pose, Manifold<3>& out) {
    Met& met = pair.query.memory->met;
    const Vec<3> last = pair.query.last();
    const EdgeEnds ends = place_edges(pair, room, pose);
    const EdgesMet edges(pair, ends, met.edge_a, met.edge_b);
    const double most = edges.axis.separation, same = 8.0 * pair.scale.same, window = pair.scale.window(most);
    if (!edges.has_normal || most > -same || most > pair.scale.reach - same || last.isZero(0.0)) return false;
    if (!polyhedra::separate_most(pair, {edges.axis, edges.lines})) return false;
    if (!since.is_certain && !polyhedra::is_alone_with(pair, of_a, of_a ? met.a : met.b, since.moved, met)) return false;
    place_loop(pair, met.a, room);
    if (height_of_facing(pair, of_a) < most - window + same) return false;
    const SeparationAxis chosen = faces_met(pair, of_a), facing = axis_of_face(pair, !of_a, of_a ? met.b : met.a);
    const double off = (chosen.normal - last).norm();
    if (off > 0.8 * face_before_edges || (facing.normal - last).norm() < off + contact_tolerance) return false;
    return write_clipped_again(pair, chosen, most + window - same, since.is_certain ? since.moved : 0.0, room, out);
}

/// Writes what met, where this is certain.
bool try_met(PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose, Manifold<3>& out) {
    using Kind = Met::Kind;
    Met& met = pair.query.memory->met;
    const double moved = moved_since(pair, met.pose);
    const Since since{moved, moved <= static_cast<double>(met.room)};
    if (met.kind == Kind::edges) return write_edges_met(pair, room, since, pose, out);
    const bool of_a = met.kind == Kind::face_on_corner || met.kind == Kind::on_face_of_a;
    if (met.edge_a >= 0) return write_chosen(pair, room, of_a, since, pose, out);
    const bool are_faces = met.kind == Kind::on_face_of_a || met.kind == Kind::on_face_of_b;
    if (since.is_certain && write_over(pair, room, of_a, moved, pose, out)) return true;
    if (since.is_certain && are_faces) return false;   // apart
    return polyhedra::is_all_over(pair, of_a, of_a ? met.a : met.b, moved, met) && write_over(pair, room, of_a, 0.0, pose, out);
}

}  // namespace

bool write_met(PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose, Manifold<3>& out) {
    PairMemory<3>& memory = *pair.query.memory;
    if (memory.met.searches > 0) --memory.met.searches;
    else if (memory.met.kind != Met::Kind::nothing) return try_met(pair, room, pose, out);
    return false;
}

void place_loop(const PolyhedronPair& pair, int face, std::span<Vec<3>> room) {
    for (const std::int32_t v : pair.a.loop(face)) room[v] = pair.a.corner(v);
}

void place_corners(const PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose) {
    for (std::size_t v = 0; v < room.size(); ++v) room[v] = pose.point(pair.a.shape.vertices[v]);
}

namespace {

/// Takes note of the corners of two edges.
void note_ends(const PolyhedronPair& pair, int edge_a, int edge_b, Met& met) {
    const EdgeEnds ends(pair, edge_a, edge_b);
    const auto number = [](int corner) { return static_cast<std::uint8_t>(corner); };
    met.ends = {number(ends.from_a), number(ends.to_a), number(ends.from_b), number(ends.to_b)};
}

/// What a search has found to meet, as far as it can be remembered.
Met met_now(const PolyhedronPair& pair) {
    using Kind = Met::Kind;
    constexpr std::size_t most_edges = 1 << 15, most_corners = 1 << 8;
    Met met;
    met.pose = pose_now(pair);
    for (const PlacedPolyhedron* p : {&pair.a, &pair.b})
        if (p->shape.faces.size() < 4 || p->shape.edges.size() > most_edges) return met;
    const SeparationAxis &best = pair.best, &written = pair.written;
    if (best.kind == SeparationAxis::Kind::edges) {
        if (std::max(pair.a.vertices.size(), pair.b.vertices.size()) > most_corners) return met;
        note_ends(pair, best.a, best.b, met);
    }
    if (written.kind == SeparationAxis::Kind::edges) {
        if (!written.same_as(best)) return met;
        met.kind = Kind::edges;
    } else if (written.is_of_face()) {
        if (!written.same_as(best) && best.is_of_face()) return met;
        const bool of_a = written.kind == SeparationAxis::Kind::face_of_a;
        if (!written.same_as(best) && !polyhedra::stands_alone(of_a ? pair.a.shape : pair.b.shape, of_a ? written.a : written.b)) return met;
        met.kind = of_a ? Kind::on_face_of_a : Kind::on_face_of_b;
        if (!best.is_of_face()) {
            met.edge_a = static_cast<std::int16_t>(best.a);
            met.edge_b = static_cast<std::int16_t>(best.b);
        }
    }
    met.a = static_cast<std::int16_t>(written.a);
    met.b = static_cast<std::int16_t>(written.b);
    return met;
}

bool are_all_now(const PolyhedronPair& pair, Met& met) {
    const EdgesMet edges(pair, ends_of(met), met.a, met.b);
    return polyhedra::are_all(pair, {edges.axis, edges.lines}, 0.0, met);
}

}  // namespace

void remember_met(const PolyhedronPair& pair) {
    using Kind = Met::Kind;
    constexpr std::uint8_t few = 8;   // where it was no use twice, it is seldom of use soon
    PairMemory<3>& memory = *pair.query.memory;
    if (memory.met.searches > 0) return;
    Met& met = memory.met;
    const Met before = std::exchange(met, met_now(pair));
    memory.cut.room = -1.0f;
    if (met.kind != Kind::nothing && pair.others != std::numeric_limits<double>::infinity() && pair.written.same_as(pair.best)) {
        // What the search has told may make certain what points alone did not. Nothing has moved since.
        const bool of_a = met.kind == Kind::on_face_of_a;
        if (met.kind == Kind::edges) static_cast<void>(are_all_now(pair, met));
        else static_cast<void>(polyhedra::is_all_over(pair, of_a, of_a ? met.a : met.b, 0.0, met));
    }
    if (met.room < 0.0f && met.kind == before.kind && met.edge_a == before.edge_a && met.edge_b == before.edge_b) met.searches = few;
}

}  // namespace talus
