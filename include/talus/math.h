#pragma once
/// \file
/// Vectors, spins and rotations in two and three dimensions.
///
/// Everything that differs between 2D and 3D small algebra is behind the names of this header and of
/// `src/math/`; other code is written once for both. In 2D a spin is one number (about the axis that
/// leaves the page) and a rotation one angle; in 3D a spin is a vector in world axes and a rotation a
/// unit quaternion.

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace talus {

/// Point or vector of the ambient space [m, m/s, N, N s ... as stated by its user].
template <int Dim>
using Vec = Eigen::Matrix<double, Dim, 1>;

/// Square matrix of the ambient space.
template <int Dim>
using Mat = Eigen::Matrix<double, Dim, Dim>;

/// Number of rotational freedoms: 1 in the plane, 3 in space.
template <int Dim>
inline constexpr int spin_size = Dim == 2 ? 1 : 3;

/// Number of freedoms of a rigid body: 3 in the plane (x y r), 6 in space (x y z rx ry rz).
template <int Dim>
inline constexpr int freedoms = Dim + spin_size<Dim>;

/// Angular velocity [rad/s], angular momentum or torque, in world axes.
template <int Dim>
using Spin = Eigen::Matrix<double, spin_size<Dim>, 1>;

/// Orientation of a body: an angle in the plane [rad], a unit quaternion in space.
template <int Dim>
struct Rotation;

template <>
struct Rotation<2> {
    double angle = 0.0;  ///< counter-clockwise [rad]
};

template <>
struct Rotation<3> {
    Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
};

}  // namespace talus
