/// \file
/// What a pair of polyhedra remembers of its axes of separation: the faces and edges that witnesses did not rule out by a margin, and the
/// pose of that time. While the bodies have moved by less than the margin, no others can be axes of interest [pair_memory.h].

#include <algorithm>
#include <cmath>

#include "detect/narrow/polyhedron_search.h"

namespace talus::polyhedra {
namespace {

constexpr double widest_margin = 0.08, least_margin = 0.01;   ///< parts of the size: a wide one lasts longer, and leaves more to try

/// Distance by which a point of either may have come nearer to a face of the other since the memory is from.
double moved_since(const PolyhedronPair& pair, const PairMemory<3>& memory) {
    constexpr double rounded = 1e-6;   // what is remembered is not exact
    const Mat<3>& turn = pair.a.turn;
    const Vec<3>& shift = pair.a.shift;
    double turned = 0.0, moved = 0.0;
    for (int k = 0; k < 3; ++k) {
        // Two of three columns: together they move at least as far as any unit vector.
        const double u = turn(k, 0) - static_cast<double>(memory.turn[k]), v = turn(k, 1) - static_cast<double>(memory.turn[k + 3]);
        const double d = shift[k] - static_cast<double>(memory.translation[k]);
        turned += u * u + v * v;
        moved += d * d;
    }
    const double arm = std::max(pair.a.shape.core.arm, pair.b.shape.core.arm + std::sqrt(dot(shift, shift)));
    return std::sqrt(moved) + (std::sqrt(turned) + rounded) * arm;
}

void keep_pose(const PolyhedronPair& pair, PairMemory<3>& memory) {
    for (int k = 0; k < 3; ++k) {
        memory.turn[k] = static_cast<float>(pair.a.turn(k, 0));
        memory.turn[k + 3] = static_cast<float>(pair.a.turn(k, 1));
        memory.translation[k] = static_cast<float>(pair.a.shift[k]);
    }
}

/// Whether no witness of a side rules an edge out; the last one rules out most.
bool is_above(const Side& side, const Polytope<3>::Edge& edge, double least) {
    for (int w = side.witnesses; w-- > 0;) {
        const double* const heights = side.heights[static_cast<std::size_t>(w)].data();
        if (larger_of(heights[edge.left], heights[edge.right]) < least) return false;
    }
    return true;
}

/// Lists what is above `others` of one polyhedron. \returns whether there was room for all.
bool list_axes(const Search& search, bool of_a, double others, std::size_t& faces, std::size_t& edges, PairMemory<3>& memory) {
    const Side& side = search.side(of_a);
    for (std::size_t f = 0; f < side.bounds.size(); ++f) {
        if (side.bounds[f] < others) continue;
        if (faces == memory.faces.size()) return false;
        memory.faces[faces++] = static_cast<std::uint16_t>(f);
    }
    const std::span<const Polytope<3>::Edge> all = search.own(of_a).shape.edges;
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (!is_above(side, all[k], others)) continue;
        if (edges == memory.edges.size()) return false;
        memory.edges[edges++] = static_cast<std::uint16_t>(k);
    }
    return true;
}

/// The same of both.
bool list_axes(const Search& search, double others, PairMemory<3>& memory) {
    std::size_t faces = 0, edges = 0;
    if (!list_axes(search, false, others, faces, edges, memory)) return false;
    memory.faces_of_b = static_cast<std::uint8_t>(faces);
    memory.edges_of_b = static_cast<std::uint8_t>(edges);
    if (!list_axes(search, true, others, faces, edges, memory)) return false;
    memory.faces_of_a = static_cast<std::uint8_t>(faces - memory.faces_of_b);
    memory.edges_of_a = static_cast<std::uint8_t>(edges - memory.edges_of_b);
    return true;
}

/// How high a corner of the other lies above the faces of one polyhedron.
struct Heights {
    const Polytope<3>& shape;
    Vec<3> x;   ///< the corner, in the axes of the polyhedron
    Heights(const Search& search, bool of_a, int corner)
        : shape(search.own(of_a).shape), x(search.own(of_a).own_point(corner < 0 ? search.own(!of_a).inside : search.own(!of_a).vertices[corner])) {}
    [[nodiscard]] double above(std::int32_t face) const { return dot(shape.faces[face].normal, x) - shape.faces[face].offset; }
    [[nodiscard]] double above(const Polytope<3>::Edge& edge) const { return larger_of(above(edge.left), above(edge.right)); }
};

/// The faces remembered, as far as they have to be measured.
struct FewFaces {
    std::array<double, PairMemory<3>::most_faces> bounds, separations;
    unsigned measured = 0;   ///< bit by bit
};

/// Measures the faces remembered that may be as good as the best of them.
void measure_faces(Search& search, const PairMemory<3>& memory, const Heights& above_b, const Heights& above_a, FewFaces& faces) {
    PolyhedronPair& pair = search.pair;
    const int of_b = memory.faces_of_b, count = of_b + memory.faces_of_a;
    for (int k = 0; k < count; ++k) faces.bounds[k] = (k < of_b ? above_b : above_a).above(memory.faces[k]);
    for (;;) {
        int next = -1;
        double most = faces.measured == 0 ? pair.separation : search.threshold() - pair.scale.same;
        for (int k = 0; k < count; ++k) {
            if ((faces.measured >> k & 1u) != 0 || faces.bounds[k] < most) continue;
            next = k;
            most = faces.bounds[k];
        }
        if (next < 0) return;
        const double separation = measure(search, next >= of_b, memory.faces[next]).height;
        faces.measured |= 1u << next;
        faces.separations[next] = separation;
        pair.separation = larger_of(separation, pair.separation);
    }
}

/// Views the edges remembered but for those that the corner of the other rules out now.
void view_remembered(const Search& search, bool of_a, std::span<const std::uint16_t> edges, const Heights& corner, double least) {
    search.side(of_a).edges.clear();
    const std::span<const Polytope<3>::Edge> all = search.own(of_a).shape.edges;
    for (const std::uint16_t k : edges)
        if (corner.above(all[k]) >= least) view_edge(search, of_a, k);
}

}  // namespace

