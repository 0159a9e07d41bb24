#pragma once
/// \file
/// Gauss-Seidel sweeps with momentum.
///
/// Between two sweeps the impulses are extrapolated along their last change,
///     y = p + beta (p - p_before),
/// beta growing as in Nesterov's method, up to 0.8, in long solves to 0.9; velocities are linear in the impulses, so the bodies are
/// extrapolated as vectors and the contacts on the fly [sweeper.h]. Where the sweep's own change, measured in
/// energy, exceeds the least seen since the last restart by a tenth, the momentum is thrown
/// away and the next sweep is a plain one. Where momentum brings no progress from one restart to the next, the limit is
/// loosened among balls, step by step to twice the least: near the answer the change goes up and down by itself. Beyond that,
/// and with a full H from the first (friction may turn momentum round for ever), twice as many plain sweeps follow each
/// time: at worst the method is Gauss-Seidel. That may go round as well, so when many have brought nothing, each starts
/// from the mean of the last two. Solutions are the same; the answer is judged as any other. The order is that of `sweeper.h`.

#include "solve/matrix_sweep.h"
#include "solve/sweeper.h"

namespace talus {

/// Keeps its momentum between calls of `sweep` until the next `begin`.
template <int Dim>
class Momentum {
public:
    void begin(ContactProblem<Dim>& problem, Kernel kernel) {
        sweeper_.begin(problem, kernel);
        begin_afresh(problem.generals.empty() && problem.links.empty());
    }

    /// `gradual`: projected steps instead of exact answers [matrix_sweep.h].
    void begin(const MatrixProblem<Dim>& problem, bool gradual = false) {
        contacts_ = prepare_contacts(problem, gradual);
        before_general_ = problem.r;
        begin_afresh(false);
    }

    /// \returns the energy of its changes [J].
    double sweep(ContactProblem<Dim>& problem, SweepMeasure* measure) {
        const double change = sweeper_.sweep(problem, beta_, measure);
        steer(change);
        return change;
    }

    double sweep(MatrixProblem<Dim>& problem, SweepMeasure* measure) {
        for (std::size_t k = 0; k < problem.contacts(); ++k) {
            const Vec<Dim> now = problem.r[k];
            if (beta_ != 0.0) problem.r[k] += beta_ * (now - before_general_[k]);
            before_general_[k] = now;
        }
        double change = 0.0;
        for (std::size_t k = 0; k < problem.contacts(); ++k) change += update_row(problem, k, contacts_[k], measure);
        steer(change);
        return change;
    }

    void publish(ContactProblem<Dim>& problem) { sweeper_.publish(problem); }
    void publish(MatrixProblem<Dim>&) {}
    void keep_lines(const ContactProblem<Dim>& problem) { sweeper_.keep_lines(problem); }
    void put_lines_back(ContactProblem<Dim>& problem) { sweeper_.put_lines_back(problem); }
    void keep_lines(const MatrixProblem<Dim>&) {}
    void put_lines_back(MatrixProblem<Dim>&) {}

    [[nodiscard]] std::size_t bytes() const {
        return sweeper_.bytes() + before_general_.capacity() * sizeof(Vec<Dim>) + contacts_.capacity() * sizeof(MatrixContact<Dim>);
    }

private:
    void begin_afresh(bool balls_only) {
        restart_factor_ = strictest;
        loosest_ = balls_only ? 2.0 : strictest;
        best_change_ = HUGE_VAL;
        rest_ = 0;
        steered_ = 0;
        restart();
    }

    void restart() {
        momentum_ = 1.0;
        least_change_ = HUGE_VAL;
        beta_ = 0.0;
        plain_ = rest_;
    }

    /// The next momentum after a sweep whose change had that energy.
    void steer(double change) {
        constexpr double progress = 0.5, loosen = 1.2;
        // What is left of a step's disturbance after some tens of sweeps goes down fastest with less; the last digits want more.
        ++steered_;
        const double most = 0.8 + 0.1 * std::clamp(static_cast<double>(steered_ - 60) / 140.0, 0.0, 1.0);
        constexpr std::int64_t long_rest = 31;
        if (plain_ > 0) {
            beta_ = --plain_ > 0 && rest_ >= long_rest ? -0.5 : 0.0;
            return;
        }
        if (change > restart_factor_ * least_change_) {
            if (least_change_ < progress * best_change_) {
                best_change_ = least_change_;
                rest_ /= 2;
            } else if (restart_factor_ < loosest_) {
                restart_factor_ = std::min(loosest_, loosen * restart_factor_);
            } else {
                rest_ = 2 * rest_ + 1;
            }
            return restart();
        }
        least_change_ = std::min(least_change_, change);
        const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
        beta_ = std::min(most, (momentum_ - 1.0) / next);
        momentum_ = next;
    }

    static double update_row(MatrixProblem<Dim>& p, std::size_t k, const MatrixContact<Dim>& c, SweepMeasure* measure) {
        const Vec<Dim> exact = c.answer(p.velocity(k), p.r[k]);
        const Vec<Dim> dS = exact - p.r[k];
        if (measure != nullptr) measure->add_block(c.H(), dS, p.impact_of(k), !exact.isZero(0.0));
        p.r[k] = exact;
        return dS.dot(c.H() * dS);
    }

    Sweeper<Dim> sweeper_;
    std::vector<Vec<Dim>> before_general_;   ///< of the matrix form
    std::vector<MatrixContact<Dim>> contacts_;
    double momentum_ = 1.0, beta_ = 0.0;
    double least_change_ = HUGE_VAL;      ///< since the last restart
    static constexpr double strictest = 1.1;
    double restart_factor_ = strictest;   ///< a change above that times the least restarts
    double loosest_ = strictest;          ///< beyond it plain sweeps follow a restart; with a full H from the first
    double best_change_ = HUGE_VAL;       ///< of all that went before it
    std::int64_t rest_ = 0, plain_ = 0;   ///< plain sweeps after a restart, and how many are left
    std::int64_t steered_ = 0;            ///< sweeps since `begin`
};

/// Sweeps with momentum, for `run_sweeps`.
template <int Dim, class Problem>
struct MomentumSweeps {
    Momentum<Dim>& momentum;
    Problem& problem;
    void publish() { momentum.publish(problem); }
    void keep_lines() { momentum.keep_lines(problem); }
    void put_lines_back() { momentum.put_lines_back(problem); }
    double sweep(std::int64_t, SweepMeasure* measure) { return momentum.sweep(problem, measure); }
};

}  // namespace talus
