#pragma once
/// \file
/// Contacts between two convex pieces: a manifold of points that share, as a rule, one normal.
///
/// Everything here is in the axes of piece b's body; piece a is placed there by a pose. The normal points
/// towards a. A point lies halfway between the two surfaces, its gap is their distance along the normal
/// (negative in overlap), and its feature number stays the same while the same parts of the two surfaces
/// meet.

#include <array>
#include <cstdint>
#include <limits>

#include "detect/narrow/pair_memory.h"
#include "shapes/solid.h"

namespace talus {

template <int Dim>
struct ManifoldPoint {
    Vec<Dim> point = Vec<Dim>::Zero();
    Vec<Dim> normal = Vec<Dim>::Zero();
    double gap = 0.0;
    std::uint32_t feature = 0;
};

inline constexpr int max_manifold_points = 16;  ///< pairs write at most 8; walls with corners a few times more

template <int Dim>
struct Manifold {
    std::array<ManifoldPoint<Dim>, max_manifold_points> points;
    int count = 0;
    double apart = not_known;   ///< least gap of two polytopes that an axis shows to be farther apart than asked [m]

    static constexpr double not_known = -std::numeric_limits<double>::infinity();
    void add(const ManifoldPoint<Dim>& p) {
        if (count < max_manifold_points) points[count++] = p;
    }
    /// Adds a point whose gap is no larger, without a jump that depends on it.
    void add_within(const ManifoldPoint<Dim>& p, double limit) {
        if (count == max_manifold_points) return;
        points[count] = p;
        count += p.gap <= limit;
    }
};

/// Pose of a in the axes of b.
template <int Dim>
struct Pose {
    Mat<Dim> rotation = Mat<Dim>::Identity();
    Vec<Dim> translation = Vec<Dim>::Zero();
    [[nodiscard]] Vec<Dim> point(const Vec<Dim>& x) const { return rotation * x + translation; }
    [[nodiscard]] Vec<Dim> direction(const Vec<Dim>& d) const { return rotation * d; }
};

/// What is asked of a pair.
template <int Dim>
struct TouchQuery {
    double limit = 0.0;                      ///< points with a larger gap are left out [m]
    Vec<Dim> last_normal = Vec<Dim>::Zero(); ///< of this pair in the last step; zero: none
    PairMemory<Dim>* memory = nullptr;       ///< of these two pieces; none, or one that is kept from step to step
    const Mat<Dim>* axes = nullptr;          ///< of b, where the last normal is told in those of the world; none: in those of b

    /// The last normal in the axes of b: few pairs ask for it.
    [[nodiscard]] Vec<Dim> last() const {
        if (axes == nullptr) return last_normal;
        const Mat<Dim> to_b = axes->transpose();
        return to_b * last_normal;
    }
};

/// A feature number from what meets; small numbers in, well mixed bits out.
[[nodiscard]] inline std::uint32_t feature_key(std::uint32_t kind, std::uint32_t a, std::uint32_t b,
                                               std::uint32_t c = 0) {
    std::uint32_t key = kind;
    for (const std::uint32_t part : {a, b, c}) {
        key = (key ^ (part + 0x9E3779B9u + (key << 6) + (key >> 2))) * 0x85EBCA6Bu;
        key ^= key >> 15;
    }
    return key;
}

// One file a pair; each appends to `out` the points with gap <= query.limit.
void touch_polytopes(const Polytope<2>& a, const Pose<2>& pose, const Polytope<2>& b, const TouchQuery<2>& query,
                     Manifold<2>& out);
void touch_polytopes(const Polytope<3>& a, const Pose<3>& pose, const Polytope<3>& b, const TouchQuery<3>& query,
                     Manifold<3>& out);
void touch_polytope_frustum(const Polytope<3>& a, const Pose<3>& pose, const Frustum& b, const TouchQuery<3>& query,
                            Manifold<3>& out);
void touch_frusta(const Frustum& a, const Pose<3>& pose, const Frustum& b, const TouchQuery<3>& query,
                  Manifold<3>& out);

}  // namespace talus
