#include "step/step_length.h"

#include <algorithm>
#include <limits>

namespace talus {
namespace {

constexpr double room = 0.8;  ///< part of the bounds that a longer step may use
constexpr std::size_t chunk = 2048;

/// Radii that the fastest body covers in a second, and the smallest radius.
struct Speeds {
    double radii_a_second = 0.0;
    double fastest_boundary = 0.0;  ///< [m/s]
    double smallest = std::numeric_limits<double>::infinity();
};

template <int Dim>
Speeds pace_of(const typename World<Dim>::Impl& w) {
    Speeds pace = w.threads.reduce(
        w.bodies.size(), chunk, Speeds{},
        [&](std::size_t begin, std::size_t end) {
            Speeds part;
            for (std::size_t i = begin; i < end; ++i) {
                const double speed = w.bodies.velocity[i].norm();
                if (w.bodies.is_boundary(i)) {
                    part.fastest_boundary = std::max(part.fastest_boundary, speed);
                    continue;
                }
                part.radii_a_second = std::max(part.radii_a_second, speed / w.bodies.radius[i]);
                part.smallest = std::min(part.smallest, w.bodies.radius[i]);
            }
            return part;
        },
        [](const Speeds& x, const Speeds& y) {
            return Speeds{std::max(x.radii_a_second, y.radii_a_second), std::max(x.fastest_boundary, y.fastest_boundary),
                        std::min(x.smallest, y.smallest)};
        });
    pace.radii_a_second = std::max(pace.radii_a_second, pace.fastest_boundary / pace.smallest);
    return pace;
}

}  // namespace

template <int Dim>
void set_step(typename World<Dim>::Impl& w, double h) {
    if (h == w.h) return;
    const double ratio = h / w.h;
    spell_out(w.cache, w.work.problem);
    for (auto& p : w.cache.pn) p *= ratio;
    for (auto& p : w.cache.pt) p *= ratio;
    for (auto& p : w.cache.couple) p *= ratio;
    for (auto& j : w.joints) {
        j.start *= ratio;
        j.start_moment *= ratio;
    }
    w.h = h;
    w.time_base = w.time;
    w.steps_at_pace = 0;
}

template <int Dim>
void choose_step(typename World<Dim>::Impl& w) {
    const AdaptiveStep& bounds = w.settings.adaptive;
    if (bounds.min <= 0.0) return;
    const Speeds pace = pace_of<Dim>(w);
    const double g = w.settings.gravity.norm();
    const auto keeps = [&](double h, double part) {
        return h * (pace.radii_a_second + h * g / pace.smallest) <= part * bounds.travel && h * w.turning <= part * bounds.turn;
    };
    double h = w.h;
    if (keeps(h, 1.0)) {
        if (h < w.settings.step && keeps(2.0 * h, room)) h *= 2.0;
    } else {
        while (0.5 * h >= bounds.min && !keeps(h, 1.0)) h *= 0.5;
    }
    set_step<Dim>(w, h);
}

template <int Dim>
void watch_normals(typename World<Dim>::Impl& w) {
    if (w.settings.adaptive.min <= 0.0) return;
    const auto& touches = w.work.touch.touches;
    const double turn = w.threads.reduce(
        touches.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double largest = 0.0;
            for (std::size_t k = begin; k < end; ++k) {
                const std::int32_t e = touches[k].cached;
                if (e < 0) continue;
                const double sign = w.cache.a[e] == touches[k].a ? 1.0 : -1.0;
                largest = std::max(largest, (touches[k].normal - sign * last_contact(w.cache, w.work.problem, static_cast<std::size_t>(e)).normal).norm());
            }
            return largest;
        },
        [](double x, double y) { return std::max(x, y); });
    w.turning = turn / w.h;
}

#define TALUS_INSTANTIATE(Dim)                              \
    template void set_step<Dim>(World<Dim>::Impl&, double); \
    template void choose_step<Dim>(World<Dim>::Impl&);      \
    template void watch_normals<Dim>(World<Dim>::Impl&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
