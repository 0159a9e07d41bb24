/// \file
/// Axes of separation of two polyhedra: the normals of the faces of their Minkowski difference, which are the
/// faces of both and the pairs of edges whose arcs on the Gauss sphere cross.
///
/// Few of them are looked at. Along the normal of a face the other cannot be farther away than any one of its
/// corners: heights of a few well chosen corners, the witnesses, bound the separation along all faces. The face
/// of the largest bound is measured, its lowest corner is the next witness, and so on until no bound is above
/// what has been measured. An edge above neither of whose faces a witness lies high enough is left out too.

#include <array>
#include <bit>

#include "detect/narrow/polyhedron_pair.h"

namespace talus {
namespace {

constexpr double parallel = 1e-8;  ///< sine of the angle below which two edges have no common normal
constexpr int most_witnesses = 8;

/// An edge with what is needed to cross its arc with others.
struct EdgeView {
    Vec<3> along, seen;            ///< from end to end, in the axes of b and in those of the other
    const Vec<3>* origin;
    const Vec<3>*left, *right;     ///< normals of the faces beside it, in its own axes
    int edge;
    bool free;                     ///< no faces beside it: its arc is a full circle
    EdgeView() {}                  // all is written right after
};

struct Corner {
    double height = std::numeric_limits<double>::infinity();
    int vertex = 0;
};

/// A face and the separation along it.
struct Measured {
    std::size_t face = 0;
    double separation = 0.0;
};

/// What the witnesses tell of the faces of one polyhedron.
struct Side {
    std::array<std::vector<double>, most_witnesses> heights;  ///< of each witness, above each face
    std::vector<double> bounds;                               ///< of each face, on the separation along it
    std::vector<EdgeView> edges;                              ///< that may be part of an axis
    std::array<Measured, most_witnesses> measured;            ///< where the witnesses come from; the first from nowhere
    int witnesses = 0;
    std::size_t highest = 0;                                  ///< the face of the largest bound
    double most = -std::numeric_limits<double>::infinity();   ///< that bound
};

// Without the references of std::min and std::max, which the compiler turns into jumps that are hard to foresee.
double smaller_of(double x, double y) { return x < y ? x : y; }
double larger_of(double x, double y) { return x > y ? x : y; }

/// The first of the lowest points along n. In blocks of four, so that comparisons do not wait for one another.
Corner lowest(std::span<const Vec<3>> points, const Vec<3>& n) {
    Corner low;
    std::size_t block = 0, k = 0;
    for (; k + 4 <= points.size(); k += 4) {
        const double here = smaller_of(smaller_of(dot(n, points[k]), dot(n, points[k + 1])),
                                       smaller_of(dot(n, points[k + 2]), dot(n, points[k + 3])));
        block = here < low.height ? k : block;
        low.height = smaller_of(here, low.height);
    }
    for (; k < points.size(); ++k) {
        const double here = dot(n, points[k]);
        block = here < low.height ? k : block;
        low.height = smaller_of(here, low.height);
    }
    while (block + 1 < points.size() && dot(n, points[block]) > low.height) ++block;
    low.vertex = static_cast<int>(block);
    return low;
}

struct Search {
    PolyhedronPair& pair;
    Side &a, &b;
    double best_score = -std::numeric_limits<double>::infinity();

    [[nodiscard]] Side& side(bool of_a) const { return of_a ? a : b; }
    [[nodiscard]] const PlacedPolyhedron& own(bool of_a) const { return of_a ? pair.a : pair.b; }

    /// Axes that separate less than this are of no interest.
    [[nodiscard]] double threshold() const {
        const double most = pair.separation;
        return most > 0.0 ? most - 4.0 * pair.scale.same : most - pair.scale.window(most);
    }

