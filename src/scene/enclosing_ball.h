#pragma once
/// \file
/// The smallest ball that holds some points (a circle for points of the plane), which is the size of a grain
/// that is not round.

#include <vector>

#include "scene/frame.h"

namespace talus::scene {

struct EnclosingBall {
    Point centre = Point::Zero();  ///< [m]
    double radius = 0.0;           ///< [m]
};

/// Exact up to rounding [Welzl 1991]; meant for tens of points.
[[nodiscard]] EnclosingBall enclosing_ball(const std::vector<Point>& points);

}  // namespace talus::scene
