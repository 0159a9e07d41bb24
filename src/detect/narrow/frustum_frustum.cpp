/// \file
/// Frustum against frustum: drums on drums, cones, coins.
///
/// Works in the axes of b's frustum. The normals at which the two may part are those of the flat ends, of two
/// sides that touch (closed form), of a rim on a side and of a rim on a rim (roots on a circle).
#include "detect/narrow/frustum_points.h"

namespace talus {
namespace {

using round::Choice;
using round::First;
using round::Origin;

constexpr int most_points = 8;
constexpr double flat_cosine = 0.9;
constexpr double parallel_sine = 1e-3;  ///< lines of two sides below this angle touch along their length

class Search {
public:
    Search(const Frustum& a, const Frustum& b, Choice& choice) : a_(a), b_(b), choice_(choice) {}

    void run() {
        for (const Frustum* f : {&a_, &b_}) {
            add(f->axis, Origin::flat);
            add(-f->axis, Origin::flat);
        }
        if (choice_.apart()) return;
        sides();
        for (int end = 0; end < 2; ++end) {
            rim_on_side(a_, end, b_, 1.0);
            rim_on_side(b_, end, a_, -1.0);
        }
        if (choice_.apart()) return;
        for (int end = 0; end < 4; ++end) rim_on_rim(end / 2, end % 2);
    }

private:
    void add(const Vec<3>& n, Origin origin) { choice_.add(n, -round::reach(a_, -n) - round::reach(b_, n), origin); }
    void add_both(const Vec<3>& d, Origin origin) {
        const double length = d.norm();
        if (!(length > 0.0)) return;
        add(d / length, origin);
        add(-d / length, origin);
    }

    /// Normals that belong to both sides: n.(axis of b) and n.(axis of a) are given by the slopes.
    void sides() {
        const Vec<3> across = b_.axis.cross(a_.axis);
        const double cross2 = across.squaredNorm(), cosine = a_.axis.dot(b_.axis);
        if (cross2 < 1e-18) return;  // parallel: the rims on the sides say it
        const double on_b = round::slope_of(b_).up, on_a = -round::slope_of(a_).up;
        const Vec<3> middle = ((on_b - cosine * on_a) * b_.axis + (on_a - cosine * on_b) * a_.axis) / cross2;
        const double rest = 1.0 - middle.squaredNorm();
        if (rest < 0.0) return;
        for (const double way : {-1.0, 1.0}) {
            const Vec<3> n = middle + way * std::sqrt(rest / cross2) * across;
            add(n.normalized(), Origin::side);
        }
    }

    /// Rim of f on the side of g, whose outward normals are `sign` times those from b to a. Along the side's
    /// normals the separation is stationary where the rim's support lies in the meridian plane.
    void rim_on_side(const Frustum& f, int end, const Frustum& g, double sign) {
        const round::SideSlope slope = round::slope_of(g);
        const Vec<3> third = g.axis.cross(g.across), centre = round::centre_at(f, end) - g.middle;
        const double r = round::radius_at(f, end);
        const auto normal = [&](double c, double s) -> Vec<3> {
            return slope.out * (c * g.across + s * third) + slope.up * g.axis;
        };
        const auto decrease = [&](double c, double s) {
            const Vec<3> support = centre - r * round::across_of(f, normal(c, s)).direction;
            return support.dot(s * g.across - c * third);
        };
        round::for_each_minimum(decrease, [&](double c, double s) { add(sign * normal(c, s), Origin::side); });
    }

    /// Nearest points of two rims; an apex is a rim without radius.
    void rim_on_rim(int end_a, int end_b) {
        const double ra = round::radius_at(a_, end_a), rb = round::radius_at(b_, end_b);
        const Vec<3> ca = round::centre_at(a_, end_a), cb = round::centre_at(b_, end_b);
        if (ra == 0.0) return add_both(ca - nearest_on_rim(b_, end_b, ca), Origin::other);
        if (rb == 0.0) return add_both(cb - nearest_on_rim(a_, end_a, cb), Origin::other);
        const Vec<3> third = a_.axis.cross(a_.across);
        const auto slope = [&](double c, double s) {
            const Vec<3> x = ca + ra * (c * a_.across + s * third);
            return (x - nearest_on_rim(b_, end_b, x)).dot(c * third - s * a_.across);
        };
        round::for_each_minimum(slope, [&](double c, double s) {
            const Vec<3> x = ca + ra * (c * a_.across + s * third), y = nearest_on_rim(b_, end_b, x);
            const Vec<3> along_a = c * third - s * a_.across, along_b = b_.axis.cross(y - cb) / rb;
            const Vec<3> crossing = along_a.cross(along_b);
            if (crossing.norm() > 1e-6) add_both(crossing, Origin::other);
            add_both(x - y, Origin::other);
        });
    }

