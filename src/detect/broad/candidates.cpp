#include "detect/broad/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "detect/broad/curve.h"
#include "detect/broad/list_work.h"
#include "detect/broad/look_ahead.h"
#include "math/rotation.h"

namespace talus {
namespace {

constexpr double margin_of_radius = 0.1;  ///< part of the radius a grain may move before a new list
constexpr double wider_when_patched = 4.0;
constexpr std::size_t chunk = 4096;       ///< bodies handled together
/// Steps at the present speed that the margins may cover: a choice between many pairs to look at and many lists.
constexpr std::array<double, 9> steps_ahead{16.0, 12.0, 8.0, 6.0, 4.0, 3.0, 2.0, 1.0, 0.0};

template <int Dim>
double speed_of(const Bodies<Dim>& bodies, std::size_t i) {
    return bodies.velocity[bodies.carrier(i)].norm();
}

/// Pairs a grain of a list for K steps, in units of those of a list for grains that touch: with s the way of a grain in a step
/// and l its look-ahead, in diameters, the mean of (1.1 + 2 l + 2 K s)^Dim, as a polynomial in K.
template <int Dim>
using PairsByReach = std::array<double, Dim + 1>;

template <int Dim>
PairsByReach<Dim> pairs_by_reach(const CandidateInput<Dim>& in, const std::vector<std::int32_t>& grains, double h,
                                 const std::vector<double>& ahead) {
    using Sums = PairsByReach<Dim>;
    Sums mean = in.threads.reduce(
        grains.size(), chunk, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part{};
            for (std::size_t m = begin; m < end; ++m) {
                const auto i = static_cast<std::size_t>(grains[m]);
                const double r = in.bodies.radius[i];
                const double still = 1.1 + (ahead.empty() ? 0.0 : ahead[i] / r), moving = h * speed_of(in.bodies, i) / r;
                Sums power{1.0};   // (still + K moving)^Dim
                for (std::size_t k = 1; k <= Dim; ++k)
                    for (std::size_t p = k + 1; p-- > 0;) power[p] = still * power[p] + (p > 0 ? moving * power[p - 1] : 0.0);
                for (std::size_t p = 0; p <= Dim; ++p) part[p] += power[p];
            }
            return part;
        },
        [](Sums x, const Sums& y) {
            for (std::size_t p = 0; p <= Dim; ++p) x[p] += y[p];
            return x;
        });
    for (double& x : mean) x /= static_cast<double>(std::max<std::size_t>(1, grains.size()));
    return mean;
}

/// The steps that the list should last: a grain costs some time at every build, each of its pairs some at the build
/// and some in every step, more so where it is looked at ahead. Nanoseconds as measured on dense packings of spheres; only
/// their ratios matter. With K = 0 grains that move get a new list in every step.
template <int Dim>
double choose_steps_ahead(const PairsByReach<Dim>& by_reach, bool looks_ahead) {
    constexpr double pairs_when_still = 3.0, build_grain = 250.0, build_pair = 30.0;
    const double look_at_pair = looks_ahead ? 12.0 : 5.0;
    double best = steps_ahead[0], least = std::numeric_limits<double>::infinity();
    for (const double K : steps_ahead) {
        double pairs = 0.0;
        for (std::size_t p = Dim + 1; p-- > 0;) pairs = pairs * K + by_reach[p];
        pairs *= pairs_when_still;
        const double cost = (build_grain + build_pair * pairs) / std::max(1.0, K) + look_at_pair * pairs;
        if (cost < least) {
            least = cost;
            best = K;
        }
    }
    return best;
}

/// Farthest point of a grain from a boundary's centre [m].
template <int Dim>
double farthest_from(const CandidateInput<Dim>& in, const Placement<Dim>& at, std::int32_t boundary,
                     const std::vector<std::int32_t>& grains) {
    return in.threads.reduce(
        grains.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double reach = 0.0;
            for (std::size_t m = begin; m < end; ++m) {
                const std::int32_t i = grains[m];
                reach = std::max(reach, (at.position[i] - at.position[boundary]).norm() + in.bodies.radius[i]);
            }
            return reach;
        },
        [](double a, double b) { return std::max(a, b); });
}

