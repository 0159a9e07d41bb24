/// \file
/// A triangle mesh as a boundary: nine numbers a triangle, its three corners.
#include "shapes/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

constexpr double weld_distance = 1e-9;  ///< of the size of the mesh
constexpr double least_height = 1e-10;  ///< of a triangle, over its longest side
constexpr std::int32_t leaf_size = 4;

Vec<3> corner_of(std::span<const double> sizes, std::size_t k) {
    return Eigen::Map<const Vec<3>>(sizes.data() + 3 * k);
}

/// Least height over longest side, 0 for a triangle without area.
double flatness(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    return longest > 0.0 ? (b - a).cross(c - a).norm() / (longest * longest) : 0.0;
}

std::string mesh_complaint(std::span<const double> s) {
    if (s.empty() || s.size() % 9 != 0)
        return "takes nine numbers a triangle (its three corners), not " + std::to_string(s.size());
    for (const double x : s)
        if (!std::isfinite(x)) return "corners must be finite";
    for (std::size_t t = 0; t < s.size() / 9; ++t)
        if (!(flatness(corner_of(s, 3 * t), corner_of(s, 3 * t + 1), corner_of(s, 3 * t + 2)) > least_height))
            return "triangle " + std::to_string(t + 1) + " has no area; remove it";
    return {};
}

/// Vertices that are one when they are closer than `reach`: found in a grid of cells of that size.
class Welder {
public:
    Welder(std::vector<Vec<3>>& vertices, double reach) : vertices_(vertices), reach_(reach) {}

    std::int32_t vertex(const Vec<3>& x) {
        const Cell home = cell(x);
        for (std::int64_t i = -1; i <= 1; ++i)
            for (std::int64_t j = -1; j <= 1; ++j)
                for (std::int64_t k = -1; k <= 1; ++k) {
                    const auto found = cells_.find({home[0] + i, home[1] + j, home[2] + k});
                    if (found == cells_.end()) continue;
                    for (const std::int32_t v : found->second)
                        if ((vertices_[static_cast<std::size_t>(v)] - x).norm() <= reach_) return v;
                }
        const auto v = static_cast<std::int32_t>(vertices_.size());
        vertices_.push_back(x);
        cells_[home].push_back(v);
        return v;
    }

private:
    using Cell = std::array<std::int64_t, 3>;
    Cell cell(const Vec<3>& x) const {
        return {std::llround(x[0] / reach_), std::llround(x[1] / reach_), std::llround(x[2] / reach_)};
    }
    std::vector<Vec<3>>& vertices_;
    double reach_;
    std::map<Cell, std::vector<std::int32_t>> cells_;
};

}  // namespace

TriangleMesh::TriangleMesh(std::span<const double> sizes) {
    const std::string wrong = mesh_complaint(sizes);
    if (!wrong.empty()) throw InputError("shape 'mesh': " + wrong);
    weld(sizes);
    find_normals(sizes);
    find_neighbours();
    find_rings();
    build_tree();
}

void TriangleMesh::weld(std::span<const double> sizes) {
    UprightBox all;
    for (std::size_t k = 0; k < sizes.size() / 3; ++k) all.add(corner_of(sizes, k));
    Welder welder(vertices_, weld_distance * (all.high - all.low).norm());
    triangles_.resize(sizes.size() / 9);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            triangles_[t].corner[k] = welder.vertex(corner_of(sizes, 3 * t + k));
            triangles_[t].neighbour[k] = -1;
        }
}

void TriangleMesh::find_normals(std::span<const double> sizes) {
    flats_.reserve(triangles_.size());
    boxes_.resize(triangles_.size());
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        std::vector<Vec<3>> loop(3);
        for (std::size_t k = 0; k < 3; ++k) {
            loop[k] = vertices_[static_cast<std::size_t>(triangles_[t].corner[k])];
            boxes_[t].add(loop[k]);
        }
        if (!(flatness(loop[0], loop[1], loop[2]) > least_height))
            throw InputError("shape 'mesh': triangle " + std::to_string(t + 1) + " of " +
                             std::to_string(sizes.size() / 9) + " is smaller than a billionth of the mesh; remove it");
        triangles_[t].normal = (loop[1] - loop[0]).cross(loop[2] - loop[0]).normalized();
        flats_.push_back(flat_of(loop));
    }
}

