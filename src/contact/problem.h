#pragma once
/// \file
/// The contact problem of one step: what a solver sees.
///
/// Bodies are lines: the free part of their velocity, and their inverse inertia. Driven freedoms have
/// no inverse inertia; their velocity sits in the constants of the contacts. Contacts come in three
/// kinds. Where the Delassus operator H is diagonal, equal in all tangential directions (balls that
/// are free, or wholly held), a contact is one compact record. Other contacts (bodies that are not
/// round, freedoms held, boundaries that move freely) have the full H in a local frame. What passes
/// more than a force and obeys more than Coulomb's law (rolling resistance, elliptic cones, joints) is a
/// link: a wrench with its own H and law.
///
/// For each contact the solver works with the formal velocity [moreau1994, eq. 7.7]
///     V = c + G u,   c_N = rho (G u_I)_N + (1 + rho) W_N,   c_T = tau (G u_I)_T + (1 + tau) W_T.

#include <cstdint>
#include <vector>

#include "contact/ball_contacts.h"
#include "math/frame.h"
#include "math/scratch.h"
#include "math/tangent.h"

namespace talus {

class Threads;

/// A body in the solver: one cache line. R = r w for balls, R = w for other bodies. The sweep kernels know the places
/// of these numbers [solve/ball_kernel.h].
template <int Dim>
struct BodyLine;

template <>
struct alignas(64) BodyLine<2> {
    Vec<2> v = Vec<2>::Zero();        ///< [m/s]
    Spin<2> R = Spin<2>::Zero();      ///< [m/s] for balls
    double zero = 0.0;
    double inv_mass = 0.0;            ///< [1/kg]
    double inv_inertia = 0.0;         ///< r^2/I [1/kg]
};
template <>
struct alignas(64) BodyLine<3> {
    Vec<3> v = Vec<3>::Zero();
    double inv_mass = 0.0;
    Spin<3> R = Spin<3>::Zero();
    double inv_inertia = 0.0;
};

/// The velocities of a line by themselves.
template <int Dim>
struct LineMotion {
    Vec<Dim> v = Vec<Dim>::Zero();
    Spin<Dim> R = Spin<Dim>::Zero();
};

template <int Dim>
[[nodiscard]] inline LineMotion<Dim> motion_of(const BodyLine<Dim>& line) { return {line.v, line.R}; }
template <int Dim>
inline void set_motion(BodyLine<Dim>& line, const LineMotion<Dim>& motion) {
    line.v = motion.v;
    line.R = motion.R;
}

/// A body that no impulse moves.
template <int Dim>
[[nodiscard]] inline bool is_inert(const BodyLine<Dim>& line) { return line.inv_mass == 0.0 && line.inv_inertia == 0.0; }

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

/// What a link obeys, frozen for the step.
struct LinkLaw {
    enum class Kind : std::uint8_t {
        bilateral,  ///< V = 0 on all rows: a joint
        contact     ///< unilateral, with friction, rolling and pivoting resistance
    };
    Kind kind = Kind::bilateral;
    double mu = 0.0;         ///< friction along the first tangent
    double mu_second = 0.0;  ///< along the second: the cone is elliptic where they differ
    double mu_static = 0.0;  ///< along the first tangent while sticking; >= mu
    bool held = false;       ///< static friction: the cone is that of mu_static
    double rolling = 0.0;    ///< |S of the rolling rows| <= rolling S_N [-]
    double pivoting = 0.0;   ///< |S of the pivoting row| <= pivoting S_N [-]
};

/// Two bodies that pass a wrench: V = c + line (v_a - v_b) + spin_a R_a - spin_b R_b, one row a freedom.
/// Rows of a contact are n, t... and then, times a length so that all are velocities, the relative spin
/// about t... (rolling; in the plane about the axis that leaves it) and about n (pivoting).
template <int Dim>
struct LinkContact {
    static constexpr int size = Dim + spin_size<Dim>;
    using Rows = Eigen::Matrix<double, size, 1>;
    Eigen::Matrix<double, size, Dim> line = Eigen::Matrix<double, size, Dim>::Zero();
    Eigen::Matrix<double, size, spin_size<Dim>> spin_a = decltype(spin_a)::Zero(), spin_b = decltype(spin_b)::Zero();
    Eigen::Matrix<double, Dim, size> push_a = decltype(push_a)::Zero(), push_b = decltype(push_b)::Zero();
    Eigen::Matrix<double, spin_size<Dim>, size> turn_a = decltype(turn_a)::Zero(), turn_b = decltype(turn_b)::Zero();
    Eigen::Matrix<double, size, size> H = decltype(H)::Zero();  ///< zero beyond `rows`
    Rows c = Rows::Zero();
    Rows S = Rows::Zero();
    int rows = size;          ///< those that are used; the others are zero
    double length = 0.0;      ///< by which the couple rows of a contact are multiplied [m]
    LinkLaw law;
    double impact = 0.0;
    std::int32_t a = 0, b = 0;
};

inline constexpr std::size_t most_domains = 16;
inline constexpr std::int16_t inert_domain = -1;    ///< a line that no impulse moves
inline constexpr std::int16_t shared_domain = -2;   ///< a body that may be touched anywhere: a wall that moves freely

template <int Dim>
struct ContactProblem {
    /// Current iterate of u_F (free part): the bodies', then some that nothing moves.
    std::vector<BodyLine<Dim>> lines;
    std::vector<LineMotion<Dim>> free_lines;   ///< u_I + h A^-1 F: velocities without impulses
    std::int32_t first_inert = -1;           ///< the first of those that nothing moves, one a group of contacts [arrange.h]; -1: there are none yet
    BallContacts<Dim> balls;
    std::vector<GeneralContact<Dim>> generals;
    std::vector<LinkContact<Dim>> links;
    double v_ref = 0.0;       ///< g h; 0 without gravity: the residual finds a stand-in [m/s]
    std::int64_t step = 0;    ///< for orders drawn at random
    std::vector<std::int16_t> domain;   ///< of each line, or `shared_domain`; empty: all are one [domains.h]
    int domains = 1;
    const Threads* threads = nullptr;   ///< to work with; none: the caller's
    /// Of the size of bodies, used by one stage after the other: pushes that are followed ahead, copies of bodies for the narrow phase, what it
    /// takes to arrange contacts, `motions`, where bodies went; under the rule `moreau` also what it takes to make a list.
    Scratch by_body;
    /// Of the size of contacts: what it takes to make a list; the impulses that the next contacts start from; those of before the last sweep.
    Scratch by_contact;

