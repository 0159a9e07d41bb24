#include "detect/narrow/touch.h"

#include <algorithm>

#include "detect/narrow/pieces.h"
#include "math/rotation.h"

namespace talus {
namespace {

template <int Dim>
void view_boundaries(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.views.clear();
    for (const std::int32_t b : list.boundaries) {
        out.views.push_back({boundary_shape(in.shapes, in.bodies.shape[b]), matrix_of<Dim>(in.at.rotation[b]),
                             in.at.position[b]});
    }
}

template <int Dim>
void turn_solids(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.turned.clear();
    for (std::size_t r = 0; r < list.order.size(); ++r) {
        if (in.bodies.is_ball(list.order[r])) continue;
        if (out.turned.empty()) out.turned.assign(list.order.size(), Mat<Dim>::Identity());
        out.turned[r] = matrix_of<Dim>(in.at.rotation[list.order[r]]);
    }
    if (out.ball[0].pieces.empty()) out.ball[0] = out.ball[1] = ball_solid<Dim>();
}

template <int Dim>
void pack(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.packed.resize(list.order.size());
    for (std::size_t r = 0; r < list.order.size(); ++r)
        out.packed[r] = {in.at.position[list.order[r]], in.bodies.radius[list.order[r]]};
    turn_solids(in, list, out);
    out.ahead.clear();
    if (in.rule.rule != ContactRule::gap) return;
    // A grain may be pushed by any neighbour: it may go as far as the fastest of them.
    out.ahead.resize(list.order.size());
    for (std::size_t r = 0; r < list.order.size(); ++r) out.ahead[r] = in.ahead[list.order[r]];
    out.own_ahead = out.ahead;
    const auto& own = out.own_ahead;
    for (std::size_t r = 0; r < list.order.size(); ++r)
        for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
            const std::int32_t other = list.grains[c].other;
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

/// Gap up to which a pair of grains counts as a contact.
template <int Dim>
double limit_of(const TouchInput<Dim>& in, std::int32_t r, std::int32_t other, const TouchList<Dim>& out) {
    return in.rule.rule == ContactRule::gap ? out.ahead[r] + out.ahead[other]
                                            : in.rule.touch * 2.0 * std::min(out.packed[r].r, out.packed[other].r);
}

/// The grain against a wall is a, else the body of lower id.
template <int Dim>
bool is_first(const Bodies<Dim>& bodies, std::int32_t i, std::int32_t j) {
    const bool wall_i = bodies.is_wall(i), wall_j = bodies.is_wall(j);
    return wall_i == wall_j ? i < j : wall_j;
}

template <int Dim>
void touch_balls(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const CandidateList<Dim>& list,
                 TouchList<Dim>& out) {
    const auto& p = out.packed[r];
    const auto& q = out.packed[candidate.other];
    const Vec<Dim> d = in.cell.nearest(p.x - q.x);
    const double limit = limit_of(in, r, candidate.other, out);
    const double range = p.r + q.r + limit;
    const double square = d.squaredNorm();
    const std::size_t first = out.touches.size();
    if (square <= range * range) {
        const double distance = std::sqrt(square);
        const double gap = distance - (p.r + q.r);
        if (gap <= limit) {
            const std::int32_t i = list.order[r], j = list.order[candidate.other];
            const bool i_is_a = is_first(in.bodies, i, j);
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

/// The pieces of the grain of rank r; a ball is a solid made up on the spot.
template <int Dim>
const Solid<Dim>& solid_at(const TouchInput<Dim>& in, std::int32_t r, int scratch, const CandidateList<Dim>& list,
                           TouchList<Dim>& out) {
    const std::int32_t i = list.order[r];
    if (!in.bodies.is_ball(i)) return in.shapes.solid(in.bodies.shape[i]);
    set_ball(out.ball[scratch], out.packed[r].r);
    return out.ball[scratch];
}

/// Normal that the pair had in the last step, seen from `a`; zero when it had no contact.
template <int Dim>
Vec<Dim> last_normal(const TouchInput<Dim>& in, const Candidate& candidate, std::int32_t a) {
    if (candidate.cached_count == 0) return Vec<Dim>::Zero();
    const double sign = in.cached_a[candidate.cached] == a ? 1.0 : -1.0;
    return sign * in.cached_normals[candidate.cached];
}

/// Adds what was found for a pair, told in the axes of b, with `from_b` the way from b's centre to a's.
template <int Dim>
void add_found(const TouchInput<Dim>& in, Candidate& candidate, std::int32_t a, std::int32_t b, const Mat<Dim>& axes_b,
               const Vec<Dim>& from_b, TouchList<Dim>& out) {
    const std::size_t first = out.touches.size();
    for (const ManifoldPoint<Dim>& p : out.found) {
        Touch<Dim> t;
        t.normal = axes_b * p.normal;
        t.gap = p.gap;
        t.a = a;
        t.b = b;
        t.feature = p.feature;
        t.arm = static_cast<std::int32_t>(out.arms.size());
        out.arms.push_back(axes_b * p.point - from_b);
        out.touches.push_back(t);
    }
    if (first != out.touches.size() || candidate.cached_count > 0) link(in, candidate, first, out);
}

template <int Dim>
void touch_grains(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const CandidateList<Dim>& list,
                  TouchList<Dim>& out) {
    const std::int32_t other = candidate.other;
    if (out.turned.empty() || (in.bodies.is_ball(list.order[r]) && in.bodies.is_ball(list.order[other]))) {
        touch_balls(in, r, candidate, list, out);
        return;
    }
    const bool r_is_a = is_first(in.bodies, list.order[r], list.order[other]);
    const std::int32_t ra = r_is_a ? r : other, rb = r_is_a ? other : r;
    const Vec<Dim> d = in.cell.nearest(out.packed[ra].x - out.packed[rb].x);
    const double limit = limit_of(in, ra, rb, out);
    const double range = out.packed[ra].r + out.packed[rb].r + limit;
    out.found.clear();
    if (d.squaredNorm() <= range * range) {
        const Mat<Dim> to_b = out.turned[rb].transpose();
        const TouchQuery<Dim> query{limit, to_b * last_normal(in, candidate, list.order[ra])};
        touch_solids<Dim>(solid_at(in, ra, 0, list, out), {to_b * out.turned[ra], to_b * d},
                          solid_at(in, rb, 1, list, out), query, out.found);
    }
    add_found<Dim>(in, candidate, list.order[ra], list.order[rb], out.turned[rb], d, out);
}

template <int Dim>
void touch_boundary_ball(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const BoundaryView<Dim>& view,
                         double limit, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    const auto& p = out.packed[r];
    const Vec<Dim> x = view.to_world.transpose() * in.cell.nearest(p.x - view.position);
    LocalTouches<Dim> local;
    const int count = view.shape.touch(view.shape.sizes, x, p.r, limit, local);
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

template <int Dim>
void touch_wall(const TouchInput<Dim>& in, std::int32_t r, Candidate& candidate, const BoundaryView<Dim>& view,
                const CandidateList<Dim>& list, TouchList<Dim>& out) {
    const std::int32_t a = list.order[r];
    const double limit = in.rule.rule == ContactRule::gap ? out.ahead[r] + in.ahead[candidate.other]
                                                          : in.rule.touch * 2.0 * out.packed[r].r;
    if (in.bodies.is_ball(a) && view.shape.touch != nullptr) {
        touch_boundary_ball(in, r, candidate, view, limit, list, out);
        return;
    }
    const Vec<Dim> d = in.cell.nearest(out.packed[r].x - view.position);
    const Mat<Dim> to_b = view.to_world.transpose();
    const Mat<Dim> axes_a = out.turned.empty() ? Mat<Dim>(Mat<Dim>::Identity()) : out.turned[r];
    out.found.clear();
    touch_boundary<Dim>(solid_at(in, r, 0, list, out), {to_b * axes_a, to_b * d}, view.shape,
                        {limit, to_b * last_normal(in, candidate, a)}, out.found);
    add_found<Dim>(in, candidate, a, candidate.other, view.to_world, d, out);
}

}  // namespace

template <int Dim>
void find_touches(const TouchInput<Dim>& in, CandidateList<Dim>& list, TouchList<Dim>& out) {
    pack(in, list, out);
    view_boundaries(in, list, out);
    const auto grains = static_cast<std::int32_t>(list.order.size());
    out.touches.clear();
    out.arms.clear();
    out.lost.clear();
    for (std::int32_t r = 0; r < grains; ++r) {
        for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c)
            touch_grains(in, r, list.grains[c], list, out);
        for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c)
            touch_wall(in, r, list.walls[c], out.views[list.rank[list.walls[c].other] - grains], list, out);
    }
}

template void find_touches(const TouchInput<2>&, CandidateList<2>&, TouchList<2>&);
template void find_touches(const TouchInput<3>&, CandidateList<3>&, TouchList<3>&);

}  // namespace talus
