#pragma once
/// \file
/// The global form of a contact problem, with the velocities of the bodies, and how to eliminate them.
///
///     M v = H r + f,   u = H^T v + w      gives      u = W r + q,   W = H^T M^-1 H,   q = H^T M^-1 f + w.
///
/// M is split into the groups of freedoms that it couples (one a rigid body, one a meshed body). A small
/// group is solved dense, a large one by a sparse factorisation, each for those columns of H only that act on
/// it, so that many rigid bodies cost no more than their contacts. Rows and columns are scaled by the
/// diagonal first: whether M is singular does not depend on units. W is as dense as contacts share groups.

#include <Eigen/Sparse>

#include "solve/matrix_problem.h"

namespace talus {

template <int Dim>
struct GlobalProblem {
    Eigen::SparseMatrix<double> M;   ///< freedoms x freedoms [kg]
    Eigen::SparseMatrix<double> H;   ///< freedoms x (Dim contacts): contact k has columns (n, t...) from Dim k
    Eigen::VectorXd f;               ///< momentum without impulses, M v_free [N s]
    Eigen::VectorXd w;               ///< constant of the contacts' velocities [m/s]
    std::vector<double> mu;
};

/// A global problem without its bodies, and the way back.
template <int Dim>
struct CondensedProblem {
    MatrixProblem<Dim> problem;            ///< starts from zero impulses
    Eigen::SparseMatrix<double> push;      ///< M^-1 H
    Eigen::VectorXd free_velocity;         ///< M^-1 f
    int groups = 0;                        ///< of freedoms that M couples

    /// v = M^-1 (H r + f) for the impulses of `problem`.
    [[nodiscard]] Eigen::VectorXd velocities() const;
};

/// \throws InputError when M is singular, or singular to working precision.
template <int Dim>
[[nodiscard]] CondensedProblem<Dim> condense(const GlobalProblem<Dim>& global);

/// A sparse matrix by blocks; the diagonal is completed with zeros. Rows and columns are multiples of Dim.
template <int Dim>
[[nodiscard]] BlockMatrix<Dim> to_blocks(const Eigen::SparseMatrix<double, Eigen::RowMajor>& W);
template <int Dim>
[[nodiscard]] Eigen::SparseMatrix<double> to_sparse(const BlockMatrix<Dim>& W);

/// Vectors contact by contact, and one below the other.
template <int Dim>
[[nodiscard]] std::vector<Vec<Dim>> to_contacts(const Eigen::VectorXd& stacked);
template <int Dim>
[[nodiscard]] Eigen::VectorXd to_stacked(const std::vector<Vec<Dim>>& by_contact);

}  // namespace talus
