/// \file
/// The guess of how far bodies come, checked once velocities are known: which went beyond their reach, and whether one of them met another that was
/// not counted [look_ahead.h].
#include <algorithm>

#include "detect/broad/look_ahead.h"
#include "detect/broad/near_pairs.h"
#include "detect/narrow/pair_contacts.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;      ///< bodies or ranks handled together
constexpr double more_when_gone = 1.25;  ///< reach of a body that went too far, in units of how far it went

/// Pairs that met, by all that is known of the bodies once velocities are, and were not counted.
template <int Dim>
class Overlooked {
public:
    Overlooked(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways, double tolerance)
        : in_(in), at_(at), list_(list), ways_(ways), tolerance_(tolerance) {}

    /// Two grains.
    [[nodiscard]] bool pair(std::int32_t r, std::int32_t other) const {
        const Mover<Dim>&a = ways_.mover[r], &b = ways_.mover[other];
        const Gone<Dim>&gone_a = ways_.gone[r], &gone_b = ways_.gone[other];
        const Vec<Dim> d = in_.cell.nearest(a.x - b.x);
        if (is_ball(r) && is_ball(other)) {
            const double touching = std::max(0.0, a.r + b.r + gone_a.turn + gone_b.turn - tolerance_);   // glued balls turn with their carriers
            return !may_meet(a, b, d) && nearest_square<Dim>(d, gone_a.way - gone_b.way) < touching * touching;
        }
        const double nearer = nearer_by(gone_a, gone_b), counted = approach(a, b);
        return nearer > counted + tolerance_ && d.norm() - (a.r + b.r) < nearer && contact_between(list_.order[r], list_.order[other], counted, nearer);
    }

    /// A grain and boundary number k.
    [[nodiscard]] bool wall(std::size_t r, std::size_t k) const {
        const std::size_t n = list_.order.size();
        const Mover<Dim>&a = ways_.mover[r], &b = ways_.mover[n + k];
        const double nearer = nearer_by(ways_.gone[r], ways_.gone[n + k]), counted = approach(a, b);
        if (nearer <= counted + tolerance_) return false;
        const Vec<Dim> d = in_.cell.nearest(a.x - b.x);
        const double gap = ball_gap<Dim>(ways_.walls[k].to_local * d, a.r, ways_.walls[k].shape, nearer);
        if (gap >= nearer) return false;
        return is_ball(static_cast<std::int32_t>(r)) ? gap > counted : contact_between(list_.order[r], list_.boundaries[k], counted, nearer);
    }

private:
    [[nodiscard]] bool is_ball(std::int32_t r) const { return in_.bodies.is_ball(list_.order[r]); }
    static double nearer_by(const Gone<Dim>& a, const Gone<Dim>& b) { return (a.way - b.way).norm() + a.turn + b.turn; }
    /// Of bodies that are not round it is not known whether they met, only whether a contact of theirs can have closed. Few are asked: the balls
    /// about most pairs tell.
    [[nodiscard]] bool contact_between(std::int32_t i, std::int32_t j, double counted, double nearer) const {
        const auto found = contacts_of_pair<Dim>({in_.bodies, in_.shapes, in_.cell, at_.position, at_.rotation}, static_cast<std::size_t>(i),
                                                 static_cast<std::size_t>(j), nearer);
        return std::any_of(found.begin(), found.end(), [&](const auto& p) { return p.gap > counted; });
    }

    const CandidateInput<Dim>& in_;
    const Placement<Dim>& at_;
    const CandidateList<Dim>& list_;
    const WaysAhead<Dim>& ways_;
    double tolerance_;
};

}  // namespace

template <int Dim>
bool need_of_gone(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, WaysAhead<Dim>& ways) {
    const auto went = [&](std::size_t i, const Gone<Dim>& gone) { return (gone.way - ways.way_of(in.bodies, i)).norm() + gone.turn; };
    const auto is_beyond = [&](std::size_t i, const Gone<Dim>& gone) { return gone.far && went(i, gone) > left_by_list(in, list, ways, i); };
    ways.beyond.clear();
    const bool all = in.threads.reduce(
        ways.need.size(), chunk, true,
        [&](std::size_t begin, std::size_t end) {
            bool within = true;
            for (std::size_t i = begin; i < end; ++i) {
                const Gone<Dim>& gone = ways.gone[list.rank[i]];
                if (!gone.far) continue;
                ways.need[i] = std::max(ways.need[i], more_when_gone * went(i, gone));
                within = within && !is_beyond(i, gone);
            }
            return within;
        },
        [](bool a, bool b) { return a && b; });
    if (all) return true;
    for (std::size_t i = 0; i < ways.need.size(); ++i)
        if (is_beyond(i, ways.gone[list.rank[i]])) ways.beyond.push_back(list.rank[i]);
    return false;
}

template <int Dim>
bool overlooks_beyond(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways,
                      double tolerance) {
    const Overlooked<Dim> overlooked(in, at, list, ways, tolerance);
    const auto n = static_cast<std::int32_t>(list.order.size());
    const auto wall = [&](std::int32_t r, std::int32_t b) {
        return overlooked.wall(static_cast<std::size_t>(r), static_cast<std::size_t>(b - n)) &&
               can_touch(in.bodies, list, list.order[r], list.boundaries[b - n]);
    };
    const auto met = [&](std::int32_t r, std::int32_t other) {
        if (r == other || (r >= n && other >= n)) return false;
        if (r >= n || other >= n) return r < n ? wall(r, other) : wall(other, r);
        return overlooked.pair(r, other) && can_touch(in.bodies, list, list.order[r], list.order[other]);
    };
    return in.threads.reduce(
        ways.mover.size(), chunk, false,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t other = begin; other < end; ++other)
                for (const std::int32_t r : ways.beyond)
                    if (met(r, static_cast<std::int32_t>(other))) return true;
            return false;
        },
        [](bool a, bool b) { return a || b; });
}

template <int Dim>
bool overlooks_any(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, const WaysAhead<Dim>& ways, double tolerance) {
    const Overlooked<Dim> overlooked(in, at, list, ways, tolerance);
    const std::size_t n = list.order.size();
    return in.threads.reduce(
        n, chunk, false,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r) {
                const bool far = ways.gone[r].far;
                for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
                    const std::int32_t other = list.grains[c].other;
                    if ((far || ways.gone[other].far) && overlooked.pair(static_cast<std::int32_t>(r), other)) return true;
                }
                for (std::int32_t c = list.wall_begin[r]; c < list.wall_begin[r + 1]; ++c) {
                    const std::size_t k = static_cast<std::size_t>(list.rank[list.walls[c].other]) - n;
                    if ((far || ways.gone[n + k].far) && overlooked.wall(r, k)) return true;
                }
            }
            return false;
        },
        [](bool a, bool b) { return a || b; });
}

#define TALUS_INSTANTIATE(Dim)                                                                                                                   \
    template bool need_of_gone(const CandidateInput<Dim>&, const CandidateList<Dim>&, WaysAhead<Dim>&);                                          \
    template bool overlooks_beyond(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&, const WaysAhead<Dim>&, double); \
    template bool overlooks_any(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&, const WaysAhead<Dim>&, double);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
