#pragma once
/// \file
/// Small geometry that observables share: which way is up, distance from a vertical axis, measures of
/// balls and rings. Overloads carry the difference between plane and space.

#include <array>
#include <cmath>
#include <numbers>

#include "step/snapshot.h"

namespace talus::observe {

/// A vertical axis: "up" is against gravity, or along the last coordinate without gravity.
template <int Dim>
struct Vertical {
    Vec<Dim> up = Vec<Dim>::Unit(Dim - 1);
    Vec<Dim> foot = Vec<Dim>::Zero();   ///< a point of the axis [m]

    [[nodiscard]] double height(const Vec<Dim>& x) const { return up.dot(x); }
    /// Horizontal part of the way from the axis to `x`.
    [[nodiscard]] Vec<Dim> outward(const Vec<Dim>& x) const {
        const Vec<Dim> d = x - foot;
        return d - up.dot(d) * up;
    }
    [[nodiscard]] double distance(const Vec<Dim>& x) const { return outward(x).norm(); }
};

template <int Dim>
[[nodiscard]] Vertical<Dim> vertical(const Snapshot<Dim>& snapshot, const Vec<Dim>& foot) {
    Vertical<Dim> axis;
    if (snapshot.gravity.norm() > 0.0) axis.up = -snapshot.gravity.normalized();
    axis.foot = foot;
    return axis;
}

/// A horizontal direction, the same for the same `up`: x where possible.
[[nodiscard]] inline Vec<2> across(const Vec<2>& up) { return {up.y(), -up.x()}; }
[[nodiscard]] inline Vec<3> across(const Vec<3>& up) {
    const Vec<3> start = std::abs(up.x()) < 0.9 ? Vec<3>::UnitX() : Vec<3>::UnitY();
    return (start - up.dot(start) * up).normalized();
}

/// Horizontal and across `direction`; nothing in the plane.
[[nodiscard]] inline Vec<2> sideways(const Vec<2>&, const Vec<2>&) { return Vec<2>::Zero(); }
[[nodiscard]] inline Vec<3> sideways(const Vec<3>& direction, const Vec<3>& up) { return up.cross(direction); }

/// Turn of the horizontal vector `p` about `up`, in [0, 1): 0 or 1/2 in the plane (right, left).
[[nodiscard]] inline double turn(const Vec<2>& p, const Vec<2>& up) { return p.dot(across(up)) >= 0.0 ? 0.0 : 0.5; }
[[nodiscard]] inline double turn(const Vec<3>& p, const Vec<3>& up) {
    const Vec<3> e = across(up);
    const double angle = std::atan2(p.dot(up.cross(e)), p.dot(e)) / (2.0 * std::numbers::pi);
    return angle < 0.0 ? angle + 1.0 : angle;
}

/// Cells of about `arc` that a ring of radius `r` is cut into; a "ring" of the plane has two sides.
[[nodiscard]] inline int cells_around(const Vec<2>&, double, double) { return 2; }
[[nodiscard]] inline int cells_around(const Vec<3>&, double r, double arc) {
    return std::max(1, static_cast<int>(std::lround(2.0 * std::numbers::pi * r / arc)));
}

/// Parts of a pile measured apart to tell the scatter: two flanks, four quadrants.
[[nodiscard]] inline int flanks(const Vec<2>&) { return 2; }
[[nodiscard]] inline int flanks(const Vec<3>&) { return 4; }

/// Ground of a ring between radii `a` < `b`: length of two strips [m], area [m2].
[[nodiscard]] inline double ring_measure(const Vec<2>&, double a, double b) { return 2.0 * (b - a); }
[[nodiscard]] inline double ring_measure(const Vec<3>&, double a, double b) {
    return std::numbers::pi * (b - a) * (b + a);
}

/// x cross v: a number in the plane, a vector in space.
[[nodiscard]] inline Spin<2> moment(const Vec<2>& x, const Vec<2>& v) { return Spin<2>(x.x() * v.y() - x.y() * v.x()); }
[[nodiscard]] inline Spin<3> moment(const Vec<3>& x, const Vec<3>& v) { return x.cross(v); }

/// SI units that depend on the dimension: a pressure is N/m in the plane.
[[nodiscard]] inline const char* pressure_unit(const Vec<2>&) { return "N/m"; }
[[nodiscard]] inline const char* pressure_unit(const Vec<3>&) { return "Pa"; }
[[nodiscard]] inline const char* surface_unit(const Vec<2>&) { return "m"; }
[[nodiscard]] inline const char* surface_unit(const Vec<3>&) { return "m2"; }
[[nodiscard]] inline const char* density_unit(const Vec<2>&) { return "kg/m2"; }
[[nodiscard]] inline const char* density_unit(const Vec<3>&) { return "kg/m3"; }
[[nodiscard]] inline const char* volume_unit(const Vec<2>&) { return "m2"; }
[[nodiscard]] inline const char* volume_unit(const Vec<3>&) { return "m3"; }

/// Names of the components of a vector.
inline constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

}  // namespace talus::observe
