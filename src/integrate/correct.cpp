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
    const ContactRecord r = links.record[k];
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
    return {-share * (at_end + rest) / in.h, 0.0, held};
}

/// Lists those that take part. \returns the largest correction wanted [m/s].
template <int Dim>
double find_targets(const CorrectionInput<Dim>& in, CorrectionWork<Dim>& work) {
    resize_snugly(work.all, in.touches.size());
    in.threads.for_chunks(work.all.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) work.all[k] = target_of(in, k);
    });
    work.balls.clear();
    work.others.clear();
    double largest = 0.0;
    for (std::size_t k = 0; k < work.all.size(); ++k) {
        const CorrectionTarget& t = work.all[k];
        if (std::isnan(t.wanted)) continue;
        largest = std::max(largest, t.both_ways ? std::abs(t.wanted) : t.wanted);
        const ContactRecord r = in.links.record[k];
        if (r.kind() != ContactRecord::Kind::ball) {
            work.others.push_back({r, t});
            continue;
        }
        const LinePair pair = in.links.arranger.placed(in.problem, r.index());
        const double wn = in.problem.free_lines[pair.a].inv_mass + in.problem.free_lines[pair.b].inv_mass;
        work.balls.push_back({in.touches[k].normal, 1.0 / wn, pair.a, pair.b, t});
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
double visit(BallCorrection<Dim>& c, std::vector<BodyLine<Dim>>& pseudo) {
    BodyLine<Dim>&a = pseudo[c.a], &b = pseudo[c.b];
    const double change = advance(c.target, c.n.dot(a.v - b.v), c.inv_wn);
    if (change == 0.0) return 0.0;
    a.v += a.inv_mass * change * c.n;
    b.v -= b.inv_mass * change * c.n;
    return std::abs(change) / c.inv_wn;
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
double visit(OtherCorrection& c, const ContactProblem<Dim>& problem, std::vector<BodyLine<Dim>>& pseudo) {
    if (c.record.kind() == ContactRecord::Kind::general) return visit(c.target, problem.generals[c.record.index()], pseudo);
    return visit(c.target, problem.links[c.record.index()], pseudo);
}

}  // namespace

template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork<Dim>& work, std::vector<BodyLine<Dim>>& pseudo) {
    pseudo.resize(in.problem.free_lines.size());
    in.threads.for_chunks(pseudo.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            pseudo[i] = in.problem.free_lines[i];
            pseudo[i].v.setZero();
            pseudo[i].R.setZero();
        }
    });
    const double largest = find_targets(in, work);
    if (largest <= 0.0) return;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        double change = 0.0;
        for (auto& c : work.balls) change = std::max(change, visit(c, pseudo));
        for (auto& c : work.others) change = std::max(change, visit(c, in.problem, pseudo));
        if (change <= good_enough * largest) return;
    }
}

#define TALUS_INSTANTIATE(Dim) \
    template void correct_positions(const CorrectionInput<Dim>&, CorrectionWork<Dim>&, std::vector<BodyLine<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
