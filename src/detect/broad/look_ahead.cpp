#include "detect/broad/look_ahead.h"

#include <algorithm>
#include <atomic>

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;   ///< bodies or ranks handled together
constexpr int rings = 3;              ///< how far a push is followed, in neighbours

/// How much nearer two bodies may come in a step by themselves, but for their extras [m].
template <int Dim>
double approach(const Going<Dim>& a, const Going<Dim>& b) { return std::max(a.stretch, b.stretch) * (a.way - b.way).norm(); }

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

/// The largest difference of a grain's way to those of its neighbours. \returns whether some is larger than what weight does.
template <int Dim>
bool compare_ways(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    const std::size_t n = list.order.size();
    ways.push.assign(n, 0.0);
    return in.threads.reduce(
        n, chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool hits = false;
            for (std::size_t r = begin; r < end; ++r) {
                const Going<Dim>& own = ways.going[list.order[r]];
                double farthest = 0.0;
                for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
                    const std::int32_t other = list.grains[c].other;
                    const double nearer = approach(own, ways.going[list.order[other]]);
                    farthest = std::max(farthest, nearer);
                    raise(ways.push[other], nearer);
                }
                for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c)
                    farthest = std::max(farthest, approach(own, ways.going[list.walls[c].other]));
                raise(ways.push[r], farthest);
                hits = hits || farthest > own.extra;
            }
            return hits;
        },
        [](bool a, bool b) { return a || b; });
}

/// Gives every grain the largest push of its neighbours.
template <int Dim>
void pass_on(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    ways.push_before = ways.push;
    const auto& before = ways.push_before;
    in.threads.for_chunks(list.order.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            double farthest = before[r];
            for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
                const std::int32_t other = list.grains[c].other;
                farthest = std::max(farthest, before[other]);
                raise(ways.push[other], before[r]);
            }
            raise(ways.push[r], farthest);
        }
    });
}

}  // namespace

template <int Dim>
void need_of_own(const CandidateInput<Dim>& in, WaysAhead<Dim>& ways) {
    const Mean<Dim> mean = mean_of(in, ways.going);
    ways.need.resize(ways.going.size());
    in.threads.for_chunks(ways.going.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            ways.need[i] = mean.stretch * (ways.going[i].way - mean.sum).norm() + ways.going[i].extra;
    });
}

template <int Dim>
void follow_pushes(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    // Where all is at rest what is pushed goes no farther than what falls.
    if (compare_ways(in, list, ways))
        for (int ring = 1; ring < rings; ++ring) pass_on(in, list, ways);
    in.threads.for_chunks(list.order.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::int32_t i = list.order[r];
            ways.need[i] = std::max(ways.need[i], ways.push[r] + ways.going[i].extra);
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

template <int Dim>
void limit_pushes(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    in.threads.for_chunks(list.order.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::int32_t i = list.order[r];
            ways.push[r] = std::min(ways.push[r], list.ahead[i] - ways.going[i].extra);
        }
    });
}

#define TALUS_INSTANTIATE(Dim)                                                                                  \
    template void need_of_own(const CandidateInput<Dim>&, WaysAhead<Dim>&);                                     \
    template void follow_pushes(const CandidateInput<Dim>&, const CandidateList<Dim>&, WaysAhead<Dim>&);        \
    template bool looks_far_enough(const CandidateInput<Dim>&, const CandidateList<Dim>&, const std::vector<double>&); \
    template void limit_pushes(const CandidateInput<Dim>&, const CandidateList<Dim>&, WaysAhead<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
