#include "solve/newton_step.h"

#include <cmath>

namespace talus {
namespace {

/// The linearised equations of one contact: of_u du + of_r dr = right.
template <int Dim>
struct Equations {
    Mat<Dim> of_u, of_r;
    Vec<Dim> right;
};

/// Open: r + dr = 0. Sticking: u + du = 0. Sliding: u_N + du_N = 0 and
///     r_T = R t,  R = mu sigma_N,  t = sigma_T/|sigma_T|,  sigma = r - rho u;
/// all rows are velocities.
template <int Dim>
Equations<Dim> equations_of(const Vec<Dim>& u, const Vec<Dim>& r, double mu, double size) {
    constexpr int T = Dim - 1;
    using Tangent = Eigen::Matrix<double, T, 1>;
    using TangentMatrix = Eigen::Matrix<double, T, T>;
    const double rho = 1.0 / size;
    const Vec<Dim> sigma = r - rho * u;
    if (!(sigma[0] > 0.0)) return {Mat<Dim>::Zero(), size * Mat<Dim>::Identity(), -size * r};
    const double length = sigma.template tail<T>().norm(), R = mu * sigma[0];
    Equations<Dim> e{Mat<Dim>::Identity(), Mat<Dim>::Zero(), -u};
    if (length <= R) return e;
    const Tangent t = sigma.template tail<T>() / length;
    // d(R t) = mu t d sigma_N + (R/|sigma_T|) (I - t t^T) d sigma_T
    const TangentMatrix across = (R / length) * (TangentMatrix::Identity() - t * t.transpose());
    e.of_u.template bottomLeftCorner<T, 1>() = mu * t;
    e.of_u.template bottomRightCorner<T, T>() = across;
    e.of_r.template bottomLeftCorner<T, 1>() = -mu * size * t;
    e.of_r.template bottomRightCorner<T, T>() = size * (TangentMatrix::Identity() - across);
    e.right.template tail<T>() = size * (R * t - r.template tail<T>());
    return e;
}

}  // namespace

template <int Dim>
bool NewtonStep<Dim>::prepare(const MatrixProblem<Dim>& problem, double most_cost) {
    if (!lu_.analyse(problem.W, most_cost)) return false;
    system_ = problem.W;
    size_.clear();
    for (std::size_t k = 0; k < problem.contacts(); ++k) size_.push_back(problem.H(k).trace() / Dim);
    return true;
}

template <int Dim>
bool NewtonStep<Dim>::advance(MatrixProblem<Dim>& p, const std::vector<Vec<Dim>>& centre, double alpha) {
    const std::size_t n = p.contacts();
    right_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Vec<Dim> u = p.velocity(k) + alpha * (p.r[k] - centre[k]);
        const auto e = equations_of<Dim>(u, p.r[k], p.mu[k], size_[k] > 0.0 ? size_[k] : 1.0);
        right_[k] = e.right;
        for (std::int32_t m = p.W.begin[k]; m < p.W.begin[k + 1]; ++m) system_.block[m].noalias() = e.of_u * p.W.block[m];
        system_.block[p.W.diagonal[k]] += alpha * e.of_u + e.of_r;
    }
    if (!lu_.factorise(system_)) return false;
    // One refinement makes up for pivots taken in the order of the graph.
    std::vector<Vec<Dim>> change = right_;
    lu_.solve(change);
    residual_.resize(n);
    for (std::size_t k = 0; k < n; ++k) residual_[k] = right_[k] - system_.row_times(k, change);
    lu_.solve(residual_);
    for (std::size_t k = 0; k < n; ++k) {
        change[k] += residual_[k];
        if (!change[k].allFinite()) return false;
    }
    for (std::size_t k = 0; k < n; ++k) p.r[k] += change[k];
    return true;
}

template class NewtonStep<2>;
template class NewtonStep<3>;

}  // namespace talus
