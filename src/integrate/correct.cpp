#include "integrate/correct.h"

#include <algorithm>
#include <type_traits>

namespace talus {
namespace {

constexpr double rest_of_overlap = 1e-6;  ///< in smaller diameters
/// Share of an overlap taken out a step. Taking out all of it drives the bodies into neighbours that were
/// not in contact and leaves the contact open, so that the next step drives them back: in a dense
/// packing the overlaps then grow without bound. With a share, all contacts stay and settle together.
constexpr double share_between_grains = 0.2, share_at_boundary = 0.5;
constexpr int max_sweeps = 100;
constexpr double good_enough = 1e-3;      ///< of the largest correction wanted

/// Cohesion acts, and the contact did not open.
template <int Dim>
bool is_held(const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, std::size_t k) {
    if (links.pull.empty() || links.pull[k] == 0.0) return false;
    const ContactRecord r = links.record[k];
    switch (r.kind()) {
        case ContactRecord::Kind::ball: return problem.balls[r.index()].pn > 0.0;
        case ContactRecord::Kind::general: return problem.generals[r.index()].S[0] > 0.0;
        default: return problem.links[r.index()].S[0] > 0.0;
    }
}

/// One Gauss-Seidel visit of a contact whose H has the normal in its first row.
template <int Dim, class FullContact>
double update_full(CorrectionTarget& target, const FullContact& c, std::vector<BodyLine<Dim>>& pseudo) {
    if (!(c.H(0, 0) > 0.0)) return 0.0;
    const double w = (formal_velocity(c, pseudo[c.a], pseudo[c.b]) - c.c)[0];
    const double moved = target.impulse + (target.wanted - w) / c.H(0, 0);
    const double impulse = target.both_ways ? moved : std::max(0.0, moved);
    const double change = impulse - target.impulse;
    using Rows = std::remove_cvref_t<decltype(c.S)>;
    apply(c, Rows(change * Rows::Unit(0)), pseudo[c.a], pseudo[c.b]);
    target.impulse = impulse;
    return std::abs(change) * c.H(0, 0);
}

template <int Dim>
void find_targets(const Bodies<Dim>& bodies, const std::vector<Touch<Dim>>& touches, const ContactLinks<Dim>& links,
                  const ContactProblem<Dim>& problem, double h, std::vector<CorrectionTarget>& targets) {
    targets.clear();
    for (std::size_t k = 0; k < touches.size(); ++k) {
        const double at_end = touches[k].gap + 0.5 * h * velocity_of(problem, links, k).dot(touches[k].normal);
        const double rest = rest_of_overlap * smaller_diameter(bodies, touches[k]);
        // Contacts that are nearly closed take part: correcting others must not close them further.
        const bool held = is_held(links, problem, k);
        if (at_end >= rest && !held) continue;
        double share = 1.0;
        if (at_end < -rest || held) share = bodies.is_boundary(touches[k].b) ? share_at_boundary : share_between_grains;
        targets.push_back({k, -share * (at_end + rest) / h, held});
    }
}

/// One Gauss-Seidel visit; returns the change of normal pseudo-velocity.
template <int Dim>
double update(CorrectionTarget& target, const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem,
              std::vector<BodyLine<Dim>>& pseudo) {
    const ContactRecord r = links.record[target.contact];
    if (r.kind() == ContactRecord::Kind::general) return update_full(target, problem.generals[r.index()], pseudo);
    if (r.kind() == ContactRecord::Kind::link) return update_full(target, problem.links[r.index()], pseudo);
    const BallContact<Dim>& c = problem.balls[r.index()];
    const double w = c.n.dot(pseudo[c.a].v - pseudo[c.b].v);
    const double moved = target.impulse + (target.wanted - w) * c.inv_wn;
    const double impulse = target.both_ways ? moved : std::max(0.0, moved);
    const double change = impulse - target.impulse;
    apply(c, change, Tangential<Dim>{}, pseudo[c.a], pseudo[c.b]);
    target.impulse = impulse;
    return std::abs(change) / c.inv_wn;
}

}  // namespace

template <int Dim>
void correct_positions(const Bodies<Dim>& bodies, const std::vector<Touch<Dim>>& touches,
                       const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, double h,
                       std::vector<CorrectionTarget>& targets, std::vector<BodyLine<Dim>>& pseudo) {
    pseudo = problem.free_lines;
    for (auto& line : pseudo) {
        line.v.setZero();
        line.R.setZero();
    }
    find_targets(bodies, touches, links, problem, h, targets);
    double largest = 0.0;
    for (const CorrectionTarget& t : targets) largest = std::max(largest, t.both_ways ? std::abs(t.wanted) : t.wanted);
    if (largest <= 0.0) return;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        double change = 0.0;
        for (CorrectionTarget& t : targets) change = std::max(change, update(t, links, problem, pseudo));
        if (change <= good_enough * largest) return;
    }
}

#define TALUS_INSTANTIATE(Dim)                                                                                \
    template void correct_positions(const Bodies<Dim>&, const std::vector<Touch<Dim>>&, const ContactLinks<Dim>&, \
                                    const ContactProblem<Dim>&, double, std::vector<CorrectionTarget>&,       \
                                    std::vector<BodyLine<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
