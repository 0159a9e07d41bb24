#include "detect/broad/look_ahead.h"

#include <algorithm>
#include <atomic>

#include "math/rotation.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;    ///< bodies or ranks handled together
constexpr int most_passes = 32;        ///< in which pushes are followed from neighbour to neighbour
constexpr double negligible = 1e-6;    ///< a push of so many radii

/// Raises x to y where it is lower; others may do the same at the same time.
void raise(double& x, double y) {
    std::atomic_ref<double> shared(x);
    double now = shared.load(std::memory_order_relaxed);
    while (now < y && !shared.compare_exchange_weak(now, y, std::memory_order_relaxed)) {
    }
}

template <int Dim>
struct Mean {
    Vec<Dim> sum = Vec<Dim>::Zero();
    double count = 0.0, stretch = 1.0;
};

/// Mean way of what moves freely, and the largest stretch of all.
template <int Dim>
Mean<Dim> mean_of(const CandidateInput<Dim>& in, const std::vector<Going<Dim>>& going) {
    Mean<Dim> all = in.threads.reduce(
        going.size(), chunk, Mean<Dim>{},
        [&](std::size_t begin, std::size_t end) {
            Mean<Dim> part;
            for (std::size_t i = begin; i < end; ++i) {
                part.stretch = std::max(part.stretch, going[i].stretch);
                if (in.bodies.is_wall(i)) continue;
                part.sum += going[i].way;
                part.count += 1.0;
            }
            return part;
        },
        [](const Mean<Dim>& x, const Mean<Dim>& y) { return Mean<Dim>{x.sum + y.sum, x.count + y.count, std::max(x.stretch, y.stretch)}; });
    if (all.count > 0.0) all.sum /= all.count;
    return all;
}

/// Pushes below this are not followed: what weight does, and next to nothing [m].
template <int Dim>
double ignored_push(const CandidateInput<Dim>& in, const Going<Dim>& going, std::int32_t i) {
    return std::max(going.fall, negligible * in.bodies.radius[i]);
}

/// What is left of the way of two balls once they have met, 0 when they pass; `d` leads from b to a. Of bodies that turn or are not round it is not
/// known whether they pass [m].
template <int Dim>
double left_after_meeting(const Going<Dim>& a, const Going<Dim>& b, const Vec<Dim>& d, double touching, double gap) {
    const double nearer = approach(a, b);
    if (nearer <= gap) return 0.0;
    if (a.stretch != 1.0 || b.stretch != 1.0 || a.turn > 0.0 || b.turn > 0.0) return nearer - gap;
    const Vec<Dim> way = a.way - b.way;
    const double along = -d.dot(way);
    if (along <= 0.0) return 0.0;
    const double part = std::min(1.0, along / way.squaredNorm()), range = touching + a.fall + b.fall;
    return (d + part * way).squaredNorm() <= range * range ? nearer - gap : 0.0;
}

/// The same for a ball and a boundary: how deep it would be in at the end.
template <int Dim>
double left_after_meeting(const Going<Dim>& a, const Going<Dim>& b, const Vec<Dim>& d, double radius, const typename WaysAhead<Dim>::Wall& wall) {
    if (a.stretch != 1.0 || a.turn > 0.0 || b.turn > 0.0) return approach(a, b);
    const double gap = ball_gap<Dim>(wall.to_local * (d + a.way - b.way), radius, wall.shape, 0.0);
    return gap < 0.0 ? std::min(-gap, approach(a, b)) : 0.0;
}

template <int Dim>
void place_walls(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    ways.walls.clear();
    for (const std::int32_t b : list.boundaries)
        ways.walls.push_back({boundary_shape(in.shapes, in.bodies.shape[b]), matrix_of<Dim>(at.rotation[b]).transpose(), at.position[b]});
}

