#include "scene/structure.h"

#include <cmath>

#include "math/portable.h"
#include "math/rotation.h"

namespace talus::scene {

Site::Site(GeneratorInput& input)
    : dimension_(input.scene.dimension), origin_(input.keys.vector("origin", quantity::length)) {
    if (dimension_ == 3)
        heading_ = input.keys.number("heading", quantity::number, range::any, 0.0) * M_PI / 180.0;
}

Point Site::along() const {
    if (heading_ == 0.0) return Point::UnitX();
    return {portable::cos(heading_), portable::sin(heading_), 0.0};
}

namespace {

/// A rotation in space as axis times angle.
Point turn_of(const Rotation<3>& rotation) {
    const double sine = rotation.q.vec().norm();
    if (sine == 0.0) return Point::Zero();
    return rotation.q.vec() * (2.0 * portable::atan2(sine, rotation.q.w()) / sine);
}

}  // namespace

GeneratedGrain Site::put(ShapeSpec shape, double along, double up, double tilt) const {
    GeneratedGrain grain;
    grain.position = origin_ + along * this->along() + up * Point::Unit(dimension_ - 1);
    if (dimension_ == 2) {
        grain.turn[0] = -tilt;
    } else if (heading_ == 0.0 || tilt == 0.0) {
        grain.turn = {0.0, tilt, heading_};
    } else {
        grain.turn = turn_of(compose<3>(rotation_by<3>({0.0, 0.0, heading_}), rotation_by<3>({0.0, tilt, 0.0})));
    }
    grain.radius = bound_of(shape, dimension_);
    grain.shape = std::move(shape);
    return grain;
}

GeneratedGrain Site::block(double along, double up, double length, double depth, double height, double tilt) const {
    ShapeSpec box{"box", {length, height}};
    if (dimension_ == 3) box.sizes = {length, depth, height};
    return put(std::move(box), along, up, tilt);
}

GeneratedGrain Site::prism(const std::vector<std::array<double, 2>>& outline, double depth) const {
    double along = 0.0, up = 0.0;
    for (const auto& p : outline) {
        along += p[0] / static_cast<double>(outline.size());
        up += p[1] / static_cast<double>(outline.size());
    }
    ShapeSpec shape{dimension_ == 2 ? "polygon" : "polyhedron", {}};
    for (const auto& p : outline) {
        if (dimension_ == 2) {
            shape.sizes.insert(shape.sizes.end(), {p[0] - along, p[1] - up});
        } else {
            for (const double side : {-0.5, 0.5})
                shape.sizes.insert(shape.sizes.end(), {p[0] - along, side * depth, p[1] - up});
        }
    }
    return put(std::move(shape), along, up);
}

}  // namespace talus::scene
