#include "detect/narrow/touch.h"

#include <algorithm>

#include "math/rotation.h"

namespace talus {
namespace {

template <int Dim>
void view_boundaries(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.views.clear();
    for (const std::int32_t b : list.boundaries) {
        const ShapeSpec& shape = in.shapes[in.bodies.shape[b]];
        out.views.push_back({shape.sizes.data(), pair_registry().find<Dim>(shape.name),
                             matrix_of<Dim>(in.at.rotation[b]), in.at.position[b]});
    }
}

template <int Dim>
void pack(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.packed.resize(list.order.size());
    for (std::size_t r = 0; r < list.order.size(); ++r)
        out.packed[r] = {in.at.position[list.order[r]], in.bodies.radius[list.order[r]]};
    out.ahead.clear();
    if (in.rule.rule != ContactRule::gap) return;
    // A ball may be pushed by any neighbour: it may go as far as the fastest of them.
    out.ahead.resize(list.order.size());
    for (std::size_t r = 0; r < list.order.size(); ++r) out.ahead[r] = in.ahead[list.order[r]];
    out.own_ahead = out.ahead;
    const auto& own = out.own_ahead;
    for (std::size_t r = 0; r < list.order.size(); ++r)
        for (std::int32_t c = list.ball_begin[r]; c < list.ball_begin[r + 1]; ++c) {
            const std::int32_t other = list.balls[c].other;
            out.ahead[r] = std::max(out.ahead[r], own[other]);
            out.ahead[other] = std::max(out.ahead[other], own[r]);
        }
}

/// Moves the cache links of a candidate to the contacts it has now, matched by feature.
template <int Dim>
void link(const TouchInput<Dim>& in, Candidate& candidate, std::size_t first, TouchList<Dim>& out) {
    const std::size_t end = out.touches.size();
    for (std::int32_t c = 0; c < candidate.cached_count; ++c) {
        const std::int32_t entry = candidate.cached + c;
        std::size_t t = first;
        while (t < end && out.touches[t].feature != in.cached_features[entry]) ++t;
        if (t < end) out.touches[t].cached = entry;
        else out.lost.push_back(entry);
    }
    candidate.cached_count = static_cast<std::int32_t>(end - first);
    candidate.cached = candidate.cached_count > 0 ? static_cast<std::int32_t>(first) : -1;
}

template <int Dim>
void touch_balls(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const CandidateList<Dim>& list,
                 TouchList<Dim>& out) {
    const auto& p = out.packed[r];
    const auto& q = out.packed[candidate.other];
    const Vec<Dim> d = in.cell.nearest(p.x - q.x);
    const double limit = in.rule.rule == ContactRule::gap ? out.ahead[r] + out.ahead[candidate.other]
                                                          : in.rule.touch * 2.0 * std::min(p.r, q.r);
    const double range = p.r + q.r + limit;
    const double square = d.squaredNorm();
    const std::size_t first = out.touches.size();
    if (square <= range * range) {
        const double distance = std::sqrt(square);
        const double gap = distance - (p.r + q.r);
        if (gap <= limit) {
            const std::int32_t i = list.order[r], j = list.order[candidate.other];
            const bool wall_i = in.bodies.is_wall(i), wall_j = in.bodies.is_wall(j);
            const bool i_is_a = wall_i == wall_j ? i < j : wall_j;
            Touch<Dim> t;
            // Coinciding centres have no direction between them: take the last axis.
            t.normal = distance > 0.0 ? Vec<Dim>((i_is_a ? 1.0 : -1.0) / distance * d) : Vec<Dim>::Unit(Dim - 1);
            t.gap = gap;
            t.a = i_is_a ? i : j;
            t.b = i_is_a ? j : i;
            out.touches.push_back(t);
        }
    }
    if (first != out.touches.size() || candidate.cached_count > 0) link(in, candidate, first, out);
}

template <int Dim>
void touch_boundary(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const BoundaryView<Dim>& view,
                    const CandidateList<Dim>& list, TouchList<Dim>& out) {
    const auto& p = out.packed[r];
    const Vec<Dim> x = view.to_world.transpose() * in.cell.nearest(p.x - view.position);
    const double limit = in.rule.rule == ContactRule::gap ? out.ahead[r] + in.ahead[candidate.other]
                                                          : in.rule.touch * 2.0 * p.r;
    LocalTouches<Dim> local;
    const int count = view.touch(view.sizes, x, p.r, limit, local);
    const std::size_t first = out.touches.size();
    for (int c = 0; c < count; ++c) {
        Touch<Dim> t;
        t.normal = view.to_world * local[c].normal;
        t.gap = local[c].gap;
        t.a = list.order[r];
        t.b = candidate.other;
        t.feature = local[c].feature;
        out.touches.push_back(t);
    }
    link(in, candidate, first, out);
}

}  // namespace

template <int Dim>
void find_touches(const TouchInput<Dim>& in, CandidateList<Dim>& list, TouchList<Dim>& out) {
    pack(in, list, out);
    view_boundaries(in, list, out);
    const auto balls = static_cast<std::int32_t>(list.order.size());
    out.touches.clear();
    out.lost.clear();
    for (std::int32_t r = 0; r < balls; ++r) {
        for (std::int32_t c = list.ball_begin[r]; c < list.ball_begin[r + 1]; ++c)
            touch_balls(in, r, list.balls[c], list, out);
        for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c)
            touch_boundary(in, r, list.walls[c], out.views[list.rank[list.walls[c].other] - balls], list, out);
    }
}

template void find_touches(const TouchInput<2>&, CandidateList<2>&, TouchList<2>&);
template void find_touches(const TouchInput<3>&, CandidateList<3>&, TouchList<3>&);

}  // namespace talus
