#include "solve/cone_scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {
namespace {

using Real = ConeReal;
using Vector = ConeVector;

/// t^2 - |u|^2 of a part of v, without the cancellation of the squares.
template <class Part>
Real determinant(const Part& v) {
    const Real u = v.tail(v.size() - 1).norm();
    return (v[0] - u) * (v[0] + u);
}

}  // namespace

ConeScaling::ConeScaling(int orthant, const std::vector<int>& second_order) : orthant_(orthant), size_(orthant) {
    for (const int n : second_order) {
        cones_.push_back({size_, n, 1.0L, Vector::Unit(n, 0)});
        size_ += n;
    }
    diagonal_ = Vector::Ones(orthant);
    lambda_ = identity();
}

Vector ConeScaling::identity() const {
    Vector e = Vector::Zero(size_);
    e.head(orthant_).setOnes();
    for (const Cone& c : cones_) e[c.begin] = 1.0L;
    return e;
}

Vector ConeScaling::brought_inside(const Vector& v) const {
    Real outside = -std::numeric_limits<Real>::infinity();
    for (int k = 0; k < orthant_; ++k) outside = std::max(outside, -v[k]);
    for (const Cone& c : cones_) outside = std::max(outside, v.segment(c.begin + 1, c.size - 1).norm() - v[c.begin]);
    const Real margin = 1e-8L * std::max(1.0L, v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0L);
    return outside < -margin ? v : Vector(v + (1.0L + outside) * identity());
}

bool ConeScaling::update(const Vector& s, const Vector& z) {
    for (int k = 0; k < orthant_; ++k) {
        if (!(s[k] > 0.0L && z[k] > 0.0L)) return false;
        diagonal_[k] = std::sqrt(s[k] / z[k]);
    }
    for (Cone& c : cones_) {
        const auto sc = s.segment(c.begin, c.size), zc = z.segment(c.begin, c.size);
        const Real ds = determinant(sc), dz = determinant(zc);
        if (!(ds > 0.0L && dz > 0.0L && sc[0] > 0.0L && zc[0] > 0.0L)) return false;
        const Vector s_bar = sc / std::sqrt(ds), z_bar = zc / std::sqrt(dz);
        const Real gamma = std::sqrt(0.5L * (1.0L + s_bar.dot(z_bar)));
        c.w = (s_bar - z_bar) / (2.0L * gamma);
        c.w[0] = (s_bar[0] + z_bar[0]) / (2.0L * gamma);
        // On the hyperboloid w'Jw = 1 again, whatever rounding did.
        c.w[0] = std::sqrt(1.0L + c.w.tail(c.size - 1).squaredNorm());
        c.eta = std::sqrt(std::sqrt(ds / dz));
    }
    lambda_ = times_W(z);
    return lambda_.allFinite();
}

Vector ConeScaling::times(const Vector& v, bool inverse) const {
    Vector out(size_);
    for (int k = 0; k < orthant_; ++k) out[k] = inverse ? v[k] / diagonal_[k] : v[k] * diagonal_[k];
    for (const Cone& c : cones_) {
        const auto w1 = c.w.tail(c.size - 1);
        const Real sign = inverse ? -1.0L : 1.0L, factor = inverse ? 1.0L / c.eta : c.eta;
        const Real v0 = v[c.begin], zeta = sign * w1.dot(v.segment(c.begin + 1, c.size - 1));
        out[c.begin] = factor * (c.w[0] * v0 + zeta);
        out.segment(c.begin + 1, c.size - 1) =
            factor * (v.segment(c.begin + 1, c.size - 1) + sign * (v0 + zeta / (1.0L + c.w[0])) * w1);
    }
    return out;
}

Vector ConeScaling::product(const Vector& u, const Vector& v) const {
    Vector out(size_);
    for (int k = 0; k < orthant_; ++k) out[k] = u[k] * v[k];
    for (const Cone& c : cones_) {
        out[c.begin] = u.segment(c.begin, c.size).dot(v.segment(c.begin, c.size));
        out.segment(c.begin + 1, c.size - 1) =
            u[c.begin] * v.segment(c.begin + 1, c.size - 1) + v[c.begin] * u.segment(c.begin + 1, c.size - 1);
    }
    return out;
}

Vector ConeScaling::divided_by_lambda(const Vector& d) const {
    Vector out(size_);
    for (int k = 0; k < orthant_; ++k) out[k] = d[k] / lambda_[k];
    for (const Cone& c : cones_) {
        const auto l1 = lambda_.segment(c.begin + 1, c.size - 1);
        const auto d1 = d.segment(c.begin + 1, c.size - 1);
        const Real l0 = lambda_[c.begin], d0 = d[c.begin];
        out[c.begin] = (l0 * d0 - l1.dot(d1)) / determinant(lambda_.segment(c.begin, c.size));
        out.segment(c.begin + 1, c.size - 1) = (d1 - out[c.begin] * l1) / l0;
    }
    return out;
}

/// The cone is turned so that lambda becomes a multiple of the identity; there the step ends where |u| meets t.
ConeReal ConeScaling::longest_step(const Cone& c, const Vector& d) const {
    const auto l = lambda_.segment(c.begin, c.size);
    const Real norm = std::sqrt(std::max(determinant(l), std::numeric_limits<Real>::min()));
    const Vector bar = l / norm;
    const auto d1 = d.segment(c.begin + 1, c.size - 1);
    const Real d0 = d[c.begin];
    const Real along = bar[0] * d0 - bar.tail(c.size - 1).dot(d1);
    const Vector across = d1 - (along + d0) / (bar[0] + 1.0L) * bar.tail(c.size - 1);
    const Real shrink = (across.norm() - along) / norm;
    return shrink > 0.0L ? 1.0L / shrink : std::numeric_limits<Real>::infinity();
}

ConeReal ConeScaling::longest_step(const Vector& d) const {
    Real step = std::numeric_limits<Real>::infinity();
    for (int k = 0; k < orthant_; ++k)
        if (d[k] < 0.0L) step = std::min(step, -lambda_[k] / d[k]);
    for (const Cone& c : cones_) step = std::min(step, longest_step(c, d));
    return step;
}

}  // namespace talus
