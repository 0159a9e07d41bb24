#include "integrate/correct.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "math/snug.h"
#include "parallel/threads.h"

namespace talus {
namespace {

constexpr double rest_of_overlap = 1e-6;  ///< in smaller diameters
/// Share of an overlap taken out a step. Taking out all of it drives the bodies into neighbours that were
/// not in contact and leaves the contact open, so that the next step drives them back: in a dense
/// packing the overlaps then grow without bound. With a share, all contacts stay and settle together.
constexpr double share_between_grains = 0.2, share_at_boundary = 0.5;
constexpr int max_sweeps = 5;
constexpr double good_enough = 1e-3;      ///< of the largest correction wanted
constexpr std::size_t chunk = 2048;       ///< contacts or lines handled together

/// Cohesion acts, and the contact did not open.
template <int Dim>
bool is_held(const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, std::size_t k) {
    if (links.pull.empty() || links.pull[k] == 0.0) return false;
    const ContactRecord r = links.record(k);
    switch (r.kind()) {
        case ContactRecord::Kind::ball: return problem.balls.pn(r.index()) > 0.0;
        case ContactRecord::Kind::general: return problem.generals[r.index()].S[0] > 0.0;
        default: return problem.links[r.index()].S[0] > 0.0;
    }
}

template <int Dim>
CorrectionTarget target_of(const CorrectionInput<Dim>& in, std::size_t k) {
    const Touch<Dim>& t = in.touches[k];
    const double at_end = t.gap + 0.5 * in.h * velocity_of(in.problem, in.links, k).dot(t.normal);
    const double rest = rest_of_overlap * smaller_diameter(in.bodies, t);
    // Contacts that are nearly closed take part: correcting others must not close them further.
    const bool held = is_held(in.links, in.problem, k);
    if (at_end >= rest && !held) return {std::numeric_limits<double>::quiet_NaN()};
    double share = 1.0;
    if (at_end < -rest || held) share = in.bodies.is_boundary(t.b) ? share_at_boundary : share_between_grains;
    const ContactRecord r = in.links.record(k);
    const bool is_ball = r.kind() == ContactRecord::Kind::ball;
    return {-share * (at_end + rest) / in.h, 0.0, is_ball ? in.problem.balls.lines(r.index()) : LinePair{-1, -1}, held};
}

/// Lists those that take part. \returns the largest correction wanted [m/s].
template <int Dim>
double find_targets(const CorrectionInput<Dim>& in, std::span<CorrectionTarget> targets, CorrectionWork& work) {
    in.threads.for_chunks(targets.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) targets[k] = target_of(in, k);
    });
    work.balls.clear();
    work.others.clear();
    double largest = 0.0;
    for (std::size_t k = 0; k < targets.size(); ++k) {
        const CorrectionTarget& t = targets[k];
        if (std::isnan(t.wanted)) continue;
        largest = std::max(largest, t.both_ways ? std::abs(t.wanted) : t.wanted);
        (t.lines.a >= 0 ? work.balls : work.others).push_back(static_cast<std::uint32_t>(k));
    }
    return largest;
}

/// Moves the impulse of a target by what it lacks; \returns the change.
double advance(CorrectionTarget& t, double w, double inv_wn) {
    const double moved = t.impulse + (t.wanted - w) * inv_wn;
    const double impulse = t.both_ways ? moved : std::max(0.0, moved);
    const double change = impulse - t.impulse;
    t.impulse = impulse;
    return change;
}

// One Gauss-Seidel visit; \returns the change of normal pseudo-velocity.
template <int Dim>
double visit(CorrectionTarget& target, const Vec<Dim>& n, std::vector<BodyLine<Dim>>& pseudo) {
    BodyLine<Dim>&a = pseudo[target.lines.a], &b = pseudo[target.lines.b];
    const double inv_wn = 1.0 / (a.inv_mass + b.inv_mass), change = advance(target, n.dot(a.v - b.v), inv_wn);
    if (change == 0.0) return 0.0;
    a.v += a.inv_mass * change * n;
    b.v -= b.inv_mass * change * n;
    return std::abs(change) / inv_wn;
}

/// The same for a contact whose H has the normal in its first row.
template <int Dim, class FullContact>
double visit(CorrectionTarget& target, const FullContact& c, std::vector<BodyLine<Dim>>& pseudo) {
    if (!(c.H(0, 0) > 0.0)) return 0.0;
    const double change = advance(target, (formal_velocity(c, pseudo[c.a], pseudo[c.b]) - c.c)[0], 1.0 / c.H(0, 0));
    using Rows = std::remove_cvref_t<decltype(c.S)>;
    apply(c, Rows(change * Rows::Unit(0)), pseudo[c.a], pseudo[c.b]);
    return std::abs(change) * c.H(0, 0);
}

template <int Dim>
double visit(CorrectionTarget& target, ContactRecord record, const ContactProblem<Dim>& problem, std::vector<BodyLine<Dim>>& pseudo) {
    if (record.kind() == ContactRecord::Kind::general) return visit(target, problem.generals[record.index()], pseudo);
    return visit(target, problem.links[record.index()], pseudo);
}

}  // namespace

template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork& work, std::vector<BodyLine<Dim>>& pseudo) {
    resize_snugly(pseudo, in.problem.lines.size());
    in.threads.for_chunks(pseudo.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            pseudo[i] = in.problem.lines[i];
            pseudo[i].v.setZero();
            pseudo[i].R.setZero();
        }
    });
    const std::span<CorrectionTarget> targets = in.problem.by_contact.template take<CorrectionTarget>(in.touches.size());
    const double largest = find_targets(in, targets, work);
    if (largest <= 0.0) return;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        double change = 0.0;
        for (const std::uint32_t k : work.balls) change = std::max(change, visit(targets[k], in.touches[k].normal, pseudo));
        for (const std::uint32_t k : work.others) change = std::max(change, visit(targets[k], in.links.record(k), in.problem, pseudo));
        if (change <= good_enough * largest) return;
    }
}

#define TALUS_INSTANTIATE(Dim) \
    template void correct_positions(const CorrectionInput<Dim>&, CorrectionWork&, std::vector<BodyLine<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
