#include "detect/narrow/piece_mesh.h"

#include <algorithm>
#include <cmath>

#include "detect/narrow/frustum_points.h"
#include "detect/narrow/reduce.h"

namespace talus {
namespace {

constexpr double normal_slack = 1e-6;  ///< angle within which normals are the same
constexpr double same_place = 4e-6;    ///< of the piece's size: contacts of neighbouring triangles that are one
constexpr int most_a_face = 8;

/// A contact and the triangle it came from.
struct MeshPoint {
    ManifoldPoint<3> contact;
    std::int32_t triangle;
};

/// One piece against the triangles near it.
class Sweep {
public:
    Sweep(const Piece<3>& a, const Pose<3>& pose, const TriangleMesh& mesh, const TouchQuery<3>& query)
        : a_(a), pose_(pose), mesh_(mesh), query_(query) {}

    void run(std::vector<MeshPoint>& found) {
        UprightBox box;
        const Vec<3> centre = pose_.point(a_.centre), reach = Vec<3>::Constant(a_.bound + std::max(0.0, query_.limit));
        box.add(centre - reach);
        box.add(centre + reach);
        mesh_.for_each_near(box, [&](std::int32_t k) { triangle(k, found); });
    }

private:
    void triangle(std::int32_t k, std::vector<MeshPoint>& found) {
        manifold_.count = 0;
        if (a_.kind == Piece<3>::Kind::polytope) touch_polytopes(a_.polytope, pose_, mesh_.flat(k), query_, manifold_);
        else touch_frustum(mesh_.flat(k));
        bool refused = false;
        for (int i = 0; i < manifold_.count; ++i) {
            ManifoldPoint<3> p = manifold_.points[static_cast<std::size_t>(i)];
            if (accept(k, p)) found.push_back({p, k});
            else refused = true;
        }
        if (refused) add_corners(k, found);
    }

    /// The shortest way off this triangle is sideways, into its neighbour: what counts is the piece's corners
    /// over it, or its lowest line. (Of a ball the neighbours see what touches.)
    void add_corners(std::int32_t k, std::vector<MeshPoint>& found) const {
        if (a_.kind != Piece<3>::Kind::polytope) {
            const round::Line low = round::line_of(round::placed(a_.frustum, pose_.rotation, pose_.translation), -side_of(k));
            return add_line(k, low.low, low.high, found);
        }
        const Polytope<3>& p = a_.polytope;
        if (p.vertices.size() == 2) {
            const Vec<3> down = -p.radius * side_of(k);
            return add_line(k, pose_.point(p.vertices[0]) + down, pose_.point(p.vertices[1]) + down, found);
        }
        if (p.radius > 0.0) return;
        for (std::size_t v = 0; v < a_.polytope.vertices.size(); ++v) {
            const Vec<3> x = pose_.point(a_.polytope.vertices[v]);
            ManifoldPoint<3> low{x, side_of(k), 0.0, feature_key(150, static_cast<std::uint32_t>(v), 0u)};
            if (turn_to_face(k, low.normal, low)) found.push_back({low, k});
        }
    }
    /// The part over triangle k of a line of the piece: its two ends.
    void add_line(std::int32_t k, const Vec<3>& from, const Vec<3>& to, std::vector<MeshPoint>& found) const {
        const auto& t = mesh_.triangles()[static_cast<std::size_t>(k)];
        double low = 0.0, high = 1.0;
        for (std::size_t e = 0; e < 3; ++e) {
            const Vec<3> into = t.normal.cross(corner(t, e + 1) - corner(t, e)).normalized();
            const double at_from = into.dot(from - corner(t, e)), rise = into.dot(to - from);
            if (rise > 0.0) low = std::max(low, -at_from / rise);
            else if (rise < 0.0) high = std::min(high, -at_from / rise);
            else if (at_from < 0.0) return;
        }
        if (low > high) return;
        for (const double at : {low, high}) {
            ManifoldPoint<3> p{from + at * (to - from), side_of(k), 0.0, feature_key(151, at == low ? 0u : 1u, 0u)};
            if (turn_to_face(k, p.normal, p)) found.push_back({p, k});
        }
    }
    /// The triangle's normal on the side where the piece has its centre.
    [[nodiscard]] Vec<3> side_of(std::int32_t k) const {
        const auto& t = mesh_.triangles()[static_cast<std::size_t>(k)];
        return t.normal.dot(pose_.point(a_.centre) - corner(t, 0)) > 0.0 ? t.normal : Vec<3>(-t.normal);
    }

    /// The triangle against the frustum, told in the axes of the mesh.
    void touch_frustum(const Polytope<3>& flat) {
        const Mat<3> back = pose_.rotation.transpose();
        const TouchQuery<3> seen{query_.limit, -(back * query_.last())};
        touch_polytope_frustum(flat, {back, -(back * pose_.translation)}, a_.frustum, seen, manifold_);
        for (int i = 0; i < manifold_.count; ++i) {
            ManifoldPoint<3>& p = manifold_.points[static_cast<std::size_t>(i)];
            p.point = pose_.point(p.point);
            p.normal = -pose_.direction(p.normal);
        }
    }

