#pragma once
/// \file
/// Second-order cone programs, small to middling, solved to near rounding and with certificates.
///
///     minimise c'x   subject to   A x = b,   G x + s = h,   s in K,
/// K a product of an orthant and second-order cones {(t, u): t >= |u|}; its dual is
///     maximise -b'y - h'z   subject to   A'y + G'z + c = 0,   z in K.
///
/// Method: primal-dual interior point on the homogeneous self-dual embedding, so that a problem without a
/// solution ends in a proof of it; directions of Nesterov and Todd, predictor and corrector of Mehrotra. Every
/// iteration factorises the quasi-definite matrix [0 A' G'; A 0 0; G 0 -W^2], slightly regularised, by sparse LDL'
/// (AMD order, long double) and undoes the regularisation by iterative refinement [Vandenberghe 2010, The CVXOPT linear and
/// quadratic cone program solvers; Domahidi, Chu, Boyd 2013, ECOS].
///
/// Limits: rows should be of comparable size (the caller knows its units; b and c are scaled here). Second-order cones
/// enter as dense blocks: meant for many small ones. One thread, no randomness: the same input, the same bits.

#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

namespace talus {

struct ConeProgram {
    Eigen::SparseMatrix<double> A, G;    ///< as many columns as c has entries; no rows when there are none
    Eigen::VectorXd b, c, h;
    int orthant = 0;                     ///< so many first rows of G
    std::vector<int> second_order;       ///< sizes of the cones of the rows that follow, in order
};

struct ConeSettings {
    double tolerance = 1e-12;    ///< aimed at: residuals and gap relative to b, c and the value [-]
    double acceptable = 1e-9;    ///< still called solved when rounding stops the method above `tolerance` [-]
    int max_iterations = 100;
};

enum class ConeStatus : std::uint8_t {
    optimal,
    infeasible,   ///< no x: (y, z) proves it, A'y + G'z = 0, z in K, b'y + h'z = -1
    unbounded,    ///< no least value: (x, s) proves it, A x = 0, G x + s = 0, s in K, c'x = -1
    stalled       ///< none of these to the acceptable accuracy; the best point found is returned
};

struct ConeSolution {
    ConeStatus status = ConeStatus::stalled;
    Eigen::VectorXd x, y, z, s;
    double value = 0.0;             ///< c'x
    double dual_value = 0.0;        ///< -b'y - h'z: a lower bound of every value, up to the dual residual
    double primal_residual = 0.0;   ///< largest of |A x - b|, |G x + s - h| over max |b|, |h|; of a certificate: its own [-]
    double dual_residual = 0.0;     ///< largest of |A'y + G'z + c| over max |c|; of a certificate: its own [-]
    double gap = 0.0;               ///< s'z over max(scale, |value|), scale being max |c| times max |b|, |h| [-]
    int iterations = 0;
};

/// \throws InputError when sizes do not fit or numbers are not finite.
[[nodiscard]] ConeSolution solve(const ConeProgram& program, const ConeSettings& settings = {});

}  // namespace talus
