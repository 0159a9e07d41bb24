/// \file
/// Exact mass properties of rounded polytopes. Volumes are cut into simplices about a point of the body, so
/// that a body far from its origin loses no digits; what a radius adds is strips along the edges and sectors
/// at the corners.
#include <cmath>

#include "math/portable.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Area, first and second (polar) moments about the point `about`, collected.
struct Moments2 {
    double area = 0.0;
    Vec<2> first = Vec<2>::Zero();
    double polar = 0.0;

    /// Triangle of that point and p, q.
    void add_triangle(const Vec<2>& p, const Vec<2>& q) {
        const double a = 0.5 * cross(p, q);
        area += a;
        first += a / 3.0 * (p + q);
        polar += a / 6.0 * (p.dot(p) + p.dot(q) + q.dot(q));
    }
    /// Strip of width r on the side n of the edge p q.
    void add_strip(const Vec<2>& p, const Vec<2>& q, const Vec<2>& n, double r) {
        const double length = (q - p).norm(), a = length * r;
        const Vec<2> centre = 0.5 * (p + q) + 0.5 * r * n;
        area += a;
        first += a * centre;
        polar += a * (centre.squaredNorm() + (length * length + r * r) / 12.0);
    }
    /// Sector of radius r at p, from direction n to direction m counter-clockwise.
    void add_sector(const Vec<2>& p, const Vec<2>& n, const Vec<2>& m, double r) {
        double angle = portable::atan2(cross(n, m), n.dot(m));
        if (angle < 0.0) angle += 2.0 * M_PI;
        const double a = 0.5 * angle * r * r;
        const Vec<2> own = r * r * r / 3.0 * Vec<2>(m[1] - n[1], n[0] - m[0]);  // first moment about p
        area += a;
        first += a * p + own;
        polar += a * p.squaredNorm() + 2.0 * p.dot(own) + 0.5 * a * r * r;
    }
};

MassProperties<2> about_centre(const Moments2& m, const Vec<2>& about) {
    MassProperties<2> out;
    if (!(m.area > 0.0)) return out;
    const Vec<2> arm = m.first / m.area;
    out.volume = m.area;
    out.centre = about + arm;
    out.inertia(0, 0) = m.polar - m.area * arm.squaredNorm();
    return out;
}

/// A ball about x, or a segment swollen to a capsule.
MassProperties<3> mass_of_capsule(const Vec<3>& from, const Vec<3>& to, double r) {
    const double length = (to - from).norm();
    const double ball = ball_volume<3>(r), tube = M_PI * r * r * length;
    const double along = 0.5 * tube * r * r + 0.4 * ball * r * r;
    const double across = tube * (length * length / 12.0 + 0.25 * r * r) +
                          ball * (0.4 * r * r + 0.25 * length * length + 0.375 * length * r);
    MassProperties<3> out;
    out.volume = ball + tube;
    out.centre = 0.5 * (from + to);
    out.inertia = across * Mat<3>::Identity();
    if (length > 0.0) {
        const Vec<3> axis = (to - from) / length;
        out.inertia += (along - across) * axis * axis.transpose();
    }
    return out;
}

template <int Dim>
Vec<Dim> mean_of(const std::vector<Vec<Dim>>& points) {
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const Vec<Dim>& p : points) sum += p;
    return sum / static_cast<double>(points.size());
}

/// Inertia from the matrix of second moments, integral of x x^T.
Mat<3> inertia_from(const Mat<3>& second) { return second.trace() * Mat<3>::Identity() - second; }

Eigen::Matrix<double, 1, 1> shifted(const Vec<2>& arm, double mass) {
    return Eigen::Matrix<double, 1, 1>(mass * arm.squaredNorm());
}
Mat<3> shifted(const Vec<3>& arm, double mass) { return mass * inertia_from(arm * arm.transpose()); }

}  // namespace

MassProperties<2> mass_of(const Polytope<2>& p) {
    const Vec<2> about = mean_of<2>(p.vertices);
    Moments2 m;
    const std::size_t n = p.vertices.size();
    if (n == 1) {
        m.area = ball_volume<2>(p.radius);
        m.polar = 0.5 * m.area * p.radius * p.radius;
        return about_centre(m, about);
    }
    for (std::size_t k = 0; k < n; ++k) {
        const Vec<2> x = p.vertices[k] - about, y = p.vertices[(k + 1) % n] - about;
        if (n > 2) m.add_triangle(x, y);
        if (p.radius > 0.0) {
            m.add_strip(x, y, p.normals[k], p.radius);
            m.add_sector(x, p.normals[(k + n - 1) % n], p.normals[k], p.radius);
        }
    }
    return about_centre(m, about);
}

MassProperties<3> mass_of(const Polytope<3>& p) {
    if (p.vertices.size() == 1) return mass_of_capsule(p.vertices[0], p.vertices[0], p.radius);
    if (p.vertices.size() == 2) return mass_of_capsule(p.vertices[0], p.vertices[1], p.radius);
    if (p.radius > 0.0)
        throw InputError("a rounded polyhedron has no exact mass properties here; use radius 0, a ball or a capsule");
    MassProperties<3> out;
    if (p.faces.size() < 4) return out;  // flat
    const Vec<3> about = mean_of<3>(p.vertices);
    Vec<3> first = Vec<3>::Zero();
    Mat<3> second = Mat<3>::Zero();
    for (const Polytope<3>::Face& face : p.faces) {
        const Vec<3> x = p.vertices[p.loops[face.first]] - about;
        for (int k = 1; k + 1 < face.count; ++k) {
            const Vec<3> y = p.vertices[p.loops[face.first + k]] - about;
            const Vec<3> z = p.vertices[p.loops[face.first + k + 1]] - about;
            const double volume = x.dot(y.cross(z)) / 6.0;
            const Vec<3> sum = x + y + z;
            out.volume += volume;
            first += 0.25 * volume * sum;
            second += volume / 20.0 *
                      (x * x.transpose() + y * y.transpose() + z * z.transpose() + sum * sum.transpose());
        }
    }
    const Vec<3> arm = first / out.volume;
    out.centre = about + arm;
    out.inertia = inertia_from(second - out.volume * arm * arm.transpose());
    return out;
}

template <int Dim>
MassProperties<Dim> together(const MassProperties<Dim>& a, const MassProperties<Dim>& b) {
    MassProperties<Dim> out;
    out.volume = a.volume + b.volume;
    if (!(out.volume > 0.0)) return out;
    const Vec<Dim> apart = b.centre - a.centre;
    out.centre = a.centre + b.volume / out.volume * apart;
    out.inertia = a.inertia + b.inertia + shifted(apart, a.volume * b.volume / out.volume);
    return out;
}

template MassProperties<2> together(const MassProperties<2>&, const MassProperties<2>&);
template MassProperties<3> together(const MassProperties<3>&, const MassProperties<3>&);

}  // namespace talus
