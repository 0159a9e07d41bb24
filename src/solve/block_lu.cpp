#include "solve/block_lu.h"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <algorithm>

namespace talus {

template <int Dim>
std::vector<std::vector<std::int32_t>> BlockLu<Dim>::symmetric_graph(const BlockMatrix<Dim>& W) const {
    std::vector<std::vector<std::int32_t>> graph(W.rows());
    for (std::size_t k = 0; k < W.rows(); ++k)
        for (std::int32_t e = W.begin[k]; e < W.begin[k + 1]; ++e) {
            if (W.column[e] == static_cast<std::int32_t>(k)) continue;
            graph[k].push_back(W.column[e]);
            graph[W.column[e]].push_back(static_cast<std::int32_t>(k));
        }
    for (auto& neighbours : graph) {
        std::sort(neighbours.begin(), neighbours.end());
        neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    }
    return graph;
}

template <int Dim>
void BlockLu<Dim>::order(const std::vector<std::vector<std::int32_t>>& graph) {
    const auto n = static_cast<int>(graph.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < n; ++k) {
        entries.emplace_back(k, k, 1.0);
        for (const std::int32_t m : graph[k]) entries.emplace_back(k, m, 1.0);
    }
    Eigen::SparseMatrix<double> pattern(n, n);
    pattern.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
    Eigen::AMDOrdering<int>()(pattern, permutation);
    place_.resize(n);
    at_.resize(n);
    for (int k = 0; k < n; ++k) at_[k] = permutation.indices()[k];
    for (int k = 0; k < n; ++k) place_[at_[k]] = k;
}

/// Column j of L has the rows of its own entries and those of the columns whose first row is j.
template <int Dim>
bool BlockLu<Dim>::find_fill(const std::vector<std::vector<std::int32_t>>& graph, double most_cost) {
    const auto n = static_cast<std::int32_t>(graph.size());
    std::vector<std::vector<std::int32_t>> rows(n), children(n);
    std::vector<std::int32_t> mark(n, -1);
    begin_.assign(1, 0);
    row_.clear();
    cost_ = 0.0;
    for (std::int32_t j = 0; j < n; ++j) {
        mark[j] = j;
        auto& own = rows[j];
        const auto take = [&](std::int32_t i) {
            if (i <= j || mark[i] == j) return;
            mark[i] = j;
            own.push_back(i);
        };
        for (const std::int32_t m : graph[at_[j]]) take(place_[m]);
        for (const std::int32_t c : children[j]) {
            for (const std::int32_t i : rows[c]) take(i);
            rows[c].clear();
            rows[c].shrink_to_fit();
        }
        std::sort(own.begin(), own.end());
        if (!own.empty()) children[own.front()].push_back(j);
        row_.insert(row_.end(), own.begin(), own.end());
        begin_.push_back(static_cast<std::int32_t>(row_.size()));
        const auto height = static_cast<double>(own.size());
        cost_ += Dim * Dim * Dim * (height * height + 2.0 * height + 1.0);
        if (cost_ > most_cost) return false;
    }
    return true;
}

template <int Dim>
bool BlockLu<Dim>::analyse(const BlockMatrix<Dim>& W, double most_cost) {
    const auto graph = symmetric_graph(W);
    order(graph);
    if (!find_fill(graph, most_cost)) return false;
    find_sources(W);
    return true;
}

/// Where each block of W goes: the diagonal as -1, an entry e below it as e, above it as -2 - e.
template <int Dim>
void BlockLu<Dim>::find_sources(const BlockMatrix<Dim>& W) {
    source_.resize(W.column.size());
    for (std::size_t k = 0; k < W.rows(); ++k)
        for (std::int32_t e = W.begin[k]; e < W.begin[k + 1]; ++e) {
            const std::int32_t i = place_[k], j = place_[W.column[e]], column = std::min(i, j), row = std::max(i, j);
            source_[e] = -1;
            if (i == j) continue;
            const auto found = std::lower_bound(row_.begin() + begin_[column], row_.begin() + begin_[column + 1], row);
            const auto entry = static_cast<std::int32_t>(found - row_.begin());
            source_[e] = i > j ? entry : -2 - entry;
        }
}

template <int Dim>
void BlockLu<Dim>::load(const BlockMatrix<Dim>& A) {
    lower_.assign(row_.size(), Mat<Dim>::Zero());
    upper_.assign(row_.size(), Mat<Dim>::Zero());
    diagonal_.resize(A.rows());
    inverse_.resize(A.rows());
    for (std::size_t k = 0; k < A.rows(); ++k)
        for (std::int32_t e = A.begin[k]; e < A.begin[k + 1]; ++e) {
            if (source_[e] == -1) diagonal_[place_[k]] = A.block[e];
            else if (source_[e] >= 0) lower_[source_[e]] = A.block[e];
            else upper_[-2 - source_[e]] = A.block[e];
        }
}

/// Subtracts from row and column i what the columns before it give, then divides.
template <int Dim>
void BlockLu<Dim>::eliminate(std::int32_t i) {
    for (std::int32_t e = begin_[i]; e < begin_[i + 1]; ++e) position_[row_[e]] = e;
    for (std::int32_t j = first_[i]; j >= 0;) {
        const std::int32_t following = next_[j], e = cursor_[j], end = begin_[j + 1];
        const Mat<Dim> L = lower_[e], U = upper_[e];
        const bool has_row = !L.isZero(0.0), has_column = !U.isZero(0.0);
        if (has_row && has_column) diagonal_[i].noalias() -= L * U;
        if (has_row)
            for (std::int32_t m = e + 1; m < end; ++m) upper_[position_[row_[m]]].noalias() -= L * upper_[m];
        if (has_column)
            for (std::int32_t m = e + 1; m < end; ++m) lower_[position_[row_[m]]].noalias() -= lower_[m] * U;
        if (++cursor_[j] < end) {
            next_[j] = first_[row_[cursor_[j]]];
            first_[row_[cursor_[j]]] = j;
        }
        j = following;
    }
    const Eigen::FullPivLU<Mat<Dim>> pivot(diagonal_[i]);
    if (!pivot.isInvertible()) regular_ = false;
    inverse_[i] = pivot.inverse();
    for (std::int32_t e = begin_[i]; e < begin_[i + 1]; ++e) lower_[e] = (lower_[e] * inverse_[i]).eval();
    if (begin_[i] < begin_[i + 1]) {
        cursor_[i] = begin_[i];
        next_[i] = first_[row_[begin_[i]]];
        first_[row_[begin_[i]]] = i;
    }
}

template <int Dim>
bool BlockLu<Dim>::factorise(const BlockMatrix<Dim>& A) {
    load(A);
    const std::size_t n = A.rows();
    first_.assign(n, -1);
    next_.assign(n, -1);
    cursor_.assign(n, 0);
    position_.assign(n, -1);
    regular_ = true;
    for (std::size_t i = 0; i < n && regular_; ++i) eliminate(static_cast<std::int32_t>(i));
    return regular_;
}

template <int Dim>
void BlockLu<Dim>::solve(std::vector<Vec<Dim>>& b) const {
    const auto n = static_cast<std::int32_t>(at_.size());
    std::vector<Vec<Dim>> x(n);
    for (std::int32_t i = 0; i < n; ++i) x[i] = b[at_[i]];
    for (std::int32_t j = 0; j < n; ++j)
        for (std::int32_t e = begin_[j]; e < begin_[j + 1]; ++e) x[row_[e]].noalias() -= lower_[e] * x[j];
    for (std::int32_t j = n; j-- > 0;) {
        for (std::int32_t e = begin_[j]; e < begin_[j + 1]; ++e) x[j].noalias() -= upper_[e] * x[row_[e]];
        x[j] = (inverse_[j] * x[j]).eval();
    }
    for (std::int32_t i = 0; i < n; ++i) b[at_[i]] = x[i];
}

template class BlockLu<2>;
template class BlockLu<3>;

}  // namespace talus
