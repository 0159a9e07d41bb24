#include "record/boundary_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "shapes/outline.h"

namespace talus::record {
namespace {

using Vec3 = Eigen::Vector3d;
constexpr int kSides = 64;  // of a circle

Vec3 in_space(const Vec<2>& v) { return {v.x(), v.y(), 0.0}; }
Vec3 in_space(const Vec<3>& v) { return v; }
Eigen::Quaterniond turn(const Rotation<2>& r) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(r.angle, Vec3::UnitZ()));
}
Eigen::Quaterniond turn(const Rotation<3>& r) { return r.q; }

/// Puts the pieces of one boundary, given in its own axes, into the mesh.
struct Pen {
    VtpMesh& mesh;
    Vec3 position;
    Eigen::Quaterniond rotation;
    std::size_t cells = 0;

    std::int64_t point(const Vec3& local) const {
        const Vec3 p = position + rotation * local;
        mesh.points.insert(mesh.points.end(), {p.x(), p.y(), p.z()});
        return static_cast<std::int64_t>(mesh.size()) - 1;
    }
    void add(VtpCells& target, std::initializer_list<Vec3> corners) {
        std::vector<std::int64_t> ids;
        for (const auto& corner : corners) ids.push_back(point(corner));
        target.add(ids);
        ++cells;
    }
    void face(const std::vector<Vec3>& corners, const std::vector<std::int32_t>& loop) {
        std::vector<std::int64_t> ids;
        for (const std::int32_t k : loop) ids.push_back(point(corners[static_cast<std::size_t>(k)]));
        mesh.polygons.add(ids);
        ++cells;
    }
    void line(const Vec3& a, const Vec3& b) { add(mesh.lines, {a, b}); }
    void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { add(mesh.polygons, {a, b, c, d}); }
};

Vec3 on_circle(double radius, int side, double z) {
    const double angle = 2.0 * std::numbers::pi * side / kSides;
    return {radius * std::cos(angle), radius * std::sin(angle), z};
}

void draw_circle(Pen& pen, double radius) {
    for (int i = 0; i < kSides; ++i) pen.line(on_circle(radius, i, 0.0), on_circle(radius, i + 1, 0.0));
}

/// The side of a cone between two circles; a cylinder when they are equal.
void draw_mantle(Pen& pen, double low_radius, double high_radius, double low, double high) {
    for (int i = 0; i < kSides; ++i) {
        pen.quad(on_circle(low_radius, i, low), on_circle(low_radius, i + 1, low), on_circle(high_radius, i + 1, high),
                 on_circle(high_radius, i, high));
    }
}

void draw_sphere(Pen& pen, double radius) {
    constexpr int kBands = kSides / 2;
    for (int k = 0; k < kBands; ++k) {
        const double a = std::numbers::pi * k / kBands, b = std::numbers::pi * (k + 1) / kBands;
        draw_mantle(pen, radius * std::sin(a), radius * std::sin(b), -radius * std::cos(a), -radius * std::cos(b));
    }
}

/// The faces of a box; those at infinity are left out.
void draw_box(Pen& pen, const Vec3& half, int dim, double extent) {
    Vec3 h = half;
    for (int k = 0; k < dim; ++k) {
        if (!std::isfinite(h[k])) h[k] = extent;
    }
    for (int axis = 0; axis < dim; ++axis) {
        if (!std::isfinite(half[axis])) continue;
        for (const double side : {-1.0, 1.0}) {
            Vec3 n = Vec3::Zero(), u = Vec3::Zero(), v = Vec3::Zero();
            n[axis] = side * h[axis];
            u[(axis + 1) % dim] = h[(axis + 1) % dim];
            if (dim == 3) v[(axis + 2) % 3] = h[(axis + 2) % 3];
            if (dim == 2) pen.line(n - u, n + u);
            else pen.quad(n - u - v, n + u - v, n + u + v, n - u + v);
        }
    }
}

void draw_plane(Pen& pen, const Vec3& normal, int dim, double extent) {
    if (dim == 2) {
        const Vec3 along = Vec3(-normal.y(), normal.x(), 0.0) * extent;
        pen.line(-along, along);
        return;
    }
    const Vec3 u = normal.unitOrthogonal() * extent, v = normal.cross(u);
    pen.quad(-u - v, u - v, u + v, v - u);
}

