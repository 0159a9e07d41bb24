#include "detect/narrow/piece_container.h"

#include <algorithm>
#include <limits>
#include <span>

#include "detect/narrow/frustum_points.h"
#include "detect/narrow/reduce.h"
#include "shapes/solids.h"

namespace talus {
namespace {

constexpr int most_a_face = 8;
constexpr double level_tilt = 1e-8;      ///< below this tilt a rim lies flat: fixed points say all
constexpr double flat_cosine = 0.9;
constexpr int fixed_points = 6;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A contact and the face of the boundary it is on.
template <int Dim>
struct FacePoint {
    ManifoldPoint<Dim> contact;
    std::uint32_t face;
};

template <int Dim>
std::vector<FacePoint<Dim>>& buffer() {
    thread_local std::vector<FacePoint<Dim>> list;
    list.clear();
    return list;
}

/// The boundary as seen by points and balls.
template <int Dim>
struct Container {
    BallTouch<Dim> touch;
    const double* sizes;
    double limit;

    /// The contact of a ball (a point when the radius is 0) goes to the list.
    void add(const Vec<Dim>& x, double radius, std::uint32_t id, std::vector<FacePoint<Dim>>& list) const {
        LocalTouches<Dim> found;
        const int n = touch(sizes, x, radius, limit, found);
        for (int k = 0; k < n; ++k) {
            const LocalTouch<Dim>& t = found[static_cast<std::size_t>(k)];
            list.push_back(
                {{x - (radius + 0.5 * t.gap) * t.normal, t.normal, t.gap, feature_key(140, t.feature, id)}, t.feature});
        }
    }
    /// The same on one face of the boundary only.
    void add_on(std::uint32_t face, const Vec<Dim>& x, std::uint32_t id, std::vector<FacePoint<Dim>>& list) const {
        const std::size_t first = list.size();
        add(x, 0.0, id, list);
        for (std::size_t k = list.size(); k-- > first;)
            if (list[k].face != face) list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
    }
    /// Normal of one face at x; zero where it has none.
    [[nodiscard]] Vec<Dim> normal(std::uint32_t face, const Vec<Dim>& x) const {
        LocalTouches<Dim> found;
        const int n = touch(sizes, x, 0.0, infinity, found);
        for (int k = 0; k < n; ++k)
            if (found[static_cast<std::size_t>(k)].feature == face) return found[static_cast<std::size_t>(k)].normal;
        return Vec<Dim>::Zero();
    }
};

/// Side of a hopper for points within it, signed: a corner that went through is pushed back in. Above and
/// below its open ends there is nothing.
int touch_hopper(const double* sizes, const Vec<3>& x, double radius, double limit, LocalTouches<3>& out) {
    const double rise = sizes[2], run = sizes[1] - sizes[0], length = std::sqrt(rise * rise + run * run);
    const double rho = std::sqrt(x[0] * x[0] + x[1] * x[1]);
    const double along = ((rho - sizes[0]) * run + x[2] * rise) / length;
    const double gap = ((sizes[0] - rho) * rise + x[2] * run) / length - radius;
    if (along < 0.0 || along > length || gap > limit) return 0;
    const Vec<3> out_from_axis = rho > 0.0 ? Vec<3>(x[0] / rho, x[1] / rho, 0.0) : Vec<3>(Vec<3>::UnitX());
    out[0] = {(-rise / length) * out_from_axis + (run / length) * Vec<3>::UnitZ(), gap, 0};
    return 1;
}

// --- rims ----------------------------------------------------------------------------------------

Vec<3> rim_point(const Frustum& f, int end, double c, double s) {
    return round::centre_at(f, end) + round::radius_at(f, end) * (c * f.across + s * f.axis.cross(f.across));
}

std::uint32_t rim_id(int end, std::uint32_t which) { return 1000u + 100u * static_cast<std::uint32_t>(end) + which; }

/// Those that are not the same as one of `known`.
void add_fixed_points(const Frustum& f, int end, const Container<3>& box, std::uint32_t face,
                      std::vector<FacePoint<3>>& list, std::span<const Vec<3>> known = {}) {
    static const double high = std::sqrt(0.75);
    static const double c[fixed_points] = {1.0, 0.5, -0.5, -1.0, -0.5, 0.5},
                        s[fixed_points] = {0.0, high, high, 0.0, -high, -high};
    const int count = round::radius_at(f, end) > 0.0 ? fixed_points : 1;  // a tip is one point
    const double same = 1e-3 * round::radius_at(f, end);
    for (int k = 0; k < count; ++k) {
        const Vec<3> x = rim_point(f, end, c[k], s[k]);
        if (std::any_of(known.begin(), known.end(), [&](const Vec<3>& y) { return (x - y).norm() < same; })) continue;
        box.add_on(face, x, rim_id(end, static_cast<std::uint32_t>(k)), list);
    }
}

/// A face with one normal: the lowest points of both rims (a line of the side lies between them), and the fixed
/// points of an end that faces it.
void rims_on_flat(const Frustum& f, const Container<3>& box, std::uint32_t face, const Vec<3>& n,
                  std::vector<FacePoint<3>>& list) {
    const double cosine = -n.dot(f.axis);
    const int end = cosine > 0.0 ? 1 : 0;
    if (std::abs(cosine) > flat_cosine) add_fixed_points(f, end, box, face, list);
    if (round::across_of(f, n).amount < level_tilt) return;
    const round::Line low = round::line_of(f, -n);
    box.add_on(face, low.low, rim_id(0, 50), list);
    box.add_on(face, low.high, rim_id(1, 50), list);
}

/// A face with turning normals: the points of each rim where the gap is least, and the fixed ones.
void rims_on_curved(const Frustum& f, const Container<3>& box, std::uint32_t face, std::vector<FacePoint<3>>& list) {
    const Vec<3> third = f.axis.cross(f.across);
    for (int end = 0; end < 2; ++end) {
        if (round::radius_at(f, end) == 0.0) {
            box.add_on(face, round::centre_at(f, end), rim_id(end, 60), list);
            continue;
        }
        double steepest = 0.0;
        const auto slope = [&](double c, double s) {
            const double value = box.normal(face, rim_point(f, end, c, s)).dot(c * third - s * f.across);
            steepest = std::max(steepest, std::abs(value));
            return value;
        };
        std::uint32_t count = 0;
        std::array<Vec<3>, 8> least;
        round::for_each_minimum(slope, [&](double c, double s) {
            if (count < least.size()) least[count++] = rim_point(f, end, c, s);
        });
        // What overlaps away from the minima counts too: else a coin in a bowl rocks, and sinks with every rock.
        if (steepest < level_tilt) count = 0;
        add_fixed_points(f, end, box, face, list, {least.data(), count});
        for (std::uint32_t k = 0; k < count; ++k) box.add_on(face, least[k], rim_id(end, 70 + k), list);
    }
}

/// The same normal everywhere on the frustum.
bool is_flat(const Frustum& f, const Container<3>& box, std::uint32_t face, const Vec<3>& n) {
    for (int end = 0; end < 2; ++end)
        for (int quarter = 0; quarter < 4; ++quarter) {
            const double c = quarter % 2 == 0 ? 1.0 - quarter : 0.0, s = quarter % 2 == 1 ? 2.0 - quarter : 0.0;
            if (box.normal(face, rim_point(f, end, c, s)) != n) return false;
        }
    return true;
}

void add_rims(const Frustum& f, const Container<3>& box, std::vector<FacePoint<3>>& list) {
    LocalTouches<3> faces;
    const int n = box.touch(box.sizes, f.middle, 0.0, infinity, faces);
    for (int k = 0; k < n; ++k) {
        const LocalTouch<3>& t = faces[static_cast<std::size_t>(k)];
        if (t.gap > box.limit + 2.0 * round::size_of(f)) continue;
        if (is_flat(f, box, t.feature, t.normal)) rims_on_flat(f, box, t.feature, t.normal, list);
        else rims_on_curved(f, box, t.feature, list);
    }
}

// --- pieces --------------------------------------------------------------------------------------

template <int Dim>
void add_corners(const Polytope<Dim>& p, const Pose<Dim>& pose, const Container<Dim>& box,
                 std::vector<FacePoint<Dim>>& list) {
    for (std::size_t k = 0; k < p.vertices.size(); ++k)
        box.add(pose.point(p.vertices[k]), p.radius, static_cast<std::uint32_t>(k), list);
}

void add_piece(const Piece<2>& a, const Pose<2>& pose, const Container<2>& box, std::vector<FacePoint<2>>& list) {
    add_corners(a.polytope, pose, box, list);
}
void add_piece(const Piece<3>& a, const Pose<3>& pose, const Container<3>& box, std::vector<FacePoint<3>>& list) {
    if (a.kind == Piece<3>::Kind::polytope) return add_corners(a.polytope, pose, box, list);
    add_rims(round::placed(a.frustum, pose.rotation, pose.translation), box, list);
}

/// At most `most` points of one face, moved to the front.
int keep(std::span<ManifoldPoint<3>> points, int most) {
    const auto deepest =
        std::min_element(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
    return keep_support_polygon(points, most, Vec<3>(deepest->normal));
}
/// In the plane the deepest and the two ends of the row are enough.
int keep(std::span<ManifoldPoint<2>> points, int most) {
    const auto deeper = [](const auto& p, const auto& q) { return p.gap < q.gap; };
    std::iter_swap(points.begin(), std::min_element(points.begin(), points.end(), deeper));
    const Vec<2> n = points[0].normal, along(-n[1], n[0]);
    const auto before = [&](const auto& p, const auto& q) { return along.dot(p.point) < along.dot(q.point); };
    std::sort(points.begin() + 1, points.end(), before);
    std::swap(points[2], points.back());
    return std::min<int>(std::min(most, 3), static_cast<int>(points.size()));
}

/// Face by face into the manifold; fewer a face when there are many faces.
template <int Dim>
void write(std::vector<FacePoint<Dim>>& list, Manifold<Dim>& out) {
    if (list.empty()) return;
    const auto by_face = [](const auto& p, const auto& q) { return p.face < q.face; };
    if (!std::is_sorted(list.begin(), list.end(), by_face)) std::stable_sort(list.begin(), list.end(), by_face);   // which takes memory
    int faces = 0;
    for (std::size_t k = 0; k < list.size(); ++k) faces += k == 0 || list[k].face != list[k - 1].face ? 1 : 0;
    const int room = max_manifold_points - out.count;
    const int most = static_cast<int>(list.size()) <= room ? most_a_face : std::min(most_a_face, room / faces);
    thread_local std::vector<ManifoldPoint<Dim>> group;
    for (std::size_t k = 0; k < list.size();) {
        group.clear();
        const std::uint32_t face = list[k].face;
        for (; k < list.size() && list[k].face == face; ++k) group.push_back(list[k].contact);
        int count = static_cast<int>(group.size());
        if (count > most) count = keep(group, most);
        for (int i = 0; i < count; ++i) out.add(group[static_cast<std::size_t>(i)]);
    }
}

/// Whether the ball that holds a piece is farther away than asked, and with it all the piece.
template <int Dim>
bool is_far(const Piece<Dim>& a, const Pose<Dim>& pose, const Container<Dim>& box) {
    constexpr double uncertain = 1e-6;   // of the size: rounding is below
    LocalTouches<Dim> found;
    return box.touch(box.sizes, pose.point(a.centre), (1.0 + uncertain) * a.bound, box.limit, found) == 0;
}

// --- the rims of the hopper ------------------------------------------------------------------------

/// Points of the hopper's open ends against the piece: what lies across an opening, or plugs it.
void add_hopper_rims(const Piece<3>& a, const Pose<3>& pose, const double* sizes, double limit,
                     std::vector<FacePoint<3>>& list) {
    constexpr int points = 12;
    static const double high = std::sqrt(0.75);
    static const double cosine[points] = {1, high, 0.5, 0, -0.5, -high, -1, -high, -0.5, 0, 0.5, high};
    thread_local Polytope<3> point = point_core(Vec<3>(Vec<3>::Zero()), 0.0);
    const Mat<3> back = pose.rotation.transpose();
    for (std::uint32_t end = 0; end < 2; ++end)
        for (std::uint32_t k = 0; k < points && sizes[end] > 0.0; ++k) {
            const Vec<3> x(sizes[end] * cosine[k], sizes[end] * cosine[(k + 9) % points], end == 0 ? 0.0 : sizes[2]);
            point.vertices[0] = back * (x - pose.translation);
            measure(point);
            const double range = a.bound + std::max(0.0, limit);
            if ((point.vertices[0] - a.centre).squaredNorm() > range * range) continue;
            Manifold<3> found;
            const TouchQuery<3> query{limit, Vec<3>::Zero()};
            if (a.kind == Piece<3>::Kind::frustum) touch_polytope_frustum(point, {}, a.frustum, query, found);
            else touch_polytopes(point, {}, a.polytope, query, found);
            if (found.count == 0) continue;
            const ManifoldPoint<3>& p = found.points[0];
            list.push_back({{pose.point(p.point), -pose.direction(p.normal), p.gap, feature_key(141, end, k)}, 1 + end});
        }
}
void add_hopper_rims(const Piece<2>&, const Pose<2>&, const double*, double, std::vector<FacePoint<2>>&) {}

// --- the hopper from without -----------------------------------------------------------------------

/// Overloads for the plane, where there is no hopper.
bool is_hopper(BallTouch<2>) { return false; }
bool is_hopper(BallTouch<3> touch) {
    static const BallTouch<3> hopper = pair_registry().find<3>("cone_inside");
    return touch == hopper;
}
BallTouch<2> from_within(BallTouch<2> touch) { return touch; }
BallTouch<3> from_within(BallTouch<3>) { return touch_hopper; }

bool is_without(const Vec<2>&, const double*) { return false; }
bool is_without(const Vec<3>& centre, const double* sizes) {
    const double height = std::clamp(centre[2], 0.0, sizes[2]) / sizes[2];
    const double radius = sizes[0] + height * (sizes[1] - sizes[0]);
    return centre[0] * centre[0] + centre[1] * centre[1] > radius * radius;
}

void touch_without(const Piece<2>&, const Pose<2>&, const double*, const TouchQuery<2>&, Manifold<2>&) {}
void touch_without(const Piece<3>& a, const Pose<3>& pose, const double* sizes, const TouchQuery<3>& query,
                   Manifold<3>& out) {
    Frustum hopper;
    hopper.half = 0.5 * sizes[2];
    hopper.middle = hopper.half * Vec<3>::UnitZ();
    hopper.low = sizes[0];
    hopper.high = sizes[1];
    const int first = out.count;
    if (a.kind == Piece<3>::Kind::frustum) touch_frusta(a.frustum, pose, hopper, query, out);
    else touch_polytope_frustum(a.polytope, pose, hopper, query, out);
    int kept = first;
    for (int k = first; k < out.count; ++k) {
        const ManifoldPoint<3>& p = out.points[static_cast<std::size_t>(k)];
        if (std::abs(p.normal[2]) < 1.0 - 1e-9) out.points[static_cast<std::size_t>(kept++)] = p;
    }
    out.count = kept;
}

}  // namespace

template <int Dim>
void touch_container(const Piece<Dim>& a, const Pose<Dim>& pose, BallTouch<Dim> touch, const double* sizes,
                     const TouchQuery<Dim>& query, Manifold<Dim>& out) {
    std::vector<FacePoint<Dim>>& list = buffer<Dim>();
    if (is_hopper(touch)) {
        add_hopper_rims(a, pose, sizes, query.limit, list);
        if (is_without(pose.point(a.centre), sizes)) touch_without(a, pose, sizes, query, out);
        else add_piece(a, pose, Container<Dim>{from_within(touch), sizes, query.limit}, list);
    } else {
        const Container<Dim> box{touch, sizes, query.limit};
        if (is_far(a, pose, box)) return;
        add_piece(a, pose, box, list);
    }
    write(list, out);
}

template void touch_container(const Piece<2>&, const Pose<2>&, BallTouch<2>, const double*, const TouchQuery<2>&,
                              Manifold<2>&);
template void touch_container(const Piece<3>&, const Pose<3>&, BallTouch<3>, const double*, const TouchQuery<3>&,
                              Manifold<3>&);

}  // namespace talus
