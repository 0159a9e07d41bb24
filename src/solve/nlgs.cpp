/// \file
/// Nonlinear Gauss-Seidel [moreau1994, sec. 7; moreau2003, sec. 7.2].
///
/// Contacts are visited one after the other; each gets the exact impulse for its law with the others
/// held, and the velocities of its two bodies are corrected at once (eq. 41, 42). The order is that
/// of the space-filling curve within slabs (`sweeper.h`), that of the curve to and fro, or a new random order in every sweep.
///
/// Variants [moreau2003, sec. 7.2]: a scalar takes the place of H in the local solution, one for each
/// contact (its largest eigenvalue) or one for all; corrections are over- or under-relaxed and brought back
/// into the cone. A fixed point is a solution whichever is chosen.
///
/// Convergence is that of Gauss-Seidel: the number of sweeps grows with the number of grains across
/// the packing.
#include <algorithm>
#include <numeric>

#include <Eigen/Eigenvalues>

#include "laws/link.h"
#include "laws/local.h"
#include "solve/sweeper.h"

namespace talus {
namespace {

/// The variants of the local step, for contacts along (n, t...).
template <int Dim>
class Variant {
public:
    explicit Variant(const SolverSettings& s) : settings_(s) {
        if (!(s.relaxation > 0.0 && s.relaxation < 2.0)) throw InputError("solver relaxation must be above 0 and below 2");
        if (s.multiplier == Multiplier::tuned && !(s.multiplier_value > 0.0))
            throw InputError("solver multiplier 'tuned' needs a value above 0 [kg]");
    }
    [[nodiscard]] bool is_plain() const { return settings_.multiplier == Multiplier::exact && settings_.relaxation == 1.0; }

    /// The next impulse where V is the formal velocity with the present one, S.
    [[nodiscard]] Vec<Dim> next(const Mat<Dim>& H, const Vec<Dim>& V, const Vec<Dim>& S, double mu) const {
        const Mat<Dim> used = stand_in(H);
        Vec<Dim> exact = solve_full_contact(used, V - used * S, mu, S);
        exact = S + settings_.relaxation * (exact - S);
        exact[0] = std::max(0.0, exact[0]);
        auto tangent = exact.template tail<Dim - 1>();
        const double limit = mu * exact[0], size = tangent.norm();
        if (size > limit) tangent *= limit / size;
        return exact;
    }

private:
    [[nodiscard]] Mat<Dim> stand_in(const Mat<Dim>& H) const {
        if (settings_.multiplier == Multiplier::exact) return H;
        if (settings_.multiplier == Multiplier::tuned) return Mat<Dim>::Identity() / settings_.multiplier_value;
        return Mat<Dim>::Identity() * Eigen::SelfAdjointEigenSolver<Mat<Dim>>(H, Eigen::EigenvaluesOnly).eigenvalues()[Dim - 1];
    }
    const SolverSettings& settings_;
};

template <int Dim>
BallImpulse<Dim> next_impulse(const BallContact<Dim>& c, const FormalVelocity<Dim>& V, const Variant<Dim>& variant) {
    if (variant.is_plain()) return solve_ball_contact(c, V);
    const Mat<Dim> frame = frame_of<Dim>(c.n);
    Mat<Dim> H = Mat<Dim>::Identity() / c.inv_wt;
    H(0, 0) = 1.0 / c.inv_wn;
    const Vec<Dim> next = variant.next(H, frame * Vec<Dim>(V.n * c.n + to_world(V.t, c.n)),
                                       frame * Vec<Dim>(c.pn * c.n + to_world(c.pt, c.n)), c.mu);
    return {next[0], tangential_of(Vec<Dim>(frame.transpose() * next), c.n)};
}

template <int Dim>
void update(BallContact<Dim>& c, BodyLine<Dim>* lines, const Variant<Dim>& variant, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines[c.a];
    BodyLine<Dim>& b = lines[c.b];
    const BallImpulse<Dim> next = next_impulse(c, formal_velocity(c, a, b), variant);
    const double dpn = next.pn - c.pn;
    const Tangential<Dim> dpt = next.pt - c.pt;
    apply(c, dpn, dpt, a, b);
    if (measure != nullptr) measure->add(c, dpn, dpt.squared(), next.pn != 0.0);
    c.pn = next.pn;
    c.pt = next.pt;
}

template <int Dim>
void update(GeneralContact<Dim>& c, BodyLine<Dim>* lines, const Variant<Dim>& variant, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines[c.a];
    BodyLine<Dim>& b = lines[c.b];
    const Vec<Dim> V = formal_velocity(c, a, b);
    const Vec<Dim> next = variant.is_plain() ? solve_full_contact(c.H, V - c.H * c.S, c.mu, c.S) : variant.next(c.H, V, c.S, c.mu);
    const Vec<Dim> dS = next - c.S;
    apply(c, dS, a, b);
    if (measure != nullptr) measure->add_block(c.H, dS, c.impact, !next.isZero(0.0));
    c.S = next;
}

/// Links have no variants.
template <int Dim>
void update(LinkContact<Dim>& c, BodyLine<Dim>* lines, const Variant<Dim>&, SweepMeasure* measure) {
    using Rows = typename LinkContact<Dim>::Rows;
    BodyLine<Dim>& a = lines[c.a];
    BodyLine<Dim>& b = lines[c.b];
    const Rows exact = solve_link(c, Rows(formal_velocity(c, a, b) - c.H * c.S));
    const Rows dS = exact - c.S;
    apply(c, dS, a, b);
    if (measure != nullptr) measure->add_block(c.H, dS, c.impact, !exact.isZero(0.0));
    c.S = exact;
}

/// The same on the matrix form.
template <int Dim>
void update_row(MatrixProblem<Dim>& p, std::size_t k, const Variant<Dim>* variant, SweepMeasure* measure) {
    const Mat<Dim> H = p.H(k);
    const Vec<Dim> V = p.velocity(k);
    const Vec<Dim> next = variant != nullptr ? variant->next(H, V, p.r[k], p.mu[k])
                                             : solve_full_contact(H, V - H * p.r[k], p.mu[k], p.r[k]);
    if (measure != nullptr)
        measure->add_block(H, Vec<Dim>(next - p.r[k]), p.impact_of(k), !next.isZero(0.0));
    p.r[k] = next;
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
    [[nodiscard]] bool takes_links() const override { return true; }

    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) override {
        const Variant<Dim> variant(settings);
        if (variant.is_plain() && settings.order == SweepOrder::forward) {
            sweeper_.begin(problem, settings.kernel);
            return run_sweeps(problem, settings, Plain{sweeper_, problem});
        }
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t number, SweepMeasure* measure) {
            BodyLine<Dim>* lines = problem.lines.data();
            visit(problem, settings, number, [&](auto& c) { update(c, lines, variant, measure); });
        }});
    }

    [[nodiscard]] std::size_t bytes() const override { return sweeper_.bytes() + order_.capacity() * sizeof(order_[0]); }

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        const Variant<Dim> variant(settings);
        const Variant<Dim>* used = variant.is_plain() ? nullptr : &variant;
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t number, SweepMeasure* measure) {
            const std::size_t n = problem.contacts();
            if (settings.order == SweepOrder::random) {
                shuffle(n, problem.step, settings, number);
                for (const std::uint32_t k : order_) update_row(problem, k, used, measure);
            } else if (settings.order == SweepOrder::symmetric && number % 2 == 0) {
                for (std::size_t k = n; k-- > 0;) update_row(problem, k, used, measure);
            } else {
                for (std::size_t k = 0; k < n; ++k) update_row(problem, k, used, measure);
            }
        }});
    }

