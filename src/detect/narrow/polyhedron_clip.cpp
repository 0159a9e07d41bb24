/// \file
/// Face against face: the incident face, edge or corner clipped against the sides of the reference face
/// [Sutherland & Hodgman 1974], with tolerance: what is less than 1e-9 of the size beyond a side is inside, so
/// that aligned faces keep their own corners. Every point knows what it is made of, which gives its feature.
///
/// Two faces that meet for long are cut in the same way for long. How is noted, with the way within which no answer to any question asked on the way can be
/// another: a corner of the face comes no nearer to a side than the bodies move; one made on a line of length L, whose ends lie D apart across the side that
/// cuts it, moves by no more than 3 + 6 L / D times what these do, while they move by less than D / 4.

#include <algorithm>
#include <array>

#include "detect/narrow/polyhedron_pair.h"
#include "detect/narrow/reduce.h"

namespace talus {
namespace {

constexpr std::size_t most_points = 8;

/// A corner of the clipped polygon. Where it came from: a corner of the incident face, or the crossing of an
/// edge of it with a side of the reference face, or a corner of the reference face.
struct Corner {
    Vec<3> x;
    int vertex;   ///< of the incident polyhedron, -1: none
    int edge;     ///< position in the incident loop of the edge it was cut from, -1: none
    int side;     ///< position in the reference loop of the side that cut it, -1: none
    int follows;  ///< the edge on which the polygon goes on; -1: along a side
    int number;   ///< in the order in which they are made, those of the incident face first
};

/// How a face is cut, noted while it is.
struct Note {
    PairMemory<3>::Cut* cut = nullptr;   ///< null: nothing is noted
    double room = 0.0;                   ///< way that may give another answer to what was asked [m]
    /// A corner made between two others, by their numbers, with a side.
    struct Made {
        int from, to, side;
    };
    std::array<Made, PairMemory<3>::Cut::most_made> how{};
    std::size_t made = 0;
    std::vector<double> loose;           ///< by number of a corner: how many times as far as the bodies it moves at most

    void begin(PairMemory<3>::Cut* wanted, std::size_t corners) {
        cut = wanted;
        room = std::numeric_limits<double>::infinity();
        made = 0;
        if (cut != nullptr) loose.assign(corners, 1.0);
    }
    /// A distance was asked for that changes so many times as much as bodies move.
    void ask(double distance, double times) { room = std::min(room, distance / times); }
};

/// Keeps its memory from pair to pair, and grows only.
struct Scratch {
    std::vector<double> beyond;  ///< of each corner, how far beyond a side, times the length of the side [m2]; in the end how high [m]
    double tolerance = 0.0;      ///< of this [m2]
    std::vector<Corner> polygon, clipped;   ///< room for all there may be
    std::size_t count = 0;       ///< corners of the polygon
    bool is_cut = false;         ///< the polygon is no longer the incident face itself
    int made = 0;                ///< the number of the next corner
    std::vector<ManifoldPoint<3>> points;
    Note note;

