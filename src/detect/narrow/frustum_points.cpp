#include "detect/narrow/frustum_points.h"

#include "detect/narrow/reduce.h"

namespace talus::round {
namespace {

constexpr int fixed_points = 6;
constexpr double inside_slack = 1e-6;    ///< of the radius: on the rim counts as inside
constexpr double level_tilt = 1e-8;      ///< below this tilt the fixed points say all
constexpr double steepest = 0.1;         ///< least cosine at which a plane is projected onto

// Kinds of points, for their feature numbers.
enum Kind : std::uint32_t {
    corner_on_disk = 101,
    edge_on_rim,
    rim_on_loop,
    deepest_rim,
    line_on_loop,
    line_on_line,
    rim_on_disk,
    rim_crossing
};

/// x moved along n into the plane through `origin` with normal `plane`.
Vec<3> along(const Vec<3>& x, const Vec<3>& n, const Vec<3>& origin, const Vec<3>& plane) {
    return x + n * ((origin - x).dot(plane) / n.dot(plane));
}

/// The line through x along n passes through the polygon, or misses it by less than `slack`.
bool is_over(const Loop& loop, const Vec<3>& x, const Vec<3>& n, double slack) {
    const double sense = n.dot(loop.normal) > 0.0 ? 1.0 : -1.0;
    const std::size_t m = loop.corners.size();
    for (std::size_t i = 0; i < m; ++i) {
        const Vec<3> inward = sense * n.cross(loop.corners[(i + 1) % m] - loop.corners[i]);
        if (inward.dot(x - loop.corners[i]) < -slack * inward.norm()) return false;
    }
    return true;
}

void add(Patch& patch, First first, const Vec<3>& on_first, const Vec<3>& on_second, std::uint32_t feature) {
    if (first == First::is_a) patch.add(on_first, on_second, feature);
    else patch.add(on_second, on_first, feature);
}

/// Where an edge of the polygon crosses the rim.
void cross_rim(const Loop& loop, std::size_t i, const Disk& disk, First first, Patch& patch) {
    const Vec<3>&p = loop.corners[i], &q = loop.corners[(i + 1) % loop.corners.size()];
    const Vec<3> from = along(p, patch.normal(), disk.centre, disk.axis);
    const Vec<3> step = along(q, patch.normal(), disk.centre, disk.axis) - from, arm = from - disk.centre;
    const double aa = step.squaredNorm();
    if (!(aa > 0.0)) return;
    // Half the chord from the distance of the line to the centre: safe for a line close to the rim.
    const double middle = -arm.dot(step) / aa;
    const double off2 = (arm + middle * step).squaredNorm();
    const double chord2 = disk.radius * disk.radius - off2;
    if (chord2 < 0.0) return;
    const double half = std::sqrt(chord2 / aa);
    for (int root = 0; root < 2; ++root) {
        const double t = root == 0 ? middle - half : middle + half;
        if (t <= 0.0 || t >= 1.0) continue;
        add(patch, first, p + t * (q - p), from + t * step,
            feature_key(edge_on_rim, loop.ids[i], disk.id, static_cast<std::uint32_t>(root)));
    }
}

Vec<3> fixed_point(const Disk& disk, int k) {
    static const double half_root = std::sqrt(0.75);
    static const std::array<double, fixed_points> c = {1.0, 0.5, -0.5, -1.0, -0.5, 0.5};
    static const std::array<double, fixed_points> s = {0.0, half_root, half_root, 0.0, -half_root, -half_root};
    const auto i = static_cast<std::size_t>(k);
    return disk.centre + disk.radius * (c[i] * disk.first + s[i] * disk.second);
}

/// Calls f with the point of the rim that lies lowest over a plane of normal `up`, unless the two are level.
template <class F>
void with_lowest(const Disk& disk, const Vec<3>& up, F&& f) {
    const double c = up.dot(disk.first), s = up.dot(disk.second), tilt = std::sqrt(c * c + s * s);
    if (tilt > level_tilt) f(Vec<3>(disk.centre - disk.radius * ((c / tilt) * disk.first + (s / tilt) * disk.second)));
}

void rim_over_loop(const Loop& loop, const Disk& disk, First first, Patch& patch) {
    const Vec<3>& n = patch.normal();
    if (loop.corners.size() < 3 || std::abs(n.dot(loop.normal)) < steepest) return;
    const auto add_if_over = [&](const Vec<3>& x, std::uint32_t feature) {
        if (is_over(loop, x, n, inside_slack * disk.radius))
            add(patch, first, along(x, n, loop.corners[0], loop.normal), x, feature);
    };
    with_lowest(disk, loop.normal, [&](const Vec<3>& x) { add_if_over(x, feature_key(deepest_rim, disk.id, 0)); });
    for (int k = 0; k < fixed_points; ++k)
        add_if_over(fixed_point(disk, k), feature_key(rim_on_loop, disk.id, static_cast<std::uint32_t>(k)));
}

/// Points of a's rim that lie over b's end.
void rim_over_disk(const Disk& rim, const Disk& other, First first, Patch& patch) {
    const Vec<3>& n = patch.normal();
    const auto add_if_over = [&](const Vec<3>& x, std::uint32_t feature) {
        const Vec<3> y = along(x, n, other.centre, other.axis);
        if ((y - other.centre).norm() <= (1.0 + inside_slack) * other.radius) add(patch, first, x, y, feature);
    };
    with_lowest(rim, other.axis, [&](const Vec<3>& x) { add_if_over(x, feature_key(deepest_rim, rim.id, 1)); });
    for (int k = 0; k < fixed_points; ++k)
        add_if_over(fixed_point(rim, k), feature_key(rim_on_disk, rim.id, static_cast<std::uint32_t>(k)));
}

/// Where a's rim, projected along the normal, crosses b's. Rims that nearly coincide cross anywhere: none then.
void cross_rims(const Disk& a, const Disk& b, Patch& patch) {
    const Vec<3>& n = patch.normal();
    const auto rim_point = [&](double c, double s) -> Vec<3> {
        return a.centre + a.radius * (c * a.first + s * a.second);
    };
    const auto excess = [&](double c, double s) {
        return (along(rim_point(c, s), n, b.centre, b.axis) - b.centre).squaredNorm() - b.radius * b.radius;
    };
    std::array<double, circle_samples + 1> value;
    double largest = 0.0;
    for (std::size_t k = 0; k <= circle_samples; ++k) {
        value[k] = excess(circle_table().cosine[k], circle_table().sine[k]);
        largest = std::max(largest, std::abs(value[k]));
    }
    if (largest < 1e-5 * b.radius * b.radius) return;
    std::uint32_t count = 0;
    for (int k = 0; k < circle_samples; ++k) {
        const double f0 = value[static_cast<std::size_t>(k)], f1 = value[static_cast<std::size_t>(k) + 1];
        if ((f0 < 0.0) == (f1 < 0.0)) continue;
        const auto [c, s] = circle_root(excess, k, f0, f1);
        const Vec<3> x = rim_point(c, s);
        // Entering or leaving tells the two crossings apart whatever their angles.
        patch.add(x, along(x, n, b.centre, b.axis),
                  feature_key(rim_crossing, a.id, b.id, 2 * (count++ / 2) + (f0 < 0.0 ? 1u : 0u)));
    }
}

/// The part of a segment over a polygon, as parameters; false when there is none.
bool clip(const Loop& loop, const Line& line, const Vec<3>& n, double slack, double& from, double& to) {
    const double sense = n.dot(loop.normal) > 0.0 ? 1.0 : -1.0;
    const Vec<3> step = line.high - line.low;
    const std::size_t m = loop.corners.size();
    for (std::size_t i = 0; i < m; ++i) {
        Vec<3> inward = sense * n.cross(loop.corners[(i + 1) % m] - loop.corners[i]);
        const double length = inward.norm();
        if (!(length > 0.0)) continue;
        inward /= length;
        const double value = inward.dot(line.low - loop.corners[i]) + slack, rate = inward.dot(step);
        if (value < 0.0 && value + rate < 0.0) return false;
        if (value < 0.0) from = std::max(from, -value / rate);
        if (value + rate < 0.0) to = std::min(to, -value / rate);
    }
    return from <= to;
}

}  // namespace

void Patch::add(const Vec<3>& on_a, const Vec<3>& on_b, std::uint32_t feature) {
    const double gap = normal_.dot(on_a - on_b);
    const Vec<3> point = 0.5 * (on_a + on_b);
    if (gap > limit_ || count_ == static_cast<int>(points_.size())) return;
    for (int k = 0; k < count_; ++k)
        if ((points_[static_cast<std::size_t>(k)].point - point).norm() < 1e-6 * size_ &&
            points_[static_cast<std::size_t>(k)].gap <= gap + 1e-13 * size_)
            return;
    points_[static_cast<std::size_t>(count_++)] = {point, normal_, gap, feature};
}

double Patch::least() const {
    double least = 1e300;
    for (int k = 0; k < count_; ++k) least = std::min(least, points_[static_cast<std::size_t>(k)].gap);
    return least;
}

void Patch::write(int most, const Mat<3>& axes, const Vec<3>& shift, Manifold<3>& out) {
    most = std::min(most, max_manifold_points - out.count);
    if (count_ > most) count_ = keep_support_polygon({points_.data(), static_cast<std::size_t>(count_)}, most, normal_);
    for (int k = 0; k < count_; ++k) {
        ManifoldPoint<3> p = points_[static_cast<std::size_t>(k)];
        p.point = axes * p.point + shift;
        p.normal = axes * p.normal;
        out.add(p);
    }
}

Disk disk_of(const Frustum& f, int end, std::uint32_t id) {
    const Vec<3> axis = end == 0 ? Vec<3>(-f.axis) : f.axis;
    return {centre_at(f, end), axis, f.across, f.axis.cross(f.across), radius_at(f, end), id};
}

void meet(const Loop& loop, const Disk& disk, First first, Patch& patch) {
    if (std::abs(patch.normal().dot(disk.axis)) < steepest) return;
    rim_over_loop(loop, disk, first, patch);
    for (std::size_t i = 0; i < loop.corners.size(); ++i) {
        const Vec<3> x = along(loop.corners[i], patch.normal(), disk.centre, disk.axis);
        if ((x - disk.centre).norm() <= (1.0 + inside_slack) * disk.radius)
            add(patch, first, loop.corners[i], x, feature_key(corner_on_disk, loop.ids[i], disk.id));
    }
    const std::size_t edges = loop.corners.size() > 2 ? loop.corners.size() : loop.corners.size() - 1;
    for (std::size_t i = 0; i < edges; ++i) cross_rim(loop, i, disk, first, patch);
}

void meet(const Disk& a, const Disk& b, Patch& patch) {
    const Vec<3>& n = patch.normal();
    if (std::abs(n.dot(a.axis)) < steepest || std::abs(n.dot(b.axis)) < steepest) return;
    rim_over_disk(a, b, First::is_a, patch);
    rim_over_disk(b, a, First::is_b, patch);
    cross_rims(a, b, patch);
}

Line line_of(const Frustum& f, const Vec<3>& outward) {
    const Vec<3> out = across_of(f, outward).direction;
    return {centre_at(f, 0) + f.low * out, centre_at(f, 1) + f.high * out};
}

void meet(const Loop& loop, const Line& line, First first, Patch& patch) {
    const Vec<3>& n = patch.normal();
    if (loop.corners.size() < 3 || std::abs(n.dot(loop.normal)) < steepest) return;
    double from = 0.0, to = 1.0;
    if (!clip(loop, line, n, 1e-12 * patch.size(), from, to)) return;
    for (std::uint32_t end = 0; end < 2; ++end) {
        const Vec<3> x = line.low + (end == 0 ? from : to) * (line.high - line.low);
        add(patch, first, along(x, n, loop.corners[0], loop.normal), x, feature_key(line_on_loop, end, 0));
    }
}

void meet(const Line& a, const Line& b, double radii, Patch& patch) {
    const Vec<3> step = b.high - b.low;
    const double length = step.norm();
    const Vec<3> d = step / length;
    const Vec<3> along_a = a.high - a.low;
    const double rate = along_a.dot(d);
    if (std::abs(rate) < 0.9 * along_a.norm()) return;
    const double low = (a.low - b.low).dot(d), high = (a.high - b.low).dot(d);
    const double from = std::max(0.0, std::min(low, high)), to = std::min(length, std::max(low, high));
    if (from > to) return;
    const Vec<3>& n = patch.normal();
    for (std::uint32_t end = 0; end < 2; ++end) {
        const double t = end == 0 ? from : to;
        const Vec<3> on_a = a.low + ((t - low) / rate) * along_a, on_b = b.low + t * d;
        const Vec<3> apart = on_a - on_b;
        // Lines that pass each other sideways part by the curvature of both sides.
        const double gap = n.dot(apart), aside2 = (apart - gap * n).squaredNorm();
        const double away = radii > 0.0 ? 0.5 * aside2 / radii : 0.0;
        const Vec<3> middle = 0.5 * (on_a + on_b);
        patch.add(middle + 0.5 * (gap + away) * n, middle - 0.5 * (gap + away) * n, feature_key(line_on_line, end, 0));
    }
}

std::array<double, 2> nearest_on_lines(const Line& a, const Line& b) {
    const Vec<3> d = a.high - a.low, e = b.high - b.low, r = a.low - b.low;
    const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), rd = r.dot(d), re = r.dot(e);
    const double determinant = d.cross(e).squaredNorm();
    if (!(determinant > 1e-24 * dd * ee)) return {0.5, 0.5};
    return {(de * re - ee * rd) / determinant, (dd * re - de * rd) / determinant};
}

}  // namespace talus::round
