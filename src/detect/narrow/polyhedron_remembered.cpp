/// \file
/// What a pair of polyhedra remembers of its axes of separation: the faces and edges that witnesses did not rule out by a margin, and the
/// pose of that time. While the bodies have moved by less than the margin, no others can be axes of interest [pair_memory.h].

#include <algorithm>
#include <cmath>

#include "detect/narrow/polyhedron_search.h"

namespace talus {

double moved_since(const PolyhedronPair& pair, const PairMemory<3>::Pose& pose) {
    constexpr double rounded = 1e-6;   // what is remembered is not exact
    const Mat<3>& turn = pair.a.pose->rotation;
    const Vec<3>& shift = pair.a.pose->translation;
    double turned = 0.0, moved = 0.0;
    for (int k = 0; k < 3; ++k) {
        // Two of three columns: together they move at least as far as any unit vector.
        const double u = turn(k, 0) - static_cast<double>(pose.turn[k]), v = turn(k, 1) - static_cast<double>(pose.turn[k + 3]);
        const double d = shift[k] - static_cast<double>(pose.translation[k]);
        turned += u * u + v * v;
        moved += d * d;
    }
    // The sum of two lengths is no more than the root of twice the sum of their squares: one root is enough.
    const double away = std::abs(shift[0]) + std::abs(shift[1]) + std::abs(shift[2]), arm = std::max(pair.a.shape.core.arm, pair.b.shape.core.arm + away);
    return std::sqrt(2.0 * (moved + turned * arm * arm)) + rounded * arm;
}

PairMemory<3>::Pose pose_now(const PolyhedronPair& pair) {
    PairMemory<3>::Pose pose;
    for (int k = 0; k < 3; ++k) {
        pose.turn[k] = static_cast<float>(pair.a.pose->rotation(k, 0));
        pose.turn[k + 3] = static_cast<float>(pair.a.pose->rotation(k, 1));
        pose.translation[k] = static_cast<float>(pair.a.pose->translation[k]);
    }
    return pose;
}

}  // namespace talus

