#include "solve/condense.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <numeric>

#include "talus/error.h"

namespace talus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using RowSparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr int largest_dense = 32;            // freedoms; beyond, fill-in decides
constexpr double singular = 1e-14;           // reciprocal condition of the scaled group: no digit is left
constexpr double bad_residual = 1e-6;        // of a factorisation that went through and still solves nothing

[[noreturn]] void refuse(const std::vector<int>& freedoms) {
    throw InputError("M is singular in the freedoms from " + std::to_string(freedoms.front()) + " to " +
                     std::to_string(freedoms.back()) + ": every freedom needs a mass; remove those that cannot move");
}

/// The groups of freedoms that M couples, each sorted, ordered by their first freedom.
std::vector<std::vector<int>> coupled_groups(const Sparse& M) {
    std::vector<int> root(M.rows());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (int j = 0; j < M.outerSize(); ++j)
        for (Sparse::InnerIterator e(M, j); e; ++e) {
            if (e.value() == 0.0) continue;
            const int a = find(static_cast<int>(e.row())), b = find(j);
            root[std::max(a, b)] = std::min(a, b);
        }
    std::vector<std::vector<int>> groups;
    std::vector<int> group_of(M.rows(), -1);
    for (int i = 0; i < M.rows(); ++i) {
        const int r = find(i);
        if (r == i) {
            group_of[i] = static_cast<int>(groups.size());
            groups.emplace_back();
        }
        groups[group_of[r]].push_back(i);
    }
    return groups;
}

/// M_g of one group, scaled to a unit diagonal: M_g = D^-1 A D^-1, so M_g^-1 b = D A^-1 D b.
struct ScaledGroup {
    Sparse A;
    Eigen::VectorXd D;
    bool symmetric = true;
};

ScaledGroup scale_group(const Sparse& M, const std::vector<int>& freedoms, std::vector<int>& place) {
    const int size = static_cast<int>(freedoms.size());
    ScaledGroup group;
    group.D = Eigen::VectorXd::Ones(size);
    for (int k = 0; k < size; ++k) {
        place[freedoms[k]] = k;
        const double diagonal = std::abs(M.coeff(freedoms[k], freedoms[k]));
        if (diagonal > 0.0) group.D[k] = 1.0 / std::sqrt(diagonal);
    }
    Triplets entries;
    for (int k = 0; k < size; ++k)
        for (Sparse::InnerIterator e(M, freedoms[k]); e; ++e) {
            if (e.value() == 0.0) continue;
            const int row = place[e.row()];
            entries.emplace_back(row, k, group.D[row] * e.value() * group.D[k]);
        }
    group.A.resize(size, size);
    group.A.setFromTriplets(entries.begin(), entries.end());
    const Sparse transposed = group.A.transpose();
    group.symmetric = (group.A - transposed).norm() <= 1e-14 * group.A.norm();
    return group;
}

/// A^-1 B, or nothing when A is singular.
bool solve_dense(const Sparse& A, const Eigen::MatrixXd& B, Eigen::MatrixXd& X) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor{Eigen::MatrixXd(A)};
    if (!(factor.rcond() > singular)) return false;
    X = factor.solve(B);
    return true;
}

bool solve_sparse(const Sparse& A, bool symmetric, const Eigen::MatrixXd& B, Eigen::MatrixXd& X) {
    if (symmetric) {
        const Eigen::SimplicialLDLT<Sparse> factor(A);
        // Pivots of a matrix with unit diagonal are at most one; a tiny one is a freedom without inertia of its own.
        if (factor.info() == Eigen::Success && factor.vectorD().minCoeff() > singular) {
            X = factor.solve(B);
            return true;
        }
    }
    Eigen::SparseLU<Sparse> factor;
    factor.compute(A);
    if (factor.info() != Eigen::Success) return false;
    X = factor.solve(B);
    return factor.info() == Eigen::Success;
}

/// M_g^-1 of the columns of H and of f that act on one group: adds to `push` and sets `free_velocity`.
class GroupSolver {
public:
    GroupSolver(const Sparse& M, const RowSparse& H, const Eigen::VectorXd& f)
        : M_(M), H_(H), f_(f), place_(M.rows(), -1), column_(H.cols(), -1) {}

    void solve(const std::vector<int>& freedoms, Triplets& push, Eigen::VectorXd& free_velocity) {
        const ScaledGroup group = scale_group(M_, freedoms, place_);
        symmetric_ = symmetric_ && group.symmetric;
        collect_columns(freedoms);
        const Eigen::MatrixXd B = right_sides(freedoms, group.D);
        Eigen::MatrixXd X;
        const bool done = freedoms.size() <= largest_dense ? solve_dense(group.A, B, X)
                                                           : solve_sparse(group.A, group.symmetric, B, X);
        if (!done || !X.allFinite() || (group.A * X - B).norm() > bad_residual * B.norm()) refuse(freedoms);
        for (std::size_t k = 0; k < freedoms.size(); ++k) {
            free_velocity[freedoms[k]] = group.D[k] * X(k, columns_.size());
            for (std::size_t c = 0; c < columns_.size(); ++c)
                if (X(k, c) != 0.0) push.emplace_back(freedoms[k], columns_[c], group.D[k] * X(k, c));
        }
    }
    [[nodiscard]] bool symmetric() const { return symmetric_; }

private:
    void collect_columns(const std::vector<int>& freedoms) {
        columns_.clear();
        for (const int i : freedoms)
            for (RowSparse::InnerIterator e(H_, i); e; ++e)
                if (e.value() != 0.0) columns_.push_back(static_cast<int>(e.col()));
        std::sort(columns_.begin(), columns_.end());
        columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
        for (std::size_t c = 0; c < columns_.size(); ++c) column_[columns_[c]] = static_cast<int>(c);
    }
    /// The columns of H, and f as the last one.
    [[nodiscard]] Eigen::MatrixXd right_sides(const std::vector<int>& freedoms, const Eigen::VectorXd& D) const {
        Eigen::MatrixXd B = Eigen::MatrixXd::Zero(freedoms.size(), columns_.size() + 1);
        for (std::size_t k = 0; k < freedoms.size(); ++k) {
            for (RowSparse::InnerIterator e(H_, freedoms[k]); e; ++e)
                if (e.value() != 0.0) B(k, column_[e.col()]) = D[k] * e.value();
            B(k, columns_.size()) = D[k] * f_[freedoms[k]];
        }
        return B;
    }

