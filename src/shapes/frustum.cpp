/// \file
/// A frustum of a circular cone with flat ends: lower radius, upper radius, height; one radius may be 0,
/// which makes a cone. Axis along local z, origin halfway its height.
///
/// The centre of mass lies elsewhere, so the same frustum can also be told from another place: seven more
/// numbers give the position (x y z) and the rotation (quaternion w x y z) of the axes above.
#include <cmath>

#include "shapes/solids.h"

namespace talus {
namespace {

constexpr std::size_t plain = 3, placed = 10;

std::string frustum_complaint(std::span<const double> s) {
    if (s.size() != plain && s.size() != placed)
        return "takes 3 sizes (lower radius, upper radius, height), or 10 with the position and the quaternion (w x y "
               "z) of its axes, not " + std::to_string(s.size());
    for (const double x : s)
        if (!std::isfinite(x)) return "sizes must be finite";
    if (s[0] < 0.0 || s[1] < 0.0) return "radii must not be negative";
    if (s[0] == 0.0 && s[1] == 0.0) return "one of the radii must be > 0";
    if (!(s[2] > 0.0)) return "the height must be > 0, not " + std::to_string(s[2]);
    if (s.size() == placed && std::abs(Eigen::Map<const Vec<4>>(s.data() + 6).norm() - 1.0) > 1e-9)
        return "the quaternion (the last four numbers) must have length 1";
    return {};
}

Eigen::Quaterniond turn_of(std::span<const double> s) {
    return s.size() == placed ? Eigen::Quaterniond(s[6], s[7], s[8], s[9]) : Eigen::Quaterniond::Identity();
}

Vec<3> middle_of(std::span<const double> s) {
    return s.size() == placed ? Vec<3>(s[3], s[4], s[5]) : Vec<3>(Vec<3>::Zero());
}

Solid<3> frustum(std::span<const double> sizes) {
    const Mat<3> axes = turn_of(sizes).toRotationMatrix();
    Frustum f;
    f.low = sizes[0];
    f.high = sizes[1];
    f.half = 0.5 * sizes[2];
    f.middle = middle_of(sizes);
    f.axis = axes.col(2);
    f.across = axes.col(0);
    Solid<3> solid;
    solid.pieces = {piece_of(f)};
    solid.mass = mass_of(f);
    set_bound(solid);
    return solid;
}

std::vector<double> seen_from(std::span<const double> sizes, const Vec<3>& centre, const Mat<3>& axes) {
    const Vec<3> middle = axes.transpose() * (middle_of(sizes) - centre);
    const Mat<3> seen = axes.transpose() * turn_of(sizes).toRotationMatrix();
    const Eigen::Quaterniond turn = Eigen::Quaterniond(seen).normalized();
    return {sizes[0], sizes[1], sizes[2], middle[0], middle[1], middle[2], turn.w(), turn.x(), turn.y(), turn.z()};
}

}  // namespace

void register_frustum(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "frustum";
    type.sizes_3d = any_number;
    type.sizes_text = "lower radius, upper radius, height";
    type.complaint = frustum_complaint;
    type.solid_3d = frustum;
    type.moved_3d = seen_from;
    type.is_solid = true;
    registry.add(std::move(type));
}

}  // namespace talus
