#include "integrate/correct.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "contact/grouping.h"
#include "parallel/threads.h"
#include "solve/kernels.h"

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

constexpr double never = -std::numeric_limits<double>::infinity();

/// Of the surfaces at the end of the step [m/s].
template <int Dim>
double normal_velocity(const CorrectionInput<Dim>& in, std::size_t k) {
    const Vec<Dim>& n = in.touches[k].normal;
    const ContactRecord r = in.links.record(k);
    if (r.kind() != ContactRecord::Kind::ball) return velocity_of(in.problem, in.links, k).dot(n);
    const LinePair pair = in.problem.balls.lines(r.index());
    return (in.problem.lines[pair.a].v - in.problem.lines[pair.b].v + in.links.W(k)).dot(n);
}

template <int Dim>
CorrectionTarget target_of(const CorrectionInput<Dim>& in, std::size_t k) {
    const Touch<Dim>& t = in.touches[k];
    const double at_end = t.gap + 0.5 * in.h * normal_velocity(in, k);
    const double rest = rest_of_overlap * smaller_diameter(in.bodies, t);
    // Contacts that are nearly closed take part: correcting others must not close them further.
    const bool held = is_held(in.links, in.problem, k);
    const auto contact = static_cast<std::uint32_t>(k);
    if (at_end >= rest && !held) return {contact, never};
    double share = 1.0;
    if (at_end < -rest || held) share = in.bodies.is_boundary(t.b) ? share_at_boundary : share_between_grains;
    return {contact, -share * (at_end + rest) / in.h, 0.0, held ? never : 0.0};
}

/// How much a target asks for [m/s].
double size_of(const CorrectionTarget& t) { return t.least == 0.0 ? t.wanted : std::abs(t.wanted); }

/// Sets what ball contacts want. \returns the largest of it [m/s].
template <int Dim>
double set_ball_targets(const CorrectionInput<Dim>& in, std::span<BallBlockTarget> targets) {
    in.threads.for_chunks(targets.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            for (int l = 0; l < lanes; ++l) targets[b].wanted[l] = never, targets[b].impulse[l] = targets[b].least[l] = 0.0;
    });
    return in.threads.reduce(
        in.touches.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double largest = 0.0;
            for (std::size_t k = begin; k < end; ++k) {
                look_ahead_at_bodies(in.problem, in.links, k);
                const ContactRecord r = in.links.record(k);
                if (r.kind() != ContactRecord::Kind::ball) continue;
                const CorrectionTarget t = target_of(in, k);
                if (t.wanted == never) continue;
                const auto place = static_cast<std::size_t>(in.problem.balls.places()[r.index()]);
                targets[place / lanes].wanted[place % lanes] = t.wanted;
                targets[place / lanes].least[place % lanes] = t.least;
                largest = std::max(largest, size_of(t));
            }
            return largest;
        },
        [](double a, double b) { return std::max(a, b); });
}

/// Lists what the others want. \returns the largest of it [m/s].
template <int Dim>
double list_others(const CorrectionInput<Dim>& in, std::vector<CorrectionTarget>& others) {
    others.clear();
    if (in.links.records.empty()) return 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < in.touches.size(); ++k) {
        if (in.links.record(k).kind() == ContactRecord::Kind::ball) continue;
        const CorrectionTarget t = target_of(in, k);
        if (t.wanted == never) continue;
        others.push_back(t);
        largest = std::max(largest, size_of(t));
    }
    return largest;
}

/// One Gauss-Seidel visit of a contact whose H has the normal in its first row; \returns the change of normal pseudo-velocity.
template <int Dim, class FullContact>
double visit(CorrectionTarget& target, const FullContact& c, std::span<BodyLine<Dim>> pseudo) {
    if (!(c.H(0, 0) > 0.0)) return 0.0;
    const double w = (formal_velocity(c, pseudo[c.a], pseudo[c.b]) - c.c)[0];
    const double impulse = std::max(target.least, target.impulse + (target.wanted - w) / c.H(0, 0)), change = impulse - target.impulse;
    target.impulse = impulse;
    using Rows = std::remove_cvref_t<decltype(c.S)>;
    apply(c, Rows(change * Rows::Unit(0)), pseudo[c.a], pseudo[c.b]);
    return std::abs(change) * c.H(0, 0);
}

template <int Dim>
double visit(CorrectionTarget& target, ContactRecord record, const ContactProblem<Dim>& problem, std::span<BodyLine<Dim>> pseudo) {
    if (record.kind() == ContactRecord::Kind::general) return visit<Dim>(target, problem.generals[record.index()], pseudo);
    return visit<Dim>(target, problem.links[record.index()], pseudo);
}

/// A sweep over the contacts of balls; \returns the largest change of a pseudo-velocity [m/s].
template <int Dim>
double sweep_balls(const CorrectionInput<Dim>& in, std::span<BallBlockTarget> targets, std::span<BodyLine<Dim>> pseudo) {
    const auto correct = ball_kernels<Dim>(available(Kernel::automatic)).correct;
    std::array<double, Grouping<Dim>::most_groups> change{};
    for_ball_groups(in.problem, [&](std::size_t group, std::size_t first, std::size_t last) {
        change[group] = correct({in.problem.balls.blocks().data(), targets.data(), first, last, pseudo.front().v.data()});
    });
    return *std::max_element(change.begin(), change.end());
}

}  // namespace

template <int Dim>
void correct_positions(const CorrectionInput<Dim>& in, CorrectionWork& work, std::span<BodyLine<Dim>> pseudo) {
    in.threads.for_chunks(pseudo.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            pseudo[i] = in.problem.lines[i];
            pseudo[i].v.setZero();
            pseudo[i].R.setZero();
        }
    });
    const std::span<BallBlockTarget> targets = in.problem.by_contact.template take<BallBlockTarget>(in.problem.balls.blocks().size());
    const double largest = std::max(set_ball_targets(in, targets), list_others(in, work.others));
    if (largest <= 0.0) return;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        double change = sweep_balls(in, targets, pseudo);
        for (CorrectionTarget& t : work.others) change = std::max(change, visit(t, in.links.record(t.contact), in.problem, pseudo));
        if (change <= good_enough * largest) return;
    }
}

#define TALUS_INSTANTIATE(Dim) \
    template void correct_positions(const CorrectionInput<Dim>&, CorrectionWork&, std::span<BodyLine<Dim>>);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