    const Sparse& M_;
    const RowSparse& H_;
    const Eigen::VectorXd& f_;
    std::vector<int> place_, column_, columns_;
    bool symmetric_ = true;
};

}  // namespace

template <int Dim>
Eigen::VectorXd CondensedProblem<Dim>::velocities() const {
    return push * to_stacked<Dim>(problem.r) + free_velocity;
}

template <int Dim>
CondensedProblem<Dim> condense(const GlobalProblem<Dim>& global) {
    CondensedProblem<Dim> out;
    const RowSparse rows_of_H = global.H;
    const auto groups = coupled_groups(global.M);
    out.groups = static_cast<int>(groups.size());
    out.free_velocity = Eigen::VectorXd::Zero(global.M.rows());
    Triplets entries;
    GroupSolver solver(global.M, rows_of_H, global.f);
    for (const auto& group : groups) solver.solve(group, entries, out.free_velocity);
    out.push.resize(global.H.rows(), global.H.cols());
    out.push.setFromTriplets(entries.begin(), entries.end());
    const Sparse transposed = global.H.transpose();
    Sparse W = transposed * out.push;
    if (solver.symmetric()) {  // then so is W, but for rounding
        const Sparse other = W.transpose();
        W = 0.5 * (W + other);
    }
    out.problem.W = to_blocks<Dim>(RowSparse(W));
    out.problem.q = to_contacts<Dim>(transposed * out.free_velocity + global.w);
    out.problem.mu = global.mu;
    out.problem.r.assign(global.mu.size(), Vec<Dim>::Zero());
    refresh_velocities(out.problem);
    return out;
}

template <int Dim>
BlockMatrix<Dim> to_blocks(const RowSparse& W) {
    const auto rows = static_cast<std::int32_t>(W.rows() / Dim);
    BlockMatrix<Dim> out;
    out.diagonal.assign(rows, -1);
    std::vector<std::int32_t> place(W.cols() / Dim, -1), columns;
    for (std::int32_t k = 0; k < rows; ++k) {
        columns.assign(1, k);
        for (int i = 0; i < Dim; ++i)
            for (RowSparse::InnerIterator e(W, Dim * k + i); e; ++e) columns.push_back(static_cast<std::int32_t>(e.col()) / Dim);
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (const std::int32_t c : columns) {
            place[c] = static_cast<std::int32_t>(out.block.size());
            out.column.push_back(c);
            out.block.push_back(Mat<Dim>::Zero());
        }
        for (int i = 0; i < Dim; ++i)
            for (RowSparse::InnerIterator e(W, Dim * k + i); e; ++e)
                out.block[place[e.col() / Dim]](i, e.col() % Dim) += e.value();
        out.diagonal[k] = place[k];
        out.begin.push_back(static_cast<std::int32_t>(out.block.size()));
    }
    return out;
}

template <int Dim>
Sparse to_sparse(const BlockMatrix<Dim>& W) {
    Triplets entries;
    for (std::size_t k = 0; k < W.rows(); ++k)
        for (std::int32_t e = W.begin[k]; e < W.begin[k + 1]; ++e)
            for (int i = 0; i < Dim; ++i)
                for (int j = 0; j < Dim; ++j)
                    if (W.block[e](i, j) != 0.0)
                        entries.emplace_back(Dim * static_cast<int>(k) + i, Dim * W.column[e] + j, W.block[e](i, j));
    Sparse out(Dim * W.rows(), Dim * W.rows());
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
}

template <int Dim>
std::vector<Vec<Dim>> to_contacts(const Eigen::VectorXd& stacked) {
    std::vector<Vec<Dim>> out(stacked.size() / Dim);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = stacked.template segment<Dim>(Dim * k);
    return out;
}

template <int Dim>
Eigen::VectorXd to_stacked(const std::vector<Vec<Dim>>& by_contact) {
    Eigen::VectorXd out(Dim * by_contact.size());
    for (std::size_t k = 0; k < by_contact.size(); ++k) out.template segment<Dim>(Dim * k) = by_contact[k];
    return out;
}

#define TALUS_INSTANTIATE(Dim)                                                                          \
    template struct CondensedProblem<Dim>;                                                              \
    template CondensedProblem<Dim> condense(const GlobalProblem<Dim>&);                                 \
    template BlockMatrix<Dim> to_blocks<Dim>(const RowSparse&);                                         \
    template Sparse to_sparse(const BlockMatrix<Dim>&);                                                 \
    template std::vector<Vec<Dim>> to_contacts<Dim>(const Eigen::VectorXd&);                            \
    template Eigen::VectorXd to_stacked<Dim>(const std::vector<Vec<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
