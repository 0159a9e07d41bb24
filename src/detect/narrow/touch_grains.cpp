/// \file
/// Pairs of grains of which some are not balls. Those that cannot have come near since they were last seen apart are left out first; what the others need lies
/// anywhere in memory and is fetched ahead.

#include "detect/narrow/touch_search.h"

namespace talus::touching {
namespace {

/// The polytope that the grain of rank r is, a ball included; null where it is something else.
template <int Dim>
const Polytope<Dim>* core_at(const Search<Dim>& s, std::int32_t r, int scratch) {
    const auto& grain = s.all.grains[r];
    return grain.solid != nullptr ? grain.core : &solid_at(s, r, scratch).pieces[0].polytope;
}

/// As much or a little more: the sum of a vector's components is as long as it or longer, and needs no root.
template <int Dim>
inline double most_limit_of(const Search<Dim>& s, std::int32_t r, std::int32_t other) {
    if (s.in.rule.rule != ContactRule::gap) return limit_of(s, r, other);
    const Mover<Dim>&a = s.in.ways.mover[r], &b = s.in.ways.mover[other];
    return (a.way - b.way).template lpNorm<1>() + a.reach + b.reach;
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
    if (is_within(limit) && (s.in.rule.rule != ContactRule::gap || is_within(limit = limit_of(s, ra, rb)))) {
        const Mat<Dim> to_b = b.axes.transpose();
        const TouchQuery<Dim> query{limit, last_normal(s.in, candidate, a.body), &s.memories[number], &b.axes};
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

/// Asks for the corners, and in the plane the normals, of a few corners' size; what lies beyond them is not read.
inline void fetch_vertices(const Polytope<2>& p) {
    __builtin_prefetch(p.vertices.data());
    __builtin_prefetch(p.vertices.data() + 4);
    __builtin_prefetch(p.normals.data());
    __builtin_prefetch(p.normals.data() + 4);
}
inline void fetch_vertices(const Polytope<3>& p) {
    for (std::size_t line = 0; line < 14 * sizeof(Vec<3>); line += 64) __builtin_prefetch(reinterpret_cast<const char*>(p.vertices.data()) + line);
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
    if (k + 2 * ahead < pairs.size()) {
        if (const auto* const core = other_of(k + 2 * ahead).core; core != nullptr) fetch(core);
    }
    if (k + ahead >= pairs.size()) return;
    if (const auto* const core = other_of(k + ahead).core; core != nullptr) fetch_vertices(*core);
}

}  // namespace

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

template void search_grains(const Search<2>&, std::int32_t, std::int32_t);
template void search_grains(const Search<3>&, std::int32_t, std::int32_t);

}  // namespace talus::touching
