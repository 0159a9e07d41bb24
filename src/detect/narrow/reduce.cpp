#include "detect/narrow/reduce.h"

#include <algorithm>
#include <vector>

#include "math/frame.h"

namespace talus {
namespace {

/// A point seen along the normal.
struct Seen {
    double u = 0.0, v = 0.0;
    int index = 0;  ///< in the list given
};

/// Twice the area of the triangle, positive when it turns counter-clockwise.
double turn(const Seen& p, const Seen& q, const Seen& r) {
    return (q.u - p.u) * (r.v - p.v) - (q.v - p.v) * (r.u - p.u);
}

struct Scratch {
    std::vector<Seen> seen, corners;
    std::vector<char> kept;
};

/// Corners of the convex hull, counter-clockwise; points on a side of it are not corners [Andrew 1979].
void find_corners(Scratch& s) {
    std::sort(s.seen.begin(), s.seen.end(), [](const Seen& p, const Seen& q) {
        return p.u != q.u ? p.u < q.u : p.v != q.v ? p.v < q.v : p.index < q.index;
    });
    s.corners.clear();
    const auto add = [&](const Seen& p, std::size_t least) {
        while (s.corners.size() > least && turn(s.corners[s.corners.size() - 2], s.corners.back(), p) <= 0.0)
            s.corners.pop_back();
        s.corners.push_back(p);
    };
    for (const Seen& p : s.seen) add(p, 1);
    const std::size_t lower = s.corners.size();
    for (auto p = s.seen.rbegin() + 1; p != s.seen.rend(); ++p) add(*p, lower);
    if (s.corners.size() > 1) s.corners.pop_back();  // the first one again
}

/// The corner that can be spared best, never the deepest point. Of equals (to rounding) the one that comes
/// last in the list given, so that noise does not choose.
std::size_t least_corner(const std::vector<Seen>& corners, int deepest) {
    std::size_t least = corners.size();
    double area = 0.0;
    const std::size_t n = corners.size();
    for (std::size_t k = 0; k < n; ++k) {
        if (corners[k].index == deepest) continue;
        const double here = turn(corners[(k + n - 1) % n], corners[k], corners[(k + 1) % n]);
        const bool less = least == n || here < area - 1e-9 * std::abs(area);
        const bool equal = least < n && std::abs(here - area) <= 1e-9 * std::abs(area);
        if (less || (equal && corners[k].index > corners[least].index)) {
            least = k;
            area = here;
        }
    }
    return least;
}

void choose(Scratch& s, int deepest, int most) {
    int within = 0;  // kept points that are no corners: at most the deepest
    const auto is_deepest = [&](const Seen& p) { return p.index == deepest; };
    if (std::none_of(s.corners.begin(), s.corners.end(), is_deepest)) within = 1;
    while (static_cast<int>(s.corners.size()) + within > most) {
        const std::size_t least = least_corner(s.corners, deepest);
        if (least == s.corners.size()) break;
        s.corners.erase(s.corners.begin() + static_cast<std::ptrdiff_t>(least));
    }
    for (const Seen& p : s.corners) s.kept[p.index] = 1;
    s.kept[deepest] = 1;
}

}  // namespace

int keep_support_polygon(std::span<ManifoldPoint<3>> points, int most, const Vec<3>& normal) {
    const int count = static_cast<int>(points.size());
    if (count <= most || most < 1) return std::min(count, std::max(most, 0));
    thread_local Scratch s;
    const Mat<3> frame = frame_of<3>(normal);
    s.seen.clear();
    s.kept.assign(points.size(), 0);
    int deepest = 0;
    for (int k = 0; k < count; ++k) {
        s.seen.push_back({frame.row(1).dot(points[k].point), frame.row(2).dot(points[k].point), k});
        if (points[k].gap < points[deepest].gap) deepest = k;
    }
    find_corners(s);
    choose(s, deepest, most);
    int next = 0;
    for (int k = 0; k < count; ++k)
        if (s.kept[k]) points[next++] = points[k];
    return next;
}

void keep_support_polygon(Manifold<3>& manifold, int first, int most, const Vec<3>& normal) {
    const auto begin = manifold.points.begin() + first;
    const std::span<ManifoldPoint<3>> points(begin, static_cast<std::size_t>(manifold.count - first));
    manifold.count = first + keep_support_polygon(points, most, normal);
}

}  // namespace talus