    /// \returns false when the axis separates by more than the reach.
    bool offer(const SeparationAxis& axis, double bonus) {
        if (axis.separation > pair.scale.reach) {
            pair.best = axis;
            return false;
        }
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

void reset(Side& side, const Polytope<3>& shape) {
    side.witnesses = 0;
    side.most = -std::numeric_limits<double>::infinity();
    side.bounds.assign(shape.faces.size(), std::numeric_limits<double>::infinity());
}

/// Lowers the bounds of the faces to the heights of one more point of the other.
void add_witness(const PlacedPolyhedron& own, Side& side, const Vec<3>& placed) {
    const Vec<3> x = own.own_point(placed);
    const std::size_t faces = own.shape.faces.size();
    const Polytope<3>::Face* const all = own.shape.faces.data();
    side.heights[static_cast<std::size_t>(side.witnesses)].resize(faces);
    double* const heights = side.heights[static_cast<std::size_t>(side.witnesses++)].data();
    double* const bounds = side.bounds.data();
    double most = -std::numeric_limits<double>::infinity();
    std::size_t highest = 0;
    for (std::size_t f = 0; f < faces; ++f) {
        const double height = dot(all[f].normal, x) - all[f].offset;
        const double bound = smaller_of(bounds[f], height);
        heights[f] = height;
        bounds[f] = bound;
        highest = bound > most ? f : highest;
        most = larger_of(bound, most);
    }
    side.most = most;
    side.highest = highest;
}

/// Separation along a face and the corner of the other that is nearest to it.
Corner measure(const Search& search, bool of_a, std::size_t f) {
    const PlacedPolyhedron& own = search.own(of_a);
    const Polytope<3>::Face& face = own.shape.faces[f];
    const Vec<3> n = own.placed(face.normal);
    Corner low = lowest(search.own(!of_a).vertices, n);
    low.height -= n.dot(own.vertices[own.shape.loops[face.first]]);
    return low;
}

/// A point of the other to begin with: its corner nearest to this one's middle, or, where there are so few faces
/// that it does not pay to look for it, its middle.
Vec<3> first_witness(const PlacedPolyhedron& own, const PlacedPolyhedron& other) {
    constexpr std::size_t few_faces = 8;
    if (own.shape.faces.size() <= few_faces) return other.inside;
    return other.vertices[static_cast<std::size_t>(lowest(other.vertices, other.inside - own.inside).vertex)];
}

/// Finds the face that separates most. \returns false when it does so by more than the reach.
bool bound_faces(Search& search) {
    PolyhedronPair& pair = search.pair;
    add_witness(pair.b, search.b, first_witness(pair.b, pair.a));
    add_witness(pair.a, search.a, first_witness(pair.a, pair.b));
    for (;;) {
        const bool of_a = search.a.most > search.b.most;
        Side& side = search.side(of_a);
        if (!(side.most > pair.separation) || side.witnesses == most_witnesses) return true;
        const std::size_t face = side.highest;
        const Corner low = measure(search, of_a, face);
        side.measured[static_cast<std::size_t>(side.witnesses)] = {face, low.height};
        if (low.height > pair.scale.reach) {
            const Vec<3> n = search.own(of_a).placed(search.own(of_a).shape.faces[face].normal);
            pair.best.normal = of_a ? Vec<3>(-n) : n;
            return false;
        }
        pair.separation = std::max(pair.separation, low.height);
        side.bounds[face] = low.height;
        add_witness(search.own(of_a), side, search.own(!of_a).vertices[low.vertex]);
    }
}

/// Separation along a face, from the search for the best one if it was met there.
double separation_along(const Search& search, bool of_a, std::size_t f) {
    const Side& side = search.side(of_a);
    for (std::size_t w = 1; w < static_cast<std::size_t>(side.witnesses); ++w)
        if (side.measured[w].face == f) return side.measured[w].separation;
    return measure(search, of_a, f).height;
}

/// Offers the faces that may be as good as the best one, in the order they have.
bool offer_faces(Search& search, bool of_a) {
    const PlacedPolyhedron& own = search.own(of_a);
    const std::vector<double>& bounds = search.side(of_a).bounds;
    const double least = search.threshold() - search.pair.scale.same;  // bounds are rounded
    if (search.side(of_a).most < least) return true;
    for (std::size_t f = 0; f < bounds.size(); ++f) {
        if (bounds[f] < least) continue;
        SeparationAxis axis;
        axis.separation = separation_along(search, of_a, f);
        axis.normal = own.placed(own.shape.faces[f].normal);
        if (of_a) axis.normal = -axis.normal;
        axis.kind = of_a ? SeparationAxis::Kind::face_of_a : SeparationAxis::Kind::face_of_b;
        (of_a ? axis.a : axis.b) = static_cast<int>(f);
        if (!search.offer(axis, search.pair.scale.bonus(of_a))) return false;
    }
    return true;
}

/// The normal of an axis is between those of the faces beside its edge, so that a witness below both is below it.
bool is_above(const std::vector<double>& heights, const Polytope<3>::Edge& edge, double least) {
    return larger_of(heights[edge.left], heights[edge.right]) >= least;
}

/// Marks which of up to 64 edges may be part of an axis of interest, by the last witness: it was the corner nearest
/// to a good face and leaves the fewest. Bits instead of jumps, since these could not be foreseen.
std::uint64_t sift_edges(std::span<const Polytope<3>::Edge> edges, const Side& side, double least) {
    const std::vector<double>& heights = side.heights[static_cast<std::size_t>(side.witnesses - 1)];
    std::uint64_t marks = 0;
    for (std::size_t k = 0; k < edges.size(); ++k)
        marks |= static_cast<std::uint64_t>(is_above(heights, edges[k], least)) << k;
    return marks;
}

void view_edge(const Search& search, bool of_a, std::size_t k) {
    static const Vec<3> none = Vec<3>::Zero();
    const PlacedPolyhedron& own = search.own(of_a);
    const Polytope<3>::Edge& edge = own.shape.edges[k];
    EdgeView& view = search.side(of_a).edges.emplace_back();
    view.origin = &own.vertices[edge.from];
    view.along = own.vertices[edge.to] - *view.origin;
    view.seen = of_a ? view.along : search.pair.a.own(view.along);
    view.free = edge.left < 0;
    view.left = view.free ? &none : &own.shape.faces[edge.left].normal;
    view.right = view.free ? &none : &own.shape.faces[edge.right].normal;
    view.edge = static_cast<int>(k);
}

/// Edges that may be part of an axis of interest: those that no witness rules out.
void collect_edges(const Search& search, bool of_a) {
    const std::span<const Polytope<3>::Edge> edges = search.own(of_a).shape.edges;
    Side& side = search.side(of_a);
    side.edges.clear();
    if (search.own(of_a).shape.faces.empty() && !edges.empty()) return view_edge(search, of_a, 0);
    const double least = std::min(search.threshold(), 0.0) - search.pair.scale.same;  // heights are rounded
    for (std::size_t first = 0; first < edges.size(); first += 64) {
        const auto block = edges.subspan(first, std::min<std::size_t>(64, edges.size() - first));
        for (std::uint64_t marks = sift_edges(block, side, least); marks != 0; marks &= marks - 1) {
            const std::size_t k = first + static_cast<std::size_t>(std::countr_zero(marks));
            bool above = true;
            for (int w = 0; w + 1 < side.witnesses; ++w)
                above &= is_above(side.heights[static_cast<std::size_t>(w)], edges[k], least);
            if (above) view_edge(search, of_a, k);
        }
    }
}

/// Whether the normal of two edges, in the sense `sign` of a x b, surely separates too little, or less than a face
/// with nearly the same normal, which is then taken for it (see choose_axis).
bool is_low(const Search& search, const EdgeView& a, const EdgeView& b, double sign) {
    constexpr double nearly = 0.9995;  // cosine of 0.03, well below face_before_edges
    if (a.free && b.free) return false;
    const Vec<3> n = a.along.cross(b.along);
    const double length = std::sqrt(dot(n, n)), height = sign * dot(n, *a.origin - *b.origin);
    const SeparationAxis& face = search.pair.best_face;
    const double same = search.pair.scale.same;
    const bool like_face = sign * dot(n, face.normal) > nearly * length;
    const double least = like_face ? std::max(face.separation - 4.0 * same, search.threshold()) : search.threshold();
    return height < (least - same) * length;
}

/// Offers the normal of two edges, in the sense `sign` of a x b.
bool offer_edges(Search& search, const EdgeView& a, const EdgeView& b, double sign) {
    if (is_low(search, a, b, sign)) return true;
    Vec<3> n = a.along.normalized().cross(b.along.normalized());
    const double sine = n.norm();
    if (sine < parallel) return true;
    n *= sign / sine;
    SeparationAxis axis;
    axis.separation = n.dot(*a.origin - *b.origin);
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
    for (const EdgeView& a : search.a.edges)
        for (const EdgeView& b : search.b.edges) {
            const double of_a = dot(*a.right, b.seen), of_b = dot(*b.right, a.seen);
            const bool on_a = a.free | (of_a * dot(*a.left, b.seen) < 0.0);
            const bool on_b = b.free | (of_b * dot(*b.left, a.seen) < 0.0);
            if (!(on_a & on_b & !(of_a * of_b < 0.0))) continue;
            if (!offer_edges(search, a, b, of_a + of_b < 0.0 ? -1.0 : 1.0)) return false;
        }
    return true;
}

}  // namespace

bool find_axes(PolyhedronPair& pair) {
    thread_local Side side_a, side_b;
    pair.axes.clear();
    reset(side_a, pair.a.shape);
    reset(side_b, pair.b.shape);
    Search search = {pair, side_a, side_b};
    return bound_faces(search) && offer_faces(search, false) && offer_faces(search, true) && try_edges(search);
}

}  // namespace talus
