#include "detect/narrow/touch.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

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

/// A search through some ranks: what it looks at, and where it puts what it finds.
template <int Dim>
struct Search {
    const TouchInput<Dim>& in;
    CandidateList<Dim>& list;
    const TouchList<Dim>& all;
    TouchPart<Dim>& out;
    Memories<Dim>& memories;
};

/// Moves the cache links of a candidate to the contacts it has now, matched by feature.
template <int Dim>
void link(const Search<Dim>& s, Candidate& candidate, std::size_t first) {
    auto& touches = s.out.touches;
    const std::size_t end = touches.size();
    for (std::int32_t entry = candidate.cached, last = s.in.cached.end_of(entry); entry < last; ++entry) {
        std::size_t t = first;
        while (t < end && touches[t].feature != s.in.cached_features[entry]) ++t;
        if (t < end) touches[t].cached = entry;
        else s.out.lost.push_back(entry);
    }
    candidate.cached = end > first ? static_cast<std::int32_t>(first) : -1;
}

/// Gap up to which a pair of grains counts as a contact.
template <int Dim>
inline double limit_of(const Search<Dim>& s, std::int32_t r, std::int32_t other) {
    const auto& [in, list, all, out, memories] = s;
    if (in.rule.rule != ContactRule::gap) return in.rule.touch * 2.0 * std::min(all.packed[r].r, all.packed[other].r);
    return approach(in.ways.mover[r], in.ways.mover[other]);
}

/// As much or a little more: the sum of a vector's components is as long as it or longer, and needs no root.
template <int Dim>
inline double most_limit_of(const Search<Dim>& s, std::int32_t r, std::int32_t other) {
    if (s.in.rule.rule != ContactRule::gap) return limit_of(s, r, other);
    const Mover<Dim>&a = s.in.ways.mover[r], &b = s.in.ways.mover[other];
    return (a.way - b.way).template lpNorm<1>() + a.reach + b.reach;
}

/// The same for a grain and a boundary.
template <int Dim>
double wall_limit_of(const Search<Dim>& s, std::int32_t r, std::int32_t boundary) {
    const auto& [in, list, all, out, memories] = s;
    if (in.rule.rule != ContactRule::gap) return in.rule.touch * 2.0 * all.packed[r].r;
    return approach(in.ways.mover[r], in.ways.mover[list.rank[boundary]]);
}

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

/// Asks for the corners, and in the plane the normals, of a few corners' size; what lies beyond them is not read.
inline void fetch_vertices(const Polytope<2>& p) {
    __builtin_prefetch(p.vertices.data());
    __builtin_prefetch(p.vertices.data() + 4);
    __builtin_prefetch(p.normals.data());
    __builtin_prefetch(p.normals.data() + 4);
}
inline void fetch_vertices(const Polytope<3>& p) {
    for (std::size_t v = 0; v < 14; v += 2) __builtin_prefetch(p.vertices.data() + v);
}

/// The pieces of the grain of rank r; a ball is a solid made up on the spot.
template <int Dim>
const Solid<Dim>& solid_at(const Search<Dim>& s, std::int32_t r, int scratch) {
    if (!s.all.grains.empty() && s.all.grains[r].solid != nullptr) return *s.all.grains[r].solid;
    Solid<Dim>& ball = s.out.ball[scratch];
    if (ball.pieces.empty()) ball = ball_solid<Dim>();
    set_ball(ball, s.all.packed[r].r);
    return ball;
}

/// The polytope that the grain of rank r is, a ball included; null where it is something else.
template <int Dim>
const Polytope<Dim>* core_at(const Search<Dim>& s, std::int32_t r, int scratch) {
    const auto& grain = s.all.grains[r];
    return grain.solid != nullptr ? grain.core : &solid_at(s, r, scratch).pieces[0].polytope;
}

/// Normal that the pair had in the last step, seen from `a`; zero when it had no contact.
template <int Dim>
Vec<Dim> last_normal(const TouchInput<Dim>& in, const Candidate& candidate, std::int32_t a) {
    if (candidate.cached < 0) return Vec<Dim>::Zero();
    const double sign = in.cached.a[candidate.cached] == a ? 1.0 : -1.0;
    return sign * in.cached_normals[candidate.cached];
}

/// Two bodies, and what takes a contact from the axes of b to the world.
template <int Dim>
struct Facing {
    std::int32_t a, b;         ///< body indices
    const Mat<Dim>& axes_b;
    const Vec<Dim>& from_b;    ///< from b's centre to a's [m]
};

