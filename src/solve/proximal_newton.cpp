#include "solve/proximal_newton.h"

namespace talus {
namespace {

// All in parts of the mean eigenvalue of the contacts' H.
constexpr double first_alpha = 1e-2, least_alpha = 1e-10, largest_alpha = 1e2;
/// An inner solution is good enough when the residual fell by this; below the second factor it is of use.
constexpr double inner_reduction = 1e-3, useful_reduction = 1e-1;
constexpr int most_inner_steps = 20, most_idle_steps = 5;

/// Error over tolerance: the settings are met at 1.
template <int Dim>
double error_ratio(MatrixProblem<Dim>& problem, const SolverSettings& settings) {
    if (settings.tolerance_max <= 0.0) return error_of(problem, settings) / settings.tolerance;
    SolveReport report;
    conclude(problem, settings, report);
    return std::max(report.error / settings.tolerance, report.law.max / settings.tolerance_max);
}

}  // namespace

template <int Dim>
bool ProximalNewton<Dim>::prepare(const MatrixProblem<Dim>& problem, double most_cost) {
    if (!newton_.prepare(problem, most_cost)) return false;
    size_.clear();
    mean_size_ = 0.0;
    for (std::size_t k = 0; k < problem.contacts(); ++k) {
        size_.push_back(problem.H(k).trace() / Dim);
        mean_size_ += size_.back() / static_cast<double>(problem.contacts());
    }
    return true;
}

/// How far the impulses are from the equations that Newton's method solves, as a velocity.
template <int Dim>
double ProximalNewton<Dim>::residual(const MatrixProblem<Dim>& p, double alpha) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < p.contacts(); ++k) {
        const double size = size_[k] > 0.0 ? size_[k] : 1.0;
        const Vec<Dim> u = p.velocity(k) + alpha * (p.r[k] - centre_[k]);
        Vec<Dim> projected = p.r[k] - u / size;
        projected[0] = std::max(0.0, projected[0]);
        auto tangent = projected.template tail<Dim - 1>();
        const double limit = p.mu[k] * projected[0], length = tangent.norm();
        if (length > limit) tangent *= limit / length;
        sum += size * size * (p.r[k] - projected).squaredNorm();
    }
    return std::sqrt(sum);
}

template <int Dim>
typename ProximalNewton<Dim>::Inner ProximalNewton<Dim>::solve_inner(MatrixProblem<Dim>& p, double alpha, int most_steps) {
    Inner inner;
    centre_ = p.r;
    nearest_ = p.r;
    const double start = residual(p, alpha);
    double least = start;
    for (int idle = 0; inner.steps < std::min(most_steps, most_inner_steps) && idle < most_idle_steps;) {
        if (!newton_.advance(p, centre_, alpha)) break;
        ++inner.steps;
        const double now = residual(p, alpha);
        idle = now < 0.5 * least ? 0 : idle + 1;
        if (now < least) {
            least = now;
            nearest_ = p.r;
        }
        if (now <= inner_reduction * start) break;
    }
    inner.converged = least <= useful_reduction * start;
    p.r = inner.converged ? nearest_ : centre_;
    return inner;
}

template <int Dim>
int ProximalNewton<Dim>::improve(MatrixProblem<Dim>& p, const SolverSettings& settings, int most_steps, const TimeLimit& time) {
    double alpha = first_alpha * mean_size_, shrink = 0.1;
    double least = error_ratio(p, settings);
    best_ = p.r;
    int steps = 0;
    while (least > 1.0 && steps < most_steps && !time.is_over()) {
        const Inner inner = solve_inner(p, alpha, most_steps - steps);
        steps += std::max(1, inner.steps);
        if (!inner.converged) {
            alpha *= 10.0;
            shrink = 0.5;
            if (alpha > largest_alpha * mean_size_) break;
            continue;
        }
        alpha = std::max(least_alpha * mean_size_, alpha * shrink);
        if (inner.steps < 4) shrink = std::max(0.1, 0.5 * shrink);
        const double now = error_ratio(p, settings);
        if (now >= least) continue;
        least = now;
        best_ = p.r;
    }
    p.r = best_;
    return steps;
}

template class ProximalNewton<2>;
template class ProximalNewton<3>;

}  // namespace talus
