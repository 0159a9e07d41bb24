#pragma once
/// \file
/// How balls touch boundaries, by the boundary's name. A member of this open set is one file
/// `src/detect/narrow/ball_<shape>.cpp` that defines `void register_ball_<shape>(PairRegistry&)`.
///
/// A pair function works in the axes of the boundary: given the centre and radius of a ball it lists
/// the contacts whose gap is at most `limit`, each with the unit normal towards the ball, the gap
/// (distance of the surfaces, negative in overlap) and a feature number that stays the same while the
/// same part of the boundary is touched. Balls against balls have their own loop in `touch.cpp`.

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "talus/math.h"

namespace talus {

template <int Dim>
struct LocalTouch {
    Vec<Dim> normal;
    double gap;
    std::uint32_t feature;
};

inline constexpr int max_local_touches = 6;  ///< a ball in the corner of a box meets at most its faces
template <int Dim>
using LocalTouches = std::array<LocalTouch<Dim>, max_local_touches>;

/// Returns how many contacts it wrote.
template <int Dim>
using BallTouch = int (*)(const double* sizes, const Vec<Dim>& centre, double radius, double limit,
                          LocalTouches<Dim>& out);

class PairRegistry {
public:
    void add(const std::string& shape, BallTouch<2> in_plane, BallTouch<3> in_space) {
        functions_[shape] = {in_plane, in_space};
    }
    /// Null for shapes without a function of their own: their pieces decide.
    template <int Dim>
    [[nodiscard]] BallTouch<Dim> find(const std::string& shape) const;

private:
    struct Functions {
        BallTouch<2> in_plane;
        BallTouch<3> in_space;
    };
    std::map<std::string, Functions> functions_;
};

void register_members(PairRegistry& registry);
[[nodiscard]] const PairRegistry& pair_registry();

}  // namespace talus
