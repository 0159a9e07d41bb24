#pragma once
/// \file
/// Gauss-Seidel sweeps with momentum.
///
/// Between two sweeps the impulses are extrapolated along their last change,
///     y = p + beta (p - p_before),
/// beta growing as in Nesterov's method; velocities are linear in the impulses, so the bodies are
/// extrapolated as vectors and the contacts on the fly. Where the sweep's own change, measured in
/// energy, exceeds one and a half times the least seen since the last restart, the momentum is thrown
/// away and the next sweep is a plain one: at worst the method is Gauss-Seidel. Solutions are the
/// same; the answer is judged as any other. Contacts are visited in the order of the space curve, links last.

#include "laws/link.h"
#include "laws/local.h"
#include "solve/matrix_sweep.h"
#include "solve/sweep_control.h"

namespace talus {

/// Keeps its momentum between calls of `sweep` until the next `begin`.
template <int Dim>
class Momentum {
public:
    void begin(const ContactProblem<Dim>& problem) {
        before_.resize(problem.balls.size());
        before_general_.resize(problem.generals.size());
        before_link_.resize(problem.links.size());
        restart();
    }

    /// `gradual`: projected steps instead of exact answers [matrix_sweep.h].
    void begin(const MatrixProblem<Dim>& problem, bool gradual = false) {
        contacts_ = prepare_contacts(problem, gradual);
        before_general_ = problem.r;
        restart();
    }

    void sweep(ContactProblem<Dim>& problem, SweepMeasure* measure) {
        extrapolate_lines(problem.lines);
        double change = 0.0;
        BodyLine<Dim>* lines = problem.lines.data();
        for (std::size_t k = 0; k < problem.balls.size(); ++k) change += update(problem.balls[k], before_[k], lines, measure);
        for (std::size_t k = 0; k < problem.generals.size(); ++k)
            change += update(problem.generals[k], before_general_[k], lines, measure);
        for (std::size_t k = 0; k < problem.links.size(); ++k)
            change += update(problem.links[k], before_link_[k], lines, measure);
        steer(change);
    }

    void sweep(MatrixProblem<Dim>& problem, SweepMeasure* measure) {
        for (std::size_t k = 0; k < problem.contacts(); ++k) {
            const Vec<Dim> now = problem.r[k];
            if (beta_ != 0.0) problem.r[k] += beta_ * (now - before_general_[k]);
            before_general_[k] = now;
        }
        double change = 0.0;
        for (std::size_t k = 0; k < problem.contacts(); ++k) change += update_row(problem, k, contacts_[k], measure);
        steer(change);
    }

private:
    struct Before {
        double pn;
        Tangential<Dim> pt;
    };

    void restart() {
        momentum_ = 1.0;
        least_change_ = HUGE_VAL;
        beta_ = 0.0;
    }

    /// The next momentum after a sweep whose change had that energy.
    void steer(double change) {
        constexpr double restart_factor = 1.5;
        if (change > restart_factor * least_change_) return restart();
        least_change_ = std::min(least_change_, change);
        const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
        beta_ = (momentum_ - 1.0) / next;
        momentum_ = next;
    }

    void extrapolate_lines(std::vector<BodyLine<Dim>>& lines) {
        const bool moving = beta_ != 0.0;
        lines_before_.resize(lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Motion now{lines[i].v, lines[i].R};
            if (moving) {
                lines[i].v += beta_ * (lines[i].v - lines_before_[i].v);
                lines[i].R += beta_ * (lines[i].R - lines_before_[i].R);
            }
            lines_before_[i] = now;
        }
    }

    /// Returns the energy of the change.
    double update(BallContact<Dim>& c, Before& before, BodyLine<Dim>* lines, SweepMeasure* measure) {
        BodyLine<Dim>& a = lines[c.a];
        BodyLine<Dim>& b = lines[c.b];
        const Before now{c.pn, c.pt};
        if (beta_ != 0.0) {
            c.pn += beta_ * (c.pn - before.pn);
            c.pt = c.pt + beta_ * (c.pt - before.pt);
        }
        before = now;
        const BallImpulse<Dim> exact = solve_ball_contact(c, formal_velocity(c, a, b));
        const double dpn = exact.pn - c.pn;
        const Tangential<Dim> dpt = exact.pt - c.pt;
        apply(c, dpn, dpt, a, b);
        if (measure != nullptr) measure->add(c, dpn, dpt.squared(), exact.pn != 0.0);
        c.pn = exact.pn;
        c.pt = exact.pt;
        return dpn * dpn / c.inv_wn + dpt.squared() / c.inv_wt;
    }

    double update(GeneralContact<Dim>& c, Vec<Dim>& before, BodyLine<Dim>* lines, SweepMeasure* measure) {
        BodyLine<Dim>& a = lines[c.a];
        BodyLine<Dim>& b = lines[c.b];
        const Vec<Dim> now = c.S;
        if (beta_ != 0.0) c.S += beta_ * (c.S - before);
        before = now;
        const Vec<Dim> exact = solve_full_contact(c.H, formal_velocity(c, a, b) - c.H * c.S, c.mu, c.S);
        const Vec<Dim> dS = exact - c.S;
        apply(c, dS, a, b);
        if (measure != nullptr) measure->add(c, dS, !exact.isZero(0.0));
        c.S = exact;
        return dS.dot(c.H * dS);
    }

    double update(LinkContact<Dim>& c, typename LinkContact<Dim>::Rows& before, BodyLine<Dim>* lines, SweepMeasure* measure) {
        using Rows = typename LinkContact<Dim>::Rows;
        BodyLine<Dim>& a = lines[c.a];
        BodyLine<Dim>& b = lines[c.b];
        const Rows now = c.S;
        if (beta_ != 0.0) c.S += beta_ * (c.S - before);
        before = now;
        const Rows exact = solve_link(c, Rows(formal_velocity(c, a, b) - c.H * c.S));
        const Rows dS = exact - c.S;
        apply(c, dS, a, b);
        if (measure != nullptr) measure->add_block(c.H, dS, c.impact, !exact.isZero(0.0));
        c.S = exact;
        return dS.dot(c.H * dS);
    }

    static double update_row(MatrixProblem<Dim>& p, std::size_t k, const MatrixContact<Dim>& c, SweepMeasure* measure) {
        const Vec<Dim> exact = c.answer(p.velocity(k), p.r[k]);
        const Vec<Dim> dS = exact - p.r[k];
        if (measure != nullptr) measure->add_block(c.H(), dS, p.impact_of(k), !exact.isZero(0.0));
        p.r[k] = exact;
        return dS.dot(c.H() * dS);
    }

    struct Motion {
        Vec<Dim> v;
        Spin<Dim> R;
    };
    std::vector<Before> before_;
    std::vector<Vec<Dim>> before_general_;
    std::vector<typename LinkContact<Dim>::Rows> before_link_;
    std::vector<Motion> lines_before_;
    std::vector<MatrixContact<Dim>> contacts_;
    double momentum_ = 1.0, least_change_ = HUGE_VAL, beta_ = 0.0;
};

}  // namespace talus