/// Pushes that grains get from those that they meet by themselves. \returns whether there are any.
template <int Dim>
bool push_by_meeting(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    const std::size_t n = list.order.size();
    ways.push.assign(n, 0.0);
    ways.gap.resize(list.grains.size());
    place_walls(in, at, list, ways);
    return in.threads.reduce(
        n, chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool any = false;
            for (std::size_t r = begin; r < end; ++r) {
                const std::int32_t i = list.order[r];
                const Going<Dim>& own = ways.going[i];
                const double ignored = ignored_push(in, own, i);
                double farthest = 0.0;
                for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
                    const std::int32_t other = list.grains[c].other, j = list.order[other];
                    const Vec<Dim> d = in.cell.nearest(at.position[i] - at.position[j]);
                    const double touching = in.bodies.radius[i] + in.bodies.radius[j];
                    ways.gap[c] = std::max(0.0, d.norm() - touching);
                    const double left = left_after_meeting(own, ways.going[j], d, touching, ways.gap[c]);
                    if (left <= ignored) continue;
                    farthest = std::max(farthest, left);
                    raise(ways.push[other], left);
                }
                for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c) {
                    const std::int32_t b = list.walls[c].other;
                    const auto& wall = ways.walls[static_cast<std::size_t>(list.rank[b]) - n];
                    const Vec<Dim> d = in.cell.nearest(at.position[i] - wall.position);
                    farthest = std::max(farthest, left_after_meeting<Dim>(own, ways.going[b], d, in.bodies.radius[i], wall));
                }
                if (farthest <= ignored) continue;
                raise(ways.push[r], farthest);
                any = true;
            }
            return any;
        },
        [](bool a, bool b) { return a || b; });
}

/// Passes pushes on along the pairs, in the order of ranks or against it. What a pair hands on is handed on at once, so that a push
/// gets far in one pass; done here alone, not by threads, whose order would show. \returns whether some grain is pushed farther than before.
template <int Dim>
bool pass_on(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, bool forward, WaysAhead<Dim>& ways) {
    const auto n = static_cast<std::int32_t>(list.order.size());
    bool any = false;
    for (std::int32_t k = 0; k < n; ++k) {
        const std::int32_t r = forward ? k : n - 1 - k;
        const double ignored = ignored_push(in, ways.going[list.order[r]], list.order[r]);
        for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
            double &own = ways.push[r], &other = ways.push[list.grains[c].other];
            if (own - ways.gap[c] > other + ignored) other = own - ways.gap[c];
            else if (other - ways.gap[c] > own + ignored) own = other - ways.gap[c];
            else continue;
            any = true;
        }
    }
    return any;
}

}  // namespace

template <int Dim>
void need_of_own(const CandidateInput<Dim>& in, WaysAhead<Dim>& ways) {
    const Mean<Dim> mean = mean_of(in, ways.going);
    ways.own.resize(ways.going.size());
    in.threads.for_chunks(ways.going.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Going<Dim>& g = ways.going[i];
            ways.own[i] = mean.stretch * (g.way - mean.sum).norm() + g.turn + g.fall;
        }
    });
    ways.need = ways.own;
}

template <int Dim>
void follow_pushes(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    if (push_by_meeting(in, at, list, ways))
        for (int pass = 0; pass < most_passes && pass_on(in, list, pass % 2 == 0, ways); ++pass) {
        }
    in.threads.for_chunks(list.order.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::int32_t i = list.order[r];
            ways.need[i] = ways.own[i] + ways.push[r];
        }
    });
}

template <int Dim>
bool looks_far_enough(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, const std::vector<double>& need) {
    struct Sums {
        double listed = 0.0, needed = 0.0, size = 0.0;
        bool all = true;
    };
    const Sums sums = in.threads.reduce(
        need.size(), chunk, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t i = begin; i < end; ++i) {
                part.all = part.all && need[i] <= list.ahead[i];
                if (in.bodies.is_boundary(i)) continue;
                part.listed += list.ahead[i];
                part.needed += need[i];
                part.size += in.bodies.radius[i];
            }
            return part;
        },
        [](const Sums& x, const Sums& y) { return Sums{x.listed + y.listed, x.needed + y.needed, x.size + y.size, x.all && y.all}; });
    // A list that looks too far has many pairs to look at in vain.
    return sums.all && sums.listed <= 3.0 * sums.needed + 0.3 * sums.size;
}

#define TALUS_INSTANTIATE(Dim)                                                                                         \
    template void need_of_own(const CandidateInput<Dim>&, WaysAhead<Dim>&);                                            \
    template void follow_pushes(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&,          \
                                WaysAhead<Dim>&);                                                                      \
    template bool looks_far_enough(const CandidateInput<Dim>&, const CandidateList<Dim>&, const std::vector<double>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
