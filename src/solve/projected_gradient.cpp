/// \file
/// Accelerated projected gradient on all contacts at once.
///
/// With s = mu |u_T| on every normal, Coulomb's law is the optimality of the convex programme
///     min r.W r/2 + (q + s).r  over the product of the cones   (De Saxce, Acary and Cadoux);
/// s is renewed at every iteration from the velocities of the point where the gradient is taken, so that a fixed
/// point satisfies the law itself and not its convex relaxation. Steps are Nesterov's with a step length found by
/// backtracking, scaled contact by contact with its own H (the cone is a cone in that metric too), and restarted
/// when the gradient points against the last move. An iteration is two multiplications by W, which touch
/// every contact independently of the others: no order, no sequence.
///
/// Good for a rough answer on large problems; slow near the end, where the sweeps with momentum are ahead.
#include "solve/sweep_control.h"

namespace talus {
namespace {

template <int Dim>
class ProjectedGradient final : public MatrixSolver<Dim> {
public:
    using MatrixSolver<Dim>::solve;

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        refuse_variants(settings, "projected_gradient");
        begin(problem);
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t, SweepMeasure* measure) {
            if (measure != nullptr) before_ = problem.r;
            iterate(problem);
            if (measure == nullptr) return;
            for (std::size_t k = 0; k < problem.contacts(); ++k)
                measure->add_block(problem.H(k), Vec<Dim>(problem.r[k] - before_[k]), problem.impact_of(k),
                                   !problem.r[k].isZero(0.0));
        }});
    }

private:
    using Vectors = std::vector<Vec<Dim>>;

    void begin(const MatrixProblem<Dim>& p) {
        const std::size_t n = p.contacts();
        scale_.resize(n);
        for (std::size_t k = 0; k < n; ++k) {
            const double size = p.H(k).trace() / Dim;
            scale_[k] = size > 0.0 ? 1.0 / size : 0.0;
        }
        for (Vectors* v : {&y_, &gradient_, &next_, &image_}) v->assign(n, Vec<Dim>::Zero());
        y_ = p.r;
        length_ = 1.0;
        theta_ = 1.0;
    }

    void iterate(MatrixProblem<Dim>& p) {
        const std::size_t n = p.contacts();
        for (std::size_t k = 0; k < n; ++k) {
            gradient_[k] = p.q[k] + p.W.row_times(k, y_);
            gradient_[k][0] += p.mu[k] * gradient_[k].template tail<Dim - 1>().norm();
        }
        while (!step_is_safe(p) && length_ > 1e-12) length_ *= 0.5;
        double turning = 0.0;
        for (std::size_t k = 0; k < n; ++k) turning += gradient_[k].dot(next_[k] - p.r[k]);
        const double theta = turning > 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
        const double beta = turning > 0.0 ? 0.0 : (theta_ - 1.0) / theta;
        theta_ = theta;
        for (std::size_t k = 0; k < n; ++k) {
            y_[k] = next_[k] + beta * (next_[k] - p.r[k]);
            p.r[k] = next_[k];
        }
        length_ *= 1.05;
    }

    /// Makes the step of the present length from y; is the quadratic bound kept over it?
    bool step_is_safe(const MatrixProblem<Dim>& p) {
        const std::size_t n = p.contacts();
        for (std::size_t k = 0; k < n; ++k) {
            next_[k] = project_on_cone<Dim>(y_[k] - length_ * scale_[k] * gradient_[k], p.mu[k]);
            image_[k] = next_[k] - y_[k];
        }
        double curvature = 0.0, bound = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            if (scale_[k] == 0.0) continue;
            curvature += image_[k].dot(p.W.row_times(k, image_));
            bound += image_[k].squaredNorm() / scale_[k];
        }
        return curvature * length_ <= bound;
    }

    std::vector<double> scale_;   ///< inverse mean eigenvalue of each contact's H
    Vectors y_, gradient_, next_, image_, before_;
    double length_ = 1.0, theta_ = 1.0;
};

}  // namespace

void register_projected_gradient(SolverRegistry& registry) {
    registry.add("projected_gradient", {[] { return std::make_unique<ProjectedGradient<2>>(); },
                                        [] { return std::make_unique<ProjectedGradient<3>>(); }});
}

}  // namespace talus