/// Arms up to contact n.
template <int Dim>
void pad(std::vector<Vec<Dim>>& arms, std::size_t n) { arms.resize(n, Vec<Dim>::Constant(std::numeric_limits<double>::quiet_NaN())); }

/// Adds what was found for a pair, told in the axes of b.
template <int Dim>
void add_found(const Search<Dim>& s, Candidate& candidate, const Facing<Dim>& pair, std::span<const ManifoldPoint<Dim>> found) {
    TouchPart<Dim>& out = s.out;
    const std::size_t first = out.touches.size(), count = found.size();
    if (out.arms.size() < first && count > 0) pad(out.arms, first);
    // Mostly they are those of the last step, in the same order.
    const std::int32_t entry = candidate.cached;
    bool are_same = s.in.cached.has(entry, count);
    const Mat<Dim> axes = pair.axes_b;
    const Vec<Dim> from = pair.from_b;
    Touch<Dim> t;
    t.a = pair.a;
    t.b = pair.b;
    for (std::size_t k = 0; k < count; ++k) {
        const ManifoldPoint<Dim>& p = found[k];
        t.normal = axes * p.normal;
        t.gap = p.gap;
        t.feature = p.feature;
        t.cached = are_same ? entry + static_cast<std::int32_t>(k) : -1;
        out.touches.push_back(t);
        out.arms.push_back(axes * p.point - from);
    }
    const std::uint32_t* const last = s.in.cached_features.data() + (are_same ? entry : 0);
    for (std::size_t k = 0, known = are_same ? count : 0; k < known; ++k) are_same &= found[k].feature == last[k];
    if (are_same) {
        candidate.cached = static_cast<std::int32_t>(first);
        return;
    }
    for (std::size_t k = 0; k < count; ++k) out.touches[first + k].cached = -1;
    link(s, candidate, first);
}

/// Contacts of two grains that are not both balls, `pose` being that of the first in the axes of the second. Valid until the next pair.
template <int Dim>
std::span<const ManifoldPoint<Dim>> touch_pair(const Search<Dim>& s, std::int32_t ra, std::int32_t rb, const Pose<Dim>& pose,
                                               const TouchQuery<Dim>& query) {
    TouchPart<Dim>& out = s.out;
    out.manifold.count = 0;
    out.manifold.apart = Manifold<Dim>::not_known;
    const Polytope<Dim>*core_a = core_at(s, ra, 0), *core_b = core_at(s, rb, 1);
    if (core_a != nullptr && core_b != nullptr) {
        touch_polytopes(*core_a, pose, *core_b, query, out.manifold);
        return {out.manifold.points.data(), static_cast<std::size_t>(out.manifold.count)};
    }
    out.found.clear();
    touch_solids<Dim>(solid_at(s, ra, 0), pose, solid_at(s, rb, 1), query, out.found);
    return out.found;
}

/// Grains of which some are not balls.
template <int Dim>
void touch_grains(const Search<Dim>& s, const PairAhead& pair) {
    const TouchList<Dim>& all = s.all;
    const std::int32_t r = pair.rank;
    const auto number = static_cast<std::size_t>(pair.candidate);
    Candidate& candidate = s.list.grains[number];
    const std::int32_t other = candidate.other;
    const auto &own = all.grains[r], &its = all.grains[other];
    if (own.solid == nullptr && its.solid == nullptr) return touch_balls(s, r, candidate);
    const bool r_is_a = (its.wall & !own.wall) | ((own.wall == its.wall) & (own.body < its.body));   // as is_first tells, without a jump
    const std::int32_t ra = other ^ ((other ^ r) & -static_cast<std::int32_t>(r_is_a)), rb = r ^ other ^ ra;
    const auto &a = all.grains[ra], &b = all.grains[rb];
    const Vec<Dim> d = s.in.cell.nearest(all.packed[ra].x - all.packed[rb].x);
    std::span<const ManifoldPoint<Dim>> found;
    const double radii = all.packed[ra].r + all.packed[rb].r, square = d.squaredNorm();
    const auto is_within = [&](double limit) { return square <= (radii + limit) * (radii + limit); };
    double limit = most_limit_of(s, ra, rb), apart = Manifold<Dim>::not_known;
    if (is_within(limit) && is_within(limit = limit_of(s, ra, rb))) {
        const Mat<Dim> to_b = b.axes.transpose();
        const TouchQuery<Dim> query{limit, to_b * last_normal(s.in, candidate, a.body), &s.memories[number]};
        found = touch_pair<Dim>(s, ra, rb, {to_b * a.axes, to_b * d}, query);
        apart = s.out.manifold.apart;
    } else {
        apart = std::sqrt(square) - radii;
    }
    s.memories.note_gap(number, r, other, apart, radii);
    if (!found.empty() || candidate.cached >= 0) add_found<Dim>(s, candidate, {a.body, b.body, b.axes, d}, found);
}

