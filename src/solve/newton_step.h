#pragma once
/// \file
/// One step of the nonsmooth Newton method on a proximal problem in matrix form.
///
/// The problem is that of impulses r with the velocities u = W r + q + alpha (r - centre): for alpha > 0 a
/// regular neighbour of the contact problem, whose answer is nearer to a solution than `centre` is
/// (proximal point); for alpha = 0 the problem itself. The law of a contact is written with the projections of
/// Alart and Curnier (1991): with sigma = r - rho u,
///     r_N = max(0, sigma_N),   r_T = the point of the disk of radius mu max(0, sigma_N) nearest to sigma_T.
/// Each contact is then open, sticking or sliding; the equations are linearised in that state, and the
/// linear system of all contacts is factorised.

#include "solve/block_lu.h"

namespace talus {

template <int Dim>
class NewtonStep {
public:
    /// Orders the unknowns of a problem; W must not change afterwards. False where a step would take more than
    /// `most_cost` multiplications.
    [[nodiscard]] bool prepare(const MatrixProblem<Dim>& problem, double most_cost);
    /// Multiplications of one step.
    [[nodiscard]] double cost() const { return lu_.cost(); }

    /// Replaces `problem.r` by the next iterate. False, and nothing changed, if the linear system is singular.
    bool advance(MatrixProblem<Dim>& problem, const std::vector<Vec<Dim>>& centre, double alpha);

private:
    BlockLu<Dim> lu_;
    BlockMatrix<Dim> system_;
    std::vector<double> size_;   ///< mean eigenvalue of each contact's H
    std::vector<Vec<Dim>> right_, residual_;
};

}  // namespace talus
