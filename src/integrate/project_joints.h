#pragma once
/// \file
/// Brings bodies back to their joints at the end of a step.
///
/// Equations on velocities drift. Positions: Newton's method on the defects c of all joints together,
///     q <- q - A^-1 G^T (G A^-1 G^T)^-1 c,
/// the least motion in the metric of the masses. Velocities do not change (spins stay what they are in the
/// axes of bodies that turn freely), so no kinetic energy is made; the potential energy is booked.
/// Then velocities: u <- u - A^-1 G^T (G A^-1 G^T)^-1 (G u + W), a shock that only takes energy away: none
/// but rounding and terms of third order in smooth motion, all of the misfit where velocities did not fit the joint.
///
/// G A^-1 G^T is sparse and factorised whole, so long chains cost little. Joints may be redundant: it is
/// regularised by 1e-12 of its diagonal, which repeated solution takes out again.

#include "contact/joints.h"
#include "talus/report.h"

namespace talus {

template <int Dim>
struct ProjectInput {
    const Cell<Dim>& cell;
    Vec<Dim> gravity;
};

/// Positions first. Adds to `correction` of the ledger. \returns the largest defect left [m], [rad].
template <int Dim>
double project_positions(const ProjectInput<Dim>& in, const std::vector<JointState<Dim>>& joints, Bodies<Dim>& bodies,
                         EnergyLedger& ledger);

/// Then velocities. Adds to `impact` and `drive_work` of the ledger, and the shock to the impulses of the joints.
template <int Dim>
void project_velocities(const ProjectInput<Dim>& in, std::vector<JointState<Dim>>& joints, Bodies<Dim>& bodies,
                        EnergyLedger& ledger);

/// Defect of a joint as the bodies stand [m], [rad].
template <int Dim>
[[nodiscard]] JointRows<Dim> rows_as_it_stands(const Cell<Dim>& cell, const JointState<Dim>& joint, const Bodies<Dim>& bodies);

}  // namespace talus
