#pragma once
/// \file
/// Rigid kinematics, once for the plane and for space. With `src/math/frame.h` and the public
/// `talus/math.h` this is the sole home of branches on the dimension.

#include <cmath>

#include <Eigen/LU>

#include "math/sin_cos.h"
#include "talus/math.h"

namespace talus {

/// Velocity of a point at arm `r` from the centre of a body of spin `w`.
template <int Dim>
[[nodiscard]] inline Vec<Dim> spin_cross(const Spin<Dim>& w, const Vec<Dim>& r) {
    if constexpr (Dim == 2) {
        return {-w[0] * r[1], w[0] * r[0]};
    } else {
        return w.cross(r);
    }
}

/// Moment of force `f` at arm `r`.
template <int Dim>
[[nodiscard]] inline Spin<Dim> moment(const Vec<Dim>& r, const Vec<Dim>& f) {
    if constexpr (Dim == 2) {
        return Spin<2>(r[0] * f[1] - r[1] * f[0]);
    } else {
        return r.cross(f);
    }
}

/// Matrix of a rotation: world = matrix * body.
template <int Dim>
[[nodiscard]] inline Mat<Dim> matrix_of(const Rotation<Dim>& r) {
    if constexpr (Dim == 2) {
        const auto [s, c] = sin_cos(r.angle);
        Mat<2> m;
        m << c, -s, s, c;
        return m;
    } else {
        return r.q.toRotationMatrix();
    }
}

/// The rotation by the vector `turn` (axis times angle) [rad].
template <int Dim>
[[nodiscard]] inline Rotation<Dim> rotation_by(const Spin<Dim>& turn) {
    if constexpr (Dim == 2) {
        return {turn[0]};
    } else {
        // Exponential of half the turn; the series keeps full accuracy where sin(x)/x loses it.
        const double half2 = 0.25 * turn.squaredNorm();
        double c = 0.0, s = 0.0;
        if (half2 < 1e-4) {
            c = 1.0 - half2 * (0.5 - half2 * (1.0 / 24.0 - half2 / 720.0));
            s = 0.5 * (1.0 - half2 * (1.0 / 6.0 - half2 * (1.0 / 120.0 - half2 / 5040.0)));
        } else {
            const double half = std::sqrt(half2);
            const SineCosine of_half = sin_cos(half);
            c = of_half.cos;
            s = 0.5 * of_half.sin / half;
        }
        Rotation<3> r;
        r.q = Eigen::Quaterniond(c, s * turn[0], s * turn[1], s * turn[2]);
        return r;
    }
}

/// `second` after `first`.
template <int Dim>
[[nodiscard]] inline Rotation<Dim> compose(const Rotation<Dim>& second, const Rotation<Dim>& first) {
    if constexpr (Dim == 2) {
        return {second.angle + first.angle};
    } else {
        Rotation<3> r;
        r.q = second.q * first.q;
        r.q.normalize();
        return r;
    }
}

/// Orientation after turning with spin `w` (world axes) for `dt`.
template <int Dim>
[[nodiscard]] inline Rotation<Dim> advance(const Rotation<Dim>& r, const Spin<Dim>& w, double dt) {
    return compose<Dim>(rotation_by<Dim>(w * dt), r);
}

/// The rotation that undoes this one.
template <int Dim>
[[nodiscard]] inline Rotation<Dim> inverse(const Rotation<Dim>& r) {
    if constexpr (Dim == 2) {
        return {-r.angle};
    } else {
        Rotation<3> back;
        back.q = r.q.conjugate();
        return back;
    }
}

/// The turn (axis times angle) that takes `from` to `to`, to the third order of a small one [rad].
template <int Dim>
[[nodiscard]] inline Spin<Dim> turn_between(const Rotation<Dim>& from, const Rotation<Dim>& to) {
    if constexpr (Dim == 2) {
        return Spin<2>(to.angle - from.angle);
    } else {
        const Eigen::Quaterniond q = to.q * from.q.conjugate();
        return (q.w() < 0.0 ? -2.0 : 2.0) * q.vec();
    }
}

/// A spin turned by a rotation.
template <int Dim>
[[nodiscard]] inline Spin<Dim> turned(const Rotation<Dim>& r, const Spin<Dim>& spin) {
    if constexpr (Dim == 2) {
        return spin;
    } else {
        return r.q * spin;
    }
}

/// Inverse inertia (or any tensor given by principal values) in world axes.
template <int Dim>
[[nodiscard]] inline Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> in_world(
    const Rotation<Dim>& r, const Spin<Dim>& principal) {
    if constexpr (Dim == 2) {
        return principal;
    } else {
        const Mat<3> m = matrix_of<3>(r);
        return m * principal.asDiagonal() * m.transpose();
    }
}

/// Spin after `dt` of free rotation of a body with principal moments `inertia`, oriented as `r`; spins in
/// world axes, the orientation held (body axes do not move during the step of Contact Dynamics). The
/// implicit midpoint rule on Euler's equations in body axes keeps the energy and the size of the angular
/// momentum whatever the spin; large turns are done in several steps.
template <int Dim>
[[nodiscard]] inline Spin<Dim> free_rotation(const Rotation<Dim>& r, const Spin<Dim>& inertia, const Spin<Dim>& spin,
                                             double dt) {
    if constexpr (Dim == 2) {
        return spin;
    } else {
        if (spin.isZero(0.0) || (inertia[0] == inertia[1] && inertia[1] == inertia[2])) return spin;
        const Mat<3> axes = matrix_of<3>(r);
        Vec<3> w = axes.transpose() * spin;
        const int parts = static_cast<int>(std::ceil(2.0 * spin.norm() * std::abs(dt)));
        const double h = dt / parts;
        for (int part = 0; part < parts; ++part) {
            Vec<3> x = w;
            for (int i = 0; i < 20; ++i) {
                const Vec<3> m = 0.5 * (w + x), Im = inertia.cwiseProduct(m);
                const Vec<3> defect = inertia.cwiseProduct(x - w) + h * m.cross(Im);
                // Derivative of m x (I m) by m is [m] I - [I m].
                Mat<3> slope;
                slope << inertia[0], 0.5 * h * (-m[2] * inertia[1] + Im[2]), 0.5 * h * (m[1] * inertia[2] - Im[1]),
                    0.5 * h * (m[2] * inertia[0] - Im[2]), inertia[1], 0.5 * h * (-m[0] * inertia[2] + Im[0]),
                    0.5 * h * (-m[1] * inertia[0] + Im[1]), 0.5 * h * (m[0] * inertia[1] - Im[0]), inertia[2];
                const Vec<3> change = slope.inverse() * defect;
                x -= change;
                if (change.squaredNorm() <= 1e-32 * x.squaredNorm()) break;
            }
            w = x;
        }
        return axes * w;
    }
}

/// Volume of a ball (area of a disk in 2D) of radius r.
template <int Dim>
[[nodiscard]] inline double ball_volume(double r) {
    if constexpr (Dim == 2) {
        return M_PI * r * r;
    } else {
        return 4.0 / 3.0 * M_PI * r * r * r;
    }
}

/// Moment of inertia of a solid ball over m r^2: 1/2 for a disk, 2/5 for a sphere.
template <int Dim>
inline constexpr double ball_inertia_factor = Dim == 2 ? 0.5 : 0.4;

}  // namespace talus
