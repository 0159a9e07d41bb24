/// \file
/// Grains and the boundaries near them.

#include "detect/narrow/touch_search.h"

namespace talus::touching {
namespace {

/// Gap up to which a grain and a boundary count as a contact.
template <int Dim>
double wall_limit_of(const Search<Dim>& s, std::int32_t r, std::int32_t boundary) {
    const auto& [in, list, all, out, memories] = s;
    if (in.rule.rule != ContactRule::gap) return in.rule.touch * 2.0 * all.packed[r].r;
    return approach(in.ways.mover[r], in.ways.mover[list.rank[boundary]]);
}

template <int Dim>
void touch_boundary_ball(const Search<Dim>& s, std::int32_t r, Candidate& candidate, const BoundaryView<Dim>& view,
                         double limit) {
    const auto& p = s.all.packed[r];
    const Vec<Dim> x = view.to_world.transpose() * s.in.cell.nearest(p.x - view.position);
    LocalTouches<Dim> local;
    const int count = view.shape.touch(view.shape.sizes, x, p.r, limit, local);
    const std::size_t first = s.out.touches.size();
    for (int c = 0; c < count; ++c) {
        Touch<Dim> t;
        t.normal = view.to_world * local[c].normal;
        t.gap = local[c].gap;
        t.a = s.list.order[r];
        t.b = candidate.other;
        t.feature = local[c].feature;
        s.out.touches.push_back(t);
    }
    link(s, candidate, first);
}

template <int Dim>
void touch_wall(const Search<Dim>& s, std::int32_t r, Candidate& candidate) {
    const auto& [in, list, all, out, memories] = s;
    const BoundaryView<Dim>& view = all.views[static_cast<std::size_t>(list.rank[candidate.other]) - list.order.size()];
    const std::int32_t a = list.order[r];
    const double limit = wall_limit_of(s, r, candidate.other);
    if (in.bodies.is_ball(a) && view.shape.touch != nullptr) {
        touch_boundary_ball(s, r, candidate, view, limit);
        return;
    }
    const Vec<Dim> d = in.cell.nearest(all.packed[r].x - view.position);
    const Mat<Dim> to_b = view.to_world.transpose();
    const Mat<Dim> axes_a = all.grains.empty() ? Mat<Dim>(Mat<Dim>::Identity()) : all.grains[r].axes;
    out.found.clear();
    touch_boundary<Dim>(solid_at(s, r, 0), {to_b * axes_a, to_b * d}, view.shape,
                        {limit, to_b * last_normal(in, candidate, a)}, out.found);
    add_found<Dim>(s, candidate, {a, candidate.other, view.to_world, d}, out.found);
}

}  // namespace

template <int Dim>
void touch_walls(const Search<Dim>& s, std::int32_t r) {
    for (std::int32_t c = s.list.wall_begin[r]; c < s.list.wall_begin[r + 1]; ++c) touch_wall(s, r, s.list.walls[c]);
}

template void touch_walls(const Search<2>&, std::int32_t);
template void touch_walls(const Search<3>&, std::int32_t);

}  // namespace talus::touching
