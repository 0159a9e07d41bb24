/// \file
/// Polytope (rounded or not) against a frustum: box on a drum, ball in the corner of a cone...
///
/// Works in the frustum's own axes: z along its axis, origin at its middle. The normals at which the two may
/// part are those of its flat ends, of the polytope's faces, and of the meetings side-edge, side-vertex,
/// rim-edge and rim-vertex; all in closed form but rim-edge, which is a root on the circle.
#include "detect/narrow/frustum_points.h"

namespace talus {
namespace {

using round::Choice;
using round::First;
using round::Origin;

constexpr int most_points = 8;
constexpr double flat_cosine = 0.9;   ///< an end counts as facing the other body above this
constexpr double face_cosine = 0.2;   ///< so does a face

/// The polytope in the axes of the frustum.
struct Core {
    const Polytope<3>* shape = nullptr;
    std::vector<Vec<3>> vertices;
    std::vector<Vec<3>> normals;  ///< of faces
    double radius = 0.0, size = 0.0;

    [[nodiscard]] std::size_t lowest(const Vec<3>& n) const {
        std::size_t best = 0;
        double least = n.dot(vertices[0]);
        for (std::size_t k = 1; k < vertices.size(); ++k) {
            const double value = n.dot(vertices[k]);
            if (value < least) least = value, best = k;
        }
        return best;
    }
};

Core& core_in(const Polytope<3>& a, const Mat<3>& rotation, const Vec<3>& translation) {
    thread_local Core core;
    core.shape = &a;
    core.radius = a.radius;
    core.vertices.resize(a.vertices.size());
    core.normals.resize(a.faces.size());
    double extent2 = 0.0;
    for (std::size_t k = 0; k < a.vertices.size(); ++k) {
        core.vertices[k] = rotation * a.vertices[k] + translation;
        extent2 = std::max(extent2, (a.vertices[k] - a.vertices[0]).squaredNorm());
    }
    for (std::size_t k = 0; k < a.faces.size(); ++k) core.normals[k] = rotation * a.faces[k].normal;
    core.size = a.radius + std::sqrt(extent2);
    return core;
}

/// Lists the normals of one pair.
class Search {
public:
    Search(const Core& a, const Frustum& b, Choice& choice)
        : a_(a), b_(b), slope_(round::slope_of(b)), choice_(choice) {}

    void run() {
        flats_and_faces();
        if (choice_.apart()) return;
        for (const Vec<3>& v : a_.vertices) vertex(v);
        if (choice_.apart()) return;
        for (const auto& edge : a_.shape->edges) {
            const Vec<3>& from = a_.vertices[static_cast<std::size_t>(edge.from)];
            const Vec<3> step = a_.vertices[static_cast<std::size_t>(edge.to)] - from;
            const double length = step.norm();
            if (!(length > 0.0)) continue;
            edge_on_side(step / length);
            for (int end = 0; end < 2; ++end) edge_on_rim(from, step / length, end);
            if (choice_.apart()) return;
        }
    }

private:
    void add(const Vec<3>& n, Origin origin) {
        choice_.add(n, n.dot(a_.vertices[a_.lowest(n)]) - a_.radius - round::reach(b_, n), origin);
    }
    /// Both ways along d, which need not be unit.
    void add_both(const Vec<3>& d, double length, Origin origin) {
        const Vec<3> n = d / length;
        add(n, origin);
        add(-n, origin);
    }

    void flats_and_faces() {
        if (b_.high > 0.0) add(Vec<3>::UnitZ(), Origin::flat);
        if (b_.low > 0.0) add(-Vec<3>::UnitZ(), Origin::flat);
        for (const Vec<3>& n : a_.normals) add(-n, Origin::face);
    }

    /// A vertex over the side, or over a rim.
    void vertex(const Vec<3>& v) {
        const double rho = std::sqrt(v[0] * v[0] + v[1] * v[1]);
        const Vec<3> out = rho > 0.0 ? Vec<3>(v[0] / rho, v[1] / rho, 0.0) : Vec<3>(Vec<3>::UnitX());
        add(slope_.out * out + slope_.up * Vec<3>::UnitZ(), Origin::side);
        for (int end = 0; end < 2; ++end) {
            const Vec<3> d = v - (round::centre_at(b_, end) + round::radius_at(b_, end) * out);
            const double distance = d.norm();
            if (distance > 0.0) add(d / distance, Origin::other);
        }
    }

