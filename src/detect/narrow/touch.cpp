#include "detect/narrow/touch.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "detect/narrow/touch_search.h"
#include "math/rotation.h"

namespace talus::touching {
namespace {

/// The grain against a wall is a, else the body of lower id.
template <int Dim>
bool is_first(const Bodies<Dim>& bodies, std::int32_t i, std::int32_t j) {
    const bool wall_i = bodies.is_wall(i), wall_j = bodies.is_wall(j);
    return wall_i == wall_j ? i < j : wall_j;
}

/// A contact of two balls, `d` from the other to that of rank r.
template <int Dim>
void add_ball_touch(const Search<Dim>& s, std::int32_t r, std::int32_t other, const Vec<Dim>& d, double touching) {
    const double distance = d.norm();
    const std::int32_t i = s.list.order[r], j = s.list.order[other];
    const bool i_is_a = is_first(s.in.bodies, i, j);
    Touch<Dim> t;
    // Coinciding centres have no direction between them: take the last axis.
    t.normal = distance > 0.0 ? Vec<Dim>((i_is_a ? 1.0 : -1.0) / distance * d) : Vec<Dim>::Unit(Dim - 1);
    t.gap = distance - touching;
    t.a = i_is_a ? i : j;
    t.b = i_is_a ? j : i;
    s.out.touches.push_back(t);
}

/// Bodies that go apart may be held together: then those count that lie as near as others that meet.
template <int Dim>
bool asks_who_meets(const TouchInput<Dim>& in) { return in.rule.rule == ContactRule::gap && !in.rule.sticky; }

}  // namespace

template <int Dim>
void touch_balls(const Search<Dim>& s, std::int32_t r, Candidate& candidate) {
    const std::int32_t other = candidate.other;
    const std::size_t first = s.out.touches.size();
    if (asks_who_meets(s.in)) {   // of all pairs, most do not: a mover has all that tells so
        const Mover<Dim>&a = s.in.ways.mover[r], &b = s.in.ways.mover[other];
        const Vec<Dim> d = s.in.cell.nearest(a.x - b.x);
        if (may_meet(a, b, d)) add_ball_touch<Dim>(s, r, other, d, a.r + b.r);
    } else {
        const auto &p = s.all.packed[r], &q = s.all.packed[other];
        const Vec<Dim> d = s.in.cell.nearest(p.x - q.x);
        const double touching = p.r + q.r, limit = limit_of(s, r, other), range = touching + limit, square = d.squaredNorm();
        if (square <= range * range && std::sqrt(square) - touching <= limit) add_ball_touch<Dim>(s, r, other, d, touching);
    }
    if (first != s.out.touches.size() || candidate.cached >= 0) link(s, candidate, first);
}

template void touch_balls(const Search<2>&, std::int32_t, Candidate&);
template void touch_balls(const Search<3>&, std::int32_t, Candidate&);

namespace {

/// The pairs of a row, all of balls. Those that follow are fetched ahead: they lie near in space, and so in memory, but not always.
template <int Dim>
void touch_row_of_balls(const Search<Dim>& s, std::int32_t r) {
    constexpr std::size_t ahead = 12;
    const bool by_movers = asks_who_meets(s.in);
    auto& grains = s.list.grains;
    for (auto c = static_cast<std::size_t>(s.list.grain_begin[r]), last = static_cast<std::size_t>(s.list.grain_begin[r + 1]); c < last; ++c) {
        if (c + ahead < grains.size()) {
            const std::int32_t next = grains[c + ahead].other;
            if (by_movers) __builtin_prefetch(&s.in.ways.mover[next]);
            else __builtin_prefetch(&s.all.packed[next]);
        }
        touch_balls(s, r, grains[c]);
    }
}

}  // namespace

}  // namespace talus::touching

