/// \file
/// What contacts pass and see, in world axes, wherever they live in the problem.
#include "contact/gather.h"

namespace talus {

template <int Dim>
Vec<Dim> impulse_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record[k];
    const double pull = links.pull.empty() ? 0.0 : links.pull[k];
    if (r.kind() == ContactRecord::Kind::ball) {
        const auto& c = problem.balls[r.index()];
        return (c.pn - pull) * c.n + to_world(c.pt, c.n);
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
    const ContactRecord r = links.record[k];
    if (r.kind() != ContactRecord::Kind::link) return Spin<Dim>::Zero();
    const auto& c = problem.links[r.index()];
    const Mat<Dim> frame = c.line.template topRows<Dim>();
    return c.length * (couple_axes<Dim>(frame).transpose() * c.S.template tail<spin_size<Dim>>());
}

template <int Dim>
Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const std::vector<BodyLine<Dim>>& lines,
                     const ContactLinks<Dim>& links, std::size_t k) {
    const ContactRecord r = links.record[k];
    if (r.kind() == ContactRecord::Kind::ball) {
        const auto& c = problem.balls[r.index()];
        const auto& a = lines[c.a];
        const auto& b = lines[c.b];
        const Vec<Dim> w = a.v - b.v;
        const double wn = w.dot(c.n);
        return wn * c.n + to_world(slip(w, wn, Spin<Dim>(a.R + b.R), c.n), c.n) + links.W(k);
    }
    if (r.kind() == ContactRecord::Kind::general) {
        const auto& c = problem.generals[r.index()];
        return c.frame.transpose() * (formal_velocity(c, lines[c.a], lines[c.b]) - c.c) + links.W(k);
    }
    const auto& c = problem.links[r.index()];
    const Vec<Dim> V = (formal_velocity(c, lines[c.a], lines[c.b]) - c.c).template head<Dim>();
    return c.line.template topRows<Dim>().transpose() * V + links.W(k);
}

#define TALUS_INSTANTIATE(Dim)                                                                                  \
    template Vec<Dim> impulse_of(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);            \
    template Spin<Dim> couple_of(const ContactProblem<Dim>&, const ContactLinks<Dim>&, std::size_t);            \
    template Vec<Dim> velocity_of(const ContactProblem<Dim>&, const std::vector<BodyLine<Dim>>&,              \
                                  const ContactLinks<Dim>&, std::size_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