/// Lists the pairs of the ranks [begin, end) but for those that were apart and cannot have come near since.
template <int Dim>
std::span<const PairAhead> list_pairs(const Search<Dim>& s, std::int32_t begin, std::int32_t end) {
    std::vector<PairAhead>& pairs = s.out.pairs;
    const auto most = static_cast<std::size_t>(s.list.grain_begin[end] - s.list.grain_begin[begin]);
    if (pairs.size() < most) pairs.resize(most);
    std::size_t count = 0;
    for (std::int32_t r = begin; r < end; ++r) {
        for (std::int32_t c = s.list.grain_begin[r], last = s.list.grain_begin[r + 1]; c < last; ++c) {
            const Candidate& candidate = s.list.grains[c];
            pairs[count] = {r, c};
            // No jump, which could not be foreseen.
            count += static_cast<std::size_t>((candidate.cached >= 0) | !s.memories.are_apart(static_cast<std::size_t>(c), r, candidate.other));
        }
    }
    return {pairs.data(), count};
}

/// Asks for an object, whose lines may begin anywhere.
template <typename T>
inline void fetch(const T* object) {
    for (std::size_t at = 0; at < sizeof(T); at += 64) __builtin_prefetch(reinterpret_cast<const char*>(object) + at);
    __builtin_prefetch(reinterpret_cast<const char*>(object + 1) - 1);
}

/// Asks for what pair k and those after it will need, in steps, as pointers lead from one to the next.
template <int Dim>
[[gnu::always_inline]] inline void fetch_ahead(const Search<Dim>& s, std::span<const PairAhead> pairs, std::size_t k) {
    constexpr std::size_t ahead = 6;
    const auto other_of = [&](std::size_t i) -> const typename TouchList<Dim>::Grain& { return s.all.grains[s.list.grains[pairs[i].candidate].other]; };
    if (k + 3 * ahead < pairs.size()) {
        fetch(&other_of(k + 3 * ahead));
        s.memories.fetch(static_cast<std::size_t>(pairs[k + 3 * ahead].candidate));
    }
    if (k + 2 * ahead < pairs.size()) fetch(other_of(k + 2 * ahead).core);
    if (k + ahead >= pairs.size()) return;
    if (const auto* const core = other_of(k + ahead).core; core != nullptr) fetch_vertices(*core);
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

/// Room for what one more rank may find: a little more where the array must grow, which by itself would double.
template <int Dim>
void make_room(std::vector<Touch<Dim>>& touches) {
    constexpr std::size_t of_a_rank = 64;   // more is rare, and doubles
    if (touches.capacity() - touches.size() < of_a_rank) touches.reserve(touches.size() + touches.size() / 64 + 2 * of_a_rank);
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

template <int Dim>
void touch_walls(const Search<Dim>& s, std::int32_t r) {
    for (std::int32_t c = s.list.wall_begin[r]; c < s.list.wall_begin[r + 1]; ++c) touch_wall(s, r, s.list.walls[c]);
}

/// The ranks [begin, end) where some grains are not balls.
template <int Dim>
void search_grains(const Search<Dim>& s, std::int32_t begin, std::int32_t end) {
    constexpr std::int32_t rows = 64;   // looked through together
    for (std::int32_t first = begin; first < end; first += rows) {
        const std::int32_t last = std::min(first + rows, end);
        const std::span<const PairAhead> pairs = list_pairs(s, first, last);
        std::size_t k = 0;
        for (std::int32_t r = first; r < last; ++r) {
            make_room(s.out.touches);
            for (; k < pairs.size() && pairs[k].rank == r; ++k) {
                fetch_ahead(s, pairs, k);
                touch_grains(s, pairs[k]);
            }
            touch_walls(s, r);
        }
    }
}

/// Searches the ranks [begin, end).
template <int Dim>
void search(const Search<Dim>& s, std::int32_t begin, std::int32_t end) {
    s.out.touches.clear();
    s.out.arms.clear();
    s.out.lost.clear();
    if (!s.all.grains.empty()) return search_grains(s, begin, end);
    for (std::int32_t r = begin; r < end; ++r) {
        make_room(s.out.touches);
        touch_row_of_balls(s, r);
        touch_walls(s, r);
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
            if (!out.parts[p].arms.empty()) pad(out.arms, filled);
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
