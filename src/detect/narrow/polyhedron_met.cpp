/// \file
/// A corner of one polyhedron on a face of the other, or an edge across an edge, well within both: the one contact that this makes, without a search.
///
/// Most pairs at rest meet so, in the same parts for long. The pair remembers these, and whether they are all that there is to be found is told
/// from where the bodies are now, however they have moved.
///
/// Let x be the point of A and y that of B that meet, x - y = h n, where A is on the side of n. Along a direction m, at an angle t to n, the cores are
/// separated by no more than m . (x' - y') for any points x' and y' of theirs. With y' in the face of B at the distance rho from y, to the side to which m
/// leans, or with both along the edges by r and rho = r sin(angle of the edges), this is h cos t - rho sin t. So no other direction separates as much,
/// and those that come within w of it lean by w / (rho - d) at most, d being the depth -h; but for some nearly opposite to n, where another corner of A,
/// far along n, takes the place of x. Axes are normals of faces of the Minkowski difference. Where all other corners of A lie so much higher along n, and all
/// others of B so much lower, that these parts stay the outermost however the direction leans within this angle, no other such axis has a part in them (of
/// a corner on a face: none but faces of B, if some are nearly parallel to this one, and such are not remembered). So the axis is the best, and nothing
/// competes with it. What is clipped against a face then is a face about the corner, which rises from it by a slope: all its points but the corner are
/// beyond the reach where this is steep enough.

#include <algorithm>
#include <limits>

#include "detect/narrow/polyhedron_pair.h"

namespace talus {
namespace {

using Met = PairMemory<3>::Met;

constexpr double well_within = 0.005;  ///< of the size of the smaller: the least rho that is of use
constexpr double parallel = 0.01;      ///< difference of unit normals of two faces below which the one may be taken for the other

/// How much higher along a direction than one corner, or two, the next and the highest of the others lie.
struct Rise {
    double next = std::numeric_limits<double>::infinity(), highest = 0.0;
};

Rise rise_from(const Polytope<3>& p, const Vec<3>& direction, int corner, int other) {
    const double lowest = dot(direction, p.vertices[corner]);
    Rise rise;
    for (int v = 0, n = static_cast<int>(p.vertices.size()); v < n; ++v) {
        if (v == corner || v == other) continue;
        const double here = dot(direction, p.vertices[v]) - lowest;
        rise.next = here < rise.next ? here : rise.next;
        rise.highest = here > rise.highest ? here : rise.highest;
    }
    return rise;
}

/// What is asked of the rise for given h and rho [above].
struct Asked {
    double lean, back, depth, window, same;

