#pragma once
/// \file
/// Contact forces of a frame: of the last step (impulse / h) or averaged over the recording interval
/// (summed impulse / length of the interval), in one form for all observables.

#include <set>
#include <vector>

#include "observe/parameters.h"
#include "step/snapshot.h"

namespace talus::observe {

/// One contact that carries force. `a` and `b` are indices into the frame's arrays.
template <int Dim>
struct ContactForce {
    std::ptrdiff_t a = -1, b = -1;
    Vec<Dim> point, normal;   ///< normal towards a
    Vec<Dim> force;           ///< what b gives a [N]
};

/// Forces of the frame, contacts without force left out.
/// \throws InputError when `average` is asked for and the frame holds no sums.
template <int Dim>
[[nodiscard]] std::vector<ContactForce<Dim>> contact_forces(const Snapshot<Dim>& snapshot, bool average);

/// A free grain: a ball or another solid with a freedom left.
template <int Dim>
[[nodiscard]] bool is_grain(const Snapshot<Dim>& snapshot, std::size_t i) {
    return snapshot.radius[i] > 0.0 && !snapshot.wall[i];
}

/// Which bodies make the ground: walls (bodies without freedom) of the given tags, or every wall; with
/// tags stated, bodies that still have freedoms (a loaded plate) count too.
struct WallChoice {
    std::set<std::int32_t> tags;

    template <int Dim>
    [[nodiscard]] bool includes(const Snapshot<Dim>& snapshot, std::size_t i) const {
        return tags.empty() ? snapshot.wall[i] != 0 : tags.contains(snapshot.tag[i]);
    }
};

/// Forces between free grains and the chosen walls, turned so that `a` is the grain.
template <int Dim>
[[nodiscard]] std::vector<ContactForce<Dim>> wall_forces(const Snapshot<Dim>& snapshot, const WallChoice& walls,
                                                         bool average);

/// Number of contacts, loaded or not, of each body.
template <int Dim>
[[nodiscard]] std::vector<int> touch_counts(const Snapshot<Dim>& snapshot);

/// Weight of the free grains [N], and their number, mean diameter and so on.
template <int Dim>
struct GrainTotals {
    std::size_t count = 0;
    double mass = 0.0;           ///< [kg]
    double volume = 0.0;         ///< [m3], [m2] in the plane
    double mean_diameter = 0.0;  ///< [m]; NaN without grains
};
template <int Dim>
[[nodiscard]] GrainTotals<Dim> grain_totals(const Snapshot<Dim>& snapshot);

}  // namespace talus::observe
