#pragma once
/// \file
/// Exact answers about the set of equilibrium forces, each by a second-order cone program with its certificate:
/// is there an equilibrium; between which values does a quantity lie, and which forces attain them; how much of a further load
/// can be borne (static limit analysis, whose dual is the collapse mechanism); and the set seen along two quantities.

#include <optional>

#include "explore/quantity.h"

namespace talus::explore {

/// How sure an answer is: of an optimum, its residuals and duality gap; of a certificate, its own residual [-].
struct Certificate {
    double residual = 0.0;
    int iterations = 0;
};

enum class BoundKind : std::uint8_t {
    attained,   ///< by `forces`
    unbounded,  ///< there are self-stresses without limit: `forces` is one, by which the quantity changes by 1 N
    none,       ///< there is no equilibrium at all
    unsure      ///< the program was not solved to its accuracy
};

struct Bound {
    BoundKind kind = BoundKind::none;
    double value = 0.0;          ///< [N] where attained
    Eigen::VectorXd forces;      ///< along frames, by contact [N]
    Certificate certificate;
};

struct Range {
    Bound least, greatest;
    [[nodiscard]] bool is_bounded() const { return least.kind == BoundKind::attained && greatest.kind == BoundKind::attained; }
};

/// Does the state have equilibrium forces?
template <int Dim>
struct Existence {
    enum class Kind : std::uint8_t { some, none, unsure };
    Kind kind = Kind::unsure;
    Eigen::VectorXd forces;                ///< inside the set where there are some [N]
    /// Where there are none: a motion in which the loads do work and no contact resists (relative velocities in the
    /// duals of the cones), scaled so that the largest velocity is 1.
    Motion<Dim> mechanism;
    std::vector<std::size_t> untouched;    ///< bodies that bear a load and touch nothing: index in the world
    Certificate certificate;
};

template <int Dim>
[[nodiscard]] Existence<Dim> find_equilibrium(const ForceSet<Dim>& set, std::size_t bodies);

/// Least and greatest value of a quantity over the set.
template <int Dim>
[[nodiscard]] Range bounds(const ForceSet<Dim>& set, const Quantity& quantity);

/// A further load, by row of the balance, that a multiplier lambda scales.
struct Thrust {
    std::string name;
    Eigen::VectorXd rows;    ///< for lambda = 1 [N]
    std::string unit;        ///< of lambda: "g", "N", "N m"
};

/// The mass of every body that can move times g (1 m/s2 without gravity) along a direction, as ground that accelerates
/// the other way does.
template <int Dim>
[[nodiscard]] Thrust body_force(const ForceSet<Dim>& set, const World<Dim>& world, const Vec<Dim>& direction, std::string name);
/// A force of 1 N (or a torque of 1 N m) along a freedom of one body, times `sign`.
template <int Dim>
[[nodiscard]] Thrust point_force(const ForceSet<Dim>& set, std::size_t body, int freedom, double sign, std::string name);

/// One end of the interval of multipliers for which equilibrium is possible.
template <int Dim>
struct Limit {
    BoundKind kind = BoundKind::none;
    double multiplier = 0.0;
    Eigen::VectorXd forces;     ///< at the limit [N]
    Motion<Dim> mechanism;      ///< of collapse: scaled so that the largest velocity is 1
    Certificate certificate;
};

template <int Dim>
struct Collapse {
    Limit<Dim> least, greatest;
};

template <int Dim>
[[nodiscard]] Collapse<Dim> collapse(const ForceSet<Dim>& set, const Thrust& load, std::size_t bodies);

/// The set seen along two quantities: a convex region of the plane, cut off at a window.
struct Window {
    double x_low = 0.0, x_high = 0.0, y_low = 0.0, y_high = 0.0;   ///< [N]
};
struct Projection {
    std::vector<double> x, y;   ///< corners, counter-clockwise [N]; two where the region is a segment, one where it is a point
    double defect = 0.0;        ///< the region lies within this distance of the polygon, in parts of the window
    int programs = 0;           ///< solved to find it
};

/// Corners are found by the support function: first along the axes, then outwards of the edge under which most may be
/// hidden, until no edge hides more than `tolerance` of the window or `most` programs were solved.
template <int Dim>
[[nodiscard]] Projection project(const ForceSet<Dim>& set, const Quantity& x, const Quantity& y, const Window& window,
                                 int most = 64, double tolerance = 1e-6);

}  // namespace talus::explore
