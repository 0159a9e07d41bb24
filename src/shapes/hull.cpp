/// \file
/// Polyhedra from points. Qhull says which points are corners and which triangles cover the hull; everything
/// measured is computed here from the corners themselves, in a fixed order: triangles in one plane become
/// one face, corners keep the order of the points given, faces are sorted by their corners.
#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

/// Parts of the size within which points coincide or lie in one plane.
constexpr double same_plane = 1e-12;
/// Thinner hulls than this part of their size are flat: their faces could not be told apart.
constexpr double flat_hull = 1e-9;

using Loop = std::vector<std::int32_t>;
using Triangle = std::array<std::int32_t, 3>;

double size_of(const std::vector<Vec<3>>& points) {
    double square = 0.0;
    for (const Vec<3>& p : points) square = std::max(square, (p - points.front()).squaredNorm());
    return std::sqrt(square);
}

std::vector<Vec<3>> without_repeats(const std::vector<Vec<3>>& points, double size) {
    std::vector<Vec<3>> kept;
    for (const Vec<3>& p : points) {
        const auto near = [&](const Vec<3>& q) { return (p - q).norm() <= same_plane * size; };
        if (std::none_of(kept.begin(), kept.end(), near)) kept.push_back(p);
    }
    return kept;
}

/// Index of the point that measures most.
template <typename Measure>
std::size_t farthest(const std::vector<Vec<3>>& points, const Measure& measure) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k)
        if (measure(points[k]) > measure(points[best])) best = k;
    return best;
}

/// How far the points reach out of the best plane through three of them.
double thickness(const std::vector<Vec<3>>& points) {
    const Vec<3> a = points.front();
    const Vec<3> b = points[farthest(points, [&](const Vec<3>& p) { return (p - a).squaredNorm(); })];
    const Vec<3> along = (b - a).normalized();
    const Vec<3> c = points[farthest(points, [&](const Vec<3>& p) { return (p - a).cross(along).squaredNorm(); })];
    const Vec<3> normal = along.cross(c - a);
    if (!(normal.norm() > flat_hull * (b - a).norm())) return 0.0;
    const auto height = [&](const Vec<3>& p) { return std::abs((p - a).dot(normal)) / normal.norm(); };
    return height(points[farthest(points, height)]);
}

void check_points(const std::vector<Vec<3>>& points, double size) {
    for (std::size_t k = 0; k < points.size(); ++k)
        if (!points[k].allFinite()) throw InputError("point " + std::to_string(k + 1) + " of a polyhedron is not finite");
    if (points.size() < 4)
        throw InputError("a polyhedron needs at least 4 different points, not " + std::to_string(points.size()));
    if (!(thickness(points) > flat_hull * size))
        throw InputError("the " + std::to_string(points.size()) +
                         " points of a polyhedron lie in one plane; give at least one point out of it");
}

/// One run of Qhull; frees its memory whatever happens.
class Qhull {
public:
    explicit Qhull(const std::vector<Vec<3>>& points) : coordinates_(3 * points.size()) {
        for (std::size_t k = 0; k < points.size(); ++k)
            for (int i = 0; i < 3; ++i) coordinates_[3 * k + i] = points[k][i];
        std::string command = "qhull Qt Pp";
        qh_zero(&qh_, nullptr);
        status_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), False, command.data(),
                               nullptr, nullptr);
    }
    ~Qhull() {
        int remaining = 0, total = 0;
        qh_freeqhull(&qh_, !qh_ALL);
        qh_memfreeshort(&qh_, &remaining, &total);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    [[nodiscard]] bool failed() const { return status_ != 0; }

    /// Triangles that cover the hull, all turning in the same sense (seen from outside or from inside).
    [[nodiscard]] std::vector<Triangle> triangles() {
        std::vector<Triangle> out;
        qhT* qh = &qh_;
        facetT* facet = nullptr;
        vertexT *vertex = nullptr, **vertexp = nullptr;
        FORALLfacets {
            Triangle t{};
            int k = 0;
            FOREACHvertex_(facet->vertices) {
                if (k < 3) t[k] = qh_pointid(qh, vertex->point);
                ++k;
            }
            if (facet->toporient) std::swap(t[1], t[2]);
            out.push_back(t);
        }
        return out;
    }

private:
    std::vector<coordT> coordinates_;
    qhT qh_{};
    int status_ = 0;
};

