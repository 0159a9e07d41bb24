#pragma once
/// \file
/// Joints as equations: their rows at a position of the bodies, and their place in the contact problem.
///
/// A row says that one component of the relative velocity vanishes: V = line (v_a - v_b) + turn_a w_a - turn_b w_b.
/// Points: a pin or ball joint holds the point of a at the point of b, each with its own arm, so that the
/// rows are the gradient of the distance. A slider holds the point of a on an axis that moves with b: seen from b
/// the arm leads to the point of a. Directions: a hinge holds its axis, a slider or fixed joint all.
///
/// Rows that turn are scaled by a length, so that all are velocities: the one that makes their diagonal of the
/// Delassus operator equal to that of the other rows.

#include <cstdint>
#include <vector>

#include "contact/problem.h"
#include "detect/broad/candidates.h"
#include "state/drives.h"
#include "state/joints.h"

namespace talus {

/// Rows of a joint, unscaled: [m/s] for the first `points`, [rad/s] for the others.
template <int Dim>
struct JointRows {
    static constexpr int size = LinkContact<Dim>::size;
    int rows = 0, points = 0;
    Eigen::Matrix<double, size, Dim> line = decltype(line)::Zero();
    Eigen::Matrix<double, size, spin_size<Dim>> turn_a = decltype(turn_a)::Zero(), turn_b = decltype(turn_b)::Zero();
    Eigen::Matrix<double, size, spin_size<Dim>> axes = decltype(axes)::Zero();  ///< of the rows that turn
    Eigen::Matrix<double, size, 1> error = decltype(error)::Zero();             ///< of position [m], [rad]
};

/// Where the two bodies of a joint are. The ground has index -1.
template <int Dim>
struct JointPlace {
    std::int32_t a = -1, b = -1;
    Rotation<Dim> rotation_a, rotation_b;
    Vec<Dim> from_b = Vec<Dim>::Zero();   ///< from the centre of b (the origin) to the centre of a
};

template <int Dim>
[[nodiscard]] JointRows<Dim> rows_of(const JointState<Dim>& joint, const JointPlace<Dim>& place);

/// A joint in the problem of a step.
template <int Dim>
struct JointRecord {
    using Rows = typename LinkContact<Dim>::Rows;
    std::int32_t link = -1;            ///< in `problem.links`
    std::int32_t a = -1, b = -1;       ///< body indices; -1: the ground
    JointRows<Dim> rows;
    double length = 1.0;               ///< scale of the rows that turn [m]
    Rows before = Rows::Zero();        ///< U- = G u_I + W, by row of the link [m/s]
    Rows wall = Rows::Zero();          ///< W
};

template <int Dim>
struct JointInput {
    const Bodies<Dim>& bodies;
    const Cell<Dim>& cell;
    const Placement<Dim>& at;             ///< q_m
    const CandidateList<Dim>& list;
    const DrivenMotion<Dim>& motion;
    double h = 0.0;
    bool warm_start = true;
};

/// Appends one link a joint to the problem that `gather` made.
template <int Dim>
void gather_joints(const JointInput<Dim>& in, const std::vector<JointState<Dim>>& joints, ContactProblem<Dim>& problem,
                   std::vector<JointRecord<Dim>>& records);

/// Impulse that b gave a, and its moment about the point of a.
template <int Dim>
struct JointImpulse {
    Vec<Dim> impulse = Vec<Dim>::Zero();
    Spin<Dim> moment = Spin<Dim>::Zero();
};
template <int Dim>
[[nodiscard]] JointImpulse<Dim> impulse_of(const JointRows<Dim>& rows, double length,
                                           const typename LinkContact<Dim>::Rows& S);

/// U+ of a joint for the present lines, by row.
template <int Dim>
[[nodiscard]] typename LinkContact<Dim>::Rows velocity_of(const ContactProblem<Dim>& problem, const JointRecord<Dim>& r);

}  // namespace talus
