#pragma once
/// \file
/// Contact frames: a normal and as many tangents as the space has left.

#include <array>
#include <cmath>
#include <cstdint>

#include "math/rotation.h"

namespace talus {

/// Rows of the result are n, t (2D) or n, t1, t2 (3D), a right-handed orthonormal frame.
/// In 3D the tangents are chosen without a singular direction [Duff et al. 2017].
template <int Dim>
[[nodiscard]] inline Mat<Dim> frame_of(const Vec<Dim>& n) {
    Mat<Dim> e;
    if constexpr (Dim == 2) {
        e << n[0], n[1], -n[1], n[0];
    } else {
        const double sign = std::copysign(1.0, n[2]);
        const double a = -1.0 / (sign + n[2]);
        const double b = n[0] * n[1] * a;
        e.row(0) = n;
        e.row(1) << 1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0];
        e.row(2) << b, sign + n[1] * n[1] * a, -n[1];
    }
    return e;
}

/// The same with the first tangent along `axis` as seen in the tangent plane, in 3D. Where the axis is along n
/// (to a millionth) there is no such tangent: the result is false and the frame that of `frame_of`.
template <int Dim>
[[nodiscard]] inline bool frame_along(const Vec<Dim>& n, const std::array<double, 3>& axis, Mat<Dim>& e) {
    e = frame_of<Dim>(n);
    if constexpr (Dim == 3) {
        const Vec<3> a(axis[0], axis[1], axis[2]);
        const Vec<3> t = a - a.dot(n) * n;
        if (!(t.norm() > 1e-6 * a.norm())) return false;
        e.row(1) = t.normalized();
        e.row(2) = n.cross(t.normalized());
    }
    return true;
}

/// Axes of the couples of a contact, as rows: the tangents and then the normal (3D), the one there is (2D).
template <int Dim>
[[nodiscard]] inline Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> couple_axes(const Mat<Dim>& frame) {
    if constexpr (Dim == 2) {
        return Eigen::Matrix<double, 1, 1>::Ones();
    } else {
        Mat<3> axes;
        axes << frame.row(1), frame.row(2), frame.row(0);
        return axes;
    }
}

/// Carries a vector tangent to `from` into the plane tangent to `to` by the smallest rotation that
/// takes `from` to `to` (both unit). Opposite normals leave no smallest rotation: the result is zero.
template <int Dim>
[[nodiscard]] inline Vec<Dim> carry_tangent(const Vec<Dim>& tangent, const Vec<Dim>& from, const Vec<Dim>& to) {
    const double c = 1.0 + from.dot(to);
    if (c < 1e-6) return Vec<Dim>::Zero();
    return tangent - (to.dot(tangent) / c) * (from + to);
}

/// The spins that a hinge about `axis` (unit) holds, by rows: none in the plane, the two across the axis in space.
template <int Dim>
using SpinList = Eigen::Matrix<double, Eigen::Dynamic, spin_size<Dim>, Eigen::ColMajor, spin_size<Dim>, spin_size<Dim>>;
template <int Dim>
[[nodiscard]] inline SpinList<Dim> spins_across([[maybe_unused]] const Vec<Dim>& axis) {
    if constexpr (Dim == 2) {
        return SpinList<2>(0, 1);
    } else {
        return frame_of<3>(axis).template bottomRows<2>();
    }
}

/// The small turn that takes direction `from` to `to` (unit) without turning about them; in the plane a hinge's
/// axis leaves it and cannot turn.
template <int Dim>
[[nodiscard]] inline Spin<Dim> tilt_between([[maybe_unused]] const Vec<Dim>& from, [[maybe_unused]] const Vec<Dim>& to) {
    if constexpr (Dim == 2) {
        return Spin<2>::Zero();
    } else {
        return from.cross(to);
    }
}

/// Carries a couple: its part along the normal stays along the normal, the rest turns with it.
template <int Dim>
[[nodiscard]] inline Spin<Dim> carry_couple(const Spin<Dim>& couple, const Vec<Dim>& from, const Vec<Dim>& to) {
    if constexpr (Dim == 2) {
        return couple;
    } else {
        const double pivot = couple.dot(from);
        return carry_tangent<3>(couple - pivot * from, from, to) + pivot * to;
    }
}

/// Largest lattice coordinate that `morton` takes.
template <int Dim>
inline constexpr double morton_limit = Dim == 2 ? 4294967295.0 : 2097151.0;

/// Spreads the bits of a lattice coordinate, `Dim` places each.
template <int Dim>
[[nodiscard]] inline std::uint64_t spread_bits(std::uint64_t x) {
    if constexpr (Dim == 2) {
        x = (x | x << 16) & 0x0000FFFF0000FFFFull;
        x = (x | x << 8) & 0x00FF00FF00FF00FFull;
        x = (x | x << 4) & 0x0F0F0F0F0F0F0F0Full;
        x = (x | x << 2) & 0x3333333333333333ull;
        return (x | x << 1) & 0x5555555555555555ull;
    } else {
        x &= 0x1FFFFFull;
        x = (x | x << 32) & 0x001F00000000FFFFull;
        x = (x | x << 16) & 0x001F0000FF0000FFull;
        x = (x | x << 8) & 0x100F00F00F00F00Full;
        x = (x | x << 4) & 0x10C30C30C30C30C3ull;
        return (x | x << 2) & 0x1249249249249249ull;
    }
}

/// Interleaves the bits of lattice coordinates: a position along the Morton space-filling curve.
template <int Dim>
[[nodiscard]] inline std::uint64_t morton(const std::array<std::uint32_t, Dim>& cell) {
    std::uint64_t code = 0;
    for (int k = 0; k < Dim; ++k) code |= spread_bits<Dim>(cell[k]) << k;
    return code;
}

/// The rotational Jacobian of the velocity at arm `r`, seen along the rows of `frame`:
/// frame * (w x r) = angular_rows(frame, r) * w.
template <int Dim>
[[nodiscard]] inline Eigen::Matrix<double, Dim, spin_size<Dim>> angular_rows(const Mat<Dim>& frame, const Vec<Dim>& r) {
    Eigen::Matrix<double, Dim, spin_size<Dim>> rows;
    for (int k = 0; k < Dim; ++k) {
        const Vec<Dim> axis = frame.row(k).transpose();
        rows.row(k) = moment<Dim>(r, axis).transpose();
    }
    return rows;
}

}  // namespace talus
