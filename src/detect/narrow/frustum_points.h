#pragma once
/// \file
/// Contact points between flat ends, sides and polygons once the normal is known. Everything is projected
/// along the normal: where an end of a frustum and a polygon (or another end) lie on one another, the points
/// are corners of the common part and fixed points of the rims, so that a standing drum keeps its points.

#include <array>
#include <span>

#include "detect/narrow/frustum_geometry.h"

namespace talus::round {

/// The points of one pair, before the best few are kept.
class Patch {
public:
    Patch(const Vec<3>& normal, double limit, double size) : normal_(normal), limit_(limit), size_(size) {}

    /// `on_a` and `on_b` lie on one line along the normal.
    void add(const Vec<3>& on_a, const Vec<3>& on_b, std::uint32_t feature);
    [[nodiscard]] const Vec<3>& normal() const { return normal_; }
    [[nodiscard]] double size() const { return size_; }
    /// Least gap of the points so far, or a large number.
    [[nodiscard]] double least() const;
    /// At most `most` points, the deepest among them, moved by x -> axes x + shift into `out`.
    void write(int most, const Mat<3>& axes, const Vec<3>& shift, Manifold<3>& out);

private:
    std::array<ManifoldPoint<3>, 64> points_;
    int count_ = 0;
    Vec<3> normal_;
    double limit_, size_;
};

/// A flat end: the disk within its rim.
struct Disk {
    Vec<3> centre, axis, first, second;  ///< the axis points out of the frustum; angles count from `first`
    double radius;
    std::uint32_t id;
};
[[nodiscard]] Disk disk_of(const Frustum& f, int end, std::uint32_t id);

/// A convex polygon; one or two corners make a point or a segment.
struct Loop {
    std::span<const Vec<3>> corners;
    std::span<const std::uint32_t> ids;
    Vec<3> normal;  ///< outward; not used for points and segments
};

/// Which body is a: the first of the two arguments below, or the second.
enum class First : bool { is_b, is_a };

void meet(const Loop& loop, const Disk& disk, First first, Patch& patch);
void meet(const Disk& a, const Disk& b, Patch& patch);
/// A line of the side, from `low` to `high`, on a polygon or on another line.
struct Line {
    Vec<3> low, high;
};
[[nodiscard]] Line line_of(const Frustum& f, const Vec<3>& outward);
/// The line may touch along its length when n is the normal.
[[nodiscard]] inline bool lies_across(const Line& line, const Vec<3>& n) {
    return std::abs(n.dot(line.high - line.low)) < 0.3 * (line.high - line.low).norm();
}
void meet(const Loop& loop, const Line& line, First first, Patch& patch);
/// Nearly parallel lines of two sides; `radii` are the distances of the lines from their axes taken together.
void meet(const Line& a, const Line& b, double radii, Patch& patch);

/// Nearest points of two straight lines that are not parallel: parameter along each.
[[nodiscard]] std::array<double, 2> nearest_on_lines(const Line& a, const Line& b);

}  // namespace talus::round
