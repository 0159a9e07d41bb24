#include "detect/broad/look_ahead.h"

#include <algorithm>
#include <atomic>

#include "math/rotation.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;      ///< bodies or ranks handled together
constexpr int most_passes = 6;           ///< in which pushes are followed from neighbour to neighbour
constexpr double handed_on = 0.85;        ///< part of a push that neighbours get
constexpr double negligible = 0.01;      ///< a push of so many radii

/// Raises x to y where it is lower; others may do the same at the same time.
void raise(double& x, double y) {
    std::atomic_ref<double> shared(x);
    double now = shared.load(std::memory_order_relaxed);
    while (now < y && !shared.compare_exchange_weak(now, y, std::memory_order_relaxed)) {
    }
}

/// How much faster than its centre a corner of a body may be made to go by a push, once contacts have turned its energy of
/// motion into whatever mixture of translation and spin: the largest v + r w with v^2 + k^2 w^2 given is sqrt(1 + (r/k)^2)
/// times that root, k being the (least) radius of gyration.
template <int Dim>
double corner_stretch(const Bodies<Dim>& bodies, std::size_t i) {
    if (bodies.is_ball(i) || bodies.is_wall(i) || !(bodies.mass[i] > 0.0) || !(bodies.inertia[i].minCoeff() > 0.0)) return 1.0;
    return std::sqrt(1.0 + bodies.radius[i] * bodies.radius[i] * bodies.mass[i] / bodies.inertia[i].minCoeff());
}

/// What is left of the way of two bodies once they have met, 0 when they pass [m].
template <int Dim>
double left_after_meeting(const CandidateInput<Dim>& in, const Mover<Dim>& a, const Mover<Dim>& b) {
    const Vec<Dim> d = in.cell.nearest(a.x - b.x), way = a.way - b.way;
    const double touching = a.r + b.r;
    if (nearest_square<Dim>(d, way) > touching * touching) return 0.0;
    return way.norm() - std::max(0.0, d.norm() - touching);
}

/// Pushes that grains get from those that they meet by themselves. \returns whether there are any.
template <int Dim>
bool push_by_meeting(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    const std::size_t n = list.order.size();
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const double ignored = std::max(ways.fall_of(in.bodies, static_cast<std::size_t>(list.order[r])), negligible * ways.mover[r].r);
            ways.push[r] = 0.0;
            ways.ignored[r] = ignored;
            ways.slow[r] = 4.0 * ways.mover[r].way.squaredNorm() <= ignored * ignored;
        }
    });
    return in.threads.reduce(
        n, chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool any = false;
            // Pushes may be written by others at the same time; these are not, and need not be read again after each.
            const std::uint8_t* const slow = ways.slow.data();
            const Candidate* const grains = list.grains.data();
            for (std::size_t r = begin; r < end; ++r) {
                const Mover<Dim>& own = ways.mover[r];
                const double ignored = ways.ignored[r];
                const std::uint8_t own_slow = slow[r];
                double farthest = 0.0;
                for (std::int32_t c = list.grain_begin[r], last = list.grain_begin[r + 1]; c < last; ++c) {
                    const std::int32_t other = grains[c].other;
                    if (own_slow & slow[other]) continue;
                    const double left = left_after_meeting(in, own, ways.mover[other]);
                    if (left <= ignored) continue;
                    farthest = std::max(farthest, left);
                    raise(ways.push[other], left);
                }
                for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c) {
                    const auto k = static_cast<std::size_t>(list.rank[list.walls[c].other]);
                    const Mover<Dim>& wall = ways.mover[k];
                    const Vec<Dim> way = own.way - wall.way;
                    if (way.squaredNorm() <= ignored * ignored) continue;
                    const Vec<Dim> x = in.cell.nearest(own.x - wall.x) + way;
                    const double gap = ball_gap<Dim>(ways.walls[k - n].to_local * x, own.r, ways.walls[k - n].shape, 0.0);
                    if (gap < 0.0) farthest = std::max(farthest, std::min(-gap, way.norm()));
                }
                if (farthest <= ignored) continue;
                raise(ways.push[r], farthest);
                any = true;
            }
            return any;
        },
        [](bool a, bool b) { return a || b; });
}

/// Marks the grains that were pushed farther in the last pass and makes a copy of all pushes to raise. A pair of others has handed on what it can.
template <int Dim>
void begin_pass(const CandidateInput<Dim>& in, bool first, WaysAhead<Dim>& ways) {
    in.threads.for_chunks(ways.push.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            ways.raised[r] = ways.push[r] > (first ? 0.0 : ways.pushed[r]);   // which still holds those of the pass before
            ways.pushed[r] = ways.push[r];
        }
    });
}

