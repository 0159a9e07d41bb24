#pragma once
/// \file
/// Broad phase: which pairs of bodies are near enough to be looked at in every step.
///
/// Each grain (a ball, or a solid with the ball about its centre of mass that holds it) gets a margin s_i
/// for the distance it may travel until the list is made anew: a tenth of its radius, and what it covers
/// at its present speed in the next 16 steps or fewer, down to none, the faster the grains are on the whole: long margins
/// make many pairs to look at. The list holds every pair whose gap is at most s_i + s_j (for the `gap` rule, `look_ahead.h`, + the difference of their
/// ways in a step and their reaches), found by a hierarchy of cell lists. It is valid until some body has moved by more than its margin; this is checked at q_m in
/// every step, so no pair is ever missed, whatever the speeds. Where only few bodies have, and where some are new, the list is
/// patched [patch.h].
///
/// The list also fixes the working order of the grains: their rank along a Morton curve. Contacts are
/// visited in that order, which keeps neighbours near in memory. Everything here depends on the
/// positions, margins and order on record, so that a resumed run finds the same list.

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel/threads.h"
#include "shapes/shape_table.h"
#include "state/bodies.h"

namespace talus {

/// Where all bodies are at t_m. Rotations are kept for bodies that are not balls.
template <int Dim>
struct Placement {
    std::vector<Vec<Dim>> position;     ///< q_m, body order
    std::vector<Rotation<Dim>> rotation;  ///< body order, up to the last that is not a ball; up to date for those that are not balls
};

/// The periodic cell, with the shortest of the equivalent differences.
template <int Dim>
struct Cell {
    std::array<bool, Dim> periodic{};
    Vec<Dim> low = Vec<Dim>::Zero();
    Vec<Dim> length = Vec<Dim>::Zero();   ///< 0 where not periodic
    Vec<Dim> inverse = Vec<Dim>::Zero();  ///< 1/length, 0 where not periodic
    bool any = false;

    [[nodiscard]] Vec<Dim> nearest(Vec<Dim> d) const {
        if (!any) return d;
        for (int k = 0; k < Dim; ++k) d[k] -= length[k] * nearest_whole(d[k] * inverse[k]);
        return d;
    }

private:
    /// As std::nearbyint has it, which is a call where the processor may lack the instruction, for numbers below 2^51: added to 1.5 times 2^52 they lose
    /// their fraction.
    [[nodiscard]] static double nearest_whole(double x) {
        constexpr double large = 0x1.8p52;
        return (x + large) - large;
    }
};

template <int Dim>
[[nodiscard]] Cell<Dim> cell_of(const Settings<Dim>& settings);

/// A pair to look at, by rank of the grain of lower rank, with the contacts it had in the last step.
struct Candidate {
    std::int32_t other = 0;         ///< rank of the other grain, or index of the boundary body
    std::int32_t cached = -1;       ///< first of its contacts in the cache, -1: none
};

/// The pairs that had contacts in the last step, by entry of the cache, where the contacts of a pair follow each other.
struct CachedPairs {
    const std::vector<std::int32_t>&a, &b;   ///< body indices

    /// One after the last entry of the pair whose first is given.
    [[nodiscard]] std::int32_t end_of(std::int32_t first) const {
        if (first < 0) return first;
        const auto f = static_cast<std::size_t>(first);
        std::size_t e = f + 1;
        while (e < a.size() && a[e] == a[f] && b[e] == b[f]) ++e;
        return static_cast<std::int32_t>(e);
    }
    /// Whether the pair whose first entry is given has just so many, some at least.
    [[nodiscard]] bool has(std::int32_t first, std::size_t count) const {
        if (first < 0 || count == 0) return false;
        const auto f = static_cast<std::size_t>(first), end = f + count;
        const auto is_of_pair = [&](std::size_t e) { return (a[e] == a[f]) & (b[e] == b[f]); };
        return end <= a.size() && is_of_pair(end - 1) && (end == a.size() || !is_of_pair(end));
    }
};

template <int Dim>
struct CandidateList {
    std::vector<std::int32_t> order;        ///< rank -> body index, grains only
    std::vector<std::int32_t> rank;         ///< body index -> rank; boundaries follow the grains
    std::vector<std::int32_t> boundaries;   ///< body indices
    std::vector<std::int32_t> grain_begin;   ///< rank -> first of its `grains`; size order.size()+1
    std::vector<Candidate> grains;          ///< others of higher rank, increasing
    std::vector<std::int32_t> wall_begin;   ///< rank -> first of its `walls`
    std::vector<Candidate> walls;           ///< boundaries, increasing

