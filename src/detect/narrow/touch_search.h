#pragma once
/// \file
/// What the parts of the narrow phase share: balls [touch.cpp], grains of which some are not balls [touch_grains.cpp], boundaries [touch_walls.cpp].

#include <cstddef>
#include <limits>
#include <span>

#include "detect/narrow/pieces.h"
#include "detect/narrow/touch.h"

namespace talus::touching {

/// A search through some ranks: what it looks at, and where it puts what it finds.
template <int Dim>
struct Search {
    const TouchInput<Dim>& in;
    CandidateList<Dim>& list;
    const TouchList<Dim>& all;
    TouchPart<Dim>& out;
    Memories<Dim>& memories;
};

/// Room for what one more rank may find: a little more where the array must grow, which by itself would double.
template <int Dim>
void make_room(std::vector<Touch<Dim>>& touches) {
    constexpr std::size_t of_a_rank = 64;   // more is rare, and doubles
    if (touches.capacity() - touches.size() < of_a_rank) touches.reserve(touches.size() + touches.size() / 64 + 2 * of_a_rank);
}

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

/// The pieces of the grain of rank r; a ball is a solid made up on the spot.
template <int Dim>
const Solid<Dim>& solid_at(const Search<Dim>& s, std::int32_t r, int scratch) {
    if (!s.all.grains.empty() && s.all.grains[r].solid != nullptr) return *s.all.grains[r].solid;
    Solid<Dim>& ball = s.out.ball[scratch];
    if (ball.pieces.empty()) ball = ball_solid<Dim>();
    set_ball(ball, s.all.packed[r].r);
    return ball;
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

/// Two balls.
template <int Dim>
void touch_balls(const Search<Dim>& s, std::int32_t r, Candidate& candidate);

/// A grain and the boundaries near it.
template <int Dim>
void touch_walls(const Search<Dim>& s, std::int32_t r);

/// The ranks [begin, end) where some grains are not balls.
template <int Dim>
void search_grains(const Search<Dim>& s, std::int32_t begin, std::int32_t end);

}  // namespace talus::touching