/// Hands the push of the one that is pushed farther on to the other. \returns whether this is pushed farther than before. Few pairs come so
/// far: kept apart, so that the search for them stays in registers.
template <int Dim>
[[gnu::noinline]] bool hand_to(const CandidateInput<Dim>& in, std::size_t r, std::size_t other, WaysAhead<Dim>& ways) {
    const double own = ways.push[r], theirs = ways.push[other], ignored = ways.ignored[r];
    const double high = own > theirs ? own : theirs, low = own > theirs ? theirs : own;
    if (handed_on * high <= low + ignored) return false;
    const Mover<Dim>&a = ways.mover[r], &b = ways.mover[other];
    const double gap = std::max(0.0, in.cell.nearest(a.x - b.x).norm() - (a.r + b.r)), handed = handed_on * (high - gap);
    if (handed <= low + ignored) return false;
    raise(own < theirs ? ways.pushed[r] : ways.pushed[other], handed);
    return true;
}

/// Hands pushes on along the pairs. \returns whether some grain is pushed farther than before.
template <int Dim>
bool hand_on(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, bool first, WaysAhead<Dim>& ways) {
    begin_pass(in, first, ways);
    const bool any = in.threads.reduce(
        list.order.size(), chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool changed = false;
            const Candidate* const grains = list.grains.data();
            const std::int32_t* const rows = list.grain_begin.data();
            const std::uint8_t* const raised = ways.raised.data();
            for (std::size_t r = begin; r < end; ++r) {
                const std::uint8_t own_raised = raised[r];
                const Candidate* const last = grains + rows[r + 1];
                for (const Candidate* c = grains + rows[r]; c < last; ++c)
                    if ((own_raised | raised[c->other]) && hand_to(in, r, static_cast<std::size_t>(c->other), ways)) changed = true;
            }
            return changed;
        },
        [](bool a, bool b) { return a || b; });
    std::swap(ways.push, ways.pushed);
    return any;
}

}  // namespace

template <int Dim>
void place_movers(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    const std::size_t n = list.order.size();
    ways.mover.resize(n + list.boundaries.size());
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::int32_t i = list.order[r];
            ways.mover[r] = {at.position[i], in.bodies.radius[i], ways.way_of(in.bodies, static_cast<std::size_t>(i)), 0.0};
        }
    });
    ways.walls.clear();
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        ways.mover[n + k] = {at.position[b], 0.0, ways.way_of(in.bodies, static_cast<std::size_t>(b)), 0.0};
        ways.walls.push_back({boundary_shape(in.shapes, in.bodies.shape[b]), matrix_of<Dim>(at.rotation[b]).transpose()});
    }
}

template <int Dim>
bool follow_pushes(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, Scratch& scratch, WaysAhead<Dim>& ways) {
    place_movers(in, at, list, ways);
    std::tie(ways.push, ways.pushed, ways.ignored, ways.slow) = scratch.take_several<double, double, double, std::uint8_t>(list.order.size());
    if (push_by_meeting(in, list, ways)) {
        ways.raised = ways.slow;   // used up
        for (int pass = 0; pass < most_passes && hand_on(in, list, pass == 0, ways); ++pass) {
        }
        in.threads.for_chunks(list.order.size(), chunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r)
                if (ways.push[r] > 0.0) ways.need[list.order[r]] += corner_stretch(in.bodies, list.order[r]) * ways.push[r];
        });
    }
    return set_reach(in, list, ways);
}

template <int Dim>
bool set_reach(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    struct Sums {
        double listed = 0.0, needed = 0.0, size = 0.0;
        bool all = true;
    };
    const std::size_t n = list.order.size();
    Sums sums = in.threads.reduce(
        n, chunk, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t r = begin; r < end; ++r) {
                const auto i = static_cast<std::size_t>(list.order[r]);
                const double need = ways.need[i], left = left_by_list(in, list, ways, i);
                ways.mover[r].reach = std::min(need, left);
                part.all = part.all && need <= left;
                part.listed += list.ahead[i];
                part.needed += need;
                part.size += ways.mover[r].r;
            }
            return part;
        },
        [](const Sums& x, const Sums& y) { return Sums{x.listed + y.listed, x.needed + y.needed, x.size + y.size, x.all && y.all}; });
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const auto b = static_cast<std::size_t>(list.boundaries[k]);
        const double left = left_by_list(in, list, ways, b);
        ways.mover[n + k].reach = std::min(ways.need[b], left);
        sums.all = sums.all && ways.need[b] <= left;
    }
    // A list that looks too far has many pairs to look at in vain.
    return sums.all && sums.listed <= 3.0 * sums.needed + 0.3 * sums.size;
}

#define TALUS_INSTANTIATE(Dim)                                                                                                            \
    template bool follow_pushes(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&, Scratch&, WaysAhead<Dim>&);           \
    template void place_movers(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&, WaysAhead<Dim>&);            \
    template bool set_reach(const CandidateInput<Dim>&, const CandidateList<Dim>&, WaysAhead<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