namespace talus {
namespace {

using touching::Search;

template <int Dim>
void view_boundaries(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.views.clear();
    for (const std::int32_t b : list.boundaries) {
        out.views.push_back({boundary_shape(in.shapes, in.bodies.shape[b]), matrix_of<Dim>(in.at.rotation[b]),
                             in.at.position[b]});
    }
}

constexpr std::size_t pack_chunk = 4096;  ///< ranks copied together
constexpr std::size_t part_size = 256;    ///< ranks searched together
constexpr std::size_t wave = 64;          ///< parts searched before they are put together

/// The polytope that a solid is, null where it is something else.
template <int Dim>
const Polytope<Dim>* only_polytope(const Solid<Dim>& solid) {
    const bool is_one = solid.pieces.size() == 1 && solid.pieces[0].kind == Piece<Dim>::Kind::polytope;
    return is_one ? &solid.pieces[0].polytope : nullptr;
}

/// Whether some grains are not balls.
template <int Dim>
bool has_solids(const TouchInput<Dim>& in, const CandidateList<Dim>& list) {
    return in.threads.reduce(
        list.order.size(), pack_chunk, false,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r)
                if (!in.bodies.is_ball(list.order[r])) return true;
            return false;
        },
        [](bool a, bool b) { return a || b; });
}

/// Finds the solids of the grains, where the list or the table of shapes is another than in the last step: they lie anywhere in memory.
template <int Dim>
void find_solids(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    out.grains.resize(list.order.size());
    out.solids = &in.shapes.solid(0);
    in.threads.for_chunks(list.order.size(), pack_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            const std::int32_t i = list.order[r];
            const Solid<Dim>* solid = in.bodies.is_ball(i) ? nullptr : &in.shapes.solid(in.bodies.shape[i]);
            out.grains[r] = {Mat<Dim>::Identity(), solid, solid == nullptr ? nullptr : only_polytope(*solid), i, false};
        }
    });
}

/// Tells the memories where grains are now, and from how near two of them count.
template <int Dim>
void turn_solids(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    const bool gap = in.rule.rule == ContactRule::gap;
    in.threads.for_chunks(list.order.size(), pack_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            auto& grain = out.grains[r];
            if (grain.solid != nullptr) grain.axes = matrix_of<Dim>(in.at.rotation[grain.body]);
            grain.wall = in.bodies.is_wall(grain.body);
            const auto& p = out.packed[r];
            // As much as `limit_of` two of them or more.
            const double near = gap ? in.ways.mover[r].way.template lpNorm<1>() + in.ways.mover[r].reach : in.rule.touch * p.r;
            out.memories.move(in.cell, r, p.x, grain.axes, p.r, near);
        }
    });
}

/// What pairs ask of grains where some are not balls.
template <int Dim>
void follow_grains(const TouchInput<Dim>& in, const CandidateList<Dim>& list, TouchList<Dim>& out) {
    if (!out.memories.knows(list) && !has_solids(in, list)) {
        // There may be millions of pairs of balls, and these have nothing to remember.
        out.grains.clear();
        out.memories = {};
        return;
    }
    if (out.memories.follow(in.bodies, list) || out.solids != &in.shapes.solid(0)) find_solids(in, list, out);
    turn_solids(in, list, out);
}

template <int Dim>
void pack(const TouchInput<Dim>& in, const CandidateList<Dim>& list, Scratch& scratch, TouchList<Dim>& out) {
    out.packed = scratch.take<typename TouchList<Dim>::Packed>(list.order.size());
    in.threads.for_chunks(list.order.size(), pack_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r) {
            constexpr std::size_t ahead = 16;   // bodies lie anywhere
            if (r + ahead < end) {
                __builtin_prefetch(&in.at.position[list.order[r + ahead]]);
                __builtin_prefetch(&in.bodies.radius[list.order[r + ahead]]);
            }
            out.packed[r] = {in.at.position[list.order[r]], in.bodies.radius[list.order[r]]};
        }
    });
}


/// Room for as many contacts as there were and, where they have become more, for more again: those that are there are needed no longer, while an
/// array that grows in the middle of a search is held twice.
template <int Dim>
void make_room_for_all(TouchList<Dim>& out) {
    const std::size_t last = out.touches.size(), before = std::exchange(out.before, last);
    if (before == 0 || last <= before) return;
    const std::size_t wanted = last + 2 * std::min(last - before, last / 16);
    if (wanted <= out.touches.capacity()) return;
    std::vector<Touch<Dim>>().swap(out.touches);
    out.touches.reserve(wanted + wanted / 64);
}