/// Twice the area of a triangle times its normal.
Vec<3> area_vector(const std::vector<Vec<3>>& points, const Triangle& t) {
    return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

std::vector<Triangle> triangles_of(const std::vector<Vec<3>>& points) {
    Qhull qhull(points);
    if (qhull.failed()) throw InputError("no convex hull of these points: they are too nearly in one plane");
    std::vector<Triangle> triangles = qhull.triangles();
    std::sort(triangles.begin(), triangles.end());
    // The volume tells whether they turn counter-clockwise from outside.
    double volume = 0.0;
    for (const Triangle& t : triangles) volume += area_vector(points, t).dot(points[t[0]] - points[triangles[0][0]]);
    if (volume < 0.0)
        for (Triangle& t : triangles) std::swap(t[1], t[2]);
    return triangles;
}

using Side = std::pair<std::int32_t, std::int32_t>;

/// Joins triangles in one plane: a number of its face for each triangle. Faces grow from the largest triangle
/// on, whose plane is known best; slivers along an edge go with the face that reaches them first.
std::vector<int> join_coplanar(const std::vector<Vec<3>>& points, const std::vector<Triangle>& triangles, double size) {
    std::map<Side, int> owner;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) owner[{triangles[t][k], triangles[t][(k + 1) % 3]}] = static_cast<int>(t);
    std::vector<int> order(triangles.size());
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = static_cast<int>(t);
    std::stable_sort(order.begin(), order.end(), [&](int s, int t) {
        return area_vector(points, triangles[s]).squaredNorm() > area_vector(points, triangles[t]).squaredNorm();
    });
    std::vector<int> face(triangles.size(), -1), waiting;
    int faces = 0;
    for (const int seed : order) {
        if (face[seed] >= 0) continue;
        const Vec<3> normal = area_vector(points, triangles[seed]).normalized();
        const Vec<3> origin = points[triangles[seed][0]];
        face[seed] = faces;
        waiting = {seed};
        while (!waiting.empty()) {
            const Triangle t = triangles[waiting.back()];
            waiting.pop_back();
            for (int k = 0; k < 3; ++k) {
                const auto next = owner.find({t[(k + 1) % 3], t[k]});
                if (next == owner.end() || face[next->second] >= 0) continue;
                const Triangle& other = triangles[next->second];
                const auto lies_in_plane = [&](std::int32_t v) {
                    return std::abs(normal.dot(points[v] - origin)) <= same_plane * size;
                };
                if (!std::all_of(other.begin(), other.end(), lies_in_plane)) continue;
                if (area_vector(points, other).dot(normal) < -same_plane * size * size) continue;  // a knife's other side
                face[next->second] = faces;
                waiting.push_back(next->second);
            }
        }
        ++faces;
    }
    return face;
}

/// Rim of each face, counter-clockwise from outside, starting with its first corner.
std::vector<Loop> rims_of(const std::vector<Triangle>& triangles, const std::vector<int>& face) {
    std::map<Side, int> owner;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) owner[{triangles[t][k], triangles[t][(k + 1) % 3]}] = face[t];
    std::map<int, std::map<std::int32_t, std::int32_t>> next;
    std::map<std::int32_t, int> faces_at;  // how many rims pass through a point
    for (const auto& [side, f] : owner) {
        const auto other = owner.find({side.second, side.first});
        if (other != owner.end() && other->second == f) continue;
        next[f][side.first] = side.second;
        ++faces_at[side.first];
    }
    std::vector<Loop> rims;
    for (const auto& [f, step] : next) {
        Loop rim;
        std::int32_t at = step.begin()->first;
        do {
            // A point on only two rims is within a straight edge: no corner.
            if (faces_at[at] > 2) rim.push_back(at);
            at = step.at(at);
        } while (at != step.begin()->first && rim.size() <= step.size());
        if (rim.size() < 3) continue;
        std::rotate(rim.begin(), std::min_element(rim.begin(), rim.end()), rim.end());
        rims.push_back(rim);
    }
    std::sort(rims.begin(), rims.end());
    return rims;
}

