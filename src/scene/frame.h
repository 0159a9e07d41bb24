#pragma once
/// \file
/// Which way is up: opposite to gravity, or the last axis where there is none. Heights, cross-sections
/// and sources are stated along and across this direction.

#include <Eigen/Core>

namespace talus::scene {

/// A point or vector of a scene; scenes in the plane leave the third component at zero.
using Point = Eigen::Vector3d;

struct Frame {
    Point up = Point::UnitZ();
    Point first = Point::UnitX();   ///< directions across
    Point second = Point::UnitY();  ///< zero in the plane

    /// The point at (s, t) across and `height` along.
    [[nodiscard]] Point at(double s, double t, double height) const { return s * first + t * second + height * up; }
};

/// Across directions are the other axes, in order, when gravity follows an axis.
[[nodiscard]] Frame frame_for(const Point& gravity, int dimension);

}  // namespace talus::scene
