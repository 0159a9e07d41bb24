#pragma once
/// \file
/// The set of equilibrium forces of bodies at rest [moreau2003, sec. 8].
///
/// With dry friction, the forces of a packing at rest are seldom determined: what is known is that every free body is
/// in equilibrium under its loads, and that every contact force lies in its Coulomb cone,
///     A f + p = 0,   |f_T| <= mu f_N  for every contact.
/// Both are convex conditions (the second is a second-order cone), so the set of all such f is convex: the possible
/// values of a force component, of the load on a wall, of the thrust across a cut fill an interval, whose ends are the
/// optima of second-order cone programs (explore/bounds.h).
///
/// The geometry is that of one step from rest, at q_m = q, contacts by the touch rule as in `World::check_equilibrium`;
/// A and p are taken from that step's own contact problem, so that f is in the set exactly when the impulses h f
/// leave every body at rest in the step.
///
/// Limits: geometry is frozen, so nothing is said about stability under small moves; every friction state inside the
/// cones is admitted, also where Coulomb's law with its history would have chosen another. Joints and contacts
/// that pass torques are refused.

#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

#include "solve/cone_program.h"
#include "step/step_problem.h"
#include "talus/world.h"

namespace talus::explore {

/// A body is at rest when its velocity after a step from rest is at most this much of g h [experiments A2, row n].
inline constexpr double rest_tolerance = 1e-8;

/// A contact that may carry a force; its column block in `ForceSet::balance` has Dim columns, along the frame.
template <int Dim>
struct ForceContact {
    Contact<Dim> contact;        ///< as the step saw it
    std::size_t a = 0, b = 0;    ///< body indices in the world
    Mat<Dim> frame;              ///< rows n, t...
};

/// A row of the balance: one free freedom of one body.
struct FreeRow {
    std::size_t body = 0;        ///< index in the world
    int freedom = 0;             ///< x y [z], then rotations
    double arm = 1.0;            ///< rows of torques are divided by it [m]; 1 for forces
};

/// A motion of all bodies, by index in the world.
template <int Dim>
struct Motion {
    std::vector<Vec<Dim>> velocity;
    std::vector<Spin<Dim>> spin;
};

template <int Dim>
struct ForceSet {
    std::vector<ForceContact<Dim>> contacts;
    std::vector<FreeRow> rows;
    Eigen::SparseMatrix<double> balance;   ///< A: forces along frames [N] to forces, and torques over arms, on bodies [N]
    Eigen::VectorXd load;                  ///< p: weight and stated loads, by row [N]
    double unit = 1.0;                     ///< a force of the size of the loads [N]
    double h = 0.0;                        ///< [s]
    double v_ref = 0.0;                    ///< g h, or what the loads do to the mean body in a step [m/s]
    double mean_mass = 0.0;                ///< of bodies that can move [kg]
    ContactProblem<Dim> problem;           ///< of the step from rest: generals only, in the order of `contacts`, no impulses
    std::vector<std::int32_t> line;        ///< by body index: its line in `problem`
    std::vector<std::int32_t> carrier;     ///< by body index: the body it is glued to, or itself
    Eigen::VectorXd found;                 ///< forces that the step finds from the history the state carries [N]
    Equilibrium check;                     ///< what that step was like

    [[nodiscard]] Eigen::Index columns() const { return static_cast<Eigen::Index>(contacts.size()) * Dim; }
    /// Force that b gives a in contact k, world axes [N].
    [[nodiscard]] Vec<Dim> force(const Eigen::VectorXd& f, std::size_t k) const {
        return contacts[k].frame.transpose() * f.segment<Dim>(static_cast<Eigen::Index>(k) * Dim);
    }
};

/// Takes the set from the present positions of a world, which is left as it was. `solver` is for the step from rest.
/// Under the rule `gap`, contacts that gravity does not close within a step (gap > g h^2) carry no force.
/// \throws InputError when the world has joints or contacts that pass torques.
template <int Dim>
[[nodiscard]] ForceSet<Dim> force_set(World<Dim>& world, const SolverSettings& solver);

/// The conditions of the set as a cone program in x = f / unit, with `extra` more free variables behind it; cost zero.
template <int Dim>
[[nodiscard]] ConeProgram conditions(const ForceSet<Dim>& set, int extra = 0);

/// The multipliers of the balance as velocities of bodies: the motion that a certificate or an optimum names.
template <int Dim>
[[nodiscard]] Motion<Dim> motion_of(const ForceSet<Dim>& set, const Eigen::VectorXd& y, std::size_t bodies);

}  // namespace talus::explore