    /// The contact may stay, perhaps turned to the triangle's normal.
    bool accept(std::int32_t k, ManifoldPoint<3>& p) const {
        const auto& t = mesh_.triangles()[static_cast<std::size_t>(k)];
        const double cosine = p.normal.dot(t.normal);
        if ((p.normal - (cosine > 0.0 ? 1.0 : -1.0) * t.normal).norm() < normal_slack) return true;
        if (is_allowed(k, p.point - 0.5 * p.gap * p.normal, p.normal)) return true;
        if (is_round_along(p.normal) || std::abs(cosine) < 0.95) return false;
        return turn_to_face(k, cosine > 0.0 ? t.normal : Vec<3>(-t.normal), p);
    }

    /// The piece's surface curves where this is its normal: the triangle under its lowest point sees it.
    [[nodiscard]] bool is_round_along(const Vec<3>& n) const {
        if (a_.kind == Piece<3>::Kind::polytope) return a_.polytope.radius > 0.0;
        return std::abs(n.dot(pose_.direction(a_.frustum.axis))) < 0.9;
    }

    /// The surface has this normal at x, a point of triangle k: it points away from every triangle there.
    bool is_allowed(std::int32_t k, const Vec<3>& x, const Vec<3>& n) const {
        const auto& t = mesh_.triangles()[static_cast<std::size_t>(k)];
        const double reach = same_place * a_.bound;
        for (std::size_t c = 0; c < 3; ++c)
            if ((x - corner(t, c)).norm() < reach) return vertex_allows(t.corner[c], n);
        for (std::size_t e = 0; e < 3; ++e) {
            const Vec<3> along = (corner(t, e + 1) - corner(t, e)).normalized();
            const Vec<3> into = t.normal.cross(along);
            if (into.dot(x - corner(t, e)) > reach) continue;
            return n.dot(into) <= normal_slack && neighbour_allows(t.neighbour[e], corner(t, e), along, n);
        }
        return false;
    }
    bool neighbour_allows(std::int32_t other, const Vec<3>& on_edge, const Vec<3>& along, const Vec<3>& n) const {
        if (other < 0) return true;
        const auto& o = mesh_.triangles()[static_cast<std::size_t>(other)];
        const Vec<3> middle = (corner(o, 0) + corner(o, 1) + corner(o, 2)) / 3.0 - on_edge;
        const Vec<3> into = (middle - middle.dot(along) * along).normalized();
        return n.dot(into) <= normal_slack;
    }
    bool vertex_allows(std::int32_t v, const Vec<3>& n) const {
        const Vec<3>& x = mesh_.vertices()[static_cast<std::size_t>(v)];
        for (const std::int32_t k : mesh_.around(v))
            for (const std::int32_t w : mesh_.triangles()[static_cast<std::size_t>(k)].corner)
                if (w != v && n.dot((mesh_.vertices()[static_cast<std::size_t>(w)] - x).normalized()) > normal_slack)
                    return false;
        return true;
    }
    [[nodiscard]] const Vec<3>& corner(const TriangleMesh::Triangle& t, std::size_t c) const {
        return mesh_.vertices()[static_cast<std::size_t>(t.corner[c % 3])];
    }

    /// The piece's point over the triangle's plane, if it is over the triangle.
    bool turn_to_face(std::int32_t k, const Vec<3>& n, ManifoldPoint<3>& p) const {
        const auto& t = mesh_.triangles()[static_cast<std::size_t>(k)];
        const Vec<3> on_piece = p.point + 0.5 * p.gap * p.normal;
        const double gap = n.dot(on_piece - corner(t, 0));
        if (gap > query_.limit || gap < -a_.bound) return false;
        for (std::size_t e = 0; e < 3; ++e) {
            const Vec<3> into = t.normal.cross(corner(t, e + 1) - corner(t, e)).normalized();
            if (into.dot(on_piece - corner(t, e)) < -1e-9 * a_.bound) return false;
        }
        p.point = on_piece - 0.5 * gap * n;
        p.normal = n;
        p.gap = gap;
        return true;
    }

    const Piece<3>& a_;
    const Pose<3>& pose_;
    const TriangleMesh& mesh_;
    const TouchQuery<3>& query_;
    Manifold<3> manifold_;
};

/// Contacts at one place along one normal are one, the deepest.
void merge(std::vector<MeshPoint>& found, double reach) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        bool is_new = true;
        for (std::size_t j = 0; j < kept && is_new; ++j) {
            ManifoldPoint<3>&p = found[j].contact, &q = found[i].contact;
            if ((p.point - q.point).norm() > reach || (p.normal - q.normal).norm() > 4.0 * normal_slack) continue;
            is_new = false;
            if (q.gap < p.gap - 1e-12 * reach) found[j] = found[i];
        }
        if (is_new) found[kept++] = found[i];
    }
    found.resize(kept);
}