    Asked(const PairScale& scale, double height, double rho)
        : depth(std::max(0.0, -height)), same(16.0 * scale.same) {
        window = scale.window(height) + same;
        lean = 1.1 * window / (rho - depth);
        back = 1.1 * (2.0 * depth + window) / rho;   // a sine of 0.55 is that of less than 0.6, whose cosine is above 0.8
    }
    /// Of the body whose corners are no farther apart than `across`.
    [[nodiscard]] bool next_is_far(const Rise& rise, double across) const { return rise.next > lean * across + same; }
    /// Of A.
    [[nodiscard]] bool is_thick(const Rise& rise, double height, double across) const {
        return 0.8 * (height + rise.highest) > depth + window + back * (across + depth);
    }
};

double across(const Polytope<3>& p) { return 2.0 * p.core.arm; }

/// A corner and a face, seen from the body that has the face.
struct CornerOnFace {
    const Polytope<3>&own, &other;
    const Polytope<3>::Face& face;
    Vec<3> corner;     ///< in the axes of the own
    Vec<3> normal;     ///< of the face, in the axes of the other
};

CornerOnFace seen_from(bool of_a, const PolyhedronPair& pair, int face, int corner) {
    const Polytope<3>&a = pair.a.shape, &b = pair.b.shape;
    const Polytope<3>::Face& f = (of_a ? a : b).faces[face];
    if (of_a) return {a, b, f, pair.a.own_point(b.vertices[corner]), pair.a.turn * f.normal};
    return {b, a, f, pair.a.turn * a.vertices[corner] + pair.a.shift, pair.a.own(f.normal)};
}

/// Distance of the foot of the corner from the sides of the face, 0 where it is outside.
double distance_within(const CornerOnFace& c) {
    double square = std::numeric_limits<double>::infinity();
    const std::int32_t* const loop = c.own.loops.data() + c.face.first;
    Vec<3> from = c.own.vertices[loop[c.face.count - 1]];
    for (std::int32_t k = 0; k < c.face.count; ++k) {
        const Vec<3>& to = c.own.vertices[loop[k]];
        const Vec<3> side = to - from;
        const double inwards = std::max(0.0, dot(c.face.normal.cross(side), c.corner - from));
        square = std::min(square, inwards * inwards / dot(side, side));
        from = to;
    }
    return std::sqrt(square);
}

/// Whether the corner and the face are all that a search would find.
bool is_all(const CornerOnFace& c, int corner, const PairScale& scale) {
    const double height = dot(c.face.normal, c.corner) - c.face.offset;
    if (height > scale.reach) return false;
    const double rho = distance_within(c);
    if (!(rho > well_within * scale.size) || -height > 0.25 * rho) return false;
    const Asked asked(scale, height, rho);
    const Rise rise = rise_from(c.other, c.normal, corner, -1);
    return asked.lean < parallel && asked.next_is_far(rise, across(c.other)) && asked.is_thick(rise, height, across(c.other)) &&
           rho * rise.next > (scale.reach - height + asked.same) * across(c.other);
}

bool write_corner(const PolyhedronPair& pair, bool of_a, int face, int corner, const Pose<3>& pose, Manifold<3>& out) {
    if (!is_all(seen_from(of_a, pair, face, corner), corner, pair.scale)) return false;
    // The operations of the search and of clipping from here on [polyhedron_axes.cpp, polyhedron_clip.cpp].
    const Polytope<3>&own = of_a ? pair.a.shape : pair.b.shape, &other = of_a ? pair.b.shape : pair.a.shape;
    const Polytope<3>::Face& f = own.faces[face];
    const Vec<3>& end = own.vertices[own.loops[f.first]];
    const Vec<3> n = of_a ? Vec<3>(pose.rotation * f.normal) : f.normal, origin = of_a ? pose.point(end) : end;
    const Vec<3> x = of_a ? other.vertices[corner] : pose.point(other.vertices[corner]);
    const double height = dot(n, x - origin), gap = height - pair.scale.radii;
    if (gap > pair.query.limit) return false;
    const double down = 0.5 * (height + other.radius - own.radius);
    const auto i = static_cast<std::uint32_t>(face), v = static_cast<std::uint32_t>(corner);
    out.add({x - down * n, of_a ? Vec<3>(-n) : n, gap, of_a ? key_of(Meeting::face_vertex, i, v) : key_of(Meeting::vertex_face, v, i)});
    return true;
}

/// Whether two edges, along these vectors, are all that a search would find.
bool is_all(const PolyhedronPair& pair, const SeparationAxis& axis, const Vec<3>& along_a, const Vec<3>& along_b, const Vec<3>& apart) {
    const Polytope<3>::Edge &a = pair.a.shape.edges[axis.a], &b = pair.b.shape.edges[axis.b];
    const double height = axis.separation;
    // Places along both where they are nearest, from 0 to 1, times the square of the sine of their angle and of both lengths.
    const double aa = dot(along_a, along_a), bb = dot(along_b, along_b), ab = dot(along_a, along_b), square = aa * bb - ab * ab;
    const double s = ab * dot(apart, along_b) - bb * dot(apart, along_a), u = aa * dot(apart, along_b) - ab * dot(apart, along_a);
    const double to_ends = std::min(std::min(s, square - s) * std::sqrt(aa), std::min(u, square - u) * std::sqrt(bb));
    const double rho = to_ends / std::sqrt(square * aa * bb);   // r times the sine; no number where they are parallel
    if (!(rho > well_within * pair.scale.size) || -height > 0.25 * rho) return false;
    const Asked asked(pair.scale, height, rho);
    const Rise rise = rise_from(pair.a.shape, pair.a.own(axis.normal), a.from, a.to), fall = rise_from(pair.b.shape, -axis.normal, b.from, b.to);
    return asked.next_is_far(rise, across(pair.a.shape)) && asked.next_is_far(fall, across(pair.b.shape)) &&
           asked.is_thick(rise, height, across(pair.a.shape));
}

/// The corners of the edge of a are placed.
bool write_edges_met(const PolyhedronPair& pair, int edge_a, int edge_b, Manifold<3>& out) {
    const Polytope<3>::Edge &a = pair.a.shape.edges[edge_a], &b = pair.b.shape.edges[edge_b];
    const Vec<3> along_a = pair.a.vertices[a.to] - pair.a.vertices[a.from], along_b = pair.b.vertices[b.to] - pair.b.vertices[b.from];
    const Vec<3> apart = pair.a.vertices[a.from] - pair.b.vertices[b.from];
    // From b's middle to a's: of the two senses that of the axis, where they are all there is.
    const double sign = dot(along_a.cross(along_b), pair.a.inside - pair.b.inside) < 0.0 ? -1.0 : 1.0;
    SeparationAxis axis;
    if (!normal_of_edges(along_a, along_b, sign, apart, axis)) return false;
    axis.a = edge_a;
    axis.b = edge_b;
    if (axis.separation > pair.scale.reach || axis.separation - pair.scale.radii > pair.query.limit || !is_all(pair, axis, along_a, along_b, apart)) return false;
    return write_edges(pair, axis, out);
}

/// No other face is nearly parallel to this one.
bool stands_alone(const Polytope<3>& p, int face) {
    for (std::size_t f = 0; f < p.faces.size(); ++f)
        if (static_cast<int>(f) != face && (p.faces[f].normal - p.faces[face].normal).norm() < 2.0 * parallel) return false;
    return true;
}

}  // namespace

bool write_met(PolyhedronPair& pair, std::span<Vec<3>> room, const Pose<3>& pose, Manifold<3>& out) {
    const Met& met = pair.query.memory->met;
    switch (met.kind) {
        case Met::Kind::neither: return false;
        case Met::Kind::corner_on_face: return write_corner(pair, false, met.b, met.a, pose, out);
        case Met::Kind::face_on_corner: return write_corner(pair, true, met.a, met.b, pose, out);
        case Met::Kind::edges: break;
    }
    if (pair.query.limit > 0.0) return false;   // other parts may be about to meet [polyhedron_polyhedron.cpp]
    const Polytope<3>::Edge& a = pair.a.shape.edges[met.a];
    for (const std::int32_t v : {a.from, a.to}) room[v] = pose.point(pair.a.shape.vertices[v]);
    return write_edges_met(pair, met.a, met.b, out);
}

void remember_met(const PolyhedronPair& pair, bool by_face) {
    constexpr std::size_t most_numbers = 1 << 15;
    Met& met = pair.query.memory->met;
    met = {};
    const SeparationAxis& best = pair.best;
    const bool is_edges = best.kind == SeparationAxis::Kind::edges;
    for (const PlacedPolyhedron* p : {&pair.a, &pair.b})
        if (p->shape.faces.size() < 4 || p->shape.edges.size() > most_numbers) return;
    if (is_edges == by_face) return;   // another axis was chosen
    if (is_edges) {
        met = {Met::Kind::edges, static_cast<std::int16_t>(best.a), static_cast<std::int16_t>(best.b)};
        return;
    }
    const bool of_a = best.kind == SeparationAxis::Kind::face_of_a;
    const PlacedPolyhedron &own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
    const int face = of_a ? best.a : best.b;
    if (!stands_alone(own.shape, face)) return;
    const Vec<3> n = of_a ? Vec<3>(-best.normal) : best.normal;
    const auto lowest = std::min_element(other.vertices.begin(), other.vertices.end(), [&](const Vec<3>& x, const Vec<3>& y) { return dot(n, x) < dot(n, y); });
    const auto corner = static_cast<std::int16_t>(lowest - other.vertices.begin()), f = static_cast<std::int16_t>(face);
    if (of_a) met = {Met::Kind::face_on_corner, f, corner};
    else met = {Met::Kind::corner_on_face, corner, f};
}

}  // namespace talus
