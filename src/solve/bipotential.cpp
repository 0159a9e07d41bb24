/// \file
/// The predictor-corrector of the bipotential [sanni2009, eq. 22, 26, 31], contact after contact.
///
/// Predictor: tau = S - rho [u_T + (u_N + mu |u_T|) n]. Corrector: S becomes the projection of tau on Coulomb's
/// cone, in closed form. One such step a visit, then the velocities of the two bodies are corrected
/// at once, and the next contact follows. The paper's eq. 23 prints K_mu where its polar cone is meant: tau there
/// means separation. rho is the inverse of the largest eigenvalue of the contact's own H, for which the step
/// is safe; a fixed point satisfies the law whatever rho. The paper stops on the gap of eq. 32: `error: gap`.
#include <Eigen/Eigenvalues>

#include "solve/sweep_control.h"

namespace talus {
namespace {

template <int Dim>
Vec<Dim> predict_and_correct(const Vec<Dim>& u, const Vec<Dim>& S, double mu, double rho) {
    Vec<Dim> tau = S - rho * u;
    tau[0] -= rho * mu * u.template tail<Dim - 1>().norm();
    return project_on_cone<Dim>(tau, mu);
}

template <int Dim>
double safe_rho(const Mat<Dim>& H) {
    const double largest = Eigen::SelfAdjointEigenSolver<Mat<Dim>>(H, Eigen::EigenvaluesOnly).eigenvalues()[Dim - 1];
    return largest > 0.0 ? 1.0 / largest : 0.0;
}

template <int Dim>
class Bipotential final : public Solver<Dim> {
public:
    SolveReport solve(ContactProblem<Dim>& problem, const SolverSettings& settings) override {
        if (!problem.links.empty())
            throw InputError("solver 'bipotential' takes plain contacts only; use 'nlgs', 'accelerated' or 'auto'");
        refuse_variants(settings, "bipotential");
        rho_.clear();
        for (const auto& c : problem.generals) rho_.push_back(safe_rho<Dim>(c.H));
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t, SweepMeasure* measure) {
            for (std::size_t k = 0; k < problem.balls.size(); ++k) {
                BallContact<Dim> c = problem.balls[k];
                update(c, problem.lines.data(), measure);
                problem.balls.set_impulse(k, c.pn, c.pt);
            }
            for (std::size_t k = 0; k < problem.generals.size(); ++k)
                update(problem.generals[k], rho_[k], problem.lines.data(), measure);
        }});
    }

    SolveReport solve(MatrixProblem<Dim>& problem, const SolverSettings& settings) override {
        refuse_variants(settings, "bipotential");
        rho_.clear();
        for (std::size_t k = 0; k < problem.contacts(); ++k) rho_.push_back(safe_rho<Dim>(problem.H(k)));
        return run_sweeps(problem, settings, SweepsInPlace{[&](std::int64_t, SweepMeasure* measure) {
            for (std::size_t k = 0; k < problem.contacts(); ++k) {
                const Vec<Dim> next = predict_and_correct<Dim>(problem.velocity(k), problem.r[k], problem.mu[k], rho_[k]);
                if (measure != nullptr)
                    measure->add_block(problem.H(k), Vec<Dim>(next - problem.r[k]), problem.impact_of(k), !next.isZero(0.0));
                problem.r[k] = next;
            }
        }});
    }

private:
    static void update(BallContact<Dim>& c, BodyLine<Dim>* lines, SweepMeasure* measure) {
        BodyLine<Dim>& a = lines[c.a];
        BodyLine<Dim>& b = lines[c.b];
        const auto V = formal_velocity(c, a, b);
        const Mat<Dim> frame = frame_of<Dim>(c.n);
        const Vec<Dim> next = predict_and_correct<Dim>(frame * Vec<Dim>(V.n * c.n + to_world(V.t, c.n)),
                                                       frame * Vec<Dim>(c.pn * c.n + to_world(c.pt, c.n)), c.mu,
                                                       std::min(c.inv_wn, c.inv_wt));
        const Tangential<Dim> pt = tangential_of(Vec<Dim>(frame.transpose() * next), c.n), dpt = pt - c.pt;
        const double dpn = next[0] - c.pn;
        apply(c, dpn, dpt, a, b);
        if (measure != nullptr) measure->add(c, dpn, dpt.squared(), next[0] != 0.0);
        c.pn = next[0];
        c.pt = pt;
    }

    static void update(GeneralContact<Dim>& c, double rho, BodyLine<Dim>* lines, SweepMeasure* measure) {
        BodyLine<Dim>& a = lines[c.a];
        BodyLine<Dim>& b = lines[c.b];
        const Vec<Dim> next = predict_and_correct<Dim>(formal_velocity(c, a, b), c.S, c.mu, rho);
        const Vec<Dim> dS = next - c.S;
        apply(c, dS, a, b);
        if (measure != nullptr) measure->add(c, dS, !next.isZero(0.0));
        c.S = next;
    }

    std::vector<double> rho_;
};

}  // namespace

void register_bipotential(SolverRegistry& registry) {
    registry.add("bipotential",
                 {[] { return std::make_unique<Bipotential<2>>(); }, [] { return std::make_unique<Bipotential<3>>(); }});
}

}  // namespace talus
