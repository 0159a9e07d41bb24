#pragma once
/// \file
/// What counts as equal where two polytopes meet, in parts of the size of the smaller one, and which of
/// several nearly equal axes of separation is taken. The same for the plane and for space.

#include <algorithm>
#include <cmath>

#include "detect/narrow/manifold.h"

namespace talus {

inline constexpr double contact_tolerance = 1e-9;   ///< inside a side, the same point, equally good faces
inline constexpr double rounding_tolerance = 1e-13; ///< equal but for rounding
inline constexpr double near_overlap = 1e-3;        ///< axes this part of the overlap from the best one compete
inline constexpr double near_size = 1e-6;           ///< and this part of the size

/// Kinds of features that meet, for feature_key: the part of a, the part of b.
enum class Meeting : std::uint32_t { vertex_face = 1, face_vertex, edge_edge, vertex_vertex, vertex_edge, edge_vertex };

[[nodiscard]] inline std::uint32_t key_of(Meeting kind, std::uint32_t a, std::uint32_t b) {
    return feature_key(static_cast<std::uint32_t>(kind), a, b);
}

/// Largest distance of a vertex from the first one, plus the rounding on both sides.
template <int Dim>
[[nodiscard]] inline double size_of(const Polytope<Dim>& p) { return p.core.span + 2.0 * p.radius; }

/// What is common to all steps of one pair.
struct PairScale {
    double size_a = 0.0, size_b = 0.0;
    double size = 0.0;    ///< of the smaller one [m]
    double reach = 0.0;   ///< cores farther apart than this do not touch [m]
    double same = 0.0;    ///< distance below which points are the same [m]
    double radii = 0.0;   ///< sum of both radii [m]

    template <int Dim>
    PairScale(const Polytope<Dim>& a, const Polytope<Dim>& b, double limit)
        : size_a(size_of(a)), size_b(size_of(b)), size(smaller(size_a, size_b)), reach(limit + a.radius + b.radius),
          same(contact_tolerance * size), radii(a.radius + b.radius) {}

    /// A bare point has no size of its own.
    [[nodiscard]] static double smaller(double a, double b) { return std::min(a, b) > 0.0 ? std::min(a, b) : std::max(a, b); }

    /// What is added to the separation along a face so that noise does not choose between two equally good
    /// ones: the larger body's face is preferred, whichever of the two is called a.
    [[nodiscard]] double bonus(bool of_a) const {
        if (size_a > size_b * (1.0 + contact_tolerance)) return of_a ? same : 0.0;
        if (size_b > size_a * (1.0 + contact_tolerance)) return of_a ? 0.0 : same;
        return of_a ? 0.0 : rounding_tolerance * size;
    }
    /// How much less than the best an axis may separate and still be chosen because it was there before.
    [[nodiscard]] double window(double best) const { return near_overlap * std::max(0.0, -best) + near_size * size; }
};

}  // namespace talus