void TriangleMesh::find_neighbours() {
    // The first two triangles of an edge are neighbours; further ones (a fin) have a free edge there.
    std::map<std::pair<std::int32_t, std::int32_t>, std::pair<std::int32_t, int>> open;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(triangles_[t].corner[k], triangles_[t].corner[(k + 1) % 3]);
            const auto [it, is_new] = open.try_emplace({low, high}, static_cast<std::int32_t>(t), static_cast<int>(k));
            if (is_new || it->second.first < 0) continue;
            const auto [other, side] = it->second;
            triangles_[t].neighbour[k] = other;
            triangles_[static_cast<std::size_t>(other)].neighbour[static_cast<std::size_t>(side)] =
                static_cast<std::int32_t>(t);
            it->second.first = -1;
        }
}

void TriangleMesh::find_rings() {
    ring_begin_.assign(vertices_.size() + 1, 0);
    for (const Triangle& t : triangles_)
        for (const std::int32_t v : t.corner) ++ring_begin_[static_cast<std::size_t>(v) + 1];
    std::partial_sum(ring_begin_.begin(), ring_begin_.end(), ring_begin_.begin());
    std::vector<std::int32_t> next(ring_begin_.begin(), ring_begin_.end() - 1);
    ring_.resize(3 * triangles_.size());
    for (std::size_t t = 0; t < triangles_.size(); ++t)
        for (const std::int32_t v : triangles_[t].corner)
            ring_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<std::int32_t>(t);
}

void TriangleMesh::build_tree() {
    order_.resize(triangles_.size());
    std::iota(order_.begin(), order_.end(), 0);
    nodes_.reserve(triangles_.size());
    build_node(0, static_cast<std::int32_t>(triangles_.size()));
}

/// Halves at the median along the longest side of the box.
std::int32_t TriangleMesh::build_node(std::int32_t first, std::int32_t count) {
    const auto n = static_cast<std::int32_t>(nodes_.size());
    nodes_.emplace_back();
    UprightBox box;
    for (std::int32_t i = first; i < first + count; ++i) {
        const UprightBox& one = boxes_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
        box.add(one.low);
        box.add(one.high);
    }
    nodes_[static_cast<std::size_t>(n)].box = box;
    if (count <= leaf_size) {
        nodes_[static_cast<std::size_t>(n)].first = first;
        nodes_[static_cast<std::size_t>(n)].count = count;
        return n;
    }
    Eigen::Index axis = 0;
    (box.high - box.low).maxCoeff(&axis);
    const auto middle = [&](std::int32_t t) {
        return boxes_[static_cast<std::size_t>(t)].low[axis] + boxes_[static_cast<std::size_t>(t)].high[axis];
    };
    const auto begin = order_.begin() + first;
    std::sort(begin, begin + count, [&](std::int32_t a, std::int32_t b) {
        return middle(a) != middle(b) ? middle(a) < middle(b) : a < b;
    });
    build_node(first, count / 2);
    const std::int32_t second = build_node(first + count / 2, count - count / 2);
    nodes_[static_cast<std::size_t>(n)].second = second;
    return n;
}

/// Nearest point of a triangle: its plane if that falls inside, else the nearest of its edges.
Vec<3> TriangleMesh::nearest(std::int32_t k, const Vec<3>& x) const {
    const Triangle& t = triangles_[static_cast<std::size_t>(k)];
    bool inside = true;
    double best2 = std::numeric_limits<double>::infinity();
    Vec<3> best = x;
    for (std::size_t e = 0; e < 3; ++e) {
        const Vec<3>& from = vertices_[static_cast<std::size_t>(t.corner[e])];
        const Vec<3> along = vertices_[static_cast<std::size_t>(t.corner[(e + 1) % 3])] - from;
        inside = inside && t.normal.cross(along).dot(x - from) >= 0.0;
        const Vec<3> p = from + std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
        if ((x - p).squaredNorm() < best2) best2 = (x - p).squaredNorm(), best = p;
    }
    const Vec<3>& corner = vertices_[static_cast<std::size_t>(t.corner[0])];
    return inside ? Vec<3>(x - t.normal.dot(x - corner) * t.normal) : best;
}

void TriangleMesh::search(std::int32_t n, const Vec<3>& x, double& best2) const {
    const Node& node = nodes_[static_cast<std::size_t>(n)];
    if (node.box.distance2(x) >= best2) return;
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
        best2 = std::min(best2, (x - nearest(order_[static_cast<std::size_t>(i)], x)).squaredNorm());
    if (node.count > 0) return;
    search(n + 1, x, best2);
    search(node.second, x, best2);
}

double TriangleMesh::clearance(const Vec<3>& centre, double radius) const {
    double best2 = std::numeric_limits<double>::infinity();
    search(0, centre, best2);
    return std::sqrt(best2) - radius;
}

void register_mesh(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "mesh";
    type.sizes_3d = any_number;
    type.sizes_text = "nine numbers a triangle: its three corners";
    type.complaint = mesh_complaint;
    registry.add(std::move(type));
}

}  // namespace talus
