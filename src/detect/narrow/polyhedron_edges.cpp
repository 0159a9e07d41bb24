/// \file
/// Axes of separation that are pairs of edges. An edge above neither of whose faces a witness lies high enough is left out
/// [polyhedron_axes.cpp].

#include <bit>
#include <cstdint>

#include "detect/narrow/polyhedron_search.h"

namespace talus::polyhedra {
namespace {

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

/// Whether the normal of two edges, in the sense `sign` of a x b, surely separates too little, or less than a face
/// with nearly the same normal, which is then taken for it (see choose_axis).
bool is_low(Search& search, const EdgeLines& edges, double sign) {
    constexpr double nearly = 0.9995;  // cosine of 0.03, well below face_before_edges
    const Vec<3>& n = edges.across;
    const double length = std::sqrt(dot(n, n)), height = sign * dot(n, edges.from_a - edges.from_b);
    const SeparationAxis& face = search.pair.best_face;
    const double same = search.pair.scale.same;
    const bool like_face = sign * dot(n, face.normal) > nearly * length;
    const double least = like_face ? std::max(face.separation - 4.0 * same, search.threshold()) : search.threshold();
    if (!(height < (least - same) * length)) return false;
    search.low = larger_of(height / length, search.low);
    return true;
}

/// Offers the normal of two edges, in the sense `sign` of a x b.
bool offer_edges(Search& search, const EdgeView& a, const EdgeView& b, double sign) {
    const EdgeLines edges(*a.origin, a.along, *b.origin, b.along);
    const bool are_free = a.free && b.free;
    if (!are_free && is_low(search, edges, sign)) return true;
    SeparationAxis axis;
    if (!edges.find_normal(sign, axis)) return true;
    if (are_free && axis.separation < 0.0) {
        axis.normal = -axis.normal;
        axis.separation = -axis.separation;
    }
    axis.a = a.edge;
    axis.b = b.edge;
    return search.offer(axis, -search.pair.scale.same);
}

/// Edges of a and b that build a face of the Minkowski difference: the arc of normals beside b's edge crosses
/// the reversed arc of a's. With t the directions, n = t_a x t_b is on b's arc (up to its sign) when b's normals
/// are on both sides of t_a, on a's when a's are on both sides of t_b; both must want the same sign.
inline bool try_pair(Search& search, const EdgeView& a, const EdgeView& b) {
    const double of_a = dot(*a.right, b.seen), of_b = dot(*b.right, a.seen);
    const bool on_a = a.free | (of_a * dot(*a.left, b.seen) < 0.0);
    const bool on_b = b.free | (of_b * dot(*b.left, a.seen) < 0.0);
    if (!(on_a & on_b & !(of_a * of_b < 0.0))) return true;
    return offer_edges(search, a, b, of_a + of_b < 0.0 ? -1.0 : 1.0);
}

}  // namespace

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

void collect_edges(const Search& search, bool of_a) {
    const std::span<const Polytope<3>::Edge> edges = search.own(of_a).shape.edges;
    Side& side = search.side(of_a);
    side.edges.clear();
    if (search.own(of_a).shape.faces.empty() && !edges.empty()) return view_edge(search, of_a, 0);
    const double least = least_above(search);
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

bool try_edges(Search& search) {
    for (const EdgeView& a : search.a.edges)
        for (const EdgeView& b : search.b.edges)
            if (!try_pair(search, a, b)) return false;
    return true;
}

}  // namespace talus::polyhedra