/// Margin of grain i for a time ahead, none for none [m].
template <int Dim>
double margin_of(const CandidateInput<Dim>& in, const Pace<Dim>& pace, double ahead, std::size_t i) {
    const Bodies<Dim>& bodies = in.bodies;
    // What stands still for good needs no margin; carriers may turn, so what they carry does.
    if (bodies.is_wall(i) && speed_of(bodies, i) == 0.0 && bodies.glued_to[i] < 0) return 0.0;
    const double turn = bodies.glued_to[i] < 0 ? 0.0 : bodies.glue_offset[i].norm() * bodies.spin[bodies.glued_to[i]].norm();
    // Weight makes what flies faster; what rests is held.
    const double way = ahead * (speed_of(bodies, i) + turn), fall = 0.5 * pace.gravity * ahead * ahead;
    return (ahead > 0.0 ? margin_of_radius * bodies.radius[i] : 0.0) + way + std::min(way, fall);
}

/// A boundary's margin scales with the smallest grain: there is no other length to take.
template <int Dim>
void choose_margins(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, CandidateList<Dim>& list) {
    const Bodies<Dim>& bodies = in.bodies;
    // Some more look-ahead, so that grains which get faster do not ask for a new list every step.
    constexpr double slack = 1.25;
    list.ahead.resize(pace.ways.need.size());
    list.way.resize(pace.ways.need.size());
    in.threads.for_chunks(list.ahead.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            list.way[i] = pace.ways.way_of(bodies, i);
            list.ahead[i] = slack * pace.ways.need[i] + (bodies.is_boundary(i) ? 0.0 : margin_of_radius * bodies.radius[i]);
        }
    });
    const double ahead = choose_steps_ahead<Dim>(pairs_by_reach(in, list.order, pace.h, list.ahead), !list.ahead.empty()) * pace.h;
    double smallest = std::numeric_limits<double>::infinity();
    list.margin.resize(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (bodies.is_boundary(i)) continue;
        smallest = std::min(smallest, bodies.radius[i]);
        list.margin[i] = margin_of(in, pace, ahead, i);
    }
    if (!std::isfinite(smallest)) smallest = 0.0;
    list.reach.resize(list.boundaries.size());
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        list.reach[k] = farthest_from(in, at, b, list.order);
        if (!list.ahead.empty()) list.ahead[b] += margin_of_radius * smallest;
        list.margin[b] = margin_of_radius * smallest +
                         ahead * (bodies.velocity[b].norm() + list.reach[k] * bodies.spin[b].norm());
    }
}

template <int Dim>
void split_grains_and_boundaries(const Bodies<Dim>& bodies, CandidateList<Dim>& list) {
    list.order.clear();
    list.order.reserve(bodies.size());
    list.boundaries.clear();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        (bodies.is_boundary(i) ? list.boundaries : list.order).push_back(static_cast<std::int32_t>(i));
}

}  // namespace

template <int Dim>
Cell<Dim> cell_of(const Settings<Dim>& settings) {
    Cell<Dim> cell;
    cell.periodic = settings.periodic;
    for (int k = 0; k < Dim; ++k) {
        if (!settings.periodic[k]) continue;
        cell.any = true;
        cell.low[k] = settings.cell_low[k];
        cell.length[k] = settings.cell_high[k] - settings.cell_low[k];
        cell.inverse[k] = 1.0 / cell.length[k];
    }
    return cell;
}

template <int Dim>
void rebuild_from_record(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list) {
    list.boundaries.clear();
    for (std::size_t i = 0; i < in.bodies.size(); ++i)
        if (in.bodies.is_boundary(i)) list.boundaries.push_back(static_cast<std::int32_t>(i));
    number_ranks(in, list);
    pair_grains(in, memory, list);
    pair_boundaries(in, memory, list);
    list.valid = true;
}

