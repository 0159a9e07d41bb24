/// \file
/// What contacts pass and see, in world axes, wherever they live in the problem.
#include "contact/gather.h"

namespace talus {
namespace {

/// Of the surfaces of two balls, along and across n.
template <int Dim, class Line>
Vec<Dim> ball_velocity(const Vec<Dim>& n, const Line& a, const Line& b) {
    const Vec<Dim> w = a.v - b.v;
    const double wn = w.dot(n);
    return wn * n + to_world(slip(w, wn, Spin<Dim>(a.R + b.R), n), n);
}

}  // namespace

template <int Dim>
Vec<Dim> impulse_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record(k);
    const double pull = links.pull.empty() ? 0.0 : links.pull[k];
    if (r.kind() == ContactRecord::Kind::ball) {
        const Vec<Dim>& n = links.normal(k);
        return (problem.balls.pn(r.index()) - pull) * n + to_world(problem.balls.pt(r.index()), n);
    }
    if (r.kind() == ContactRecord::Kind::general) {
        const auto& c = problem.generals[r.index()];
        if (pull == 0.0) return c.frame.transpose() * c.S;
        return c.frame.transpose() * (c.S - pull * Vec<Dim>::Unit(0));
    }
    const auto& c = problem.links[r.index()];
    return c.line.template topRows<Dim>().transpose() * (c.S.template head<Dim>() - pull * Vec<Dim>::Unit(0));
}

template <int Dim>
Spin<Dim> couple_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record(k);
    if (r.kind() != ContactRecord::Kind::link) return Spin<Dim>::Zero();
    const auto& c = problem.links[r.index()];
    const Mat<Dim> frame = c.line.template topRows<Dim>();
    return c.length * (couple_axes<Dim>(frame).transpose() * c.S.template tail<spin_size<Dim>>());
}

template <int Dim, class Line>
Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const std::vector<Line>& lines,
                     const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record(k);
    if (r.kind() == ContactRecord::Kind::ball) {
        const LinePair pair = problem.balls.lines(r.index());
        return ball_velocity(links.normal(k), lines[pair.a], lines[pair.b]) + links.W(k);
    }
    if (r.kind() == ContactRecord::Kind::general) {
        const auto& c = problem.generals[r.index()];
        return c.frame.transpose() * (formal_velocity(c, lines[c.a], lines[c.b]) - c.c) + links.W(k);
    }
    const auto& c = problem.links[r.index()];
    const Vec<Dim> V = (formal_velocity(c, lines[c.a], lines[c.b]) - c.c).template head<Dim>();
    return c.line.template topRows<Dim>().transpose() * V + links.W(k);
}

template <int Dim>
Vec<Dim> velocity_before(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record(k);
    const auto motions = problem.motions();
    if (r.kind() == ContactRecord::Kind::ball) {
        const LinePair pair = problem.balls.lines(r.index());
        return ball_velocity(links.normal(k), motions[pair.a], motions[pair.b]) + links.W(k);
    }
    if (r.kind() == ContactRecord::Kind::general) {
        const auto& c = problem.generals[r.index()];
        return c.frame.transpose() * relative_velocity(c, motions[c.a], motions[c.b]) + links.W(k);
    }
    const auto& c = problem.links[r.index()];
    const Vec<Dim> V = relative_velocity(c, motions[c.a], motions[c.b]).template head<Dim>();
    return c.line.template topRows<Dim>().transpose() * V + links.W(k);
}

template <int Dim>
Vec<Dim> mean_velocity(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record(k);
    if (r.kind() != ContactRecord::Kind::ball) return 0.5 * (velocity_of(problem, links, k) + velocity_before(problem, links, k));
    const LinePair pair = problem.balls.lines(r.index());
    const auto mean = [&](std::int32_t i) {
        const BodyLine<Dim>& after = problem.lines[static_cast<std::size_t>(i)];
        const LineMotion<Dim>& before = problem.motions()[static_cast<std::size_t>(i)];
        return LineMotion<Dim>{0.5 * (after.v + before.v), 0.5 * (after.R + before.R)};
    };
    return ball_velocity(links.normal(k), mean(pair.a), mean(pair.b)) + links.W(k);
}

#define TALUS_INSTANTIATE(Dim)                                                                                  \
    template Vec<Dim> velocity_before(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);       \
    template Vec<Dim> mean_velocity(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);         \
    template Vec<Dim> impulse_of(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);            \
    template Spin<Dim> couple_of(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);            \
    template Vec<Dim> velocity_of(const ContactProblem<Dim>&, const std::vector<BodyLine<Dim>>&,                \
                                  const ContactLinks<Dim>&, std::size_t);                                       \
    template Vec<Dim> velocity_of(const ContactProblem<Dim>&, const std::vector<LineMotion<Dim>>&,              \
                                  const ContactLinks<Dim>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
