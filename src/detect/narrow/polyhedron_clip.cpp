/// \file
/// Face against face: the incident face, edge or corner clipped against the sides of the reference face
/// [Sutherland & Hodgman 1974], with tolerance: what is less than 1e-9 of the size beyond a side is inside, so
/// that aligned faces keep their own corners. Every point knows what it is made of, which gives its feature.

#include <array>

#include "detect/narrow/polyhedron_pair.h"
#include "detect/narrow/reduce.h"

namespace talus {
namespace {

constexpr int most_points = 8;

/// A corner of the clipped polygon. Where it came from: a corner of the incident face, or the crossing of an
/// edge of it with a side of the reference face, or a corner of the reference face.
struct Corner {
    Vec<3> x;
    int vertex = -1;  ///< of the incident polyhedron
    int edge = -1;    ///< position in the incident loop of the edge it was cut from
    int side = -1;    ///< position in the reference loop of the side that cut it
    int follows = -1; ///< the edge on which the polygon goes on; -1: along a side
};

struct Scratch {
    std::vector<double> beyond;  ///< of each corner, how far beyond a side, times the length of the side [m2]
    double tolerance = 0.0;      ///< of this [m2]
    std::vector<Corner> polygon, clipped;
    bool is_cut = false;         ///< the polygon is no longer the incident face itself
    std::vector<std::int32_t> incident_loop;
    std::vector<ManifoldPoint<3>> points;
};

struct Faces {
    const PlacedPolyhedron& reference;
    const PlacedPolyhedron& incident;
    int reference_face = -1, incident_face = -1;  ///< incident -1: it has no faces
    bool of_a = false;                            ///< the reference is a
    Vec<3> normal, origin;                        ///< of the reference face, outward
    double same = 0.0;
    Scratch& scratch;
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
void start_polygon(Faces& faces, double low) {
    Scratch& s = faces.scratch;
    faces.incident_face = facing(faces, low);
    s.incident_loop.clear();
    if (faces.incident_face >= 0) {
        const auto loop = faces.incident.loop(faces.incident_face);
        s.incident_loop.assign(loop.begin(), loop.end());
    } else {
        for (std::size_t v = 0; v < faces.incident.vertices.size(); ++v)
            s.incident_loop.push_back(static_cast<std::int32_t>(v));
    }
    s.is_cut = false;
    s.polygon.clear();
    for (std::size_t k = 0; k < s.incident_loop.size(); ++k) {
        Corner corner;
        corner.vertex = s.incident_loop[k];
        corner.x = faces.incident.vertices[corner.vertex];
        corner.follows = static_cast<int>(k);
        s.polygon.push_back(corner);
    }
}

/// Measures how far the corners are beyond a side, times its length. \returns whether any is outside.
bool measure_beyond(Faces& faces, const Vec<3>& outward, const Vec<3>& on_side) {
    Scratch& s = faces.scratch;
    const std::size_t n = s.polygon.size();
    s.beyond.resize(n);
    const double tolerance = s.tolerance = faces.same * std::sqrt(dot(outward, outward));
    double* const beyond = s.beyond.data();
    const Corner* const corners = s.polygon.data();
    bool any = false;
    for (std::size_t k = 0; k < n; ++k) {
        beyond[k] = dot(outward, corners[k].x - on_side);
        any |= beyond[k] > tolerance;
    }
    return any;
}

/// Cuts the polygon with one side of the reference face.
void clip_side(Faces& faces, int side) {
    Scratch& s = faces.scratch;
    s.is_cut = true;
    s.clipped.clear();
    const std::size_t n = s.polygon.size();
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t next = k + 1 < n ? k + 1 : 0;
        const Corner &p = s.polygon[k], &q = s.polygon[next];
        const double dp = s.beyond[k], dq = s.beyond[next];
        const bool p_inside = dp <= s.tolerance, q_inside = dq <= s.tolerance;
        if (p_inside) s.clipped.push_back(p);
        if (p_inside == q_inside) continue;
        Corner& cut = s.clipped.emplace_back();
        cut.x = p.x + std::clamp(dp / (dp - dq), 0.0, 1.0) * (q.x - p.x);
        cut.edge = p.follows;
        cut.side = side;
        cut.follows = p_inside ? -1 : p.follows;
    }
    std::swap(s.polygon, s.clipped);
}

void clip_polygon(Faces& faces) {
    const auto loop = faces.reference.loop(faces.reference_face);
    for (std::size_t k = 0; k < loop.size() && !faces.scratch.polygon.empty(); ++k) {
        const Vec<3>& from = faces.reference.vertices[loop[k]];
        const Vec<3>& to = faces.reference.vertices[loop[k + 1 < loop.size() ? k + 1 : 0]];
        if (measure_beyond(faces, (to - from).cross(faces.normal), from)) clip_side(faces, static_cast<int>(k));
    }
}

/// Leaves one of several corners in the same place, if possible one of the incident face itself.
void merge_corners(Scratch& s, double same) {
    s.clipped.clear();
    for (const Corner& p : s.polygon) {
        const auto near = [&](const Corner& q) { const Vec<3> d = p.x - q.x; return dot(d, d) <= same * same; };
        const auto found = std::find_if(s.clipped.begin(), s.clipped.end(), near);
        if (found == s.clipped.end()) s.clipped.push_back(p);
        else if (found->vertex < 0 && p.vertex >= 0) *found = p;
    }
    std::swap(s.polygon, s.clipped);
}

/// The corner of the reference face over which x lies; -1: none. Where one must be, the nearest.
int reference_corner(const Faces& faces, const Vec<3>& x, bool must_be) {
    int chosen = -1;
    double least = must_be ? std::numeric_limits<double>::infinity() : 4.0 * faces.same * faces.same;
    const Vec<3> foot = x - dot(faces.normal, x - faces.origin) * faces.normal;
    for (const std::int32_t v : faces.reference.loop(faces.reference_face)) {
        const Vec<3> d = foot - faces.reference.vertices[v];
        const double square = dot(d, d);
        if (square > least) continue;
        least = square;
        chosen = v;
    }
    return chosen;
}

/// What meets at a corner, the same whichever of the two faces was the reference.
std::uint32_t key_at(const Faces& faces, const Corner& corner) {
    const int r = reference_corner(faces, corner.x, corner.vertex < 0 && corner.edge < 0);
    const auto key = [&](Meeting for_b, Meeting for_a, std::uint32_t incident, std::uint32_t reference) {
        return faces.of_a ? key_of(for_a, reference, incident) : key_of(for_b, incident, reference);
    };
    const auto i = static_cast<std::uint32_t>(corner.vertex), c = static_cast<std::uint32_t>(r);
    if (corner.vertex >= 0 && r >= 0) return key(Meeting::vertex_vertex, Meeting::vertex_vertex, i, c);
    if (corner.vertex >= 0)
        return key(Meeting::vertex_face, Meeting::face_vertex, i, static_cast<std::uint32_t>(faces.reference_face));
    if (r >= 0)
        return key(Meeting::face_vertex, Meeting::vertex_face, static_cast<std::uint32_t>(faces.incident_face), c);
    const auto& own = faces.scratch.incident_loop;
    const auto loop = faces.reference.loop(faces.reference_face);
    const auto next = [](int k, std::size_t n) { return k + 1 < static_cast<int>(n) ? k + 1 : 0; };
    return key(Meeting::edge_edge, Meeting::edge_edge,
               PlacedPolyhedron::edge_number(own[corner.edge], own[next(corner.edge, own.size())]),
               PlacedPolyhedron::edge_number(loop[corner.side], loop[next(corner.side, loop.size())]));
}

double lowest(const Faces& faces) {
    double least = std::numeric_limits<double>::infinity();
    for (const Corner& p : faces.scratch.polygon) least = std::min(least, dot(faces.normal, p.x - faces.origin));
    return least;
}

void write_points(const PolyhedronPair& pair, const Faces& faces, Manifold<3>& out) {
    std::vector<ManifoldPoint<3>>& points = faces.scratch.points;
    points.clear();
    const Vec<3> towards_a = faces.of_a ? Vec<3>(-faces.normal) : faces.normal;
    for (const Corner& p : faces.scratch.polygon) {
        const double height = dot(faces.normal, p.x - faces.origin), gap = height - pair.scale.radii;
        if (gap > pair.query.limit) continue;
        // Halfway between the incident surface, its radius below p, and the reference surface.
        const double down = 0.5 * (height + faces.incident.shape.radius - faces.reference.shape.radius);
        points.push_back({p.x - down * faces.normal, towards_a, gap, key_at(faces, p)});
    }
    const int kept = keep_support_polygon(points, most_points, faces.normal);
    for (int k = 0; k < kept; ++k) out.add(points[k]);
}

}  // namespace

bool write_clipped(const PolyhedronPair& pair, const SeparationAxis& axis, double expected, Manifold<3>& out) {
    thread_local Scratch scratch;
    const bool of_a = axis.kind == SeparationAxis::Kind::face_of_a;
    const PlacedPolyhedron &reference = of_a ? pair.a : pair.b, &incident = of_a ? pair.b : pair.a;
    Faces faces = {reference, incident, of_a ? axis.a : axis.b, -1, of_a, of_a ? Vec<3>(-axis.normal) : axis.normal,
                   Vec<3>::Zero(), pair.scale.same, scratch};
    faces.origin = reference.vertices[reference.loop(faces.reference_face)[0]];
    start_polygon(faces, axis.separation + pair.scale.same);
    clip_polygon(faces);
    if (scratch.is_cut) merge_corners(scratch, pair.scale.same);
    if (scratch.polygon.empty() || lowest(faces) > expected + 4.0 * pair.scale.same) return false;
    write_points(pair, faces, out);
    return true;
}

}  // namespace talus
