#pragma once
/// \file
/// The least value of a convex quadratic function over x >= 0: min x.Mx/2 + c.x, M symmetric and positive
/// semi-definite. The active-set method of Lawson and Hanson: exact after finitely many steps; for small sizes.

#include <Eigen/Core>

namespace talus {

/// x >= 0 with M x + c >= 0 and x.(M x + c) = 0. `converged` is false when the function has no least value.
[[nodiscard]] Eigen::VectorXd minimise_nonnegative(const Eigen::MatrixXd& M, const Eigen::VectorXd& c, bool& converged);

}  // namespace talus
