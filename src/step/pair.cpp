/// \file
/// Which bodies are near: the candidate list is kept, patched or made anew; and, under the rule `gap`, whether any pair was overlooked.
#include <algorithm>
#include <cmath>

#include "contact/joints.h"
#include "detect/broad/look_ahead.h"
#include "detect/broad/patch.h"
#include "step/stages.h"
#include "step/world_impl.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;  ///< bodies handled together

/// Farthest point of a grain from the centre of a boundary [m].
template <int Dim>
double farthest_grain(const typename World<Dim>::Impl& w, std::size_t boundary) {
    double reach = 0.0;
    for (std::size_t k = 0; k < w.bodies.size(); ++k)
        if (!w.bodies.is_boundary(k))
            reach = std::max(reach, w.cell.nearest(w.bodies.position[k] - w.bodies.position[boundary]).norm() + w.bodies.radius[k]);
    return reach;
}

/// How far from the centre of its carrier, which may be itself, a body may be touched, 0 for balls that nothing carries [m].
template <int Dim>
double turning_arm(const typename World<Dim>::Impl& w, std::size_t i) {
    const Bodies<Dim>& bodies = w.bodies;
    if (bodies.is_boundary(i)) return farthest_grain<Dim>(w, i);
    if (bodies.glued_to[i] >= 0) return bodies.glue_offset[i].norm() + bodies.radius[i];
    return bodies.is_ball(i) ? 0.0 : bodies.radius[i];
}

/// How far a point of a body comes in the step by turning with a spin of its carrier [m].
template <int Dim>
double turn_by(const typename World<Dim>::Impl& w, std::size_t i, const Spin<Dim>& spin) {
    const double speed = spin.norm();
    return speed == 0.0 ? 0.0 : w.h * speed * turning_arm<Dim>(w, i);
}

/// How far a point of a body comes in the step by the drives of its carrier, beyond the way [m].
template <int Dim>
double driven_turn(const typename World<Dim>::Impl& w, std::size_t i, std::size_t carrier) {
    const std::int32_t driven = w.work.motion.slot[carrier];
    if (driven < 0) return 0.0;
    const Vec<Dim> change = w.work.motion.velocity[driven] - (w.bodies.velocity[carrier] - free_velocity(w.bodies, carrier));
    return w.h * change.norm() + turn_by<Dim>(w, i, w.work.motion.spin[driven]);
}

/// How much farther than its way a point of body i may come by itself [m].
template <int Dim>
double turn_of(const typename World<Dim>::Impl& w, std::size_t i) {
    const auto c = static_cast<std::size_t>(w.bodies.carrier(i));
    return driven_turn<Dim>(w, i, c) + turn_by<Dim>(w, i, free_spin(w.bodies, c));
}

/// Where all bodies go, and what they need without pushes.
template <int Dim>
void go_ahead(typename World<Dim>::Impl& w) {
    WaysAhead<Dim>& ways = w.work.ways;
    ways.turn.resize(w.bodies.size());
    ways.need.resize(w.bodies.size());
    ways.h = w.h;
    ways.fall = 2.0 * w.settings.gravity.norm() * w.h * w.h;
    w.threads.for_chunks(w.bodies.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ways.turn[i] = turn_of<Dim>(w, i);
            ways.need[i] = ways.turn[i] + ways.fall_of(w.bodies, i);
        }
    });
}

/// Where body i went. Driven freedoms are known beforehand.
template <int Dim>
Gone<Dim> gone_of(const typename World<Dim>::Impl& w, std::size_t i) {
    const Bodies<Dim>& bodies = w.bodies;
    const auto c = static_cast<std::size_t>(bodies.carrier(i));
    const BodyLine<Dim>& line = w.work.problem.lines[w.candidates.rank[c]];
    const WaysAhead<Dim>& ways = w.work.ways;
    const Vec<Dim> way = ways.way_of(bodies, i);
    Gone<Dim> gone;
    gone.way = way + w.h * (Vec<Dim>(line.v) - free_velocity(bodies, c));
    if (!bodies.is_ball(i) || bodies.glued_to[i] >= 0)
        gone.turn = driven_turn<Dim>(w, i, c) + turn_by<Dim>(w, i, Spin<Dim>(line.R / spin_scale(bodies, c)));
    gone.turn = std::max(gone.turn, ways.turn[i]);
    const Vec<Dim> off = gone.way - way;
    const double reach = ways.mover[w.candidates.rank[i]].reach;
    // The sum of the components, which is as long as the vector or longer, tells most bodies apart without a root.
    gone.far = off.template lpNorm<1>() + gone.turn > reach && off.norm() + gone.turn > reach;
    return gone;
}

template <int Dim>
CandidateInput<Dim> candidate_input(const typename World<Dim>::Impl& w) { return {w.bodies, *w.shapes, w.cell, w.threads}; }

template <int Dim>
Pace<Dim> pace_of(const typename World<Dim>::Impl& w) { return {w.h, w.settings.gravity.norm(), w.work.ways}; }

/// Makes the candidate list anew and points it at the history; `lost` gets what is not in it.
template <int Dim>
void new_list(typename World<Dim>::Impl& w) {
    find_pairs_apart(w.joints, w.bodies, w.candidates.apart);
    build_candidates(candidate_input<Dim>(w), w.work.at, pace_of<Dim>(w), w.list_memory(), w.candidates);
    link_cache(w.cache, w.threads, w.candidates, w.work.lost);
}

