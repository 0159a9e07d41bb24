#pragma once
/// \file
/// Sparse LU factorisation of a matrix of small square blocks whose pattern is symmetric.
///
/// The graph of the blocks is ordered once (approximate minimum degree) and the fill computed before any
/// number is, so that the cost is known beforehand. Pivots are whole diagonal blocks, in the order of the
/// graph: the matrices it is made for are near enough to positive definite for that, and the answer
/// is refined with the matrix itself.

#include <cstdint>
#include <vector>

#include "solve/matrix_problem.h"

namespace talus {

template <int Dim>
class BlockLu {
public:
    /// Orders and finds the fill. The pattern of W is made symmetric where it is not. False, and nothing to be
    /// factorised, where a factorisation would take more than `most_cost` multiplications.
    [[nodiscard]] bool analyse(const BlockMatrix<Dim>& W, double most_cost);
    /// Multiplications that a factorisation takes.
    [[nodiscard]] double cost() const { return cost_; }

    /// Factorises a matrix with the pattern of the one analysed. False if a pivot block is singular.
    [[nodiscard]] bool factorise(const BlockMatrix<Dim>& A);
    /// x with A x = b, overwriting b.
    void solve(std::vector<Vec<Dim>>& b) const;

private:
    [[nodiscard]] std::vector<std::vector<std::int32_t>> symmetric_graph(const BlockMatrix<Dim>& W) const;
    void order(const std::vector<std::vector<std::int32_t>>& graph);
    [[nodiscard]] bool find_fill(const std::vector<std::vector<std::int32_t>>& graph, double most_cost);
    void find_sources(const BlockMatrix<Dim>& W);
    void load(const BlockMatrix<Dim>& A);
    void eliminate(std::int32_t i);

    std::vector<std::int32_t> place_, at_;   ///< place_[contact] = position in the order; at_ is its inverse
    std::vector<std::int32_t> begin_, row_;  ///< below the diagonal, by column: rows increasing
    std::vector<std::int32_t> source_;       ///< of the contacts' own blocks: where each goes
    std::vector<Mat<Dim>> lower_, upper_;    ///< L_ij and U_ji of an entry (i, j), i > j
    std::vector<Mat<Dim>> diagonal_, inverse_;
    double cost_ = 0.0;
    // while factorising: columns that reach row i next, and where each stands
    std::vector<std::int32_t> first_, next_, cursor_, position_;
    bool regular_ = true;
};

}  // namespace talus