    void make_room(std::size_t corners) {
        if (beyond.size() >= corners) return;
        beyond.resize(corners);
        polygon.resize(corners);
        clipped.resize(corners);
    }
};

struct Faces {
    const PlacedPolyhedron& reference;
    const PlacedPolyhedron& incident;
    int reference_face = -1, incident_face = -1;  ///< incident -1: it has no faces
    bool of_a = false;                            ///< the reference is a
    Vec<3> normal, origin;                        ///< of the reference face, outward
    double same = 0.0;
    Scratch& scratch;
    std::span<const std::int32_t> sides = {}, incident_loop = {};
};

/// Of the incident faces with a lowest corner, the one that faces the reference most squarely.
int facing(const Faces& faces, double low) {
    const PlacedPolyhedron& p = faces.incident;
    const Vec<3> n = p.own(faces.normal);
    int chosen = -1;
    double least = 2.0;
    for (int f = 0; f < static_cast<int>(p.shape.faces.size()); ++f) {
        const double cosine = dot(n, p.shape.faces[f].normal);
        if (!(cosine < least - contact_tolerance)) continue;
        const auto loop = p.loop(f);
        const auto is_low = [&](std::int32_t v) { return dot(faces.normal, p.vertices[v] - faces.origin) <= low; };
        if (std::none_of(loop.begin(), loop.end(), is_low)) continue;
        chosen = f;
        least = cosine;
    }
    return chosen;
}

/// What is to be clipped: the facing face, or the segment or point that is all there is.
void start_polygon(Faces& faces) {
    static constexpr std::array<std::int32_t, 2> bare = {0, 1};
    Scratch& s = faces.scratch;
    if (faces.incident_face >= 0) faces.incident_loop = faces.incident.loop(faces.incident_face);
    else faces.incident_loop = std::span(bare).first(std::min(bare.size(), faces.incident.vertices.size()));
    s.is_cut = false;
    s.count = faces.incident_loop.size();
    s.made = static_cast<int>(s.count);
    s.make_room(s.count + 2 * faces.sides.size());   // a side adds two corners at most
    for (std::size_t k = 0; k < s.count; ++k) {
        const std::int32_t v = faces.incident_loop[k];
        s.polygon[k] = {faces.incident.vertices[v], v, -1, -1, static_cast<int>(k), static_cast<int>(k)};
    }
}

/// Measures how far the corners are beyond a side, times its length. \returns whether any is outside.
bool measure_beyond(Scratch& s, double same, const Vec<3>& outward, const Vec<3>& on_side) {
    double* const beyond = s.beyond.data();
    const Corner* const corners = s.polygon.data();
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0, n = s.count; k < n; ++k) {
        const double here = dot(outward, corners[k].x - on_side);
        beyond[k] = here;
        most = here > most ? here : most;
    }
    s.tolerance = 0.0;
    if (!(most > 0.0)) return false;
    s.tolerance = same * std::sqrt(dot(outward, outward));
    return most > s.tolerance;
}

/// What was asked of all corners and one side, `length` long.
void note_side(Scratch& s, double length) {
    for (std::size_t k = 0; k < s.count; ++k)
        s.note.ask(std::abs(s.beyond[k] - s.tolerance) / length, s.note.loose[static_cast<std::size_t>(s.polygon[k].number)]);
}

/// A corner made between two others, which lie so far beyond the side.
void note_crossing(Note& note, const Corner& p, const Corner& q, double across, int side) {
    const double times = std::max(note.loose[static_cast<std::size_t>(p.number)], note.loose[static_cast<std::size_t>(q.number)]);
    note.ask(0.25 * across, times);
    note.loose.push_back(times * (3.0 + 6.0 * (q.x - p.x).norm() / across));
    if (note.made < note.how.size()) note.how[note.made] = {p.number, q.number, side};
    ++note.made;
}

/// Cuts the polygon with one side of the reference face.
void clip_side(Scratch& s, int side, double length) {
    s.is_cut = true;
    const Corner* const corners = s.polygon.data();
    Corner* next_corner = s.clipped.data();
    const std::size_t n = s.count;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t next = k + 1 < n ? k + 1 : 0;
        const Corner &p = corners[k], &q = corners[next];
        const double dp = s.beyond[k], dq = s.beyond[next];
        const bool p_inside = dp <= s.tolerance, q_inside = dq <= s.tolerance;
        if (p_inside) *next_corner++ = p;
        if (p_inside == q_inside) continue;
        *next_corner++ = {p.x + std::clamp(dp / (dp - dq), 0.0, 1.0) * (q.x - p.x), -1, p.follows, side, p_inside ? -1 : p.follows, s.made++};
        if (s.note.cut != nullptr) note_crossing(s.note, p, q, std::abs(dp - dq) / length, side);
    }
    s.count = static_cast<std::size_t>(next_corner - s.clipped.data());
    std::swap(s.polygon, s.clipped);
}

void clip_polygon(Faces& faces) {
    const std::span<const std::int32_t> loop = faces.sides;
    Scratch& s = faces.scratch;
    for (std::size_t k = 0; k < loop.size() && s.count > 0; ++k) {
        const Vec<3>& from = faces.reference.vertices[loop[k]];
        const Vec<3>& to = faces.reference.vertices[loop[k + 1 < loop.size() ? k + 1 : 0]];
        const Vec<3> outward = (to - from).cross(faces.normal);
        const bool is_cut = measure_beyond(s, faces.same, outward, from);
        const double length = s.note.cut != nullptr ? outward.norm() : 0.0;
        if (s.note.cut != nullptr) note_side(s, length);
        if (is_cut) clip_side(s, static_cast<int>(k), length);
    }
}