/// Twice the area of a triangle seen along n.
double turn(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& n) { return n.dot((b - a).cross(c - a)); }

/// The corners of the hull of points seen along n [Andrew's chain].
std::vector<MeshPoint> hull_along(std::vector<MeshPoint> points, const Vec<3>& n) {
    Eigen::Index axis = 0;
    n.cwiseAbs().minCoeff(&axis);
    const Vec<3> u = n.cross(Vec<3>::Unit(axis)).normalized(), v = n.cross(u);
    const auto before = [&](const MeshPoint& p, const MeshPoint& q) {
        const double a = u.dot(p.contact.point), b = u.dot(q.contact.point);
        return a != b ? a < b : v.dot(p.contact.point) < v.dot(q.contact.point);
    };
    std::stable_sort(points.begin(), points.end(), before);
    std::vector<MeshPoint> hull;
    for (int half = 0; half < 2; ++half) {
        const std::size_t base = hull.size();
        for (const MeshPoint& p : points) {
            while (hull.size() >= base + 2 &&
                   turn(hull[hull.size() - 2].contact.point, hull.back().contact.point, p.contact.point, n) <= 0.0)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

/// Takes out what lies on the straight line between its neighbours, or closer to it than `reach`.
void straighten(std::vector<MeshPoint>& hull, double reach) {
    for (std::size_t k = 0; k < hull.size() && hull.size() > 2;) {
        const std::size_t m = hull.size();
        const Vec<3>&a = hull[(k + m - 1) % m].contact.point, &b = hull[(k + 1) % m].contact.point,
              &x = hull[k].contact.point;
        const Vec<3> along = b - a;
        const double t =
            along.squaredNorm() > 0.0 ? std::clamp((x - a).dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
        if ((x - a - t * along).norm() > reach) {
            ++k;
            continue;
        }
        hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(k));
        k = 0;
    }
}

/// Of points with one normal those at the corners of their hull, and the deepest.
void keep_hull(std::vector<MeshPoint>& group, double reach) {
    if (group.size() < 3) return;
    const auto deeper = [](const auto& p, const auto& q) { return p.contact.gap < q.contact.gap; };
    const MeshPoint deepest = *std::min_element(group.begin(), group.end(), deeper);
    group = hull_along(group, group[0].contact.normal);
    straighten(group, reach);
    const bool has_deepest = std::any_of(group.begin(), group.end(), [&](const auto& p) {
        return p.contact.gap <= deepest.contact.gap + 1e-9 * reach;
    });
    if (!has_deepest) group.push_back(deepest);
}

/// Splits off the contacts that share the normal of the first.
void take_group(std::vector<MeshPoint>& found, std::vector<MeshPoint>& group) {
    group.clear();
    const Vec<3> n = found[0].contact.normal;
    const auto rest = std::stable_partition(found.begin(), found.end(), [&](const MeshPoint& p) {
        return (p.contact.normal - n).norm() < 4.0 * normal_slack;
    });
    group.assign(found.begin(), rest);
    found.erase(found.begin(), rest);
}

/// The same parts of two triangles have the same feature; only where both are present are they told apart,
/// so that a corner keeps its number when it slides from one triangle to the next.
void append(const MeshPoint& p, std::size_t first, std::vector<ManifoldPoint<3>>& out) {
    ManifoldPoint<3> contact = p.contact;
    const auto is_used = [&](std::uint32_t feature) {
        for (std::size_t k = first; k < out.size(); ++k)
            if (out[k].feature == feature) return true;
        return false;
    };
    if (is_used(contact.feature))
        contact.feature = feature_key(contact.feature, static_cast<std::uint32_t>(p.triangle), 1u);
    out.push_back(contact);
}

}  // namespace

void touch_mesh(const Piece<3>& a, const Pose<3>& pose, const TriangleMesh& mesh, const TouchQuery<3>& query,
                std::vector<ManifoldPoint<3>>& out) {
    thread_local std::vector<MeshPoint> found, group;
    thread_local std::vector<ManifoldPoint<3>> few;
    found.clear();
    Sweep(a, pose, mesh, query).run(found);
    const double reach = same_place * a.bound;
    merge(found, reach);
    const std::size_t first = out.size();
    while (!found.empty()) {
        take_group(found, group);
        keep_hull(group, reach);
        if (group.size() <= most_a_face) {
            for (const MeshPoint& p : group) append(p, first, out);
            continue;
        }
        few.clear();
        for (const MeshPoint& p : group) few.push_back(p.contact);
        const int count = keep_support_polygon(few, most_a_face, Vec<3>(few[0].normal));
        for (int k = 0; k < count; ++k) append({few[static_cast<std::size_t>(k)], group[0].triangle + k}, first, out);
    }
}

}  // namespace talus
