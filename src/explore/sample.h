#pragma once
/// \file
/// Sampling the equilibrium forces as moreau2003, sec. 8.2, does: the step from rest is solved again and again by
/// Gauss-Seidel, each time from impulses drawn at random, or with the contacts swept in another order. Every solution has its chance
/// to be reached; so has the outcome that the bodies do not stay.
///
/// Sample i depends on the seed and on i alone. A permutation of the contacts is drawn once a sample and kept for all its
/// sweeps: of kappa contacts there are (kappa - 1)! cyclic orders.

#include <cstdint>
#include <vector>

#include "explore/force_set.h"

namespace talus::explore {

enum class Start : std::uint8_t {
    random,   ///< normal impulses uniform in [0, range m g h], tangential ones uniform in the cone's section
    zero,
    found     ///< the forces that the state carries
};

struct SampleSettings {
    int count = 0;
    std::uint64_t seed = 1;
    Start start = Start::random;
    bool random_order = false;     ///< else the contacts in their own order
    double range = 20.0;           ///< of random normal impulses, in m g h, m the mean mass of bodies that move [-]
    SolverSettings solver = tight_solver();

    /// Down to where velocities of bodies at rest are below `rest_tolerance`.
    [[nodiscard]] static SolverSettings tight_solver();
};

enum class Outcome : std::uint8_t {
    stays = 0,     ///< every velocity is below the rest tolerance: the forces are of the set
    moves = 1,     ///< a solution of the step in which bodies move
    unsolved = 2   ///< the solver missed its tolerance
};

template <int Dim>
struct Sample {
    Outcome outcome = Outcome::unsolved;
    double velocity = 0.0;         ///< largest of a body after the step, over g h [-]
    std::int64_t sweeps = 0;
    std::int64_t sweeps_again = 0; ///< of a second solve started from the answer: 1 where it is a fixed point
    Eigen::VectorXd start;         ///< forces started from, along frames [N]
    Eigen::VectorXd forces;        ///< found [N]
};

/// Draws sample number `index`.
template <int Dim>
[[nodiscard]] Sample<Dim> draw_sample(const ForceSet<Dim>& set, const World<Dim>& world, const SampleSettings& settings, int index);

}  // namespace talus::explore