/// Mostly there are none: no jump depends on which.
bool has_corners_together(const Scratch& s, double same) {
    bool any = false;
    for (std::size_t k = 1; k < s.count; ++k) {
        for (std::size_t j = 0; j < k; ++j) {
            const Vec<3> d = s.polygon[k].x - s.polygon[j].x;
            any |= dot(d, d) <= same * same;
        }
    }
    return any;
}

/// Whether any two were in the same place was asked; where some were, nothing holds.
void note_distances(Scratch& s, double same) {
    const auto times = [&s](std::size_t k) { return s.note.loose[static_cast<std::size_t>(s.polygon[k].number)]; };
    for (std::size_t k = 1; k < s.count; ++k)
        for (std::size_t j = 0; j < k; ++j)
            s.note.ask(std::max(0.0, (s.polygon[k].x - s.polygon[j].x).norm() - same), times(k) + times(j));
}

/// Leaves one of several corners in the same place, if possible one of the incident face itself.
void merge_corners(Scratch& s, double same) {
    if (s.note.cut != nullptr) note_distances(s, same);
    if (!has_corners_together(s, same)) return;
    Corner* const kept = s.clipped.data();
    std::size_t count = 0;
    for (std::size_t k = 0; k < s.count; ++k) {
        const Corner& p = s.polygon[k];
        const auto near = [&](const Corner& q) { const Vec<3> d = p.x - q.x; return dot(d, d) <= same * same; };
        Corner* const found = std::find_if(kept, kept + count, near);
        if (found == kept + count) kept[count++] = p;
        else if (found->vertex < 0 && p.vertex >= 0) *found = p;
    }
    s.count = count;
    std::swap(s.polygon, s.clipped);
}

/// The corner of the reference face over which x lies; -1: none. Where one must be, the nearest.
int reference_corner(const Faces& faces, const Vec<3>& x, bool must_be) {
    int chosen = -1;
    double least = must_be ? std::numeric_limits<double>::infinity() : 4.0 * faces.same * faces.same;
    const Vec<3> foot = x - dot(faces.normal, x - faces.origin) * faces.normal;
    for (const std::int32_t v : faces.sides) {
        const Vec<3> d = foot - faces.reference.vertices[v];
        const double square = dot(d, d);
        if (square > least) continue;
        least = square;
        chosen = v;
    }
    return chosen;
}

/// Over which corner of the reference face, if over any, was asked of a corner.
void note_reference_corner(const Faces& faces, const Corner& corner, bool must_be) {
    const double times = faces.scratch.note.loose[static_cast<std::size_t>(corner.number)], infinity = std::numeric_limits<double>::infinity();
    const Vec<3> foot = corner.x - dot(faces.normal, corner.x - faces.origin) * faces.normal;
    double least = infinity, second = infinity;
    for (const std::int32_t v : faces.sides) {
        const double here = (foot - faces.reference.vertices[v]).norm();
        second = std::min(second, std::max(here, least));
        least = std::min(least, here);
        if (!must_be) faces.scratch.note.ask(std::abs(here - 2.0 * faces.same), times);
    }
    if (must_be) faces.scratch.note.ask(second - least, 2.0 * times);
}

/// What meets at a corner, the same whichever of the two faces was the reference.
std::uint32_t key_at(const Faces& faces, const Corner& corner) {
    const bool must_be = corner.vertex < 0 && corner.edge < 0;
    const int r = reference_corner(faces, corner.x, must_be);
    if (faces.scratch.note.cut != nullptr) note_reference_corner(faces, corner, must_be);
    const auto key = [&](Meeting for_b, Meeting for_a, std::uint32_t incident, std::uint32_t reference) {
        return faces.of_a ? key_of(for_a, reference, incident) : key_of(for_b, incident, reference);
    };
    const auto i = static_cast<std::uint32_t>(corner.vertex), c = static_cast<std::uint32_t>(r);
    if (corner.vertex >= 0 && r >= 0) return key(Meeting::vertex_vertex, Meeting::vertex_vertex, i, c);
    if (corner.vertex >= 0)
        return key(Meeting::vertex_face, Meeting::face_vertex, i, static_cast<std::uint32_t>(faces.reference_face));
    if (r >= 0)
        return key(Meeting::face_vertex, Meeting::vertex_face, static_cast<std::uint32_t>(faces.incident_face), c);
    const std::span<const std::int32_t> own = faces.incident_loop, loop = faces.sides;
    const auto next = [](int k, std::size_t n) { return k + 1 < static_cast<int>(n) ? k + 1 : 0; };
    return key(Meeting::edge_edge, Meeting::edge_edge,
               PlacedPolyhedron::edge_number(own[corner.edge], own[next(corner.edge, own.size())]),
               PlacedPolyhedron::edge_number(loop[corner.side], loop[next(corner.side, loop.size())]));
}

