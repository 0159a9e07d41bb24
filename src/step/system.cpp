#include "talus/system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "solve/solver_registry.h"

namespace talus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void require(bool holds, const std::string& message) {
    if (!holds) throw InputError(message);
}

/// The equations at one place, stacked.
struct Equations {
    VectorXd value, rate;
    MatrixXd B;
    [[nodiscard]] bool none() const { return value.size() == 0; }
};

/// Inverse inertia, and what the equations leave of it.
struct Mobility {
    Eigen::LLT<MatrixXd> A;
    MatrixXd AB;                                                  ///< A^-1 B^T
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> K;           ///< B A^-1 B^T

    Mobility(const MatrixXd& inertia, const Equations& e) : A(inertia) {
        require(A.info() == Eigen::Success, "the inertia of a system must be symmetric and positive definite");
        if (e.none()) return;
        AB = A.solve(e.B.transpose());
        K.compute(e.B * AB);
    }
};

/// Coefficients and rows of a closed contact, in the order of the problem.
struct Closed {
    int contact;
    double gap;
    MatrixXd G;
    VectorXd W, before, constant;  ///< W; U- = G u_I + W; c of the formal velocity
};

VectorXd stacked(const std::vector<Closed>& closed, Index rows, VectorXd Closed::*part) {
    VectorXd x(rows);
    Index at = 0;
    for (const Closed& c : closed) {
        x.segment(at, (c.*part).size()) = c.*part;
        at += (c.*part).size();
    }
    return x;
}

/// The contacts in matrix form with blocks of `Dim` rows. A contact with fewer rows gets tangents in which nothing
/// happens: no coupling, no velocity, and inertia of the size of its own.
template <int Dim>
MatrixProblem<Dim> matrix_form(const std::vector<Closed>& closed, const std::vector<Index>& first, const MatrixXd& W,
                               const VectorXd& q) {
    MatrixProblem<Dim> p;
    std::vector<BlockEntry<Dim>> entries;
    for (std::size_t a = 0; a < closed.size(); ++a) {
        const Index rows = closed[a].G.rows();
        Vec<Dim> qa = Vec<Dim>::Zero();
        qa.head(rows) = q.segment(first[a], rows);
        p.q.push_back(qa);
        p.impact.push_back(std::max(0.0, -closed[a].before[0]));
        for (std::size_t b = 0; b < closed.size(); ++b) {
            Mat<Dim> block = Mat<Dim>::Zero();
            block.topLeftCorner(rows, closed[b].G.rows()) = W.block(first[a], first[b], rows, closed[b].G.rows());
            if (a == b)
                for (Index k = rows; k < Dim; ++k) block(k, k) = block(0, 0) > 0.0 ? block(0, 0) : 1.0;
            entries.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), block});
        }
    }
    p.W = make_block_matrix<Dim>(closed.size(), std::move(entries));
    return p;
}

ContactStatus status_of(const VectorXd& S, double mu) {
    if (!(S[0] > 0.0)) return ContactStatus::open;
    const double t = S.tail(S.size() - 1).norm();
    return S.size() == 1 || t >= mu * S[0] * (1.0 - 1e-12) ? ContactStatus::sliding : ContactStatus::sticking;
}

}  // namespace

struct System::Impl {
    SystemSpec spec;
    double t = 0.0;
    VectorXd q, u;
    std::vector<VectorXd> history;   ///< by contact: impulse of the last step over its h
    std::unique_ptr<Solver<2>> in_plane;
    std::unique_ptr<Solver<3>> in_space;
    std::int64_t steps = 0;

    [[nodiscard]] VectorXd force(double at, const VectorXd& x) const {
        return spec.force ? spec.force(at, x, u) : VectorXd(VectorXd::Zero(spec.freedoms));
    }
    [[nodiscard]] Equations equations(double at, const VectorXd& x) const;
    [[nodiscard]] std::vector<Closed> closed(double at, const VectorXd& x) const;
    struct Step;
    template <int Dim>
    SolveReport solve(Solver<Dim>& solver, Step& now, const MatrixXd& W, const VectorXd& free);
    void solve_contacts(Step& now, SystemReport& report);
    void bring_back(SystemReport& report);
};

Equations System::Impl::equations(double at, const VectorXd& x) const {
    Equations all;
    all.B.resize(0, spec.freedoms);
    for (const SystemEquations& e : spec.equations) {
        const VectorXd value = e.value(at, x);
        const Index n = value.size(), before = all.value.size();
        all.value.conservativeResize(before + n);
        all.rate.conservativeResize(before + n);
        all.B.conservativeResize(before + n, spec.freedoms);
        all.value.tail(n) = value;
        all.rate.tail(n) = e.rate ? e.rate(at, x) : VectorXd(VectorXd::Zero(n));
        all.B.bottomRows(n) = e.rows(at, x);
    }
    return all;
}