namespace talus::polyhedra {
namespace {

constexpr double widest_margin = 0.08, least_margin = 0.01;   ///< parts of the size: a wide one lasts longer, and leaves more to try

/// What the last two witnesses of a side, which tell most, allow an edge to separate by.
double bound_of(const double* last, const double* before, const Polytope<3>::Edge& edge) {
    return smaller_of(larger_of(last[edge.left], last[edge.right]), larger_of(before[edge.left], before[edge.right]));
}

/// Numbers of what is listed, and one place to spare: what does not fit is counted, and no jump depends on what is listed.
template <std::size_t most>
struct Numbers {
    std::array<std::uint16_t, most + 1> list;
    std::size_t count = 0;
    void add(std::size_t k, bool is_listed) {
        list[std::min(count, most)] = static_cast<std::uint16_t>(k);
        count += is_listed;
    }
    [[nodiscard]] bool has_all() const { return count <= most; }
};

struct Listed {
    Numbers<PairMemory<3>::most_faces> faces;
    Numbers<PairMemory<3>::most_edges> edges;
};

/// Lists what is above `others` of one polyhedron.
void list_axes(const Search& search, bool of_a, double others, Listed& listed) {
    const Side& side = search.side(of_a);
    for (std::size_t f = 0; f < side.bounds.size(); ++f) listed.faces.add(f, side.bounds[f] >= others);
    const std::span<const Polytope<3>::Edge> all = search.own(of_a).shape.edges;
    const double* const last = side.heights[static_cast<std::size_t>(side.witnesses - 1)].data();
    const double* const before = side.heights[static_cast<std::size_t>(std::max(side.witnesses - 2, 0))].data();
    for (std::size_t k = 0; k < all.size(); ++k) listed.edges.add(k, bound_of(last, before, all[k]) >= others);
}

/// Lists what is above `others` of both. \returns whether there was room for all.
bool list_axes(const Search& search, double others, PairMemory<3>& memory) {
    Listed listed;
    list_axes(search, false, others, listed);
    if (!listed.faces.has_all() || !listed.edges.has_all()) return false;
    memory.faces_of_b = static_cast<std::uint8_t>(listed.faces.count);
    memory.edges_of_b = static_cast<std::uint8_t>(listed.edges.count);
    list_axes(search, true, others, listed);
    if (!listed.faces.has_all() || !listed.edges.has_all()) return false;
    memory.faces_of_a = static_cast<std::uint8_t>(listed.faces.count - memory.faces_of_b);
    memory.edges_of_a = static_cast<std::uint8_t>(listed.edges.count - memory.edges_of_b);
    std::copy_n(listed.faces.list.begin(), memory.faces.size(), memory.faces.begin());
    std::copy_n(listed.edges.list.begin(), memory.edges.size(), memory.edges.begin());
    return true;
}

/// How high a corner of the other lies above the faces of one polyhedron.
struct Heights {
    const Polytope<3>& shape;
    Vec<3> x;   ///< the corner, in the axes of the polyhedron
    Heights(const Search& search, bool of_a, int corner)
        : shape(search.own(of_a).shape), x(search.own(of_a).own_point(corner < 0 ? search.own(!of_a).inside() : search.own(!of_a).vertices[corner])) {}
    [[nodiscard]] double above(std::int32_t face) const { return dot(shape.faces[face].normal, x) - shape.faces[face].offset; }
    [[nodiscard]] double above(const Polytope<3>::Edge& edge) const { return larger_of(above(edge.left), above(edge.right)); }
};

/// The faces remembered, as far as they have to be measured.
struct FewFaces {
    std::array<double, PairMemory<3>::most_faces> bounds;        ///< minus infinity once measured
    std::array<double, PairMemory<3>::most_faces> separations;   ///< where measured
    unsigned measured = 0;                                       ///< bit by bit
};

/// Measures the faces remembered that may be as good as the best of them.
void measure_faces(Search& search, const PairMemory<3>& memory, const Heights& above_b, const Heights& above_a, FewFaces& faces) {
    PolyhedronPair& pair = search.pair;
    const int of_b = memory.faces_of_b, count = of_b + memory.faces_of_a;
    for (int k = 0; k < of_b; ++k) faces.bounds[k] = above_b.above(memory.faces[k]);
    for (int k = of_b; k < count; ++k) faces.bounds[k] = above_a.above(memory.faces[k]);
    for (;;) {
        int next = 0;
        double most = faces.bounds[0];
        for (int k = 1; k < count; ++k) {
            next ^= (next ^ k) & -static_cast<int>(faces.bounds[k] > most);   // no jump, which could not be foreseen
            most = larger_of(faces.bounds[k], most);
        }
        if (faces.measured != 0 && !(most >= search.threshold() - pair.scale.same)) return;
        const double separation = measure(pair, next >= of_b, memory.faces[next]).height;
        faces.measured |= 1u << next;
        faces.bounds[next] = -std::numeric_limits<double>::infinity();
        faces.separations[next] = separation;
        pair.separation = larger_of(separation, pair.separation);
    }
}

/// Views the edges remembered but for those that the corner of the other rules out now.
void view_remembered(Search& search, bool of_a, std::span<const std::uint16_t> edges, const Heights& corner, double least) {
    search.side(of_a).edges.clear();
    const std::span<const Polytope<3>::Edge> all = search.own(of_a).shape.edges;
    for (const std::uint16_t k : edges) {
        const double above = corner.above(all[k]);
        if (above >= least) view_edge(search, of_a, k);
        else search.low = larger_of(above, search.low);
    }
}

/// What all axes but those near the best separate by at most, those included that were not tried.
double others_than_best(const Search& search, double most) {
    constexpr double cosine = 0.956;   // of an angle of 0.298, a little less than near_best
    most = larger_of(search.low, most);
    for (const SeparationAxis& axis : search.pair.axes)
        if (dot(axis.normal, search.pair.best.normal) < cosine) most = larger_of(axis.separation, most);
    return most;
}

}  // namespace

void remember_axes(const Search& search) {
    PairMemory<3>* const memory = search.pair.query.memory;
    if (memory == nullptr) return;
    memory->met.is_apart = false;
    memory->faces_of_a = memory->faces_of_b = 0;
    const PolyhedronPair& pair = search.pair;
    constexpr std::size_t most_numbers = 1 << 15;
    for (const PlacedPolyhedron* p : {&pair.a, &pair.b})   // segments and points have little to try
        if (p->shape.faces.empty() || p->shape.edges.size() > most_numbers) return;
    for (double margin = widest_margin; margin >= least_margin; margin *= 0.4) {
        memory->others = least_above(search) - margin * pair.scale.size;
        if (list_axes(search, memory->others, *memory)) {
            memory->pose = pose_now(pair);
            return;
        }
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
    const double least = least_above(search), others = memory->others + moved_since(pair, memory->pose);
    if (pair.separation <= pair.scale.reach && others > least) {
        pair.separation = -std::numeric_limits<double>::infinity();
        return Remembered::not_enough;
    }
    for (int k = 0; k < count; ++k) {
        if ((faces.measured >> k & 1u) == 0) search.low = larger_of(faces.bounds[k], search.low);
        else if (!offer_face(search, k >= of_b, memory->faces[k], faces.separations[k])) return Remembered::apart;
    }
    const std::span<const std::uint16_t> edges(memory->edges.data(), memory->edges_of_b + memory->edges_of_a);
    view_remembered(search, true, edges.subspan(memory->edges_of_b), above_a, least);
    view_remembered(search, false, edges.first(memory->edges_of_b), above_b, least);
    if (!try_edges(search)) return Remembered::apart;
    pair.others = others_than_best(search, others);
    return Remembered::near;
}

}  // namespace talus::polyhedra