/// Measures how high the corners lie over the reference face. \returns the least.
double measure_heights(const Faces& faces) {
    double least = std::numeric_limits<double>::infinity();
    Scratch& s = faces.scratch;
    for (std::size_t k = 0; k < s.count; ++k) {
        s.beyond[k] = dot(faces.normal, s.polygon[k].x - faces.origin);
        least = std::min(least, s.beyond[k]);
    }
    return least;
}

/// Of a corner, or a point in its place, at this height over the reference face.
ManifoldPoint<3> point_at(const PolyhedronPair& pair, const Faces& faces, const Vec<3>& x, double height, std::uint32_t feature) {
    // Halfway between the incident surface, its radius below x, and the reference surface.
    const double down = 0.5 * (height + faces.incident.shape.radius - faces.reference.shape.radius);
    return {x - down * faces.normal, faces.of_a ? Vec<3>(-faces.normal) : faces.normal, height - pair.scale.radii, feature};
}

/// The name of a corner by its number.
std::uint8_t name_of(const Faces& faces, int number) {
    const auto n = static_cast<std::size_t>(number);
    const std::span<const std::int32_t> loop = faces.incident_loop;
    return static_cast<std::uint8_t>(n < loop.size() ? static_cast<std::size_t>(loop[n]) : PairMemory<3>::Cut::first_made + (n - loop.size()));
}

/// Takes note of a corner that is left, and what meets there.
void note_left(const Faces& faces, std::size_t k, std::uint32_t feature) {
    PairMemory<3>::Cut& cut = *faces.scratch.note.cut;
    if (k >= cut.corners.size()) return;
    cut.corners[k] = name_of(faces, faces.scratch.polygon[k].number);
    cut.features[k] = feature;
}

/// Of more points than a contact has, as many are kept as hold the most.
void write_points(const PolyhedronPair& pair, const Faces& faces, Manifold<3>& out) {
    Scratch& s = faces.scratch;
    s.points.clear();
    const bool are_few = s.count <= most_points;
    for (std::size_t k = 0; k < s.count; ++k) {
        const bool is_near = s.beyond[k] - pair.scale.radii <= pair.query.limit;
        if (!is_near && s.note.cut == nullptr) continue;
        const std::uint32_t feature = key_at(faces, s.polygon[k]);
        if (s.note.cut != nullptr) note_left(faces, k, feature);
        if (!is_near) continue;
        const ManifoldPoint<3> point = point_at(pair, faces, s.polygon[k].x, s.beyond[k], feature);
        if (are_few) out.add(point);
        else s.points.push_back(point);
    }
    const int kept = keep_support_polygon(s.points, static_cast<int>(most_points), faces.normal);
    for (int k = 0; k < kept; ++k) out.add(s.points[k]);
}

/// Takes note of how far bodies may move until the face may be cut in another way.
void end_note(const Faces& faces) {
    const Note& note = faces.scratch.note;
    PairMemory<3>::Cut& cut = *note.cut;
    const std::size_t left = faces.scratch.count;
    const bool have_names = faces.incident.shape.vertices.size() <= cut.first_made && faces.reference.shape.vertices.size() <= 256;
    const bool is_small = have_names && note.made <= cut.how.size() && left <= cut.corners.size();
    cut.room = is_small ? static_cast<float>(0.99 * note.room) : 0.0f;
    if (!is_small) return;
    const std::span<const std::int32_t> sides = faces.sides;
    const auto corner = [&](int side) { return static_cast<std::uint8_t>(sides[static_cast<std::size_t>(side) < sides.size() ? static_cast<std::size_t>(side) : 0]); };
    cut.made = static_cast<std::uint8_t>(note.made);
    cut.left = static_cast<std::uint8_t>(left);
    cut.origin = corner(0);
    for (std::size_t k = 0; k < note.made; ++k) {
        const Note::Made& made = note.how[k];
        cut.how[k] = {name_of(faces, made.from), name_of(faces, made.to), corner(made.side), corner(made.side + 1)};
    }
}