std::vector<Closed> System::Impl::closed(double at, const VectorXd& x) const {
    std::vector<Closed> out;
    for (std::size_t k = 0; k < spec.contacts.size(); ++k) {
        const SystemContact& contact = spec.contacts[k];
        const double gap = contact.gap(at, x);
        if (!(gap <= 0.0)) continue;
        ContactRows rows = contact.rows(at, x);
        require(rows.G.cols() == spec.freedoms && rows.G.rows() >= 1 && rows.G.rows() <= 3,
                "contact '" + contact.name + "' needs 1 to 3 rows with one column a freedom");
        require(contact.friction == 0.0 || rows.G.rows() > 1, "contact '" + contact.name + "' has friction but no tangent");
        if (rows.W.size() == 0) rows.W = VectorXd::Zero(rows.G.rows());
        require(rows.W.size() == rows.G.rows(), "contact '" + contact.name + "' needs as many W as rows");
        Closed c{static_cast<int>(k), gap, std::move(rows.G), std::move(rows.W), {}, {}};
        const VectorXd own = c.G * u;
        c.before = own + c.W;
        c.constant = contact.tangential_restitution * own + (1.0 + contact.tangential_restitution) * c.W;
        c.constant[0] = contact.restitution * own[0] + (1.0 + contact.restitution) * c.W[0];
        out.push_back(std::move(c));
    }
    return out;
}

/// What is known in the middle of a step, and what comes of it.
struct System::Impl::Step {
    const Impl& system;
    double h, t_m;
    VectorXd q_m, u_I;
    MatrixXd A;
    Equations e;
    Mobility m;
    VectorXd F;
    VectorXd u_free, lambda;       ///< without contacts; multipliers of the equations
    std::vector<Closed> closed;
    std::vector<Index> first;      ///< row of each contact
    MatrixXd G, mobile, shares;    ///< P A^-1 G^T, P being what the equations leave free; their multipliers in unit impulses
    VectorXd S, u_F;

    Step(const Impl& s, double step)
        : system(s), h(step), t_m(s.t + 0.5 * step), q_m(s.q + 0.5 * step * s.u), u_I(s.u), A(s.spec.inertia(t_m, q_m)),
          e(s.equations(t_m, q_m)), m(A, e), F(s.force(t_m, q_m)), closed(s.closed(t_m, q_m)) {
        u_free = u_I + h * m.A.solve(F);
        if (!e.none()) {
            lambda = -m.K.solve(e.B * (u_free + u_I) + 2.0 * e.rate);  // the mean velocity keeps the equations
            u_free += m.AB * lambda;
        }
        Index rows = 0;
        for (const Closed& c : closed) {
            first.push_back(rows);
            rows += c.G.rows();
        }
        G.resize(rows, s.spec.freedoms);
        for (std::size_t k = 0; k < closed.size(); ++k) G.middleRows(first[k], closed[k].G.rows()) = closed[k].G;
        S = VectorXd::Zero(rows);
        mobile = m.A.solve(G.transpose());
        if (e.none() || rows == 0) return;
        shares = -m.K.solve(e.B * mobile);
        mobile += m.AB * shares;
    }

    void finish() {
        u_F = u_free;
        if (closed.empty()) return;
        u_F += mobile * S;
        if (!e.none()) lambda += shares * S;
    }
    void book(SystemReport& report) const;
};

void System::Impl::Step::book(SystemReport& report) const {
    SystemEnergy& energy = report.energy;
    const VectorXd mean = 0.5 * (u_I + u_F);
    energy.before = 0.5 * u_I.dot(A * u_I);
    energy.after = 0.5 * u_F.dot(A * u_F);
    energy.force_work = h * F.dot(mean);
    if (!e.none()) {
        energy.equations = lambda.dot(e.B * mean + e.rate);
        energy.drive_work -= lambda.dot(e.rate);
    }
    for (std::size_t k = 0; k < closed.size(); ++k) {
        const Closed& c = closed[k];
        ClosedContact out;
        out.contact = c.contact;
        out.gap = c.gap;
        out.before = c.before;
        out.after = c.G * u_F + c.W;
        out.impulse = S.segment(first[k], c.G.rows());
        out.status = status_of(out.impulse, system.spec.contacts[static_cast<std::size_t>(c.contact)].friction);
        const VectorXd average = 0.5 * (out.before + out.after);
        energy.impact -= out.impulse[0] * average[0];
        energy.friction -= out.impulse.dot(average) - out.impulse[0] * average[0];
        energy.drive_work -= out.impulse.dot(c.W);
        report.contacts.push_back(std::move(out));
    }
    energy.residual = energy.after - energy.before -
                      (energy.force_work + energy.drive_work - energy.impact - energy.friction + energy.equations);
}

