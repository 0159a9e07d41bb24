#pragma once
/// \file
/// Parts of space that scenes name: regions to fill or to empty, and cross-sections to pour through.

#include <array>

#include "scene/frame.h"
#include "scene/random.h"

namespace talus::scene {

/// A box, ball (disk in the plane) or cylinder. In the plane the third component is not read.
struct Region {
    enum class Kind { box, ball, cylinder } kind = Kind::box;
    int dimension = 3;
    Point low = Point::Zero(), high = Point::Zero();  ///< box [m]
    Point centre = Point::Zero();                     ///< ball; cylinder: middle of its lower end [m]
    double radius = 0.0;                              ///< [m]
    double length = 0.0;                              ///< of a cylinder [m]
    int axis = 2;                                     ///< of a cylinder

    [[nodiscard]] double volume() const;  ///< [m3], [m2] in the plane
    /// Distance from `p` to the boundary, positive inside [m]; infinite where it has none.
    [[nodiscard]] double depth(const Point& p) const;
    [[nodiscard]] bool contains(const Point& p) const { return depth(p) >= 0.0; }
    /// Uniform among the points at least `margin` inside. Axes with `open` set need no margin.
    [[nodiscard]] Point sample(Random& random, double margin, const std::array<bool, 3>& open) const;
    /// Nearest point at least `margin` inside, same rule.
    [[nodiscard]] Point pull_inside(const Point& p, double margin, const std::array<bool, 3>& open) const;
    /// Smallest box around it.
    void bounds(Point& lowest, Point& highest) const;
};

/// A part of the plane across the vertical (of the line, in 2D).
struct CrossSection {
    enum class Kind { point, disk, rectangle } kind = Kind::point;
    int dimension = 3;                                 ///< of the scene: a cross-section has one less
    double centre[2] = {0.0, 0.0};                     ///< point, disk [m]
    double radius = 0.0;                               ///< disk [m]
    double low[2] = {0.0, 0.0}, high[2] = {0.0, 0.0};  ///< rectangle [m]

    /// Uniform over it.
    void sample(Random& random, double& s, double& t) const;
    [[nodiscard]] bool contains(double s, double t) const;
    void bounds(double lowest[2], double highest[2]) const;
};

}  // namespace talus::scene
