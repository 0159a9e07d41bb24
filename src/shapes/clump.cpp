/// \file
/// A rigid union of solids as one shape: number of parts, then the parts one after the other. The numbers of a
/// part are stated in `shapes/clump.h`.
#include "shapes/clump.h"

#include <cmath>

#include "math/portable.h"
#include "shapes/clump_overlap.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

// What depends on the dimension: the numbers of a rotation, and how inertia turns.
constexpr std::size_t numbers_of(Rotation<2>*) { return 1; }
constexpr std::size_t numbers_of(Rotation<3>*) { return 4; }
void read(const double* s, Rotation<2>& r) { r.angle = s[0]; }
void read(const double* s, Rotation<3>& r) { r.q = Eigen::Quaterniond(s[0], s[1], s[2], s[3]); }
void write(const Rotation<2>& r, std::vector<double>& s) { s.push_back(r.angle); }
void write(const Rotation<3>& r, std::vector<double>& s) { s.insert(s.end(), {r.q.w(), r.q.x(), r.q.y(), r.q.z()}); }
bool is_rotation(const Rotation<2>& r) { return std::isfinite(r.angle); }
bool is_rotation(const Rotation<3>& r) { return std::abs(r.q.norm() - 1.0) < 1e-9; }
Rotation<2> rotation_from(const Mat<2>& m) { return {portable::atan2(m(1, 0), m(0, 0))}; }
Rotation<3> rotation_from(const Mat<3>& m) {
    Rotation<3> r;
    r.q = Eigen::Quaterniond(m).normalized();
    return r;
}
Eigen::Matrix<double, 1, 1> turned(const Eigen::Matrix<double, 1, 1>& inertia, const Mat<2>&) { return inertia; }
Mat<3> turned(const Mat<3>& inertia, const Mat<3>& axes) { return axes * inertia * axes.transpose(); }

std::string code_list() {
    std::string text;
    for (std::size_t k = 0; k < clump_shapes.size(); ++k)
        text += (k > 0 ? ", " : "") + std::to_string(k) + " " + std::string(clump_shapes[k]);
    return text;
}

/// A number that counts something: whole, from 0 to `most`.
bool is_count(double x, double most) { return x >= 0.0 && x <= most && x == std::floor(x); }

