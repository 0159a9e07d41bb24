/// \file
/// Axes of separation of two polyhedra: the normals of the faces of their Minkowski difference, which are the
/// faces of both and the pairs of edges whose arcs on the Gauss sphere cross.
///
/// Few of them are looked at. Along the normal of a face the other cannot be farther away than any one of its
/// corners: heights of a few well chosen corners, the witnesses, bound the separation along all faces. The face
/// of the largest bound is measured, its lowest corner is the next witness, and so on until no bound is above
/// what has been measured. An edge above neither of whose faces a witness lies high enough is left out too.
/// A pair that remembers its last witnesses begins with them. Which they are changes the work, not the axes found.

#include <algorithm>
#include <array>

#include "detect/narrow/polyhedron_search.h"

namespace talus {
namespace polyhedra {
namespace {

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

void reset(Side& side, const Polytope<3>& shape) {
    side.witnesses = side.measures = 0;
    side.most = -std::numeric_limits<double>::infinity();
    side.bounds.assign(shape.faces.size(), std::numeric_limits<double>::infinity());
}

/// Lowers the bounds of the faces to the heights of one more point of the other: a corner, or its middle.
void add_witness(const PlacedPolyhedron& own, const PlacedPolyhedron& other, int corner, Side& side) {
    const Vec<3> x = own.own_point(corner < 0 ? other.inside() : other.vertices[corner]);
    const std::size_t faces = own.shape.faces.size();
    const Polytope<3>::Face* const all = own.shape.faces.data();
    const auto w = static_cast<std::size_t>(side.witnesses++);
    side.corners[w] = corner;
    if (side.heights[w].size() < faces) side.heights[w].resize(faces);   // never shorter: to grow again takes time
    double* const heights = side.heights[w].data();
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

/// Finds the face of the largest bound again, as one has become lower.
void find_highest(Side& side) {
    double most = -std::numeric_limits<double>::infinity();
    std::size_t highest = 0;
    for (std::size_t f = 0; f < side.bounds.size(); ++f) {
        highest = side.bounds[f] > most ? f : highest;
        most = larger_of(side.bounds[f], most);
    }
    side.most = most;
    side.highest = highest;
}

/// A point of the other to begin with: its corner nearest to this one's middle, or, where there are so few faces
/// that it does not pay to look for it, its middle.
int first_witness(const PlacedPolyhedron& own, const PlacedPolyhedron& other) {
    constexpr std::size_t few_faces = 8;
    if (own.shape.faces.size() <= few_faces) return -1;
    return lowest(other.vertices, other.inside() - own.inside()).vertex;
}

/// The first witnesses of both sides.
void begin(Search& search) {
    PolyhedronPair& pair = search.pair;
    const PairMemory<3>* const memory = pair.query.memory;
    const int of_a = memory == nullptr ? -1 : memory->corner_a, of_b = memory == nullptr ? -1 : memory->corner_b;
    add_witness(pair.b, pair.a, of_a >= 0 ? of_a : first_witness(pair.b, pair.a), search.b);
    add_witness(pair.a, pair.b, of_b >= 0 ? of_b : first_witness(pair.a, pair.b), search.a);
}

/// Takes note of what a face separates by, and of the corner that tells.
void add_measured(const Search& search, bool of_a, std::size_t face, const Corner& low) {
    Side& side = search.side(of_a);
    side.measured[static_cast<std::size_t>(side.measures++)] = {face, low.height};
    side.bounds[face] = low.height;
    const auto first = side.corners.begin(), last = first + side.witnesses;
    if (std::find(first, last, low.vertex) != last) find_highest(side);
    else add_witness(search.own(of_a), search.own(!of_a), low.vertex, side);
}

/// Finds the face that separates most. \returns false when it does so by more than the reach.
bool bound_faces(Search& search) {
    PolyhedronPair& pair = search.pair;
    begin(search);
    for (;;) {
        const bool of_a = search.a.most > search.b.most;
        Side& side = search.side(of_a);
        if (!(side.most > pair.separation) || side.witnesses == most_witnesses || side.measures == most_witnesses) return true;
        const std::size_t face = side.highest;
        const Corner low = measure(pair, of_a, face);
        if (low.height > pair.scale.reach) {
            const Vec<3> n = search.own(of_a).placed(search.own(of_a).shape.faces[face].normal);
            pair.best.normal = of_a ? Vec<3>(-n) : n;
            pair.best.separation = low.height;
            return false;
        }
        pair.separation = std::max(pair.separation, low.height);
        add_measured(search, of_a, face, low);
    }
}

/// The last witnesses tell most: they were the corners nearest to good faces.
void remember_witnesses(const Search& search) {
    PairMemory<3>* const memory = search.pair.query.memory;
    if (memory == nullptr) return;
    memory->corner_a = static_cast<std::int16_t>(search.b.corners[static_cast<std::size_t>(search.b.witnesses - 1)]);
    memory->corner_b = static_cast<std::int16_t>(search.a.corners[static_cast<std::size_t>(search.a.witnesses - 1)]);
}

/// Separation along a face, from the search for the best one if it was met there.
double separation_along(const Search& search, bool of_a, std::size_t f) {
    const Side& side = search.side(of_a);
    for (std::size_t m = 0; m < static_cast<std::size_t>(side.measures); ++m)
        if (side.measured[m].face == f) return side.measured[m].separation;
    return measure(search.pair, of_a, f).height;
}

/// Offers the faces that may be as good as the best one, in the order they have.
bool offer_faces(Search& search, bool of_a) {
    const std::vector<double>& bounds = search.side(of_a).bounds;
    const double least = search.threshold() - search.pair.scale.same;  // bounds are rounded
    if (search.side(of_a).most < least) return true;
    for (std::size_t f = 0; f < bounds.size(); ++f) {
        if (bounds[f] < least) continue;
        if (!offer_face(search, of_a, f, separation_along(search, of_a, f))) return false;
    }
    return true;
}

}  // namespace

Corner measure(const PolyhedronPair& pair, bool of_a, std::size_t f) {
    const PlacedPolyhedron &own = of_a ? pair.a : pair.b, &other = of_a ? pair.b : pair.a;
    const Polytope<3>::Face& face = own.shape.faces[f];
    const Vec<3> n = own.placed(face.normal);
    Corner low = lowest(other.vertices, n);
    low.height -= n.dot(own.vertices[own.shape.loops[face.first]]);
    return low;
}

bool offer_face(Search& search, bool of_a, std::size_t face, double separation) {
    SeparationAxis axis = axis_of_face(search.pair, of_a, static_cast<int>(face));
    axis.separation = separation;
    return search.offer(axis, search.pair.scale.bonus(of_a));
}

}  // namespace polyhedra

SeparationAxis axis_of_face(const PolyhedronPair& pair, bool of_a, int face) {
    const PlacedPolyhedron& own = of_a ? pair.a : pair.b;
    SeparationAxis axis;
    axis.normal = own.placed(own.shape.faces[face].normal);
    if (of_a) axis.normal = -axis.normal;
    axis.kind = of_a ? SeparationAxis::Kind::face_of_a : SeparationAxis::Kind::face_of_b;
    (of_a ? axis.a : axis.b) = face;
    return axis;
}

bool find_axes(PolyhedronPair& pair) {
    using namespace polyhedra;
    thread_local Side side_a, side_b;
    pair.axes.clear();
    pair.best.normal = pair.best_face.normal = Vec<3>::Zero();
    Search search = {pair, side_a, side_b};
    const Remembered remembered = try_remembered(search);
    if (remembered != Remembered::not_enough) return remembered == Remembered::near;
    reset(side_a, pair.a.shape);
    reset(side_b, pair.b.shape);
    if (!bound_faces(search)) return false;
    remember_witnesses(search);
    if (!offer_faces(search, false) || !offer_faces(search, true)) return false;
    remember_axes(search);
    collect_edges(search, true);
    collect_edges(search, false);
    return try_edges(search);
}

}  // namespace talus
