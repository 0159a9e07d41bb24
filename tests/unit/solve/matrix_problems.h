#pragma once
/// \file
/// Contact problems in matrix form for the tests of the solvers, made from random bodies: every contact joins two
/// of them (or one and the ground) by random rows, so that W = G M^-1 G^T and q = G v as they are for real ones:
/// then there is a solution, since bodies at rest do not interpenetrate.

#include <Eigen/Dense>

#include "../../physics/testbed.h"
#include "solve/matrix_problem.h"

namespace talus::test {

template <int Dim>
struct RandomBodies {
    int bodies, contacts;
    double mu;
    double along = 1.0;   ///< size of tangential rows against normal ones
};

template <int Dim>
[[nodiscard]] MatrixProblem<Dim> random_problem(std::uint64_t seed, const RandomBodies<Dim>& of) {
    constexpr int N = freedoms<Dim>;
    using Rows = Eigen::Matrix<double, Dim, N>;
    Random random(seed);
    const auto rows = [&] {
        Rows r;
        for (int i = 0; i < Dim; ++i)
            for (int j = 0; j < N; ++j) r(i, j) = (i == 0 ? 1.0 : of.along) * random.uniform(-1.0, 1.0);
        return r;
    };
    std::vector<int> a, b;
    std::vector<Rows> ga, gb;
    for (int k = 0; k < of.contacts; ++k) {
        a.push_back(static_cast<int>(random.uniform(0.0, of.bodies)));
        b.push_back(static_cast<int>(random.uniform(-1.0, of.bodies)));
        if (b.back() == a.back()) b.back() = -1;
        ga.push_back(rows());
        gb.push_back(rows());
    }
    using Motion = Eigen::Matrix<double, N, 1>;
    std::vector<Motion> v(of.bodies);
    for (auto& motion : v)
        for (int i = 0; i < N; ++i) motion[i] = random.uniform(-1.0, 1.0);
    MatrixProblem<Dim> p;
    std::vector<BlockEntry<Dim>> entries;
    for (int k = 0; k < of.contacts; ++k) {
        for (int m = 0; m < of.contacts; ++m) {
            Mat<Dim> block = Mat<Dim>::Zero();
            if (a[k] == a[m]) block += ga[k] * ga[m].transpose();
            if (b[k] >= 0 && b[k] == b[m]) block += gb[k] * gb[m].transpose();
            if (b[m] >= 0 && a[k] == b[m]) block -= ga[k] * gb[m].transpose();
            if (b[k] >= 0 && b[k] == a[m]) block -= gb[k] * ga[m].transpose();
            if (!block.isZero(0.0)) entries.push_back({k, m, block});
        }
        p.q.push_back(ga[k] * v[a[k]]);
        if (b[k] >= 0) p.q.back() -= gb[k] * v[b[k]];
        p.mu.push_back(of.mu);
    }
    p.W = make_block_matrix<Dim>(of.contacts, std::move(entries));
    p.r.assign(of.contacts, Vec<Dim>::Zero());
    return p;
}

template <int Dim>
[[nodiscard]] Eigen::MatrixXd dense(const BlockMatrix<Dim>& W) {
    const auto n = static_cast<Eigen::Index>(Dim * W.rows());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t k = 0; k < W.rows(); ++k)
        for (std::int32_t e = W.begin[k]; e < W.begin[k + 1]; ++e)
            A.template block<Dim, Dim>(Dim * static_cast<Eigen::Index>(k), Dim * W.column[e]) = W.block[e];
    return A;
}

}  // namespace talus::test
