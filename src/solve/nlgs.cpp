/// \file
/// Nonlinear Gauss-Seidel [moreau1994, sec. 7; moreau2003, sec. 7.2].
///
/// Contacts are visited one after the other; each gets the exact impulse for its law with the others
/// held, and the velocities of its two bodies are corrected at once (eq. 41, 42). The order is that
/// of the space-filling curve, that order to and fro, or a new random order in every sweep.
///
/// Convergence is that of Gauss-Seidel: the number of sweeps grows with the number of grains across
/// the packing.
#include <algorithm>
#include <numeric>

#include "laws/local.h"
#include "solve/sweep_control.h"

namespace talus {
namespace {

/// The visit of a contact, the innermost loop of the program: inlined into each sweep, so that the
/// plain one carries no trace of the measuring one.
template <bool Measuring, int Dim>
[[gnu::always_inline]] inline void update_ball(BallContact<Dim>& c, BodyLine<Dim>* lines, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines[c.a];
    BodyLine<Dim>& b = lines[c.b];
    const BallImpulse<Dim> exact = solve_ball_contact(c, formal_velocity(c, a, b));
    const double dpn = exact.pn - c.pn;
    const Tangential<Dim> dpt = exact.pt - c.pt;
    apply(c, dpn, dpt, a, b);
    if constexpr (Measuring) measure->add(c, dpn, dpt.squared(), exact.pn != 0.0);
    c.pn = exact.pn;
    c.pt = exact.pt;
}

template <int Dim>
void update_general(GeneralContact<Dim>& c, BodyLine<Dim>* lines, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines[c.a];
    BodyLine<Dim>& b = lines[c.b];
    const Vec<Dim> without = formal_velocity(c, a, b) - c.H * c.S;
    const Vec<Dim> exact = solve_full_contact(c.H, without, c.mu, c.S);
    const Vec<Dim> dS = exact - c.S;
    apply(c, dS, a, b);
    if (measure != nullptr) measure->add(c, dS, !exact.isZero(0.0));
    c.S = exact;
}

/// A repeatable stream of numbers for random orders (splitmix64).
struct Stream {
    std::uint64_t state;
    std::uint64_t next() {
        std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
};

template <int Dim>
class Nlgs final : public Solver<Dim> {
public:
    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) override {
        return run_sweeps(problem, settings, [&](std::int64_t number, SweepMeasure* measure) {
            sweep(problem, settings, number, measure);
        });
    }

private:
    void sweep(ContactProblem<Dim>& problem, const SolverSettings& settings, std::int64_t number, SweepMeasure* measure) {
        if (measure != nullptr) sweep_as<true>(problem, settings, number, measure);
        else sweep_as<false>(problem, settings, number, nullptr);
    }

    template <bool Measuring>
    void sweep_as(ContactProblem<Dim>& problem, const SolverSettings& settings, std::int64_t number,
                  SweepMeasure* measure) {
        BodyLine<Dim>* lines = problem.lines.data();
        auto& balls = problem.balls;
        auto& generals = problem.generals;
        if (settings.order == SweepOrder::random) {
            shuffle(problem, settings, number);
            for (const std::uint32_t k : order_) {
                if (k < balls.size()) update_ball<Measuring>(balls[k], lines, measure);
                else update_general(generals[k - balls.size()], lines, measure);
            }
        } else if (settings.order == SweepOrder::symmetric && number % 2 == 0) {
            for (auto c = generals.rbegin(); c != generals.rend(); ++c) update_general(*c, lines, measure);
            for (auto c = balls.rbegin(); c != balls.rend(); ++c) update_ball<Measuring>(*c, lines, measure);
        } else {
            for (auto& c : balls) update_ball<Measuring>(c, lines, measure);
            for (auto& c : generals) update_general(c, lines, measure);
        }
    }

    void shuffle(const ContactProblem<Dim>& problem, const SolverSettings& settings, std::int64_t number) {
        order_.resize(problem.contacts());
        std::iota(order_.begin(), order_.end(), 0u);
        Stream stream{settings.seed * 0x9E3779B97F4A7C15ull +
                      static_cast<std::uint64_t>(problem.step) * 0xD1B54A32D192ED03ull + static_cast<std::uint64_t>(number)};
        for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[stream.next() % k]);
    }

    std::vector<std::uint32_t> order_;
};

}  // namespace

void register_nlgs(SolverRegistry& registry) {
    registry.add("nlgs", {[] { return std::make_unique<Nlgs<2>>(); }, [] { return std::make_unique<Nlgs<3>>(); }});
}

}  // namespace talus