private:
    /// Sweeps of the arranged problem.
    struct Plain {
        Sweeper<Dim>& sweeper;
        ContactProblem<Dim>& problem;
        void publish() { sweeper.publish(problem); }
        void keep_lines() { sweeper.keep_lines(problem); }
        void put_lines_back() { sweeper.put_lines_back(problem); }
        double sweep(std::int64_t, SweepMeasure* measure) {
            sweeper.sweep(problem, measure);
            return untold;
        }
    };

    /// Calls `visitor` for every contact in the order of the settings.
    template <class Visitor>
    void visit(ContactProblem<Dim>& problem, const SolverSettings& settings, std::int64_t number, Visitor&& visitor) {
        auto &balls = problem.balls;
        const auto visit_ball = [&](std::size_t k) {
            BallContact<Dim> c = balls[k];
            visitor(c);
            balls.set_impulse(k, c.pn, c.pt);
        };
        auto &generals = problem.generals;
        auto &links = problem.links;
        if (settings.order == SweepOrder::random) {
            shuffle(problem.contacts(), problem.step, settings, number);
            for (std::size_t k : order_) {
                if (k < balls.size()) visit_ball(k);
                else if (k -= balls.size(); k < generals.size()) visitor(generals[k]);
                else visitor(links[k - generals.size()]);
            }
        } else if (settings.order == SweepOrder::symmetric && number % 2 == 0) {
            for (auto c = links.rbegin(); c != links.rend(); ++c) visitor(*c);
            for (auto c = generals.rbegin(); c != generals.rend(); ++c) visitor(*c);
            for (std::size_t k = balls.size(); k-- > 0;) visit_ball(k);
        } else {
            for (std::size_t k = 0; k < balls.size(); ++k) visit_ball(k);
            for (auto& c : generals) visitor(c);
            for (auto& c : links) visitor(c);
        }
    }

    void shuffle(std::size_t contacts, std::int64_t step, const SolverSettings& settings, std::int64_t number) {
        order_.resize(contacts);
        std::iota(order_.begin(), order_.end(), 0u);
        Stream stream{settings.seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(step) * 0xD1B54A32D192ED03ull +
                      static_cast<std::uint64_t>(number)};
        for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[stream.next() % k]);
    }

    Sweeper<Dim> sweeper_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

void register_nlgs(SolverRegistry& registry) {
    registry.add("nlgs", {[] { return std::make_unique<Nlgs<2>>(); }, [] { return std::make_unique<Nlgs<3>>(); }});
}

}  // namespace talus
