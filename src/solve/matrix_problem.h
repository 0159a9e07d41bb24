#pragma once
/// \file
/// A contact problem in matrix form: u = W r + q with every contact's (u, r) obeying Coulomb's law.
///
/// This is the step's problem with the bodies eliminated, the local form of FCLIB files, and what the
/// solvers that factorise or multiply by W work on. Contact k has rows (n, t...) of u, r and q; W is
/// stored by blocks of Dim x Dim, rows in order, columns increasing, the diagonal block always there.
/// W comes from M^-1 and is symmetric but for rounding, or more, in files of other programs. It is taken as
/// it is; only the stand-in H for a contact's own block in local solutions is its symmetric part, which
/// leaves the solutions what they are.

#include <cstdint>
#include <vector>

#include "contact/problem.h"
#include "talus/report.h"
#include "talus/world.h"

namespace talus {

template <int Dim>
struct BlockMatrix {
    std::vector<std::int32_t> begin{0};   ///< by block row, and one more
    std::vector<std::int32_t> column;
    std::vector<Mat<Dim>> block;
    std::vector<std::int32_t> diagonal;   ///< index of the diagonal block of a row

    [[nodiscard]] std::size_t rows() const { return begin.size() - 1; }
    /// y_k = sum of blocks of row k times x.
    [[nodiscard]] Vec<Dim> row_times(std::size_t k, const std::vector<Vec<Dim>>& x) const {
        Vec<Dim> y = Vec<Dim>::Zero();
        for (std::int32_t e = begin[k]; e < begin[k + 1]; ++e) y.noalias() += block[e] * x[column[e]];
        return y;
    }
};

template <int Dim>
struct MatrixProblem {
    BlockMatrix<Dim> W;               ///< [1/kg]
    std::vector<Vec<Dim>> q;          ///< velocities without impulses [m/s]
    std::vector<double> mu;
    std::vector<Vec<Dim>> r;          ///< impulses: the start on entry, the answer on return [N s]
    std::vector<Vec<Dim>> u;          ///< W r + q, set by solvers and the judge [m/s]
    double v_ref = 0.0;               ///< as in ContactProblem: 0 means the mean of |H S|
    std::vector<double> impact;       ///< by contact, added to its own v_ref; empty: none
    std::int64_t step = 0;            ///< for orders drawn at random

    [[nodiscard]] std::size_t contacts() const { return q.size(); }
    [[nodiscard]] Vec<Dim> velocity(std::size_t k) const { return q[k] + W.row_times(k, r); }
    [[nodiscard]] Mat<Dim> H(std::size_t k) const {
        const Mat<Dim>& own = W.block[W.diagonal[k]];
        return 0.5 * (own + own.transpose());
    }
    [[nodiscard]] double impact_of(std::size_t k) const { return impact.empty() ? 0.0 : impact[k]; }
    [[nodiscard]] std::size_t bytes() const {
        const auto of = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
        return of(W.begin) + of(W.column) + of(W.block) + of(W.diagonal) + of(q) + of(mu) + of(r) + of(u) + of(impact);
    }
};

/// A block matrix from blocks in any order; blocks at the same place are added, and the diagonal is completed with zeros.
template <int Dim>
struct BlockEntry {
    std::int32_t row, column;
    Mat<Dim> block;
};
template <int Dim>
[[nodiscard]] BlockMatrix<Dim> make_block_matrix(std::size_t rows, std::vector<BlockEntry<Dim>> entries);

/// u = W r + q afresh.
template <int Dim>
void refresh_velocities(MatrixProblem<Dim>& problem);

/// The matrix form of a step's problem: contacts in the order balls, generals. Impulses are carried over.
/// \throws InputError when the problem has links (joints, rolling resistance), which have no matrix form.
template <int Dim>
void assemble(const ContactProblem<Dim>& problem, MatrixProblem<Dim>& matrix);

/// Gives the impulses of the matrix form back to the step's problem, and refreshes its velocities.
template <int Dim>
void give_back(const MatrixProblem<Dim>& matrix, ContactProblem<Dim>& problem);

}  // namespace talus
