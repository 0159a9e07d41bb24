#pragma once
/// \file
/// Least squares with non-negative unknowns, by the active-set method of Lawson and Hanson (1974): an
/// answer to the frictionless step that shares nothing with the engine. Dense, for tests.

#include <Eigen/Dense>
#include <vector>

namespace talus::test {

/// x >= 0 that minimises |A x - f|; A x is unique, x need not be.
[[nodiscard]] inline Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& f) {
    const int n = static_cast<int>(A.cols());
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    std::vector<bool> free(n, false);
    const double tolerance = 1e-13 * (A.transpose() * f).cwiseAbs().maxCoeff();
    const auto unconstrained = [&] {
        std::vector<int> columns;
        for (int i = 0; i < n; ++i)
            if (free[i]) columns.push_back(i);
        const Eigen::VectorXd y = A(Eigen::all, columns).completeOrthogonalDecomposition().solve(f);
        Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
        for (std::size_t i = 0; i < columns.size(); ++i) z[columns[i]] = y[static_cast<int>(i)];
        return z;
    };
    for (int round = 0; round < 50 * n; ++round) {
        const Eigen::VectorXd descent = A.transpose() * (f - A * x);
        int best = -1;
        for (int i = 0; i < n; ++i)
            if (!free[i] && descent[i] > tolerance && (best < 0 || descent[i] > descent[best])) best = i;
        if (best < 0) break;
        free[best] = true;
        for (Eigen::VectorXd z = unconstrained();; z = unconstrained()) {
            double step = 1.0;
            for (int i = 0; i < n; ++i)
                if (free[i] && z[i] <= 0.0) step = std::min(step, x[i] / (x[i] - z[i]));
            x += step * (z - x);
            if (step == 1.0) break;
            for (int i = 0; i < n; ++i)
                if (free[i] && x[i] <= 1e-14 * x.maxCoeff()) {
                    free[i] = false;
                    x[i] = 0.0;
                }
        }
    }
    return x;
}

}  // namespace talus::test