void remember_axes(const Search& search) {
    PairMemory<3>* const memory = search.pair.query.memory;
    if (memory == nullptr) return;
    memory->normal.setZero();
    memory->faces_of_a = memory->faces_of_b = 0;
    const PolyhedronPair& pair = search.pair;
    constexpr std::size_t most_numbers = 1 << 15;
    for (const PlacedPolyhedron* p : {&pair.a, &pair.b})   // segments and points have little to try
        if (p->shape.faces.empty() || p->shape.edges.size() > most_numbers) return;
    for (double margin = widest_margin; margin >= least_margin; margin *= 0.4) {
        memory->others = least_above(search) - margin * pair.scale.size;
        if (list_axes(search, memory->others, *memory)) return keep_pose(pair, *memory);
    }
    memory->faces_of_a = memory->faces_of_b = 0;
}

Remembered try_remembered(Search& search) {
    PolyhedronPair& pair = search.pair;
    const PairMemory<3>* const memory = pair.query.memory;
    if (memory == nullptr || memory->faces_of_a + memory->faces_of_b == 0) return Remembered::not_enough;
    const int of_b = memory->faces_of_b, count = of_b + memory->faces_of_a;
    const Heights above_b(search, false, memory->corner_a), above_a(search, true, memory->corner_b);
    FewFaces faces;
    measure_faces(search, *memory, above_b, above_a, faces);
    const double least = least_above(search);
    if (pair.separation <= pair.scale.reach && memory->others + moved_since(pair, *memory) > least) {
        pair.separation = -std::numeric_limits<double>::infinity();
        return Remembered::not_enough;
    }
    for (int k = 0; k < count; ++k)
        if ((faces.measured >> k & 1u) != 0 && !offer_face(search, k >= of_b, memory->faces[k], faces.separations[k])) return Remembered::apart;
    const std::span<const std::uint16_t> edges(memory->edges.data(), memory->edges_of_b + memory->edges_of_a);
    view_remembered(search, true, edges.subspan(memory->edges_of_b), above_a, least);
    view_remembered(search, false, edges.first(memory->edges_of_b), above_b, least);
    return try_edges(search) ? Remembered::near : Remembered::apart;
}

}  // namespace talus::polyhedra
