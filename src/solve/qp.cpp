/// \file
/// The frictionless step as a quadratic programme [moreau2003, sec. 4.3, eq. 27-28].
///
/// Without friction the new velocity is the point of a polyhedral convex set nearest to the free one in the
/// kinetic metric: it is unique. The dual is  min r.W r/2 + q.r  over r_N >= 0, solved here by conjugate
/// gradients on the contacts that carry, with projected steps where the set of these changes (the
/// proportioning method of Dostal, 2009): finite for regular W, and for singular W (impulses not
/// unique) the velocities still converge.
#include "solve/sweep_control.h"

namespace talus {
namespace {

template <int Dim>
class Qp final : public MatrixSolver<Dim> {
public:
    using MatrixSolver<Dim>::solve;
    [[nodiscard]] bool takes_friction() const override { return false; }

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        for (const double mu : problem.mu)
            if (mu != 0.0) throw InputError("solver 'qp' takes frictionless contacts only; use another for friction");
        refuse_variants(settings, "qp");
        begin(problem);
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t, SweepMeasure* measure) {
            if (measure != nullptr) before_ = problem.r;
            iterate();
            for (std::size_t k = 0; k < x_.size(); ++k) problem.r[k] = x_[k] * Vec<Dim>::Unit(0);
            if (measure == nullptr) return;
            for (std::size_t k = 0; k < x_.size(); ++k)
                measure->add_block(problem.H(k), Vec<Dim>(problem.r[k] - before_[k]), problem.impact_of(k), x_[k] != 0.0);
        }});
    }

private:
    using Numbers = std::vector<double>;

    void begin(const MatrixProblem<Dim>& p) {
        const std::size_t n = p.contacts();
        matrix_ = &p.W;
        x_.resize(n);
        for (std::size_t k = 0; k < n; ++k) x_[k] = std::max(0.0, p.r[k][0]);
        gradient_ = times(x_);
        for (std::size_t k = 0; k < n; ++k) gradient_[k] += p.q[k][0];
        // A bound of the largest eigenvalue: sums of the rows (Gershgorin).
        double largest = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            double sum = 0.0;
            for (std::int32_t e = p.W.begin[k]; e < p.W.begin[k + 1]; ++e) sum += std::abs(p.W.block[e](0, 0));
            largest = std::max(largest, sum);
        }
        fixed_length_ = largest > 0.0 ? 1.0 / largest : 0.0;
        direction_ = free_part();
    }

    [[nodiscard]] Numbers times(const Numbers& x) const {
        Numbers y(x.size(), 0.0);
        for (std::size_t k = 0; k < x.size(); ++k)
            for (std::int32_t e = matrix_->begin[k]; e < matrix_->begin[k + 1]; ++e)
                y[k] += matrix_->block[e](0, 0) * x[matrix_->column[e]];
        return y;
    }

    /// The gradient on contacts that carry, and what of it points outward on those that do not.
    [[nodiscard]] Numbers free_part() const {
        Numbers part(x_.size(), 0.0);
        for (std::size_t k = 0; k < x_.size(); ++k)
            if (x_[k] > 0.0) part[k] = gradient_[k];
        return part;
    }
    [[nodiscard]] double chopped_square() const {
        double sum = 0.0;
        for (std::size_t k = 0; k < x_.size(); ++k)
            if (!(x_[k] > 0.0)) sum += std::min(0.0, gradient_[k]) * std::min(0.0, gradient_[k]);
        return sum;
    }
    /// The part of the free gradient that a step of fixed length can take.
    [[nodiscard]] double reduced_square() const {
        double sum = 0.0;
        for (std::size_t k = 0; k < x_.size(); ++k)
            if (x_[k] > 0.0) sum += gradient_[k] * std::min(gradient_[k], x_[k] / fixed_length_);
        return sum;
    }

    void iterate() {
        if (chopped_square() > reduced_square()) return proportion();
        const Numbers image = times(direction_);
        double along = 0.0, curvature = 0.0, feasible = HUGE_VAL;
        for (std::size_t k = 0; k < x_.size(); ++k) {
            along += gradient_[k] * direction_[k];
            curvature += direction_[k] * image[k];
            if (direction_[k] > 0.0) feasible = std::min(feasible, x_[k] / direction_[k]);
        }
        if (!(curvature > 0.0)) return expand();
        const double length = along / curvature;
        if (length > feasible) {
            move(feasible, direction_, image);
            return expand();
        }
        move(length, direction_, image);
        const Numbers part = free_part();
        double coupling = 0.0;
        for (std::size_t k = 0; k < x_.size(); ++k) coupling += part[k] * image[k];
        for (std::size_t k = 0; k < x_.size(); ++k) direction_[k] = part[k] - coupling / curvature * direction_[k];
    }

    void move(double length, const Numbers& direction, const Numbers& image) {
        for (std::size_t k = 0; k < x_.size(); ++k) {
            x_[k] = std::max(0.0, x_[k] - length * direction[k]);
            gradient_[k] -= length * image[k];
        }
    }

    /// A projected step of fixed length along the free gradient.
    void expand() {
        Numbers moved(x_.size(), 0.0);
        for (std::size_t k = 0; k < x_.size(); ++k)
            if (x_[k] > 0.0) moved[k] = std::max(0.0, x_[k] - fixed_length_ * gradient_[k]) - x_[k];
        shift(moved);
    }

    /// Contacts that should carry begin to.
    void proportion() {
        Numbers chopped(x_.size(), 0.0);
        for (std::size_t k = 0; k < x_.size(); ++k)
            if (!(x_[k] > 0.0)) chopped[k] = -std::min(0.0, gradient_[k]);
        const Numbers image = times(chopped);
        double along = 0.0, curvature = 0.0;
        for (std::size_t k = 0; k < x_.size(); ++k) {
            along -= gradient_[k] * chopped[k];
            curvature += chopped[k] * image[k];
        }
        const double length = curvature > 0.0 ? along / curvature : fixed_length_;
        for (double& c : chopped) c *= length;
        shift(chopped);
    }

    void shift(const Numbers& moved) {
        const Numbers image = times(moved);
        for (std::size_t k = 0; k < x_.size(); ++k) {
            x_[k] += moved[k];
            gradient_[k] += image[k];
        }
        direction_ = free_part();
    }

    const BlockMatrix<Dim>* matrix_ = nullptr;
    Numbers x_, gradient_, direction_;
    std::vector<Vec<Dim>> before_;
    double fixed_length_ = 0.0;
};

}  // namespace

void register_qp(SolverRegistry& registry) {
    registry.add("qp", {[] { return std::make_unique<Qp<2>>(); }, [] { return std::make_unique<Qp<3>>(); }});
}

}  // namespace talus
