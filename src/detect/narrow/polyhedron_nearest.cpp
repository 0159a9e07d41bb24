/// \file
/// Edge against edge, and cores apart whose nearest parts are corners or a corner and an edge. Only what is
/// within reach of the other along the best axis is looked at.

#include "detect/narrow/polyhedron_pair.h"

namespace talus {
namespace {

/// Sine of the angle below which two edges share a stretch, whose ends are contacts as far as they are near.
constexpr double side_by_side = 1e-3, side_by_side_round = 0.3;

struct Line {
    Vec<3> origin, along;  ///< along: unit
    double length = 0.0;
};

Line line_of(const PlacedPolyhedron& p, int edge) {
    Line line;
    line.origin = p.vertices[p.shape.edges[edge].from];
    const Vec<3> d = p.vertices[p.shape.edges[edge].to] - line.origin;
    line.length = d.norm();
    line.along = d / line.length;
    return line;
}

/// Nearest points of two cores.
struct Nearest {
    double square = std::numeric_limits<double>::infinity();
    Vec<3> on_a = Vec<3>::Zero(), on_b = Vec<3>::Zero();
    int vertex_a = -1, vertex_b = -1;  ///< -1: on the edge
    int edge_a = -1, edge_b = -1;
};

std::uint32_t key_of(const PolyhedronPair& pair, const Nearest& n) {
    const auto va = static_cast<std::uint32_t>(n.vertex_a), vb = static_cast<std::uint32_t>(n.vertex_b);
    if (n.vertex_a >= 0 && n.vertex_b >= 0) return key_of(Meeting::vertex_vertex, va, vb);
    if (n.vertex_a >= 0) return key_of(Meeting::vertex_edge, va, pair.b.edge_number(n.edge_b));
    if (n.vertex_b >= 0) return key_of(Meeting::edge_vertex, pair.a.edge_number(n.edge_a), vb);
    return key_of(Meeting::edge_edge, pair.a.edge_number(n.edge_a), pair.b.edge_number(n.edge_b));
}

/// Two points and the direction from that of b to that of a.
struct Way {
    const Vec<3>&on_a, &on_b, &normal;
    double distance;
};

void write_point(const PolyhedronPair& pair, const Way& way, std::uint32_t key, Manifold<3>& out) {
    const double gap = way.distance - pair.scale.radii;
    if (gap > pair.query.limit) return;
    const Vec<3> shift = (pair.b.shape.radius - pair.a.shape.radius) * way.normal;
    out.add({0.5 * (way.on_a + way.on_b + shift), way.normal, gap, key});
}

void write_point(const PolyhedronPair& pair, const Nearest& nearest, const Vec<3>& normal, double distance, Manifold<3>& out) {
    write_point(pair, {nearest.on_a, nearest.on_b, normal, distance}, key_of(pair, nearest), out);
}

/// The part of a polyhedron that is near enough: a mark for each vertex.
void mark_near(const PlacedPolyhedron& p, const Vec<3>& towards, double least, std::vector<char>& near) {
    near.resize(p.vertices.size());
    for (std::size_t v = 0; v < near.size(); ++v) near[v] = towards.dot(p.vertices[v]) >= least;
}

struct Marks {
    std::vector<char> a, b;
};

double highest(const PlacedPolyhedron& p, const Vec<3>& n) {
    double most = -std::numeric_limits<double>::infinity();
    for (const Vec<3>& v : p.vertices) most = std::max(most, n.dot(v));
    return most;
}

/// Parts farther beyond the other's plane than the reach cannot be nearest.
void mark_pair(const PolyhedronPair& pair, Marks& marks) {
    const Vec<3>& n = pair.best.normal;  // zero when there is no axis: then all are near
    const double slack = pair.scale.reach + pair.scale.same;
    mark_near(pair.a, -n, -(highest(pair.b, n) + slack), marks.a);
    mark_near(pair.b, n, -highest(pair.a, -n) - slack, marks.b);
}

/// Compares a vertex with the edge from p to q of the other.
bool nearest_on_edge(const Vec<3>& x, const Vec<3>& p, const Vec<3>& q, double& square, double& at, Vec<3>& y) {
    const Vec<3> d = q - p;
    const double length = d.squaredNorm();
    at = length > 0.0 ? std::clamp(d.dot(x - p) / length, 0.0, 1.0) : 0.0;
    y = at == 0.0 ? p : at == 1.0 ? q : Vec<3>(p + at * d);
    const double here = (x - y).squaredNorm();
    if (!(here < square)) return false;
    square = here;
    return true;
}

void note(Nearest& nearest, bool from_a, int vertex, const Vec<3>& x, int corner, int edge, const Vec<3>& y) {
    nearest.on_a = from_a ? x : y;
    nearest.on_b = from_a ? y : x;
    nearest.vertex_a = from_a ? vertex : corner;
    nearest.vertex_b = from_a ? corner : vertex;
    nearest.edge_a = from_a ? -1 : edge;
    nearest.edge_b = from_a ? edge : -1;
}

void try_vertices(const PlacedPolyhedron& from, const std::vector<char>& from_near, const PlacedPolyhedron& to,
                  const std::vector<char>& to_near, bool from_a, Nearest& nearest) {
    for (std::size_t v = 0; v < from.vertices.size(); ++v) {
        if (!from_near[v]) continue;
        const Vec<3>& x = from.vertices[v];
        double at = 0.0;
        Vec<3> y;
        for (std::size_t k = 0; k < to.shape.edges.size(); ++k) {
            const Polytope<3>::Edge& e = to.shape.edges[k];
            if (!to_near[e.from] && !to_near[e.to]) continue;
            if (!nearest_on_edge(x, to.vertices[e.from], to.vertices[e.to], nearest.square, at, y)) continue;
            const int corner = at == 0.0 ? e.from : at == 1.0 ? e.to : -1;
            note(nearest, from_a, static_cast<int>(v), x, corner, static_cast<int>(k), y);
        }
        if (to.shape.edges.empty() && nearest_on_edge(x, to.vertices[0], to.vertices[0], nearest.square, at, y))
            note(nearest, from_a, static_cast<int>(v), x, 0, -1, y);
    }
}

/// Direction of contact of cores that touch in a point: the best axis if there is one; else the last normal, or
/// any direction, made square to a segment that is part of it.
Vec<3> touching_normal(const PolyhedronPair& pair) {
    if (!pair.axes.empty()) return pair.best.normal;
    Vec<3> n = pair.query.last().isZero(0.0) ? Vec<3>(Vec<3>::UnitZ()) : pair.query.last();
    for (const PlacedPolyhedron* p : {&pair.a, &pair.b}) {
        if (p->shape.edges.empty()) continue;
        const Vec<3> t = line_of(*p, 0).along;
        n -= n.dot(t) * t;
        if (n.norm() < 1e-3) n = t.unitOrthogonal();
    }
    return n.normalized();
}

/// Edges that end in a vertex, or the one edge.
template <typename Visit>
void for_edges_at(const PlacedPolyhedron& p, int vertex, int edge, const Visit& visit) {
    if (vertex < 0) return visit(edge);
    for (std::size_t k = 0; k < p.shape.edges.size(); ++k)
        if (p.shape.edges[k].from == vertex || p.shape.edges[k].to == vertex) visit(static_cast<int>(k));
}

/// A vertex of one and the nearest point on an edge of the other, as a contact.
double write_end(const PolyhedronPair& pair, bool from_a, int vertex, int edge, Manifold<3>& out) {
    const PlacedPolyhedron &from = from_a ? pair.a : pair.b, &to = from_a ? pair.b : pair.a;
    const Polytope<3>::Edge& e = to.shape.edges[edge];
    Nearest nearest;
    double at = 0.0;
    Vec<3> y;
    nearest_on_edge(from.vertices[vertex], to.vertices[e.from], to.vertices[e.to], nearest.square, at, y);
    const double distance = std::sqrt(nearest.square);
    if (distance <= pair.scale.same || distance > pair.scale.reach) return std::numeric_limits<double>::infinity();
    const auto meets = [&](int v) { return (y - to.vertices[v]).norm() <= pair.scale.same; };
    note(nearest, from_a, vertex, from.vertices[vertex], meets(e.from) ? e.from : meets(e.to) ? e.to : -1, edge, y);
    write_point(pair, nearest, (nearest.on_a - nearest.on_b) / distance, distance, out);
    return distance - pair.scale.radii;
}

}  // namespace

double write_parallel(const PolyhedronPair& pair, int edge_a, int edge_b, Manifold<3>& out) {
    const Line a = line_of(pair.a, edge_a), b = line_of(pair.b, edge_b);
    const double none = std::numeric_limits<double>::infinity();
    const double most = pair.scale.radii > 0.0 ? side_by_side_round : side_by_side;
    if (!(a.along.cross(b.along).norm() < most)) return none;
    // Places along b of the ends of both; the shared stretch runs from the second to the third of the four.
    const Polytope<3>::Edge &ea = pair.a.shape.edges[edge_a], &eb = pair.b.shape.edges[edge_b];
    double from = b.along.dot(a.origin - b.origin), to = from + a.length * a.along.dot(b.along);
    int from_vertex = ea.from, to_vertex = ea.to;
    if (from > to) {
        std::swap(from, to);
        std::swap(from_vertex, to_vertex);
    }
    if (std::min(to, b.length) - std::max(from, 0.0) <= pair.scale.same) return none;
    const double same = pair.scale.same;
    const double first = from >= -same ? write_end(pair, true, from_vertex, edge_b, out)
                                       : write_end(pair, false, eb.from, edge_a, out);
    const double second = to <= b.length + same ? write_end(pair, true, to_vertex, edge_b, out)
                                                : write_end(pair, false, eb.to, edge_a, out);
    return std::min(first, second);
}

bool write_edges(const PolyhedronPair& pair, const SeparationAxis& axis, const EdgeEnds& corners, const EdgeLines& edges, Manifold<3>& out) {
    const Vec<3>&across = edges.across, apart = edges.from_b - edges.from_a;
    const double same = pair.scale.same, inverse = 1.0 / dot(across, across);
    // Places along both, from 0 to 1.
    const double s = dot(apart.cross(edges.along_b), across) * inverse, u = dot(apart.cross(edges.along_a), across) * inverse;
    const auto is_within = [same](double at, const Vec<3>& along) { return std::max(-at, at - 1.0) * along.norm() <= same; };
    if (axis.separation > -same && !(is_within(s, edges.along_a) && is_within(u, edges.along_b))) return false;
    const Vec<3> on_a = edges.from_a + std::clamp(s, 0.0, 1.0) * edges.along_a, on_b = edges.from_b + std::clamp(u, 0.0, 1.0) * edges.along_b;
    double ends = std::numeric_limits<double>::infinity();
    if (axis.separation > same) ends = write_parallel(pair, axis.a, axis.b, out);
    const auto number = [](int from, int to) { return PlacedPolyhedron::edge_number(from, to); };
    const std::uint32_t key = key_of(Meeting::edge_edge, number(corners.from_a, corners.to_a), number(corners.from_b, corners.to_b));
    if (axis.separation - pair.scale.radii < ends - same) write_point(pair, {on_a, on_b, axis.normal, axis.separation}, key, out);
    return true;
}

void write_nearest(const PolyhedronPair& pair, Manifold<3>& out) {
    thread_local Marks marks;
    mark_pair(pair, marks);
    Nearest nearest;
    try_vertices(pair.a, marks.a, pair.b, marks.b, true, nearest);
    try_vertices(pair.b, marks.b, pair.a, marks.a, false, nearest);
    const double distance = std::sqrt(nearest.square);
    if (!(distance <= pair.scale.reach)) return;
    const bool defined = distance > (pair.axes.empty() ? 0.0 : pair.scale.same);
    const Vec<3> normal = defined ? Vec<3>((nearest.on_a - nearest.on_b) / distance) : touching_normal(pair);
    double ends = std::numeric_limits<double>::infinity();
    if (defined && !pair.a.shape.edges.empty() && !pair.b.shape.edges.empty())
        for_edges_at(pair.a, nearest.vertex_a, nearest.edge_a, [&](int e) {
            for_edges_at(pair.b, nearest.vertex_b, nearest.edge_b, [&](int f) {
                if (ends == std::numeric_limits<double>::infinity()) ends = write_parallel(pair, e, f, out);
            });
        });
    if (distance - pair.scale.radii < ends - pair.scale.same) write_point(pair, nearest, normal, distance, out);
}

}  // namespace talus
