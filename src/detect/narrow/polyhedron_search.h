#pragma once
/// \file
/// The search for the axes of separation of two polyhedra: what its two halves, faces (polyhedron_axes.cpp) and pairs of edges
/// (polyhedron_edges.cpp), have in common.

#include <algorithm>
#include <array>

#include "detect/narrow/polyhedron_pair.h"

namespace talus::polyhedra {

inline constexpr int most_witnesses = 8;

/// An edge with what is needed to cross its arc with others.
struct EdgeView {
    Vec<3> along, seen;            ///< from end to end, in the axes of b and in those of the other
    const Vec<3>* origin;
    const Vec<3>*left, *right;     ///< normals of the faces beside it, in its own axes
    int edge;
    bool free;                     ///< no faces beside it: its arc is a full circle
    EdgeView() {}                  // all is written right after
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
    std::array<Measured, most_witnesses> measured;            ///< faces
    std::array<int, most_witnesses> corners;                  ///< of the other that are the witnesses, -1: its middle
    int witnesses = 0, measures = 0;
    std::size_t highest = 0;                                  ///< the face of the largest bound
    double most = -std::numeric_limits<double>::infinity();   ///< that bound
};

// Without the references of std::min and std::max, which the compiler turns into jumps that are hard to foresee.
[[nodiscard]] inline double smaller_of(double x, double y) { return x < y ? x : y; }
[[nodiscard]] inline double larger_of(double x, double y) { return x > y ? x : y; }

struct Search {
    PolyhedronPair& pair;
    Side &a, &b;
    double best_score = -std::numeric_limits<double>::infinity();
    double low = -std::numeric_limits<double>::infinity();   ///< the most that an axis which is of no interest separates by [m]

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
        if (axis.separation < threshold()) {
            low = larger_of(axis.separation, low);
            return true;
        }
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

struct Corner {
    double height = std::numeric_limits<double>::infinity();
    int vertex = 0;
};

/// Separation along a face and the corner of the other that is nearest to it.
[[nodiscard]] Corner measure(const PolyhedronPair& pair, bool of_a, std::size_t face);

/// Offers a face that separates by so much. \returns false when this is more than the reach.
[[nodiscard]] bool offer_face(Search& search, bool of_a, std::size_t face, double separation);

/// Edges above neither of whose faces all witnesses are this high are of no interest [m].
[[nodiscard]] inline double least_above(const Search& search) {
    return std::min(search.threshold(), 0.0) - search.pair.scale.same;   // heights are rounded
}

/// Makes an edge one of those that are tried.
void view_edge(const Search& search, bool of_a, std::size_t edge);

/// Views the edges that may be part of an axis of interest: those that no witness rules out.
void collect_edges(const Search& search, bool of_a);

/// Tries pairs of the edges viewed. \returns false when one separates by more than the reach.
[[nodiscard]] bool try_edges(Search& search);

/// What the axes remembered tell.
enum class Remembered { apart, near, not_enough };

/// Tries the axes that the pair remembers. Where they are not enough, it is as if they had not been tried.
[[nodiscard]] Remembered try_remembered(Search& search);

/// Takes note of what may be an axis, once faces have been tried.
void remember_axes(const Search& search);

}  // namespace talus::polyhedra