    /// The side's normals across an edge of direction e; none where the edge is steeper than the side.
    void edge_on_side(const Vec<3>& e) {
        const double flat = std::sqrt(e[0] * e[0] + e[1] * e[1]);
        if (flat < 1e-9) return;
        const Vec<3> along(e[0] / flat, e[1] / flat, 0.0), across(-along[1], along[0], 0.0);
        const double k = -slope_.up * e[2] / (slope_.out * flat), rest = 1.0 - k * k;
        if (rest < 0.0) return;
        for (const double way : {-1.0, 1.0})
            add(slope_.out * (k * along + way * std::sqrt(rest) * across) + slope_.up * Vec<3>::UnitZ(), Origin::side);
    }

    /// Points of a rim whose distance to the edge's line is least. The normal is across both where they
    /// cross; where rim and edge run along each other it is from one to the other.
    void edge_on_rim(const Vec<3>& from, const Vec<3>& e, int end) {
        const double r = round::radius_at(b_, end), z = end == 0 ? -b_.half : b_.half;
        if (r == 0.0) return apex(from, e, z);
        const auto from_line = [&](double c, double s) -> Vec<3> {
            const Vec<3> d = Vec<3>(r * c, r * s, z) - from;
            return d - d.dot(e) * e;
        };
        const auto slope = [&](double c, double s) {
            const Vec<3> d = from_line(c, s);
            return c * d[1] - s * d[0];
        };
        round::for_each_minimum(slope, [&](double c, double s) {
            const Vec<3> crossing = Vec<3>(-s, c, 0.0).cross(e), apart = from_line(c, s);
            if (crossing.norm() > 1e-6) add_both(crossing, crossing.norm(), Origin::other);
            if (apart.norm() > 0.0) add_both(apart, apart.norm(), Origin::other);
        });
    }

    void apex(const Vec<3>& from, const Vec<3>& e, double z) {
        const Vec<3> d = Vec<3>(0.0, 0.0, z) - from, apart = d - d.dot(e) * e;
        if (apart.norm() > 0.0) add_both(apart, apart.norm(), Origin::other);
    }

