#pragma once
/// \file
/// The contact problem of one step: what a solver sees.
///
/// Bodies are lines: the free part of their velocity, and their inverse inertia. Driven freedoms have
/// no inverse inertia; their velocity sits in the constants of the contacts. Contacts come in two
/// kinds. Where the Delassus operator H is diagonal, equal in all tangential directions (balls that
/// are free, or wholly held), a contact is one compact record. Everything else (bodies with some
/// freedoms held, boundaries that move freely) has the full H in a local frame.
///
/// For each contact the solver works with the formal velocity [moreau1994, eq. 7.7]
///     V = c + G u,   c_N = rho (G u_I)_N + (1 + rho) W_N,   c_T = tau (G u_I)_T + (1 + tau) W_T.

#include <cstdint>
#include <vector>

#include "math/frame.h"
#include "math/tangent.h"

namespace talus {

/// A body in the solver: one cache line in 3D. R = r w for balls, R = w for other bodies.
template <int Dim>
struct alignas(line_alignment<Dim>) BodyLine {
    Vec<Dim> v = Vec<Dim>::Zero();        ///< [m/s]
    double inv_mass = 0.0;                ///< [1/kg]
    Spin<Dim> R = Spin<Dim>::Zero();      ///< [m/s] for balls
    double inv_inertia = 0.0;             ///< r^2/I [1/kg]
};

/// A contact with H = diag(1/inv_wn, 1/inv_wt ...).
template <int Dim>
struct BallContact {
    Vec<Dim> n = Vec<Dim>::Zero();
    double cn = 0.0;             ///< constant of the formal normal velocity [m/s]
    Tangential<Dim> ct;          ///< constant of the formal tangential velocity [m/s]
    double inv_wn = 0.0;         ///< 1/H_NN [kg]
    double inv_wt = 0.0;         ///< 1/H_TT [kg]
    double mu = 0.0;
    double pn = 0.0;             ///< normal impulse [N s]
    Tangential<Dim> pt;          ///< tangential impulse [N s]
    std::int32_t a = 0, b = 0;   ///< lines
    double impact = 0.0;         ///< |U_N-| when colliding, else 0 [m/s]
};

/// A contact with full H. Rows of `frame` are n, t...; small vectors are along them.
template <int Dim>
struct GeneralContact {
    using SpinRows = Eigen::Matrix<double, Dim, spin_size<Dim>>;
    using SpinColumns = Eigen::Matrix<double, spin_size<Dim>, Dim>;
    Mat<Dim> frame;
    SpinRows spin_a, spin_b;         ///< V = c + frame (v_a - v_b) + spin_a R_a - spin_b R_b
    Mat<Dim> push_a, push_b;         ///< change of v for an impulse along the frame
    SpinColumns turn_a, turn_b;      ///< change of R
    Mat<Dim> H;
    Vec<Dim> c = Vec<Dim>::Zero();
    Vec<Dim> S = Vec<Dim>::Zero();
    double mu = 0.0;
    double impact = 0.0;
    std::int32_t a = 0, b = 0;
};

template <int Dim>
struct ContactProblem {
    std::vector<BodyLine<Dim>> lines;        ///< current iterate of u_F (free part)
    std::vector<BodyLine<Dim>> free_lines;   ///< u_I + h A^-1 F: velocities without impulses
    std::vector<BallContact<Dim>> balls;
    std::vector<GeneralContact<Dim>> generals;
    double v_ref = 0.0;       ///< g h; 0 without gravity: the residual finds a stand-in [m/s]
    std::int64_t step = 0;    ///< for orders drawn at random

    [[nodiscard]] std::size_t contacts() const { return balls.size() + generals.size(); }
};

/// Formal velocity of a contact with the present lines.
template <int Dim>
struct FormalVelocity {
    double n;
    Tangential<Dim> t;
};

template <int Dim>
[[nodiscard]] inline FormalVelocity<Dim> formal_velocity(const BallContact<Dim>& c, const BodyLine<Dim>& a,
                                                         const BodyLine<Dim>& b) {
    const Vec<Dim> w = a.v - b.v;
    const double wn = w.dot(c.n);
    return {wn + c.cn, slip(w, wn, Spin<Dim>(a.R + b.R), c.n) + c.ct};
}

/// Adds an impulse to the two lines.
template <int Dim>
inline void apply(const BallContact<Dim>& c, double pn, const Tangential<Dim>& pt, BodyLine<Dim>& a, BodyLine<Dim>& b) {
    const Vec<Dim> p = pn * c.n + to_world(pt, c.n);
    const Spin<Dim> t = twist(pt, c.n);
    a.v += a.inv_mass * p;
    b.v -= b.inv_mass * p;
    a.R -= a.inv_inertia * t;
    b.R -= b.inv_inertia * t;
}

template <int Dim>
[[nodiscard]] inline Vec<Dim> formal_velocity(const GeneralContact<Dim>& c, const BodyLine<Dim>& a,
                                              const BodyLine<Dim>& b) {
    return c.c + c.frame * (a.v - b.v) + c.spin_a * a.R - c.spin_b * b.R;
}

template <int Dim>
inline void apply(const GeneralContact<Dim>& c, const Vec<Dim>& dS, BodyLine<Dim>& a, BodyLine<Dim>& b) {
    a.v += c.push_a * dS;
    b.v -= c.push_b * dS;
    a.R += c.turn_a * dS;
    b.R -= c.turn_b * dS;
}

/// Sets the lines to the free velocities and adds every impulse: eq. (39) of moreau2003 afresh, so
/// that rounding does not accumulate over sweeps.
template <int Dim>
void refresh_velocities(ContactProblem<Dim>& problem);

}  // namespace talus
