#pragma once
/// \file
/// From geometry to the contact problem: body lines, free velocities, Delassus operators, velocities
/// before the step, and the impulses to start from.

#include <cstdint>
#include <vector>

#include "contact/cache.h"
#include "contact/problem.h"
#include "detect/narrow/touch.h"
#include "state/drives.h"

namespace talus {

/// Where contact k of the touch list lives in the problem, and its kinematics.
template <int Dim>
struct ContactLinks {
    std::vector<std::int32_t> record;       ///< >= 0: index in `balls`; else ~index in `generals`
    std::vector<Vec<Dim>> before;           ///< U- = G u_I + W, world axes [m/s]
    std::vector<Vec<Dim>> wall;             ///< W, world axes [m/s]; empty when nothing driven moves
    /// By body: change of spin by the gyroscopic term [rad/s]; empty when there are only balls and walls.
    std::vector<Spin<Dim>> gyroscopic;

    [[nodiscard]] Vec<Dim> W(std::size_t k) const { return wall.empty() ? Vec<Dim>(Vec<Dim>::Zero()) : wall[k]; }
};

template <int Dim>
struct GatherInput {
    const Bodies<Dim>& bodies;
    const Cell<Dim>& cell;
    const Placement<Dim>& at;
    const CandidateList<Dim>& list;
    const DrivenMotion<Dim>& motion;
    const TouchList<Dim>& touch;
    const ContactCache<Dim>& cache;
    Vec<Dim> gravity;
    double h = 0.0;
    const std::vector<Wrench<Dim>>& loads;            ///< of the bodies below
    const std::vector<std::int32_t>& loaded_bodies;
    bool warm_start = true;
};

template <int Dim>
void gather(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links);

/// Impulse of contact k in world axes.
template <int Dim>
[[nodiscard]] Vec<Dim> impulse_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k);

/// Relative velocity U = G u + W of contact k for the velocities of `lines`, world axes.
template <int Dim>
[[nodiscard]] Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const std::vector<BodyLine<Dim>>& lines,
                                   const ContactLinks<Dim>& links, std::size_t k);
/// The same for the present lines of the problem.
template <int Dim>
[[nodiscard]] inline Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links,
                                          std::size_t k) {
    return velocity_of(problem, problem.lines, links, k);
}

/// Length by which the spin of a line is scaled: its radius for a ball, 1 m else.
template <int Dim>
[[nodiscard]] inline double spin_scale(const Bodies<Dim>& bodies, std::size_t i) {
    return bodies.is_ball(i) ? bodies.radius[i] : 1.0;
}

}  // namespace talus