/// What is wrong with one part, or nothing.
template <int Dim>
std::string part_complaint(const ClumpPart<Dim>& part) {
    if (!part.position.allFinite()) return "the position is not finite";
    if (!is_rotation(part.rotation)) return "the quaternion must have length 1";
    if (part.shape.name == "ball") {
        if (part.shape.sizes.size() != 1) return "a ball of a clump takes 1 size, its radius";
        return part.shape.sizes[0] > 0.0 ? std::string() : "the radius must be > 0";
    }
    try {
        shape_registry().check(part.shape, Dim);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

/// Reads the parts; says what is wrong, or nothing.
template <int Dim>
std::string read_parts(std::span<const double> s, std::vector<ClumpPart<Dim>>& parts) {
    constexpr std::size_t place = Dim + numbers_of(static_cast<Rotation<Dim>*>(nullptr));
    const auto numbers = static_cast<double>(s.size());
    if (s.empty() || !is_count(s[0], numbers) || s[0] == 0.0)
        return "the first number must be how many parts there are";
    std::size_t at = 1;
    for (double k = 0.0; k < s[0]; ++k) {
        const std::string which = "part " + std::to_string(static_cast<int>(k) + 1) + ": ";
        if (at + 2 > s.size()) return which + "the numbers end before it";
        if (!is_count(s[at], clump_shapes.size() - 1)) return which + "its code must be one of " + code_list();
        if (!is_count(s[at + 1], numbers)) return which + "its second number must be how many sizes it has";
        const auto count = static_cast<std::size_t>(s[at + 1]);
        if (at + 2 + count + place > s.size())
            return which + "the numbers end before its sizes, position and rotation do";
        ClumpPart<Dim> part;
        part.shape.name = clump_shapes[static_cast<std::size_t>(s[at])];
        part.shape.sizes.assign(s.begin() + static_cast<std::ptrdiff_t>(at) + 2,
                                s.begin() + static_cast<std::ptrdiff_t>(at + 2 + count));
        part.position = Eigen::Map<const Vec<Dim>>(s.data() + at + 2 + count);
        read(s.data() + at + 2 + count + Dim, part.rotation);
        const std::string wrong = part_complaint<Dim>(part);
        if (!wrong.empty()) return which + wrong;
        parts.push_back(std::move(part));
        at += 2 + count + place;
    }
    if (at != s.size()) return std::to_string(s.size() - at) + " numbers are left after the last part";
    return {};
}

/// The dimension is not known here: numbers that are right in one of them pass, `clump_solid` looks again.
std::string clump_complaint(std::span<const double> s) {
    std::vector<ClumpPart<2>> flat;
    std::vector<ClumpPart<3>> full;
    const std::string in_plane = read_parts<2>(s, flat);
    const std::string in_space = read_parts<3>(s, full);
    if (in_plane.empty() || in_space.empty()) return {};
    return in_plane == in_space ? in_space : "in 3D: " + in_space + "; in 2D: " + in_plane;
}

template <int Dim>
Solid<Dim> part_solid(const ClumpPart<Dim>& part) {
    if (part.shape.name != "ball")
        return shape_registry().find(part.shape.name).template solid<Dim>()(part.shape.sizes);
    const Polytope<Dim> core = point_core(Vec<Dim>(Vec<Dim>::Zero()), part.shape.sizes[0]);
    Solid<Dim> solid;
    solid.pieces = {piece_of<Dim>(core)};
    solid.mass = mass_of(core);
    return solid;
}

/// Takes `b`, which lies within `a`, out of it: the reverse of `together`.
template <int Dim>
MassProperties<Dim> without(const MassProperties<Dim>& a, MassProperties<Dim> b) {
    b.volume = -b.volume;
    b.inertia = -b.inertia;
    return together(a, b);
}

/// Parts of the clump in its axes.
template <int Dim>
struct Parts {
    std::vector<Solid<Dim>> solids;
    std::vector<ClumpBall<Dim>> balls;  ///< radius 0 for what is no ball
};

template <int Dim>
Parts<Dim> place(const std::vector<ClumpPart<Dim>>& parts) {
    Parts<Dim> placed;
    for (const ClumpPart<Dim>& part : parts) {
        const Mat<Dim> axes = matrix_of<Dim>(part.rotation);
        Solid<Dim> solid = part_solid(part);
        for (Piece<Dim>& piece : solid.pieces) piece = moved<Dim>(piece, axes, part.position);
        solid.mass.centre = part.position + axes * solid.mass.centre;
        solid.mass.inertia = turned(solid.mass.inertia, axes);
        placed.solids.push_back(std::move(solid));
        placed.balls.push_back({part.position, part.shape.name == "ball" ? part.shape.sizes[0] : 0.0});
    }
    return placed;
}

template <int Dim>
bool solids_overlap(const Solid<Dim>& a, const Solid<Dim>& b) {
    for (const Piece<Dim>& p : a.pieces)
        for (const Piece<Dim>& q : b.pieces)
            if (pieces_overlap(p, q)) return true;
    return false;
}

template <int Dim>
bool three_balls_meet(const std::vector<ClumpBall<Dim>>& balls) {
    for (std::size_t i = 0; i < balls.size(); ++i)
        for (std::size_t j = i + 1; j < balls.size(); ++j)
            for (std::size_t k = j + 1; k < balls.size(); ++k)
                if (balls[i].radius > 0.0 && balls[j].radius > 0.0 && balls[k].radius > 0.0 &&
                    common_point(balls[i], balls[j], balls[k]))
                    return true;
    return false;
}

/// Exact properties of the union, or volume 0 when they are not known.
template <int Dim>
MassProperties<Dim> union_mass(const Parts<Dim>& parts) {
    if (three_balls_meet(parts.balls)) return {};
    MassProperties<Dim> sum = parts.solids[0].mass;
    for (std::size_t i = 1; i < parts.solids.size(); ++i) sum = together(sum, parts.solids[i].mass);
    for (std::size_t i = 0; i < parts.solids.size(); ++i) {
        if (parts.solids[i].mass.volume == 0.0) return {};
        for (std::size_t j = i + 1; j < parts.solids.size(); ++j) {
            if (parts.balls[i].radius > 0.0 && parts.balls[j].radius > 0.0) {
                const MassProperties<Dim> lens = common_part(parts.balls[i], parts.balls[j]);
                if (lens.volume > 0.0) sum = without(sum, lens);
            } else if (solids_overlap(parts.solids[i], parts.solids[j])) {
                return {};
            }
        }
    }
    return sum;
}

template <int Dim>
Solid<Dim> solid_from(std::span<const double> sizes) {
    return clump_solid<Dim>(parts_of<Dim>(sizes));
}

template <int Dim>
std::vector<double> seen_from(std::span<const double> sizes, const Vec<Dim>& centre, const Mat<Dim>& axes) {
    std::vector<ClumpPart<Dim>> parts = parts_of<Dim>(sizes);
    for (ClumpPart<Dim>& part : parts) {
        part.position = axes.transpose() * (part.position - centre);
        part.rotation = rotation_from(Mat<Dim>(axes.transpose() * matrix_of<Dim>(part.rotation)));
    }
    return clump_of(parts).sizes;
}

}  // namespace

template <int Dim>
ShapeSpec clump_of(const std::vector<ClumpPart<Dim>>& parts) {
    if (parts.empty()) throw InputError("a clump needs at least one part");
    ShapeSpec spec{"clump", {static_cast<double>(parts.size())}};
    for (const ClumpPart<Dim>& part : parts) {
        std::size_t code = 0;
        while (code < clump_shapes.size() && clump_shapes[code] != part.shape.name) ++code;
        if (code == clump_shapes.size())
            throw InputError("'" + part.shape.name + "' cannot be part of a clump; the shapes that can are " +
                             code_list());
        spec.sizes.insert(spec.sizes.end(), {static_cast<double>(code), static_cast<double>(part.shape.sizes.size())});
        spec.sizes.insert(spec.sizes.end(), part.shape.sizes.begin(), part.shape.sizes.end());
        spec.sizes.insert(spec.sizes.end(), part.position.data(), part.position.data() + Dim);
        write(part.rotation, spec.sizes);
    }
    return spec;
}

template <int Dim>
std::vector<ClumpPart<Dim>> parts_of(std::span<const double> sizes) {
    std::vector<ClumpPart<Dim>> parts;
    const std::string wrong = read_parts<Dim>(sizes, parts);
    if (!wrong.empty()) throw InputError("shape 'clump': " + wrong);
    return parts;
}

template <int Dim>
Solid<Dim> clump_solid(const std::vector<ClumpPart<Dim>>& parts) {
    const Parts<Dim> placed = place(parts);
    Solid<Dim> solid;
    for (const Solid<Dim>& part : placed.solids)
        solid.pieces.insert(solid.pieces.end(), part.pieces.begin(), part.pieces.end());
    solid.mass = union_mass(placed);
    set_bound(solid);
    return solid;
}

void register_clump(ShapeRegistry& registry) {
    ShapeType type;
    type.name = "clump";
    type.sizes_2d = type.sizes_3d = any_number;
    type.sizes_text = "number of parts, then for each its code, number of sizes, sizes, position, rotation";
    type.complaint = clump_complaint;
    type.solid_2d = solid_from<2>;
    type.solid_3d = solid_from<3>;
    type.moved_2d = seen_from<2>;
    type.moved_3d = seen_from<3>;
    type.is_solid = true;
    registry.add(std::move(type));
}

#define TALUS_INSTANTIATE(Dim)                                                      \
    template ShapeSpec clump_of(const std::vector<ClumpPart<Dim>>&);                \
    template std::vector<ClumpPart<Dim>> parts_of(std::span<const double>);         \
    template Solid<Dim> clump_solid(const std::vector<ClumpPart<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