/// `gap` rule: a list that looks as far ahead as the bodies may come. \returns whether it is new.
template <int Dim>
bool pair_ahead(typename World<Dim>::Impl& w) {
    const CandidateInput<Dim> in = candidate_input<Dim>(w);
    WaysAhead<Dim>& ways = w.work.ways;
    go_ahead<Dim>(w);
    const bool has_list = w.candidates.valid && w.candidates.ahead.size() == w.bodies.size();
    if (has_list) {
        // Even a list that is out of date tells about what pushes are to be expected.
        const bool enough = follow_pushes(in, w.work.at, w.candidates, w.work.problem.by_body, ways);
        if (enough && state_of(w.candidates, in, w.work.at, w.h) == ListState::valid) return false;
    }
    new_list<Dim>(w);
    if (has_list) {
        // So does it now; pairs that it did not have are looked at once velocities are known.
        place_movers(in, w.work.at, w.candidates, ways);
        set_reach(in, w.candidates, ways);
    } else {
        follow_pushes(in, w.work.at, w.candidates, w.work.problem.by_body, ways);
    }
    return true;
}

/// The contacts found so far and their impulses become the history that the step starts from.
template <int Dim>
void keep_trial(typename World<Dim>::Impl& w) {
    keep_history<Dim>(w, true);
    auto& touches = w.work.touch.touches;
    for (std::size_t c = 0; c < touches.size(); ++c) touches[c].cached = static_cast<std::int32_t>(c);
    w.work.touch.lost.clear();
}

/// `moreau` rule: a list for what touches. \returns whether it is new or patched.
template <int Dim>
bool pair_touching(typename World<Dim>::Impl& w) {
    const CandidateInput<Dim> in = candidate_input<Dim>(w);
    w.work.ways.clear();   // the rule may have been another
    const ListState state = state_of(w.candidates, in, w.work.at, w.h);
    if (state == ListState::valid) return false;
    if (state == ListState::in_part && find_few_to_patch(in, w.work.at, w.candidates, w.work.patch.few)) {
        w.work.lost.all.clear();
        patch_candidates(in, w.work.at, pace_of<Dim>(w), {w.cache.a, w.cache.b}, w.work.patch, w.candidates, w.work.lost.all);
        return true;
    }
    new_list<Dim>(w);
    return true;
}

}  // namespace

template <int Dim>
bool pair_stage(typename World<Dim>::Impl& w) {
    const bool changed = w.settings.rule == ContactRule::gap ? pair_ahead<Dim>(w) : pair_touching<Dim>(w);
    if (changed) close_sums(w.cache, w.work.lost.all, w.bodies);
    return changed;
}

template <int Dim>
bool look_again_stage(typename World<Dim>::Impl& w, StepReport& report) {
    if (w.settings.rule != ContactRule::gap) return false;
    const CandidateInput<Dim> in = candidate_input<Dim>(w);
    WaysAhead<Dim>& ways = w.work.ways;
    ways.gone = w.work.problem.by_body.template take<Gone<Dim>>(w.bodies.size());
    const bool any_far = w.threads.reduce(
        w.bodies.size(), chunk, false,
        [&](std::size_t begin, std::size_t end) {
            bool any = false;
            for (std::size_t i = begin; i < end; ++i) {
                if (i + lines_ahead < end) {
                    const auto next = static_cast<std::size_t>(w.candidates.rank[i + lines_ahead]);
                    __builtin_prefetch(&w.work.problem.lines[next]);
                    __builtin_prefetch(&ways.mover[next].reach);
                    __builtin_prefetch(&ways.gone[next], 1);
                }
                any |= (ways.gone[w.candidates.rank[i]] = gone_of<Dim>(w, i)).far;
            }
            return any;
        },
        [](bool a, bool b) { return a || b; });
    if (!any_far) return false;
    // Velocities are as uncertain as the law error says.
    const double uncertain = report.law.mean * report.law.v_ref * w.h, tolerance = std::isfinite(uncertain) ? uncertain : 0.0;
    const bool listed = need_of_gone(in, w.candidates, ways);
    if (!listed && few_are_beyond(ways) && !overlooks_beyond(in, w.work.at, w.candidates, ways, tolerance) && !overlooks_any(in, w.work.at, w.candidates, ways, tolerance))
        return false;
    if (!listed) {
        keep_trial<Dim>(w);
        renew_candidates(in, w.work.at, pace_of<Dim>(w), w.list_memory(), w.candidates);
        link_cache(w.cache, w.threads, w.candidates, w.work.lost);
        report.rebuilt = true;
    }
    if (!overlooks_any(in, w.work.at, w.candidates, ways, tolerance)) return false;
    if (listed) keep_trial<Dim>(w);
    set_reach(in, w.candidates, ways);
    ++w.work.rounds;
    return true;
}

#define TALUS_INSTANTIATE(Dim)                       \
    template bool pair_stage<Dim>(World<Dim>::Impl&); \
    template bool look_again_stage<Dim>(World<Dim>::Impl&, StepReport&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
