#pragma once
/// \file
/// The proximal point method with Newton's method inside, on a problem in matrix form.
///
/// Outer: r becomes the solution of the problem with alpha (r - r_before) added to the velocities; as alpha
/// shrinks, a few of these end at a solution, also where W is singular because more contacts are closed than
/// the bodies can tell apart. Inner: nonsmooth Newton steps, started from r_before, which for alpha large
/// enough cannot miss. Where the inner iteration fails, alpha grows tenfold and then shrinks with more care.

#include "solve/newton_step.h"
#include "solve/sweep_control.h"

namespace talus {

template <int Dim>
class ProximalNewton {
public:
    /// Orders the unknowns; W must not change afterwards. False where a Newton step would take more than `most_cost`
    /// multiplications.
    [[nodiscard]] bool prepare(const MatrixProblem<Dim>& problem, double most_cost);
    /// Multiplications of one Newton step.
    [[nodiscard]] double cost() const { return newton_.cost(); }

    /// Works from the impulses of the problem until the settings are met, `most_steps` Newton steps are made, or
    /// no alpha helps. Leaves the best impulses seen. Returns the Newton steps made.
    int improve(MatrixProblem<Dim>& problem, const SolverSettings& settings, int most_steps, const TimeLimit& time);

private:
    struct Inner {
        bool converged = false;
        int steps = 0;
    };
    [[nodiscard]] Inner solve_inner(MatrixProblem<Dim>& problem, double alpha, int most_steps);
    [[nodiscard]] double residual(const MatrixProblem<Dim>& problem, double alpha) const;

    NewtonStep<Dim> newton_;
    std::vector<double> size_;
    double mean_size_ = 0.0;
    std::vector<Vec<Dim>> centre_, nearest_, best_;
};

}  // namespace talus