/// The two faces, that which is clipped being known or -1. Their tables are not looked at.
Faces faces_of(const PolyhedronPair& pair, const SeparationAxis& axis, Scratch& scratch) {
    const bool of_a = axis.kind == SeparationAxis::Kind::face_of_a;
    const PlacedPolyhedron &reference = of_a ? pair.a : pair.b, &incident = of_a ? pair.b : pair.a;
    return {reference, incident, of_a ? axis.a : axis.b, of_a ? axis.b : axis.a, of_a, of_a ? Vec<3>(-axis.normal) : axis.normal,
            Vec<3>::Zero(), pair.scale.same, scratch};
}

/// Looks at those of the face to which the other is clipped.
void look_at_sides(Faces& faces) {
    faces.sides = faces.reference.loop(faces.reference_face);
    faces.origin = faces.reference.vertices[faces.sides[0]];
}

bool clip_and_write(const PolyhedronPair& pair, Faces& faces, double expected, Manifold<3>& out) {
    Scratch& s = faces.scratch;
    start_polygon(faces);
    clip_polygon(faces);
    if (s.is_cut) merge_corners(s, pair.scale.same);
    if (s.count == 0 || measure_heights(faces) > expected + 4.0 * pair.scale.same) return false;
    write_points(pair, faces, out);
    return true;
}

/// Cuts the face as it was cut before, with the operations of then. Whether a corner was made is not asked by jumps, which could not be foreseen.
bool write_again(const PolyhedronPair& pair, const Faces& faces, double expected, const PairMemory<3>::Cut& cut, Manifold<3>& out) {
    using Cut = PairMemory<3>::Cut;
    std::array<Vec<3>, Cut::most_made> made;
    const auto corner = [&](std::uint8_t name) -> Vec<3> {
        const bool is_made = name >= Cut::first_made;
        const Vec<3> own = faces.incident.corner(is_made ? 0 : name);
        return *(is_made ? &made[name - Cut::first_made] : &own);
    };
    for (std::size_t k = 0; k < cut.made; ++k) {
        const Cut::Made& how = cut.how[k];
        const Vec<3> from = faces.reference.corner(how.begin), to = faces.reference.corner(how.end);
        const Vec<3> outward = (to - from).cross(faces.normal);
        const Vec<3> p = corner(how.from), q = corner(how.to);
        const double dp = dot(outward, p - from), dq = dot(outward, q - from);
        made[k] = p + std::clamp(dp / (dp - dq), 0.0, 1.0) * (q - p);
    }
    const Vec<3> origin = faces.reference.corner(cut.origin);
    const int before = out.count;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < cut.left; ++k) {
        const Vec<3> x = corner(cut.corners[k]);
        const double height = dot(faces.normal, x - origin);
        least = height < least ? height : least;
        out.add_within(point_at(pair, faces, x, height, cut.features[k]), pair.query.limit);
    }
    if (!(least > expected + 4.0 * pair.scale.same)) return true;
    out.count = before;
    return false;
}

}  // namespace

bool write_clipped(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, Manifold<3>& out) {
    thread_local Scratch scratch;
    Faces faces = faces_of(pair, axis, scratch);
    look_at_sides(faces);
    scratch.note.begin(nullptr, 0);
    if (faces.incident_face < 0) faces.incident_face = facing(faces, axis.separation + pair.scale.same);
    return clip_and_write(pair, faces, expected, out);
}

bool write_clipped_again(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, double moved, std::span<Vec<3>> room, Manifold<3>& out) {
    thread_local Scratch scratch;
    PairMemory<3>& memory = *pair.query.memory;
    Faces faces = faces_of(pair, axis, scratch);
    if (moved < static_cast<double>(memory.cut.room)) return write_again(pair, faces, expected, memory.cut, out);
    place_loop(pair, axis.a, room);
    look_at_sides(faces);
    const bool is_noted = memory.cut.room != 0.0f;
    if (is_noted && moved > 0.0) {   // counted from here
        memory.met.room = 0.999f * (memory.met.room - static_cast<float>(moved));
        memory.met.pose = pose_now(pair);
    }
    if (is_noted) memory.cut.room = -1.0f;
    scratch.note.begin(is_noted ? &memory.cut : nullptr, faces.incident.loop(faces.incident_face).size());
    if (!clip_and_write(pair, faces, expected, out)) return false;
    if (is_noted) end_note(faces);
    return true;
}

}  // namespace talus
