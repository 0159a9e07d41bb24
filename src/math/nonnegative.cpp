#include "math/nonnegative.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

namespace talus {
namespace {

/// The stationary point with all but the `free` ones held at 0.
Eigen::VectorXd stationary(const Eigen::MatrixXd& M, const Eigen::VectorXd& c, const std::vector<int>& free) {
    const auto n = static_cast<Eigen::Index>(free.size());
    Eigen::MatrixXd part(n, n);
    Eigen::VectorXd right(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        right[i] = -c[free[static_cast<std::size_t>(i)]];
        for (Eigen::Index j = 0; j < n; ++j) part(i, j) = M(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
    }
    // Where M is singular the way down leads far along its null space, to where the next bound stops it.
    part.diagonal().array() += 1e-14 * part.diagonal().maxCoeff();
    Eigen::VectorXd z = part.ldlt().solve(right);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(c.size());
    for (Eigen::Index i = 0; i < n; ++i) x[free[static_cast<std::size_t>(i)]] = z[i];
    return x;
}

}  // namespace

Eigen::VectorXd minimise_nonnegative(const Eigen::MatrixXd& M, const Eigen::VectorXd& c, bool& converged) {
    const Eigen::Index n = c.size();
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    std::vector<int> free;
    const double size = c.cwiseAbs().maxCoeff();
    converged = true;
    for (Eigen::Index round = 0; round < 10 * n + 10; ++round) {
        const Eigen::VectorXd slope = M * x + c;
        int enter = -1;
        double steepest = -1e-13 * (size + (M * x).cwiseAbs().maxCoeff());
        for (int k = 0; k < n; ++k) {
            if (std::find(free.begin(), free.end(), k) != free.end() || slope[k] >= steepest) continue;
            steepest = slope[k];
            enter = k;
        }
        if (enter < 0) return x;
        free.push_back(enter);
        std::sort(free.begin(), free.end());
        while (true) {
            const Eigen::VectorXd z = stationary(M, c, free);
            double step = 1.0;
            int leaves = -1;
            for (const int k : free) {
                if (z[k] > 0.0 || x[k] - z[k] <= 0.0) continue;
                const double reach = x[k] / (x[k] - z[k]);
                if (reach < step || leaves < 0) { step = std::min(step, reach); leaves = k; }
            }
            x += step * (z - x);
            if (leaves < 0) break;
            x[leaves] = 0.0;
            std::erase_if(free, [&](int k) { return x[k] <= 0.0; });
            if (free.empty()) break;
        }
    }
    converged = false;
    return x;
}

}  // namespace talus
