#pragma once
/// \file
/// The wrench of one link, the others held: law(b + H S, S), b being the formal velocity without it.
///
/// A joint is linear. A contact [docs/laws.md] has S_N >= 0 along the normal and blocks of other rows, each
/// within a disk of a size proportional to S_N: friction in an ellipse, the rolling couple in a disk, the
/// pivoting couple in an interval. Each block obeys normality in its section: it is at rest, or moves against
/// its impulse on the rim. Rows divided by their coefficients turn all blocks into disks of radius S_N.
///
/// For given s = S_N the blocks are the one minimum of a strictly convex function, y(s), and what is left is one
/// equation, U_N(s) = b_N + H_NN s + h.y(s) = 0. In beta = 1/s it is
///     f(beta) = beta b_N + H_NN + h.z(beta),   z = y/s,
/// continuous, positive at 0 and negative from beta = (H_NN + |h|)/|b_N| on: with b_N < 0 there always is a
/// solution. f has the Lipschitz constant L = |b_N| + |h| |b_y| (norms of H_yy^-1); where |h| |b_y| < |b_N| it
/// decreases, and the solution is unique. Newton's method on the law's own inclusion (natural map) finds it from
/// any start that is near, and its residual is measured; where that fails the root is bracketed, y(s) coming from
/// Gauss-Seidel over the blocks, which cannot fail.
///
/// The rule where there are several solutions: none if b_N >= 0; else sticking in all blocks if admissible; else
/// the one of least S_N, looked for in steps of |f|/L, which pass no root.
///
/// Static friction makes the law of a step many-valued. All contacts are first held by the static cone; those that
/// slide in that solution obey the dynamic one, and the step is solved again, until no held contact slides.
///
/// Answers satisfy the law to 1e-13 of |b| + |H| |S| (rows of freedoms that are held included).

#include "contact/problem.h"
#include "talus/report.h"

namespace talus {

/// `c.S` is where the search starts; it changes rounding only. A joint whose rows are not independent (H
/// singular) gets the answer of least size.
template <int Dim>
[[nodiscard]] typename LinkContact<Dim>::Rows solve_link(const LinkContact<Dim>& c,
                                                         const typename LinkContact<Dim>::Rows& b);

/// Impulses that a step starts from.
template <int Dim>
struct StartImpulses {
    BallContacts<Dim> balls;
    std::vector<GeneralContact<Dim>> generals;
    std::vector<LinkContact<Dim>> links;
};

/// Some contact is held by static friction.
template <int Dim>
[[nodiscard]] bool holds_any(const ContactProblem<Dim>& problem);
template <int Dim>
void keep_start(const ContactProblem<Dim>& problem, StartImpulses<Dim>& start);
/// Puts the impulses back, those of contacts let go within their bounds.
template <int Dim>
void start_again(const StartImpulses<Dim>& start, ContactProblem<Dim>& problem);

/// Lets go of the held contacts that slide: on the rim of their cone, with a slip of more than ten times the law error
/// of the solution. True when there are any: the problem is to be solved again.
template <int Dim>
[[nodiscard]] bool release_sliders(ContactProblem<Dim>& problem, const LawError& law);

/// Shortens what exceeds the bounds of a contact: (S_N, S_T, rolling, pivoting).
template <int Dim>
void bring_into_bounds(const LinkLaw& law, typename LinkContact<Dim>::Rows& S);

/// Tangential impulse over what the cone of `mu` allows: 1 on its rim. 1 without friction.
template <int Dim>
[[nodiscard]] double friction_used(const LinkLaw& law, const typename LinkContact<Dim>::Rows& S);

}  // namespace talus