    const Core& a_;
    const Frustum& b_;
    round::SideSlope slope_;
    Choice& choice_;
};

/// What of the polytope faces b along n: a face at the lowest vertex, else the edge most across n at the lowest vertex,
/// else that vertex. Corners are those of the surface: the core's, moved out by the rounding.
struct Facing {
    std::vector<Vec<3>> corners;
    std::vector<std::uint32_t> ids;
    Vec<3> normal = Vec<3>::Zero();
    [[nodiscard]] round::Loop loop() const { return {corners, ids, normal}; }
};

void take_face(const Core& a, std::size_t face, Facing& out) {
    const auto& f = a.shape->faces[face];
    out.normal = a.normals[face];
    for (std::int32_t k = f.first; k < f.first + f.count; ++k)
        out.ids.push_back(static_cast<std::uint32_t>(a.shape->loops[static_cast<std::size_t>(k)]));
}

void take_edge(const Core& a, const Vec<3>& n, Facing& out) {
    const auto lowest = static_cast<std::int32_t>(a.lowest(n));
    double least = 1e300;
    out.ids.assign(1, static_cast<std::uint32_t>(lowest));
    for (const auto& edge : a.shape->edges) {
        if (edge.from != lowest && edge.to != lowest) continue;
        const Vec<3> step =
            a.vertices[static_cast<std::size_t>(edge.to)] - a.vertices[static_cast<std::size_t>(edge.from)];
        const double rise = std::abs(n.dot(step)) / step.norm();
        if (rise >= least) continue;
        least = rise;
        out.ids = {static_cast<std::uint32_t>(edge.from), static_cast<std::uint32_t>(edge.to)};
    }
}

bool has_corner(const Polytope<3>& p, std::size_t face, std::size_t vertex) {
    const auto& f = p.faces[face];
    const auto begin = p.loops.begin() + f.first;
    return std::find(begin, begin + f.count, static_cast<std::int32_t>(vertex)) != begin + f.count;
}

Facing& facing(const Core& a, const Vec<3>& n) {
    thread_local Facing out;
    out.corners.clear();
    out.ids.clear();
    const std::size_t lowest = a.lowest(n);
    std::size_t face = a.normals.size();
    double best = face_cosine;
    for (std::size_t k = 0; k < a.normals.size(); ++k)
        if (-n.dot(a.normals[k]) > best && has_corner(*a.shape, k, lowest)) best = -n.dot(a.normals[k]), face = k;
    if (face < a.normals.size()) take_face(a, face, out);
    else take_edge(a, n, out);
    for (const std::uint32_t id : out.ids) out.corners.push_back(a.vertices[id] - a.radius * n);
    return out;
}

/// The edge most across n at the lowest vertex, as a line of the surface.
round::Line lowest_edge(const Core& a, const Vec<3>& n) {
    thread_local Facing edge;
    edge.ids.clear();
    take_edge(a, n, edge);
    return {a.vertices[edge.ids.front()] - a.radius * n, a.vertices[edge.ids.back()] - a.radius * n};
}

/// One point where the supports meet.
void deepest_point(const Core& a, const Frustum& b, const Vec<3>& n, double separation, round::Patch& patch) {
    const double same = 1e-9 * patch.size();
    const round::Line side = round::line_of(b, n);
    const double low = n.dot(side.low), high = n.dot(side.high);
    const bool level = round::across_of(b, n).amount < 1e-9, line = !level && std::abs(high - low) < same;
    const std::size_t lowest = a.lowest(n);
    const Vec<3> corner = a.vertices[lowest] - a.radius * n;
    std::size_t ties = 0;
    for (const Vec<3>& x : a.vertices) ties += n.dot(x - a.vertices[lowest]) < same ? 1u : 0u;
    const std::uint32_t feature =
        feature_key(120, static_cast<std::uint32_t>(lowest), high > low ? 1u : 0u, line ? 1u : 0u);
    if (ties == 1 || level) {
        patch.add(corner, corner - separation * n, feature);
    } else if (!line) {
        const Vec<3> rim = high > low ? side.high : side.low;
        patch.add(rim + separation * n, rim, feature);
    } else {
        const round::Line edge = lowest_edge(a, n);
        const double t = std::clamp(round::nearest_on_lines(edge, side)[0], 0.0, 1.0);
        const Vec<3> x = edge.low + t * (edge.high - edge.low);
        patch.add(x, x - separation * n, feature);
    }
}

/// A segment (edge of the polytope) along a line of the side.
void edge_along_side(const Core& a, const round::Line& side, const Frustum& b, round::Patch& patch) {
    const round::Line edge = lowest_edge(a, patch.normal());
    const Vec<3> d = (edge.high - edge.low).normalized(), e = (side.high - side.low).normalized();
    if (d.cross(e).norm() < 1e-3) meet(edge, side, 0.5 * (b.low + b.high), patch);
}

void gather(const Core& a, const Frustum& b, const Vec<3>& n, double separation, round::Patch& patch) {
    const Facing& f = facing(a, n);
    const int end = n[2] > 0.0 ? 1 : 0;
    if (std::abs(n[2]) > flat_cosine && round::radius_at(b, end) > 0.0)
        meet(f.loop(), round::disk_of(b, end, static_cast<std::uint32_t>(end)), First::is_a, patch);
    const round::Line side = round::line_of(b, n);
    if (round::lies_across(side, n)) {
        meet(f.loop(), side, First::is_a, patch);
        if (f.corners.size() > 1 && patch.least() > separation + 1e-9 * patch.size())
            edge_along_side(a, side, b, patch);
    }
    if (patch.least() > separation + 1e-9 * patch.size()) deepest_point(a, b, n, separation, patch);
}

}  // namespace

void touch_polytope_frustum(const Polytope<3>& a, const Pose<3>& pose, const Frustum& b, const TouchQuery<3>& query,
                            Manifold<3>& out) {
    const Mat<3> axes = round::axes_of(b), back = axes.transpose();
    const Core& core = core_in(a, back * pose.rotation, back * (pose.translation - b.middle));
    Frustum own;
    own.half = b.half;
    own.low = b.low;
    own.high = b.high;
    const double size = std::min(core.size, round::size_of(b));
    Choice choice(size, query.limit);
    Search(core, own, choice).run();
    if (choice.apart()) return;
    const round::Candidate best = choice.pick(back * query.last());
    round::Patch patch(best.normal, query.limit, size);
    gather(core, own, best.normal, best.separation, patch);
    patch.write(most_points, axes, b.middle, out);
}

}  // namespace talus