    /// Pairs of body indices (lower first, sorted) that are not looked at: bodies that a joint holds together.
    std::vector<std::pair<std::int32_t, std::int32_t>> apart;

    // what it was built from
    std::vector<Vec<Dim>> built_position;
    std::vector<Rotation<Dim>> built_rotation;  ///< of `boundaries`
    std::vector<double> margin;                 ///< of every body
    // `gap` rule, else empty
    std::vector<Vec<Dim>> way;                  ///< of every body in a step [m]
    std::vector<double> ahead;                  ///< how far every body looks beyond its way [m]
    std::vector<double> reach;                  ///< of `boundaries`: farthest grain, for their rotation
    std::int64_t patched = 0;                   ///< bodies whose rows were found afresh since the list is new
    std::int64_t edition = 0;                   ///< another one whenever `grains` are others; no part of the state
    bool valid = false;
};

template <int Dim>
struct WaysAhead;

/// What the build needs to know of the moment besides positions.
template <int Dim>
struct Pace {
    double h = 0.0;        ///< step [s]
    double gravity = 0.0;  ///< its magnitude [m/s2]
    const WaysAhead<Dim>& ways;   ///< where bodies go in the step, `gap` rule only
};

/// What the list is made of besides positions; threads change nothing but the time it takes.
template <int Dim>
struct CandidateInput {
    const Bodies<Dim>& bodies;
    const ShapeTable<Dim>& shapes;
    const Cell<Dim>& cell;
    const Threads& threads;
};

/// What it takes to make a list besides the list [list_work.h].
template <int Dim>
struct ListMemory;

/// Chooses margins from the present speeds and makes the list.
template <int Dim>
void build_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const ListMemory<Dim>& memory,
                      CandidateList<Dim>& list);

/// The same, but the order stays: what refers to ranks goes on to hold.
template <int Dim>
void renew_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const ListMemory<Dim>& memory,
                      CandidateList<Dim>& list);

/// Makes the list again from `order`, `built_position`, `built_rotation`, `margin`, `way` and `ahead`: the same list to the bit.
template <int Dim>
void rebuild_from_record(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list);

/// Radius of the ball about a grain that may overlap that of another, which goes the same way, only if the two are listed [m].
template <int Dim>
[[nodiscard]] inline double search_radius(const Bodies<Dim>& bodies, const CandidateList<Dim>& list, std::int32_t i) {
    return bodies.radius[i] + list.margin[i] + (list.ahead.empty() ? 0.0 : list.ahead[i]);
}

/// Grain i has used up its margin, or a part of it.
template <int Dim>
[[nodiscard]] inline bool has_left_margin(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list,
                                          std::size_t i, double part = 1.0) {
    // Rounding of positions must not turn "moved by exactly the margin" into a missed pair.
    const double margin = (1.0 - 1e-9) * part * list.margin[i];
    return in.cell.nearest(at.position[i] - list.built_position[i]).squaredNorm() > margin * margin;
}

/// Chooses the margin of a grain from its present speed.
template <int Dim>
void choose_margin(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, std::int32_t i, CandidateList<Dim>& list);

enum class ListState : std::uint8_t {
    valid,     ///< no body has used up its margin, and margins are not far too wide for the present speeds
    in_part,   ///< some grains have, or are not in it yet
    stale      ///< a new one is due
};
template <int Dim>
[[nodiscard]] ListState state_of(const CandidateList<Dim>& list, const CandidateInput<Dim>& in, const Placement<Dim>& at, double h);

}  // namespace talus