    static Vec<3> nearest_on_rim(const Frustum& f, int end, const Vec<3>& x) {
        const Vec<3> centre = round::centre_at(f, end);
        return centre + round::radius_at(f, end) * round::across_of(f, x - centre).direction;
    }

    const Frustum &a_, &b_;
    Choice& choice_;
};

/// The end of f that faces along `outward`, or -1 when its side does.
int facing_end(const Frustum& f, const Vec<3>& outward) {
    const double cosine = outward.dot(f.axis);
    if (std::abs(cosine) <= flat_cosine) return -1;
    const int end = cosine > 0.0 ? 1 : 0;
    return round::radius_at(f, end) > 0.0 ? end : -1;
}

std::uint32_t disk_id(bool is_a, int end) { return (is_a ? 10u : 20u) + static_cast<std::uint32_t>(end); }

/// A line of the side as a polygon of two corners.
void line_on_disk(const round::Line& line, const round::Disk& disk, First first, round::Patch& patch) {
    const std::array<Vec<3>, 2> corners = {line.low, line.high};
    const std::array<std::uint32_t, 2> ids = {0u, 1u};
    meet(round::Loop{corners, ids, Vec<3>::Zero()}, disk, first, patch);
}

/// One point where the supports meet.
void deepest_point(const Frustum& a, const Frustum& b, double separation, round::Patch& patch) {
    const Vec<3>& n = patch.normal();
    const double same = 1e-9 * patch.size();
    const round::Line la = round::line_of(a, -n), lb = round::line_of(b, n);
    const double low_a = n.dot(la.low), high_a = n.dot(la.high), low_b = n.dot(lb.low), high_b = n.dot(lb.high);
    const bool level_a = round::across_of(a, n).amount < 1e-9, level_b = round::across_of(b, n).amount < 1e-9;
    const std::uint32_t feature = feature_key(130, high_a < low_a ? 1u : 0u, high_b > low_b ? 1u : 0u);
    if (!level_a && std::abs(high_a - low_a) > same) {
        const Vec<3> x = high_a < low_a ? la.high : la.low;
        patch.add(x, x - separation * n, feature);
    } else if (!level_b && std::abs(high_b - low_b) > same) {
        const Vec<3> x = high_b > low_b ? lb.high : lb.low;
        patch.add(x + separation * n, x, feature);
    } else {
        const double t = std::clamp(round::nearest_on_lines(la, lb)[0], 0.0, 1.0);
        const Vec<3> x = la.low + t * (la.high - la.low);
        patch.add(x, x - separation * n, feature);
    }
}

void gather(const Frustum& a, const Frustum& b, double separation, round::Patch& patch) {
    const Vec<3>& n = patch.normal();
    const int end_a = facing_end(a, -n), end_b = facing_end(b, n);
    const round::Line la = round::line_of(a, -n), lb = round::line_of(b, n);
    const bool line_a = round::lies_across(la, n), line_b = round::lies_across(lb, n);
    if (end_a >= 0 && end_b >= 0)
        meet(round::disk_of(a, end_a, disk_id(true, end_a)), round::disk_of(b, end_b, disk_id(false, end_b)), patch);
    if (line_a && end_b >= 0) line_on_disk(la, round::disk_of(b, end_b, disk_id(false, end_b)), First::is_a, patch);
    if (line_b && end_a >= 0) line_on_disk(lb, round::disk_of(a, end_a, disk_id(true, end_a)), First::is_b, patch);
    const Vec<3> d = (la.high - la.low).normalized(), e = (lb.high - lb.low).normalized();
    if (line_a && line_b && d.cross(e).norm() < parallel_sine)
        meet(la, lb, 0.5 * (a.low + a.high + b.low + b.high), patch);
    if (patch.least() > separation + 1e-9 * patch.size()) deepest_point(a, b, separation, patch);
}

}  // namespace

void touch_frusta(const Frustum& a, const Pose<3>& pose, const Frustum& b, const TouchQuery<3>& query,
                  Manifold<3>& out) {
    const Mat<3> axes = round::axes_of(b), back = axes.transpose();
    const Frustum other = round::placed(a, back * pose.rotation, back * (pose.translation - b.middle));
    Frustum own;
    own.half = b.half;
    own.low = b.low;
    own.high = b.high;
    const double size = std::min(round::size_of(a), round::size_of(b));
    Choice choice(size, query.limit);
    Search(other, own, choice).run();
    if (choice.apart()) return;
    const round::Candidate best = choice.pick(back * query.last());
    round::Patch patch(best.normal, query.limit, size);
    gather(other, own, best.separation, patch);
    patch.write(most_points, axes, b.middle, out);
}

}  // namespace talus