/// Plane of a face from all its corners.
void add_face(Polytope<3>& p, const Loop& rim) {
    Polytope<3>::Face face;
    face.first = static_cast<std::int32_t>(p.loops.size());
    face.count = static_cast<std::int32_t>(rim.size());
    const Vec<3> origin = p.vertices[rim[0]];
    Vec<3> area = Vec<3>::Zero();
    for (std::size_t k = 1; k + 1 < rim.size(); ++k)
        area += (p.vertices[rim[k]] - origin).cross(p.vertices[rim[k + 1]] - origin);
    face.normal = area.normalized();
    for (const std::int32_t v : rim) face.offset += face.normal.dot(p.vertices[v]) / static_cast<double>(rim.size());
    p.loops.insert(p.loops.end(), rim.begin(), rim.end());
    p.faces.push_back(face);
}

/// A polyhedron from its corners and the rims of its faces.
Polytope<3> assemble(std::vector<Vec<3>> vertices, const std::vector<Loop>& rims, double radius) {
    Polytope<3> p;
    p.vertices = std::move(vertices);
    p.radius = radius;
    std::map<Side, Side> beside;  // an edge, lower corner first: the face on its left and on its right
    for (const Loop& rim : rims) {
        const auto f = static_cast<std::int32_t>(p.faces.size());
        add_face(p, rim);
        for (std::size_t k = 0; k < rim.size(); ++k) {
            const std::int32_t from = rim[k], to = rim[(k + 1) % rim.size()];
            Side& faces = beside.try_emplace({std::min(from, to), std::max(from, to)}, -1, -1).first->second;
            (from < to ? faces.first : faces.second) = f;
        }
    }
    for (const auto& [edge, faces] : beside) p.edges.push_back({edge.first, edge.second, faces.first, faces.second});
    measure(p);
    return p;
}

/// Leaves out points that are no corner of any face.
void keep_corners(std::vector<Vec<3>>& points, std::vector<Loop>& rims) {
    std::vector<std::int32_t> number(points.size(), -1);
    for (const Loop& rim : rims)
        for (const std::int32_t v : rim) number[v] = 0;
    std::vector<Vec<3>> corners;
    for (std::size_t v = 0; v < points.size(); ++v) {
        if (number[v] < 0) continue;
        number[v] = static_cast<std::int32_t>(corners.size());
        corners.push_back(points[v]);
    }
    for (Loop& rim : rims)
        for (std::int32_t& v : rim) v = number[v];
    points = std::move(corners);
}

}  // namespace

Polytope<3> hull_of(const std::vector<Vec<3>>& given, double radius) {
    const double size = given.empty() ? 0.0 : size_of(given);
    std::vector<Vec<3>> points = without_repeats(given, size);
    check_points(points, size);
    const std::vector<Triangle> triangles = triangles_of(points);
    std::vector<Loop> rims = rims_of(triangles, join_coplanar(points, triangles, size));
    keep_corners(points, rims);
    return assemble(std::move(points), rims, radius);
}

Polytope<3> flat_of(const std::vector<Vec<3>>& loop) {
    if (loop.size() < 3) throw InputError("a flat piece needs at least 3 points, not " + std::to_string(loop.size()));
    const double size = size_of(loop);
    Loop rim(loop.size());
    for (std::size_t k = 0; k < rim.size(); ++k) rim[k] = static_cast<std::int32_t>(k);
    Loop under(rim.rbegin(), rim.rend());
    std::rotate(under.begin(), under.end() - 1, under.end());
    Polytope<3> p = assemble(loop, {rim, under}, 0.0);
    const Vec<3>& normal = p.faces[0].normal;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec<3>&x = loop[k], &y = loop[(k + 1) % loop.size()], &z = loop[(k + 2) % loop.size()];
        if (!(std::abs(normal.dot(x) - p.faces[0].offset) <= 1e-9 * size))
            throw InputError("point " + std::to_string(k + 1) + " of a flat piece is out of the plane of the others");
        if (!((y - x).cross(z - y).dot(normal) > 0.0))
            throw InputError("point " + std::to_string((k + 1) % loop.size() + 1) + " makes a flat piece not convex");
    }
    return p;
}

Polytope<3> box_core(const Vec<3>& side_lengths) {
    std::vector<Vec<3>> corners;
    for (int k = 0; k < 8; ++k)
        corners.emplace_back((k & 1 ? 0.5 : -0.5) * side_lengths[0], (k & 2 ? 0.5 : -0.5) * side_lengths[1],
                             (k & 4 ? 0.5 : -0.5) * side_lengths[2]);
    return assemble(std::move(corners),
                    {{0, 1, 5, 4}, {0, 2, 3, 1}, {0, 4, 6, 2}, {1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}}, 0.0);
}

}  // namespace talus