    /// By line, from the first sweep on: the velocities of before it; once the step is over those of before the step, u_I.
    [[nodiscard]] std::span<LineMotion<Dim>> motions() { return by_body.template first<LineMotion<Dim>>(lines.size()); }
    [[nodiscard]] std::span<const LineMotion<Dim>> motions() const { return by_body.template first<LineMotion<Dim>>(lines.size()); }
    [[nodiscard]] std::size_t contacts() const { return balls.size() + generals.size() + links.size(); }
};

/// Formal velocity of a contact with the present lines.
template <int Dim>
struct FormalVelocity {
    double n;
    Tangential<Dim> t;
};

template <int Dim, class Line>
[[nodiscard]] inline FormalVelocity<Dim> formal_velocity(const BallContact<Dim>& c, const Line& a, const Line& b) {
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

template <int Dim, class Line>
[[nodiscard]] inline Vec<Dim> formal_velocity(const GeneralContact<Dim>& c, const Line& a, const Line& b) {
    return c.c + c.frame * (a.v - b.v) + c.spin_a * a.R - c.spin_b * b.R;
}

/// The same without the constant.
template <int Dim>
[[nodiscard]] inline Vec<Dim> relative_velocity(const GeneralContact<Dim>& c, const LineMotion<Dim>& a, const LineMotion<Dim>& b) {
    return Vec<Dim>::Zero() + c.frame * (a.v - b.v) + c.spin_a * a.R - c.spin_b * b.R;
}

template <int Dim, class Line>
inline void apply(const GeneralContact<Dim>& c, const Vec<Dim>& dS, Line& a, Line& b) {
    a.v += c.push_a * dS;
    b.v -= c.push_b * dS;
    a.R += c.turn_a * dS;
    b.R -= c.turn_b * dS;
}

template <int Dim, class Line>
[[nodiscard]] inline typename LinkContact<Dim>::Rows formal_velocity(const LinkContact<Dim>& c, const Line& a, const Line& b) {
    return c.c + c.line * (a.v - b.v) + c.spin_a * a.R - c.spin_b * b.R;
}

template <int Dim>
[[nodiscard]] inline typename LinkContact<Dim>::Rows relative_velocity(const LinkContact<Dim>& c, const LineMotion<Dim>& a,
                                                                       const LineMotion<Dim>& b) {
    return LinkContact<Dim>::Rows::Zero() + c.line * (a.v - b.v) + c.spin_a * a.R - c.spin_b * b.R;
}

template <int Dim, class Line>
inline void apply(const LinkContact<Dim>& c, const typename LinkContact<Dim>::Rows& dS, Line& a, Line& b) {
    a.v += c.push_a * dS;
    b.v -= c.push_b * dS;
    a.R += c.turn_a * dS;
    b.R -= c.turn_b * dS;
}

}  // namespace talus
