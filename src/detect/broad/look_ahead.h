#pragma once
/// \file
/// How far ahead the `gap` rule must look: which pairs may meet within a step.
///
/// A body goes its way, h times its velocity, unless something changes it; how much it may be changed is its reach: what weight adds,
/// what turning adds, and pushes. Two bodies may meet when their ways, each within its reach, lead them together. Those that go along together
/// do not, however fast they are. Pushes are guessed: bodies that meet may be pushed by what is left of the difference of their ways once the
/// gap between them is closed, their neighbours by half of what is left of that, and so on. Once velocities are known, the guess is
/// checked: a body that went beyond its reach and met one that was not counted makes the step look farther and solve again, so
/// that no pair is overlooked, however pushes travel.

#include <algorithm>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/boundary.h"
#include "math/scratch.h"

namespace talus {

/// Where a body went, once velocities are known.
template <int Dim>
struct Gone {
    Vec<Dim> way = Vec<Dim>::Zero();   ///< of its centre [m]
    double turn = 0.0;                 ///< of the point of it that turned farthest [m]
    bool far = false;                  ///< beyond its reach
};

/// A body with all that tells whether it may meet another.
template <int Dim>
struct Mover {
    Vec<Dim> x;             ///< q_m
    double r = 0.0;         ///< radius of the ball that it is, or that holds it; 0 for boundaries
    Vec<Dim> way;
    double reach = 0.0;     ///< by how much its points may come off the way: turn, fall and pushes [m]
};

/// How much nearer two bodies may come in a step [m].
template <int Dim>
[[nodiscard]] inline double approach(const Mover<Dim>& a, const Mover<Dim>& b) { return (a.way - b.way).norm() + a.reach + b.reach; }

/// Square of the smallest distance of two points that are `d` apart while this changes by `way`.
template <int Dim>
[[nodiscard]] inline double nearest_square(const Vec<Dim>& d, const Vec<Dim>& way) {
    const double along = -d.dot(way);
    if (along <= 0.0) return d.squaredNorm();
    const double square = way.squaredNorm();
    return along >= square ? (d + way).squaredNorm() : (d + along / square * way).squaredNorm();
}

/// True when two balls, `d` from b to a, may meet. Most pairs are so near that it does not matter where they go, or too far for it to matter.
template <int Dim>
[[nodiscard]] inline bool may_meet(const Mover<Dim>& a, const Mover<Dim>& b, const Vec<Dim>& d) {
    const double range = a.r + b.r + a.reach + b.reach, square = d.squaredNorm();
    if (square <= range * range) return true;
    const Vec<Dim> way = a.way - b.way;
    const double farthest = range + way.template lpNorm<1>();
    return square <= farthest * farthest && nearest_square<Dim>(d, way) <= range * range;
}

template <int Dim>
struct WaysAhead {
    double h = 0.0;                    ///< step [s]
    double fall = 0.0;                 ///< what weight adds to a way [m]
    std::vector<double> turn;          ///< by body: how much farther a point of it may come by turning or by a drive that sets in [m]
    std::vector<double> need;          ///< by body: its reach, before the list limits it; to begin with, without pushes; empty but for the `gap` rule [m]
    std::vector<Mover<Dim>> mover;     ///< by rank of the list, boundaries included
    // in scratch that others use as well
    std::span<Gone<Dim>> gone;         ///< by rank, once velocities are known
    std::span<double> push, pushed;    ///< by rank, while pushes are followed: by how much a grain may be pushed [m]
    std::span<double> ignored;         ///< by rank: pushes that are not followed [m]
    std::span<std::uint8_t> slow;      ///< by rank: two such bodies do not push each other far
    std::span<std::uint8_t> raised;    ///< by rank: grains that may push others farther than in the last pass
    struct Wall {
        BoundaryShape<Dim> shape;
        Mat<Dim> to_local;
    };
    std::vector<Wall> walls;           ///< the list's boundaries
    std::vector<std::int32_t> beyond;  ///< ranks of bodies that went beyond what the list looks, once velocities are known

    void clear() { turn.clear(); need.clear(); mover.clear(); }
    /// Where body i goes in the step if nothing stops it, and it has the velocity of before the step [m].
    [[nodiscard]] Vec<Dim> way_of(const Bodies<Dim>& bodies, std::size_t i) const { return h * bodies.velocity[bodies.carrier(i)]; }
    [[nodiscard]] double fall_of(const Bodies<Dim>& bodies, std::size_t i) const { return bodies.is_wall(i) ? 0.0 : fall; }
};

/// What the list leaves for the reach of body i [m].
template <int Dim>
[[nodiscard]] inline double left_by_list(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways, std::size_t i) {
    return list.ahead[i] - (ways.way_of(in.bodies, i) - list.way[i]).norm();
}

/// Fills `mover` but for the reach.
template <int Dim>
void place_movers(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

/// Guesses pushes along the pairs of the list, adds them to `need` and fills `mover`, whose reach is at most what the list looks.
/// \returns what `set_reach` does.
template <int Dim>
bool follow_pushes(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, Scratch& scratch, WaysAhead<Dim>& ways);

/// Raises `need` to what the bodies of `gone` that went too far need. \returns whether the list looks so far; `beyond` gets those for which it does not.
template <int Dim>
[[nodiscard]] bool need_of_gone(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

/// True when a pair of the list has a contact that was not counted, and may have met by more than `tolerance` [m].
template <int Dim>
[[nodiscard]] bool overlooks_any(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways,
                                 double tolerance);

/// The bodies of `beyond` are so few that to look at all others costs less than to make a list.
template <int Dim>
[[nodiscard]] inline bool few_are_beyond(const WaysAhead<Dim>& ways) { return ways.beyond.size() <= 64; }

/// True when a body of `beyond` met some other, whether the list has the pair or not, that was not counted.
template <int Dim>
[[nodiscard]] bool overlooks_beyond(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways,
                                    double tolerance);

/// Gives all movers the reach that they need, as far as the list looks. \returns whether it looks as far as needed, and not much farther
/// on the whole.
template <int Dim>
bool set_reach(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways);

}  // namespace talus
