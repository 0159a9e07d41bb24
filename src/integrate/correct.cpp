#include "integrate/correct.h"

#include <algorithm>

namespace talus {
namespace {

constexpr double rest_of_overlap = 1e-6;  ///< in smaller diameters
/// Share of an overlap taken out a step. Taking out all of it drives the bodies into neighbours that were
/// not in contact and leaves the contact open, so that the next step drives them back: in a dense
/// packing the overlaps then grow without bound. With a share, all contacts stay and settle together.
constexpr double share_between_grains = 0.2, share_at_boundary = 0.5;
constexpr int max_sweeps = 100;
constexpr double good_enough = 1e-3;      ///< of the largest correction wanted

struct Target {
    std::size_t contact;
    double wanted;        ///< pseudo-velocity that removes the overlap [m/s]
    double impulse = 0.0;
};

template <int Dim>
std::vector<Target> find_targets(const Bodies<Dim>& bodies, const std::vector<Touch<Dim>>& touches,
                                 const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, double h) {
    std::vector<Target> targets;
    for (std::size_t k = 0; k < touches.size(); ++k) {
        const double at_end = touches[k].gap + 0.5 * h * velocity_of(problem, links, k).dot(touches[k].normal);
        const double rest = rest_of_overlap * smaller_diameter(bodies, touches[k]);
        // Contacts that are nearly closed take part: correcting others must not close them further.
        if (at_end >= rest) continue;
        double share = 1.0;
        if (at_end < -rest) share = bodies.is_boundary(touches[k].b) ? share_at_boundary : share_between_grains;
        targets.push_back({k, -share * (at_end + rest) / h, 0.0});
    }
    return targets;
}

/// One Gauss-Seidel visit; returns the change of normal pseudo-velocity.
template <int Dim>
double update(Target& target, const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem,
              std::vector<BodyLine<Dim>>& pseudo) {
    const std::int32_t r = links.record[target.contact];
    if (r >= 0) {
        const BallContact<Dim>& c = problem.balls[r];
        const double w = c.n.dot(pseudo[c.a].v - pseudo[c.b].v);
        const double impulse = std::max(0.0, target.impulse + (target.wanted - w) * c.inv_wn);
        const double change = impulse - target.impulse;
        apply(c, change, Tangential<Dim>{}, pseudo[c.a], pseudo[c.b]);
        target.impulse = impulse;
        return std::abs(change) / c.inv_wn;
    }
    const GeneralContact<Dim>& c = problem.generals[~r];
    if (!(c.H(0, 0) > 0.0)) return 0.0;
    const double w = (formal_velocity(c, pseudo[c.a], pseudo[c.b]) - c.c)[0];
    const double impulse = std::max(0.0, target.impulse + (target.wanted - w) / c.H(0, 0));
    const double change = impulse - target.impulse;
    apply(c, Vec<Dim>(change * Vec<Dim>::Unit(0)), pseudo[c.a], pseudo[c.b]);
    target.impulse = impulse;
    return std::abs(change) * c.H(0, 0);
}

}  // namespace

template <int Dim>
void correct_positions(const Bodies<Dim>& bodies, const std::vector<Touch<Dim>>& touches,
                       const ContactLinks<Dim>& links, const ContactProblem<Dim>& problem, double h,
                       std::vector<BodyLine<Dim>>& pseudo) {
    pseudo = problem.free_lines;
    for (auto& line : pseudo) {
        line.v.setZero();
        line.R.setZero();
    }
    std::vector<Target> targets = find_targets(bodies, touches, links, problem, h);
    double largest = 0.0;
    for (const Target& t : targets) largest = std::max(largest, t.wanted);
    if (largest <= 0.0) return;
    for (int sweep = 0; sweep < max_sweeps; ++sweep) {
        double change = 0.0;
        for (Target& t : targets) change = std::max(change, update(t, links, problem, pseudo));
        if (change <= good_enough * largest) return;
    }
}

#define TALUS_INSTANTIATE(Dim)                                                                                \
    template void correct_positions(const Bodies<Dim>&, const std::vector<Touch<Dim>>&, const ContactLinks<Dim>&, \
                                    const ContactProblem<Dim>&, double, std::vector<BodyLine<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