template <int Dim>
SolveReport System::Impl::solve(Solver<Dim>& solver, Step& now, const MatrixXd& W, const VectorXd& free) {
    MatrixProblem<Dim> p = matrix_form<Dim>(now.closed, now.first, W, free);
    for (const Closed& c : now.closed) {
        const auto k = static_cast<std::size_t>(c.contact);
        Vec<Dim> start = Vec<Dim>::Zero();
        if (spec.solver.warm_start && history[k].size() == c.G.rows()) start.head(c.G.rows()) = now.h * history[k];
        p.r.push_back(start);
        p.mu.push_back(c.G.rows() > 1 ? spec.contacts[k].friction : 0.0);
    }
    p.step = steps;
    const SolveReport report = solver.solve(p, spec.solver);
    for (std::size_t k = 0; k < now.closed.size(); ++k)
        now.S.segment(now.first[k], now.closed[k].G.rows()) = p.r[k].head(now.closed[k].G.rows());
    return report;
}

void System::Impl::solve_contacts(Step& now, SystemReport& report) {
    MatrixXd W = now.G * now.mobile;
    W = 0.5 * (W + W.transpose()).eval();
    const VectorXd free = now.G * now.u_free + stacked(now.closed, now.G.rows(), &Closed::constant);
    const bool in_three = std::any_of(now.closed.begin(), now.closed.end(), [](const Closed& c) { return c.G.rows() == 3; });
    const SolveReport r = in_three ? solve<3>(*in_space, now, W, free) : solve<2>(*in_plane, now, W, free);
    report.sweeps = r.sweeps;
    report.converged = r.converged;
    report.law = r.law;
}

/// Newton's method on the equations, the least motion in the metric of A; then the velocity.
void System::Impl::bring_back(SystemReport& report) {
    if (spec.equations.empty()) return;
    for (int k = 0; k < 12; ++k) {
        const Equations e = equations(t, q);
        const double error = e.value.cwiseAbs().maxCoeff();
        if (k > 0 && !(error < 0.9 * report.equation_error)) {
            report.equation_error = std::min(error, report.equation_error);
            break;
        }
        report.equation_error = error;
        if (error == 0.0) break;
        const Mobility m(spec.inertia(t, q), e);
        q -= m.AB * m.K.solve(e.value);
    }
    const Equations e = equations(t, q);
    const MatrixXd A = spec.inertia(t, q);
    const Mobility m(A, e);
    const double before = 0.5 * u.dot(A * u);
    u -= m.AB * m.K.solve(e.B * u + e.rate);
    report.energy.back = 0.5 * u.dot(A * u) - before;
}

System::System(SystemSpec spec) : impl_(std::make_unique<Impl>()) {
    require(spec.freedoms >= 1, "a system needs at least one freedom");
    require(static_cast<bool>(spec.inertia), "a system needs its inertia A(t, q)");
    for (const SystemContact& c : spec.contacts) {
        require(c.gap && c.rows, "contact '" + c.name + "' needs a gap and its rows");
        require(c.friction >= 0.0 && c.restitution >= 0.0 && c.restitution <= 1.0 && c.tangential_restitution >= 0.0 &&
                    c.tangential_restitution <= 1.0,
                "contact '" + c.name + "' needs friction >= 0 and restitutions between 0 and 1");
    }
    for (const SystemEquations& e : spec.equations) require(e.value && e.rows, "an equation needs its value and its rows");
    impl_->in_plane = solver_registry().make<2>(spec.solver.name);
    impl_->in_space = solver_registry().make<3>(spec.solver.name);
    impl_->q = impl_->u = VectorXd::Zero(spec.freedoms);
    impl_->history.resize(spec.contacts.size());
    impl_->spec = std::move(spec);
}
System::~System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;

void System::set_state(double t, const VectorXd& q, const VectorXd& u) {
    require(q.size() == impl_->spec.freedoms && u.size() == impl_->spec.freedoms && q.allFinite() && u.allFinite(),
            "a state needs one finite position and velocity a freedom");
    impl_->t = t;
    impl_->q = q;
    impl_->u = u;
    for (VectorXd& S : impl_->history) S.resize(0);
}

double System::time() const { return impl_->t; }
const VectorXd& System::position() const { return impl_->q; }
const VectorXd& System::velocity() const { return impl_->u; }
double System::kinetic_energy() const {
    return 0.5 * impl_->u.dot(impl_->spec.inertia(impl_->t, impl_->q) * impl_->u);
}

SystemReport System::step(double h) {
    require(std::isfinite(h) && h > 0.0, "the step must be > 0");
    Impl& s = *impl_;
    Impl::Step now(s, h);
    SystemReport report;
    if (!now.closed.empty()) s.solve_contacts(now, report);
    now.finish();
    now.book(report);
    for (VectorXd& old : s.history) old.resize(0);
    for (const ClosedContact& c : report.contacts) s.history[static_cast<std::size_t>(c.contact)] = c.impulse / h;
    s.q = now.q_m + 0.5 * h * now.u_F;
    s.u = now.u_F;
    s.t += h;
    ++s.steps;
    report.multipliers = now.lambda;
    s.bring_back(report);
    report.time = s.t;
    return report;
}

}  // namespace talus
