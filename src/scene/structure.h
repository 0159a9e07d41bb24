#pragma once
/// \file
/// What the generators of structures share: blocks described upright about an origin on the ground.
///
/// A structure is described by lengths along it, across it (in space) and upwards; upwards is the last axis of the
/// scene whatever gravity, so that a structure can be tilted by tilting gravity. `origin` is the middle of its
/// base, `heading` turns it about the vertical in space.

#include <array>
#include <vector>

#include "scene/generate/generator_registry.h"

namespace talus::scene {

class Site {
public:
    /// Reads `origin` and, in space, `heading`.
    explicit Site(GeneratorInput& input);

    [[nodiscard]] int dimension() const { return dimension_; }
    /// A solid whose axes stand at (along, up), turned by `tilt` [rad] in the plane of the structure: positive
    /// tilts lower what lies further along.
    [[nodiscard]] GeneratedGrain put(ShapeSpec shape, double along, double up, double tilt = 0.0) const;
    /// An upright block, `depth` across.
    [[nodiscard]] GeneratedGrain block(double along, double up, double length, double depth, double height,
                                       double tilt = 0.0) const;
    /// A convex outline of (along, up) points, in order, `depth` thick in space.
    [[nodiscard]] GeneratedGrain prism(const std::vector<std::array<double, 2>>& outline, double depth) const;
    /// A direction along the structure.
    [[nodiscard]] Point along() const;

private:
    int dimension_;
    Point origin_ = Point::Zero();
    double heading_ = 0.0;  ///< [rad]
};

}  // namespace talus::scene
