#include "shapes/outline.h"

#include <cmath>

#include "math/portable.h"

namespace talus {
namespace {

/// Rings of points about an axis, from the low pole to the high one; a ring of radius 0 is one point.
struct Rings {
    Vec<3> axis, across, beside;
    int sides;
    Surface out;
    std::vector<std::int32_t> last;   ///< point numbers of the last ring

    Rings(const Vec<3>& a, const Vec<3>& x, int n) : axis(a), across(x), beside(a.cross(x)), sides(n) {}

    void add(const Vec<3>& centre, double radius) {
        std::vector<std::int32_t> ring;
        const int count = radius > 0.0 ? sides : 1;
        for (int k = 0; k < count; ++k) {
            const double angle = 2.0 * M_PI * k / sides;
            ring.push_back(static_cast<std::int32_t>(out.points.size()));
            out.points.push_back(centre + radius * (portable::cos(angle) * across + portable::sin(angle) * beside));
        }
        join(ring);
        last = std::move(ring);
    }
    void join(const std::vector<std::int32_t>& ring) {
        if (last.empty()) {
            if (ring.size() > 1) out.faces.emplace_back(ring.rbegin(), ring.rend());
            return;
        }
        const auto at = [](const std::vector<std::int32_t>& r, int k) { return r[static_cast<std::size_t>(k) % r.size()]; };
        if (last.size() == 1 && ring.size() == 1) return;
        for (int k = 0; k < sides; ++k) {
            if (last.size() == 1) out.faces.push_back({last[0], at(ring, k + 1), at(ring, k)});
            else if (ring.size() == 1) out.faces.push_back({at(last, k), at(last, k + 1), ring[0]});
            else out.faces.push_back({at(last, k), at(last, k + 1), at(ring, k + 1), at(ring, k)});
        }
    }
    Surface finish() {
        if (last.size() > 1) out.faces.push_back(last);
        return std::move(out);
    }
};

Surface capsule_surface(const Polytope<3>& p, int sides) {
    const Vec<3> along = p.vertices.back() - p.vertices.front();
    const Vec<3> axis = along.squaredNorm() > 0.0 ? Vec<3>(along.normalized()) : Vec<3>(Vec<3>::UnitZ());
    Rings rings(axis, axis.unitOrthogonal(), sides);
    const int bands = sides / 4;
    for (const bool high : {false, true})
        for (int k = 0; k <= bands; ++k) {
            const double angle = 0.5 * M_PI * (high ? k : k - bands) / bands;
            const bool pole = high ? k == bands : k == 0;
            const Vec<3>& end = high ? p.vertices.back() : p.vertices.front();
            rings.add(end + p.radius * portable::sin(angle) * axis, pole ? 0.0 : p.radius * portable::cos(angle));
        }
    return rings.finish();
}

}  // namespace

std::vector<Vec<2>> outline(const Piece<2>& piece, int sides) {
    const Polytope<2>& p = piece.polytope;
    if (p.radius == 0.0) return p.vertices;
    std::vector<Vec<2>> points;
    const std::size_t n = p.vertices.size();
    for (std::size_t k = 0; k < n; ++k) {
        // An arc about the vertex, from the normal of the edge that comes in to that of the one that leaves.
        const double from = n == 1 ? 0.0 : portable::atan2(p.normals[(k + n - 1) % n][1], p.normals[(k + n - 1) % n][0]);
        double to = n == 1 ? 2.0 * M_PI : portable::atan2(p.normals[k][1], p.normals[k][0]);
        if (to < from) to += 2.0 * M_PI;
        const int parts = std::max(1, static_cast<int>(std::ceil((to - from) * sides / (2.0 * M_PI))));
        for (int i = 0; i <= parts - (n == 1 ? 1 : 0); ++i) {
            const double angle = from + (to - from) * i / parts;
            points.push_back(p.vertices[k] + p.radius * Vec<2>(portable::cos(angle), portable::sin(angle)));
        }
    }
    return points;
}

Surface surface(const Piece<3>& piece, int sides) {
    if (piece.kind == Piece<3>::Kind::frustum) {
        const Frustum& f = piece.frustum;
        Rings rings(f.axis, f.across, sides);
        rings.add(f.middle - f.half * f.axis, f.low);
        rings.add(f.middle + f.half * f.axis, f.high);
        return rings.finish();
    }
    const Polytope<3>& p = piece.polytope;
    if (p.vertices.size() <= 2) return capsule_surface(p, sides);
    Surface s{p.vertices, {}};
    for (const auto& face : p.faces)
        s.faces.emplace_back(p.loops.begin() + face.first, p.loops.begin() + face.first + face.count);
    return s;
}

}  // namespace talus
