#pragma once
/// \file
/// What the pairs with a frustum share: supports, normals of the side, roots on a circle, and the choice
/// among the normals at which two solids may part.
///
/// The separation of a from b along a unit n is s(n) = min over a of n.x - max over b of n.y. Apart, its
/// largest value is the distance; in overlap, minus the shortest way out. It is largest where features of
/// the two meet (flat end, side, rim, face, edge, vertex), and those normals are listed by the pair files,
/// each solved to rounding. Whatever is listed, s(n) never exceeds the truth.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "detect/narrow/manifold.h"
#include "math/portable.h"

namespace talus::round {

/// Axes of a frustum as columns: across, the third, its axis.
[[nodiscard]] inline Mat<3> axes_of(const Frustum& f) {
    Mat<3> axes;
    axes << f.across, f.axis.cross(f.across), f.axis;
    return axes;
}

[[nodiscard]] inline Frustum placed(const Frustum& f, const Mat<3>& rotation, const Vec<3>& translation) {
    Frustum g = f;
    g.middle = rotation * f.middle + translation;
    g.axis = rotation * f.axis;
    g.across = rotation * f.across;
    return g;
}

/// End 0 is the low one, 1 the high one.
[[nodiscard]] inline double radius_at(const Frustum& f, int end) { return end == 0 ? f.low : f.high; }
[[nodiscard]] inline Vec<3> centre_at(const Frustum& f, int end) {
    return f.middle + (end == 0 ? -f.half : f.half) * f.axis;
}
[[nodiscard]] inline double size_of(const Frustum& f) { return f.half + std::max(f.low, f.high); }

/// Unit vector across the axis towards n, and how much of n lies across.
struct Across {
    Vec<3> direction;
    double amount;
};
[[nodiscard]] inline Across across_of(const Frustum& f, const Vec<3>& n) {
    // From two directions across, so that the result is across to rounding however small the amount.
    const Vec<3> third = f.axis.cross(f.across);
    const double c = n.dot(f.across), s = n.dot(third), amount = std::sqrt(c * c + s * s);
    return {amount > 0.0 ? Vec<3>((c / amount) * f.across + (s / amount) * third) : f.across, amount};
}

/// Largest n.x over the frustum.
[[nodiscard]] inline double reach(const Frustum& f, const Vec<3>& n) {
    const double across = (n - n.dot(f.axis) * f.axis).norm(), along = n.dot(f.axis) * f.half;
    return n.dot(f.middle) + std::max(f.high * across + along, f.low * across - along);
}

/// Outward normals of the side: `out` across the axis, `up` along it.
struct SideSlope {
    double out, up;
};
[[nodiscard]] inline SideSlope slope_of(const Frustum& f) {
    const double rise = 2.0 * f.half, run = f.low - f.high, length = std::sqrt(rise * rise + run * run);
    return {rise / length, run / length};
}

/// Cosines and sines of evenly spread angles.
inline constexpr int circle_samples = 32;
struct CircleTable {
    std::array<double, circle_samples + 1> cosine, sine;
};
[[nodiscard]] inline const CircleTable& circle_table() {
    static const CircleTable table = [] {
        CircleTable t;
        for (int k = 0; k <= circle_samples; ++k) {
            const double angle = 2.0 * M_PI * (k % circle_samples) / circle_samples;
            t.cosine[static_cast<std::size_t>(k)] = portable::cos(angle);
            t.sine[static_cast<std::size_t>(k)] = portable::sin(angle);
        }
        return t;
    }();
    return table;
}

/// A point of the unit circle, `u` = tan(angle / 2) beyond sample k: no trigonometry.
[[nodiscard]] inline std::pair<double, double> circle_point(int k, double u) {
    const CircleTable& t = circle_table();
    const double c0 = t.cosine[static_cast<std::size_t>(k)], s0 = t.sine[static_cast<std::size_t>(k)];
    const double d = 1.0 + u * u, c = (1.0 - u * u) / d, s = 2.0 * u / d;
    return {c0 * c - s0 * s, s0 * c + c0 * s};
}

/// Root of f(cosine, sine) between samples k and k + 1 where its values are f0 < 0 <= f1 (or the reverse):
/// false position that halves a stale end [Dowell and Jarratt 1971].
template <class F>
[[nodiscard]] std::pair<double, double> circle_root(F&& f, int k, double f0, double f1) {
    static const double step = portable::tan(M_PI / circle_samples);
    double u0 = 0.0, u1 = step, u = 0.0;
    for (int i = 0; i < 100; ++i) {
        u = f1 != f0 ? (u0 * f1 - u1 * f0) / (f1 - f0) : 0.5 * (u0 + u1);
        if (i % 8 == 7) u = 0.5 * (u0 + u1);
        const auto [c, s] = circle_point(k, u);
        const double value = f(c, s);
        if (value == 0.0 || std::abs(u1 - u0) <= 1e-17) break;
        if ((value < 0.0) != (f1 < 0.0)) {
            if (u == u1) break;
            u0 = u1, f0 = f1, u1 = u, f1 = value;
        } else {
            if (u == u1) break;
            u1 = u, f1 = value, f0 *= 0.5;
        }
    }
    return circle_point(k, u);
}

/// Calls found(cosine, sine) at each angle where f goes from negative to positive: the minima of what f is
/// the derivative of.
template <class F, class G>
void for_each_minimum(F&& f, G&& found) {
    const CircleTable& t = circle_table();
    double before = f(t.cosine[0], t.sine[0]);
    for (int k = 0; k < circle_samples; ++k) {
        const double after = f(t.cosine[static_cast<std::size_t>(k) + 1], t.sine[static_cast<std::size_t>(k) + 1]);
        if (before < 0.0 && after >= 0.0) {
            const auto [c, s] = circle_root(f, k, before, after);
            found(c, s);
        }
        before = after;
    }
}

/// How a normal came about, in the order of preference among equals.
enum class Origin : std::uint8_t { flat, face, side, other };

struct Candidate {
    Vec<3> normal;
    double separation;
    Origin origin;
};

/// Collects normals and picks one.
class Choice {
public:
    Choice(double size, double limit) : size_(size), limit_(limit) { kept().clear(); }

