#pragma once
/// \file
/// The exact impulse of one contact, the others held: law(b + H S, S) = true [moreau1994, eq. 7.7],
/// b being the formal velocity that the contact would have without its own impulse.
///
/// The rule where there are several solutions, the same everywhere: none if b_N >= 0; else sticking
/// if admissible; else sliding. With H diagonal and isotropic in the tangent plane this is closed
/// form: the normal impulse does not feel friction, and the tangential one is the sticking impulse
/// brought back to the disk of radius mu S_N.
///
/// With full H sticking is an elimination; in the plane there are two directions of slip to try. In
/// space the direction is a root of a trigonometric polynomial of second degree. A bound on H and mu
/// tells when there is one slide at most; then Newton's method finds it from any start. Else all
/// roots are bracketed, and the slide of least normal impulse is taken. With H regular there always
/// is an answer: where friction leaves no slide (the frictional catastrophe), sticking is admissible.
/// With freedoms held H may be singular and bodies wedged so that nothing satisfies the law; the
/// impulse that comes nearest without penetration or leaving the cone is given then.
///
/// Answers are backward stable: they satisfy the law up to some dozen roundings of |b| + |H| |S|.

#include <cmath>

#include "contact/problem.h"

namespace talus {

template <int Dim>
struct BallImpulse {
    double pn;
    Tangential<Dim> pt;
};

/// Closed form for H = diag(1/inv_wn, 1/inv_wt...). `V` is the formal velocity with the present
/// impulse included.
template <int Dim>
[[nodiscard]] inline BallImpulse<Dim> solve_ball_contact(const BallContact<Dim>& c, const FormalVelocity<Dim>& V) {
    const double pn = std::max(0.0, c.pn - V.n * c.inv_wn);
    Tangential<Dim> pt = c.pt - c.inv_wt * V.t;
    const double limit = c.mu * pn;
    const double square = pt.squared();
    if (square > limit * limit) pt *= limit / std::sqrt(square);
    return {pn, pt};
}

/// Full H, rows and columns (n, t). `b` excludes the contact's own impulse. `start`, an impulse near
/// the answer, saves time and changes nothing but rounding.
[[nodiscard]] Vec<2> solve_full_contact(const Mat<2>& H, const Vec<2>& b, double mu,
                                        const Vec<2>& start = Vec<2>::Zero());
/// Full H, rows and columns (n, t1, t2).
[[nodiscard]] Vec<3> solve_full_contact(const Mat<3>& H, const Vec<3>& b, double mu,
                                        const Vec<3>& start = Vec<3>::Zero());

/// What H and mu say before b is known: for those who visit a contact many times [solve/general_answer.h]. The normal velocity
/// is held at zero by `ratio` = h/H_NN; A is what H has left for tangential impulses then.
template <int Dim>
struct LocalOperator;
template <>
struct LocalOperator<2> {
    double ratio = 0.0, A = 1.0;
    bool regular = true;    ///< there are pivots to stick by
};
template <>
struct LocalOperator<3> {
    Vec<2> ratio = Vec<2>::Zero();
    double pivot = 1.0, across = 0.0, rest = 1.0;   ///< A_ii, the larger one; A_ij/A_ii; what is left of A_jj
    double nu = 0.0, tau = 0.0;                     ///< 1/(1 + mu), mu/(1 + mu)
    double trace = 0.0;
    bool swapped = false;                           ///< i is the second tangent
    bool single = false;                            ///< one slide at most, whatever b
    bool regular = true;
};
[[nodiscard]] LocalOperator<2> local_operator(const Mat<2>& H, double mu);
[[nodiscard]] LocalOperator<3> local_operator(const Mat<3>& H, double mu);

}  // namespace talus
