/// \file
/// Axes of separation of two polyhedra: the normals of the faces of their Minkowski difference, which are the
/// faces of both and the pairs of edges whose arcs on the Gauss sphere cross. What an inner point of the other
/// cannot see is left out: the separation along a face is at most the height of that point above it.

#include "detect/narrow/polyhedron_pair.h"

namespace talus {
namespace {

constexpr double parallel = 1e-8;  ///< sine of the angle below which two edges have no common normal

/// An edge with what is needed to cross its arc with others.
struct EdgeView {
    Vec<3> along;              ///< unit
    Vec<3> left, right;        ///< normals of the faces beside it
    Vec<3> origin;
    int edge = -1;
    bool free = false;         ///< no faces beside it: its arc is a full circle
};

struct Scratch {
    std::vector<double> height_a, height_b;  ///< of the other's inner point above each face
    std::vector<EdgeView> edges_a, edges_b;
};

struct Search {
    PolyhedronPair& pair;
    Scratch& scratch;
    double best_score = -std::numeric_limits<double>::infinity();

    /// Axes that separate less than this are of no interest.
    [[nodiscard]] double threshold() const {
        const double most = pair.separation;
        return most > 0.0 ? most - 4.0 * pair.scale.same : most - pair.scale.window(most);
    }

    /// \returns false when the axis separates by more than the reach.
    bool offer(const SeparationAxis& axis, double bonus) {
        if (axis.separation > pair.scale.reach) return false;
        if (axis.separation < threshold()) return true;
        pair.axes.push_back(axis);
        pair.separation = std::max(pair.separation, axis.separation);
        const double margin = rounding_tolerance * pair.scale.size, score = axis.separation + bonus;
        if (score > best_score + margin) {
            best_score = score;
            pair.best = axis;
        }
        SeparationAxis& kin = axis.kind == SeparationAxis::Kind::edges ? pair.best_edges : pair.best_face;
        if (axis.separation > kin.separation + margin) kin = axis;
        return true;
    }
};

double lowest(std::span<const Vec<3>> points, const Vec<3>& n) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec<3>& p : points) least = std::min(least, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
    return least;
}

bool try_faces(Search& search, bool of_a) {
    PolyhedronPair& pair = search.pair;
    const PlacedPolyhedron& own = of_a ? pair.a : pair.b;
    const PlacedPolyhedron& other = of_a ? pair.b : pair.a;
    std::vector<double>& heights = of_a ? search.scratch.height_a : search.scratch.height_b;
    const int faces = static_cast<int>(own.shape.faces.size());
    heights.resize(own.shape.faces.size());
    for (int f = 0; f < faces; ++f) {
        const Polytope<3>::Face& face = own.shape.faces[f];
        const std::int32_t corner = own.shape.loops[face.first];
        const Vec<3> n = own.placed(face.normal);
        const Vec<3>& origin = own.vertices[corner];
        heights[f] = n.dot(other.inside - origin);
        if (heights[f] < search.threshold()) continue;
        SeparationAxis axis;
        axis.separation = lowest(other.vertices, n) - n.dot(origin);
        axis.normal = of_a ? Vec<3>(-n) : n;
        axis.kind = of_a ? SeparationAxis::Kind::face_of_a : SeparationAxis::Kind::face_of_b;
        (of_a ? axis.a : axis.b) = f;
        if (!search.offer(axis, pair.scale.bonus(of_a))) return false;
    }
    return true;
}

/// Edges beside a face above which the other's inner point is. All others separate less than the best face.
void collect_edges(const Search& search, bool of_a) {
    const PlacedPolyhedron& own = of_a ? search.pair.a : search.pair.b;
    const std::vector<double>& heights = of_a ? search.scratch.height_a : search.scratch.height_b;
    std::vector<EdgeView>& out = of_a ? search.scratch.edges_a : search.scratch.edges_b;
    const double least = std::min(search.threshold(), 0.0);
    out.clear();
    for (std::size_t k = 0; k < own.shape.edges.size(); ++k) {
        const Polytope<3>::Edge& edge = own.shape.edges[k];
        const bool free = edge.left < 0;
        if (!free && heights[edge.left] < least && heights[edge.right] < least) continue;
        EdgeView view;
        view.origin = own.vertices[edge.from];
        view.along = (own.vertices[edge.to] - view.origin).normalized();
        view.edge = static_cast<int>(k);
        view.free = free;
        if (!free) {
            view.left = own.placed(own.shape.faces[edge.left].normal);
            view.right = own.placed(own.shape.faces[edge.right].normal);
        }
        out.push_back(view);
    }
}

/// Offers the normal of two edges, in the sense `sign` of a x b.
bool offer_edges(Search& search, const EdgeView& a, const EdgeView& b, double sign) {
    Vec<3> n = a.along.cross(b.along);
    const double sine = n.norm();
    if (sine < parallel) return true;
    n *= sign / sine;
    SeparationAxis axis;
    axis.separation = n.dot(a.origin - b.origin);
    if (a.free && b.free && axis.separation < 0.0) {
        n = -n;
        axis.separation = -axis.separation;
    }
    axis.normal = n;
    axis.kind = SeparationAxis::Kind::edges;
    axis.a = a.edge;
    axis.b = b.edge;
    return search.offer(axis, -search.pair.scale.same);
}

/// Edges of a and b that build a face of the Minkowski difference: the arc of normals beside b's edge crosses
/// the reversed arc of a's. With t the directions, n = t_a x t_b is on b's arc (up to its sign) when b's normals
/// are on both sides of t_a, on a's when a's are on both sides of t_b; both must want the same sign.
bool try_edges(Search& search) {
    collect_edges(search, true);
    collect_edges(search, false);
    for (const EdgeView& a : search.scratch.edges_a)
        for (const EdgeView& b : search.scratch.edges_b) {
            double of_a = 0.0, of_b = 0.0;
            if (!a.free) {
                of_a = a.right.dot(b.along);
                if (!(of_a * a.left.dot(b.along) < 0.0)) continue;
            }
            if (!b.free) {
                of_b = b.right.dot(a.along);
                if (!(of_b * b.left.dot(a.along) < 0.0)) continue;
            }
            if (of_a * of_b < 0.0) continue;
            if (!offer_edges(search, a, b, of_a + of_b < 0.0 ? -1.0 : 1.0)) return false;
        }
    return true;
}

}  // namespace

bool find_axes(PolyhedronPair& pair) {
    thread_local Scratch scratch;
    pair.axes.clear();
    Search search = {pair, scratch};
    return try_faces(search, false) && try_faces(search, true) && try_edges(search);
}

}  // namespace talus