    void add(const Vec<3>& normal, double separation, Origin origin) {
        if (!(separation >= best_ - slack())) return;
        best_ = std::max(best_, separation);
        kept().push_back({normal, separation, origin});
    }
    /// The solids are farther apart than asked.
    [[nodiscard]] bool apart() const { return best_ > limit_; }

    /// The largest separation; among those as good as equal flat ends and faces first. With a normal of the
    /// last step, the one nearest to it among those that are nearly as good, so that the normal of a resting
    /// contact does not flip.
    [[nodiscard]] const Candidate& pick(const Vec<3>& last_normal) const {
        const bool remembers = last_normal.squaredNorm() > 0.0;
        const double least = best_ - (remembers ? slack() : 1e-13 * size_);
        const Candidate* chosen = nullptr;
        for (const Candidate& c : kept()) {
            if (c.separation < least) continue;
            if (chosen == nullptr || (remembers ? is_nearer(c, *chosen, last_normal) : is_preferred(c, *chosen)))
                chosen = &c;
        }
        return *chosen;
    }

private:
    [[nodiscard]] double slack() const { return 1e-3 * std::max(0.0, -best_) + 1e-6 * size_; }
    static bool is_preferred(const Candidate& c, const Candidate& than) {
        return c.origin != than.origin ? c.origin < than.origin : c.separation > than.separation;
    }
    /// Normals closer together than a rounding of their angle are equally near.
    static bool is_nearer(const Candidate& c, const Candidate& than, const Vec<3>& last) {
        const double mine = (c.normal - last).squaredNorm(), its = (than.normal - last).squaredNorm();
        return std::abs(mine - its) > 1e-20 ? mine < its : is_preferred(c, than);
    }
    static std::vector<Candidate>& kept() {
        thread_local std::vector<Candidate> list;
        return list;
    }
    double size_, limit_, best_ = -1e300;
};

}  // namespace talus::round