/// Searches the ranks [begin, end).
template <int Dim>
void search(const Search<Dim>& s, std::int32_t begin, std::int32_t end) {
    s.out.touches.clear();
    s.out.arms.clear();
    s.out.lost.clear();
    if (!s.all.grains.empty()) return touching::search_grains(s, begin, end);
    for (std::int32_t r = begin; r < end; ++r) {
        touching::make_room(s.out.touches);
        touching::touch_row_of_balls(s, r);
        touching::touch_walls(s, r);
    }
}

/// Copies a part, which the ranks [begin, end) gave, to its place in the whole, and renumbers what refers to it.
template <int Dim>
void put_part(const TouchPart<Dim>& part, std::size_t place, std::size_t begin, std::size_t end, CandidateList<Dim>& list,
              TouchList<Dim>& out) {
    const auto first = static_cast<std::int32_t>(place);
    std::copy(part.touches.begin(), part.touches.end(), out.touches.begin() + first);
    std::copy(part.arms.begin(), part.arms.end(), out.arms.begin() + (part.arms.empty() ? 0 : first));
    for (std::int32_t c = list.grain_begin[begin]; c < list.grain_begin[end]; ++c)
        if (list.grains[c].cached >= 0) list.grains[c].cached += first;
    for (std::int32_t c = list.wall_begin[begin]; c < list.wall_begin[end]; ++c)
        if (list.walls[c].cached >= 0) list.walls[c].cached += first;
}

/// Several threads search parts; what they find is put together in the order of the ranks.
template <int Dim>
void search_in_parts(const TouchInput<Dim>& in, CandidateList<Dim>& list, TouchList<Dim>& out) {
    const std::size_t n = list.order.size();
    std::array<std::size_t, wave> place;   // of the first contact of each part
    std::size_t filled = 0;
    out.arms.clear();
    out.lost.clear();
    out.parts.resize(wave);
    for (std::size_t first = 0; first < n; first += wave * part_size) {
        const std::size_t size = std::min(n - first, wave * part_size);
        in.threads.for_chunks(size, part_size, [&](std::size_t begin, std::size_t end) {
            search<Dim>({in, list, out, out.parts[begin / part_size], out.memories}, static_cast<std::int32_t>(first + begin), static_cast<std::int32_t>(first + end));
        });
        for (std::size_t p = 0; p * part_size < size; ++p) {
            place[p] = filled;
            filled += out.parts[p].touches.size();
            if (!out.parts[p].arms.empty()) touching::pad(out.arms, filled);
            out.lost.insert(out.lost.end(), out.parts[p].lost.begin(), out.parts[p].lost.end());
        }
        if (out.touches.capacity() < filled) out.touches.reserve(filled + filled / 64);
        if (out.touches.size() < filled) out.touches.resize(filled);
        in.threads.for_chunks(size, part_size, [&](std::size_t begin, std::size_t end) {
            const std::size_t p = begin / part_size;
            put_part(out.parts[p], place[p], first + begin, first + end, list, out);
        });
    }
    out.touches.resize(filled);
}

}  // namespace

template <int Dim>
void find_touches(const TouchInput<Dim>& in, CandidateList<Dim>& list, Scratch& scratch, TouchList<Dim>& out) {
    pack(in, list, scratch, out);
    follow_grains(in, list, out);
    view_boundaries(in, list, out);
    make_room_for_all(out);
    if (in.threads.count() == 1) search<Dim>({in, list, out, out, out.memories}, 0, static_cast<std::int32_t>(list.order.size()));
    else search_in_parts(in, list, out);
}

template void find_touches(const TouchInput<2>&, CandidateList<2>&, Scratch&, TouchList<2>&);
template void find_touches(const TouchInput<3>&, CandidateList<3>&, Scratch&, TouchList<3>&);

}  // namespace talus
