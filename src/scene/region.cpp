#include "scene/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::scene {

double Region::volume() const {
    switch (kind) {
        case Kind::box: {
            double v = 1.0;
            for (int k = 0; k < dimension; ++k) v *= high[k] - low[k];
            return v;
        }
        case Kind::ball: return dimension == 2 ? M_PI * radius * radius : 4.0 / 3.0 * M_PI * radius * radius * radius;
        case Kind::cylinder: return M_PI * radius * radius * length;
    }
    return 0.0;
}

double Region::depth(const Point& p) const {
    if (kind == Kind::ball) return radius - (p - centre).norm();
    if (kind == Kind::cylinder) {
        Point d = p - centre;
        const double along = d[axis];
        d[axis] = 0.0;
        return std::min({radius - d.norm(), along, length - along});
    }
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < dimension; ++k) least = std::min({least, p[k] - low[k], high[k] - p[k]});
    return least;
}

Point Region::sample(Random& random, double margin, const std::array<bool, 3>& open) const {
    if (kind == Kind::ball) return centre + std::max(0.0, radius - margin) * random.in_unit_ball(dimension);
    Point p = Point::Zero();
    if (kind == Kind::cylinder) {
        const Point disk = std::max(0.0, radius - margin) * random.in_unit_ball(2);
        int next = 0;
        for (int k = 0; k < 3; ++k) {
            const double m = open[static_cast<std::size_t>(k)] ? 0.0 : margin;
            p[k] = centre[k] + (k == axis ? random.uniform(m, length - m) : disk[next++]);
        }
        return p;
    }
    for (int k = 0; k < dimension; ++k) {
        const double m = open[static_cast<std::size_t>(k)] ? 0.0 : margin;
        p[k] = random.uniform(low[k] + m, high[k] - m);
    }
    return p;
}

Point Region::pull_inside(const Point& p, double margin, const std::array<bool, 3>& open) const {
    // std::clamp needs ordered bounds; a ball too large for the region goes to its middle.
    const auto clamp = [](double x, double a, double b) { return a > b ? 0.5 * (a + b) : std::clamp(x, a, b); };
    if (kind == Kind::box) {
        Point q = p;
        for (int k = 0; k < dimension; ++k)
            if (!open[static_cast<std::size_t>(k)]) q[k] = clamp(p[k], low[k] + margin, high[k] - margin);
        return q;
    }
    Point d = p - centre;
    double along = 0.0;
    if (kind == Kind::cylinder) {
        along = open[static_cast<std::size_t>(axis)] ? d[axis] : clamp(d[axis], margin, length - margin);
        d[axis] = 0.0;
    }
    const double most = std::max(0.0, radius - margin), r = d.norm();
    if (r > most) d *= most / r;
    if (kind == Kind::cylinder) d[axis] = along;
    return centre + d;
}

void Region::bounds(Point& lowest, Point& highest) const {
    if (kind == Kind::box) {
        lowest = low;
        highest = high;
        return;
    }
    const Point reach = Point::Constant(radius);
    lowest = centre - reach;
    highest = centre + reach;
    if (kind == Kind::cylinder) {
        lowest[axis] = centre[axis];
        highest[axis] = centre[axis] + length;
    }
}

void CrossSection::sample(Random& random, double& s, double& t) const {
    const int free = dimension - 1;
    double out[2] = {centre[0], centre[1]};
    if (kind == Kind::disk) {
        const Point p = radius * random.in_unit_ball(free);
        for (int k = 0; k < free; ++k) out[k] += p[k];
    } else if (kind == Kind::rectangle) {
        for (int k = 0; k < free; ++k) out[k] = random.uniform(low[k], high[k]);
    }
    s = out[0];
    t = free > 1 ? out[1] : 0.0;
}

bool CrossSection::contains(double s, double t) const {
    const double p[2] = {s, t};
    if (kind == Kind::rectangle) {
        for (int k = 0; k < dimension - 1; ++k)
            if (p[k] < low[k] || p[k] > high[k]) return false;
        return true;
    }
    const double ds = s - centre[0], dt = dimension == 2 ? 0.0 : t - centre[1];
    return ds * ds + dt * dt <= radius * radius;
}

void CrossSection::bounds(double lowest[2], double highest[2]) const {
    for (int k = 0; k < 2; ++k) {
        lowest[k] = kind == Kind::rectangle ? low[k] : centre[k] - radius;
        highest[k] = kind == Kind::rectangle ? high[k] : centre[k] + radius;
    }
}

}  // namespace talus::scene