double size_at(const ShapeSpec& shape, std::size_t k) { return k < shape.sizes.size() ? shape.sizes[k] : 0.0; }

void draw(Pen& pen, const ShapeSpec& shape, int dim, double extent) {
    const auto finite = [&](double length) { return std::isfinite(length) ? length : 2.0 * extent; };
    const Vec3 sizes(size_at(shape, 0), size_at(shape, 1), dim == 3 ? size_at(shape, 2) : 0.0);
    if (shape.name == "plane") {
        if (sizes.norm() > 0.0) draw_plane(pen, sizes.normalized(), dim, extent);
    } else if (shape.name == "segment") {
        pen.line({-sizes.x() / 2, 0, 0}, {sizes.x() / 2, 0, 0});
    } else if (shape.name == "plate") {
        const double x = sizes.x() / 2, y = sizes.y() / 2;
        pen.quad({-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0});
    } else if (shape.name == "box" || shape.name == "box_inside") {
        draw_box(pen, sizes / 2, dim, extent);
    } else if (shape.name == "ball_inside") {
        if (dim == 2) draw_circle(pen, sizes.x());
        else draw_sphere(pen, sizes.x());
    } else if (shape.name == "cylinder_inside") {
        const double half = finite(sizes.y()) / 2;
        draw_mantle(pen, sizes.x(), sizes.x(), -half, half);
    } else if (shape.name == "cone_inside") {
        draw_mantle(pen, sizes.x(), sizes.y(), 0.0, sizes.z());
    } else if (shape.name == "mesh") {
        for (std::size_t k = 0; k + 8 < shape.sizes.size(); k += 9) {
            const double* x = shape.sizes.data() + k;
            pen.add(pen.mesh.polygons, {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}});
        }
    }
}

/// Solids that serve as boundaries.
void draw_pieces(Pen& pen, const Solid<2>& solid) {
    for (const auto& piece : solid.pieces) {
        const auto points = outline(piece);
        for (std::size_t k = 0; k < points.size(); ++k)
            pen.line(in_space(points[k]), in_space(points[(k + 1) % points.size()]));
    }
}
void draw_pieces(Pen& pen, const Solid<3>& solid) {
    for (const auto& piece : solid.pieces) {
        const Surface s = surface(piece);
        for (const auto& face : s.faces) pen.face(s.points, face);
    }
}

const std::set<std::string> drawn_by_name = {"plane", "segment", "plate", "box", "box_inside", "ball_inside",
                                             "cylinder_inside", "cone_inside", "mesh"};

/// Half the size of the square that stands for a plane: the farthest grain from `centre`.
template <int Dim>
double extent_around(const Snapshot<Dim>& s, const Vec<Dim>& centre) {
    double extent = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.radius[i] > 0.0) extent = std::max(extent, (s.position[i] - centre).norm() + s.radius[i]);
    }
    return extent > 0.0 ? extent : 1.0;
}

}  // namespace

template <int Dim>
VtpMesh boundary_mesh(const Snapshot<Dim>& s) {
    VtpMesh mesh;
    mesh.time = s.time;
    std::vector<std::int64_t> id;
    std::vector<std::int32_t> material, tag;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.radius[i] > 0.0) continue;
        Pen pen{mesh, in_space(s.position[i]), turn(s.rotation[i])};
        const ShapeSpec& shape = s.shapes[static_cast<std::size_t>(s.shape[i])];
        if (drawn_by_name.contains(shape.name)) draw(pen, shape, Dim, extent_around(s, s.position[i]));
        else draw_pieces(pen, s.solid(i));
        id.insert(id.end(), pen.cells, s.id[i]);
        material.insert(material.end(), pen.cells, s.material[i]);
        tag.insert(tag.end(), pen.cells, s.tag[i]);
    }
    mesh.cell_data = {{"id", 1, id}, {"material", 1, material}, {"tag", 1, tag}};
    return mesh;
}

template VtpMesh boundary_mesh<2>(const Snapshot<2>&);
template VtpMesh boundary_mesh<3>(const Snapshot<3>&);

}  // namespace talus::record