template <int Dim>
void build_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const ListMemory<Dim>& memory,
                      CandidateList<Dim>& list) {
    split_grains_and_boundaries(in.bodies, list);
    list.built_position = at.position;
    list.patched = 0;
    sort_along_curve(in, memory, list);
    renew_candidates(in, at, pace, memory, list);
}

template <int Dim>
void renew_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const ListMemory<Dim>& memory,
                      CandidateList<Dim>& list) {
    list.built_position = at.position;
    list.built_rotation.clear();
    for (const auto b : list.boundaries) list.built_rotation.push_back(at.rotation[b]);
    choose_margins(in, at, pace, list);
    pair_grains(in, memory, list);
    pair_boundaries(in, memory, list);
    list.valid = true;
}

template <int Dim>
void choose_margin(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, std::int32_t i, CandidateList<Dim>& list) {
    // Few bodies, and such that move: pairs in vain cost less than to patch them again soon.
    list.margin[i] = wider_when_patched * margin_of(in, pace, steps_ahead[0] * pace.h, static_cast<std::size_t>(i));
    for (std::size_t k = 0; k < list.boundaries.size(); ++k)
        list.reach[k] = std::max(list.reach[k], (at.position[i] - at.position[list.boundaries[k]]).norm() + in.bodies.radius[i]);
}

template <int Dim>
ListState state_of(const CandidateList<Dim>& list, const CandidateInput<Dim>& in, const Placement<Dim>& at, double h) {
    const std::size_t known = list.built_position.size();
    if (!list.valid || known > at.position.size()) return ListState::stale;
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        const double moved = in.cell.nearest(at.position[b] - list.built_position[b]).norm();
        const Mat<Dim> turned = matrix_of<Dim>(at.rotation[b]) - matrix_of<Dim>(list.built_rotation[k]);
        if (moved + turned.norm() * list.reach[k] > (1.0 - 1e-9) * list.margin[b]) return ListState::stale;
    }
    struct Sums {
        double margins = 0.0, ways = 0.0, size = 0.0;
        bool all = true;
    };
    const Sums sums = in.threads.reduce(
        known, chunk, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t i = begin; i < end; ++i) {
                if (in.bodies.is_boundary(i)) continue;
                if (has_left_margin(in, at, list, i)) part.all = false;
                part.margins += list.margin[i];
                part.ways += h * speed_of(in.bodies, i);
                part.size += in.bodies.radius[i];
            }
            return part;
        },
        [](const Sums& x, const Sums& y) { return Sums{x.margins + y.margins, x.ways + y.ways, x.size + y.size, x.all && y.all}; });
    // Margins made for speeds that are no more leave many pairs to look at in vain.
    if (sums.margins > 1.5 * wider_when_patched * (margin_of_radius * sums.size + steps_ahead[0] * sums.ways)) return ListState::stale;
    return sums.all && known == at.position.size() ? ListState::valid : ListState::in_part;
}

#define TALUS_INSTANTIATE(Dim)                                                                                   \
    template Cell<Dim> cell_of(const Settings<Dim>&);                                                            \
    template void build_candidates(const CandidateInput<Dim>&, const Placement<Dim>&, const Pace<Dim>&,          \
                                   const ListMemory<Dim>&, CandidateList<Dim>&);                                 \
    template void renew_candidates(const CandidateInput<Dim>&, const Placement<Dim>&, const Pace<Dim>&,          \
                                   const ListMemory<Dim>&, CandidateList<Dim>&);                                 \
    template void rebuild_from_record(const CandidateInput<Dim>&, const ListMemory<Dim>&, CandidateList<Dim>&);  \
    template void choose_margin(const CandidateInput<Dim>&, const Placement<Dim>&, const Pace<Dim>&, std::int32_t, \
                                CandidateList<Dim>&);                                                            \
    template ListState state_of(const CandidateList<Dim>&, const CandidateInput<Dim>&, const Placement<Dim>&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
