#include "talus/sweeping.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

#include "math/nonnegative.h"
#include "talus/error.h"

namespace talus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int max_newton = 60;
constexpr double rounding = 1e-15;   ///< steps below this part of the coordinates are none
constexpr double small = 1e-11;      ///< below this they end the search when they shrink no more

/// Second derivatives of f by differences of its gradient.
MatrixXd curvature(const Inequality& f, double t, const VectorXd& x, double reach) {
    const Eigen::Index n = x.size();
    const double size = reach + 0.1 * x.norm(), e = 1e-5 * (size > 0.0 ? size : 1.0);
    MatrixXd H(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
        VectorXd ahead = x, behind = x;
        ahead[k] += e;
        behind[k] -= e;
        H.col(k) = (f.gradient(t, ahead) - f.gradient(t, behind)) / (2.0 * e);
    }
    return 0.5 * (H + H.transpose());
}

/// min |x + d - q|^2/2 + curvature along d, all inequalities linear about x: the multipliers, and d.
struct Linearised {
    VectorXd d, multipliers;
    bool solvable = true;
};

Linearised solve_linearised(const MatrixXd& B, const VectorXd& pull, const MatrixXd& J, const VectorXd& f) {
    // d = B^-1 (pull - J^T y), with y >= 0 and f + J d <= 0 complementary.
    const Eigen::LLT<MatrixXd> llt(B);
    const MatrixXd BJ = llt.solve(J.transpose());
    const VectorXd Bp = llt.solve(pull);
    Linearised out;
    out.multipliers = minimise_nonnegative(J * BJ, -(f + J * Bp), out.solvable);
    out.d = Bp - BJ * out.multipliers;
    return out;
}

/// Of the curvature that the multipliers weigh, what keeps the problem convex: none when it does not.
MatrixXd metric(const std::vector<Inequality>& all, double t, const VectorXd& x, const VectorXd& y, double reach) {
    MatrixXd B = MatrixXd::Identity(x.size(), x.size());
    for (Eigen::Index i = 0; i < y.size(); ++i)
        if (y[i] > 0.0) B += y[i] * curvature(all[static_cast<std::size_t>(i)], t, x, reach);
    const Eigen::LLT<MatrixXd> llt(B);
    const bool convex = llt.info() == Eigen::Success && B.diagonal().minCoeff() > 1e-3;
    return convex ? B : MatrixXd(MatrixXd::Identity(x.size(), x.size()));
}

void note_active(const VectorXd& y, Projection& out) {
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        if (!(y[i] > 0.0)) continue;
        out.active.push_back(static_cast<int>(i));
        out.multipliers.push_back(y[i]);
    }
}

Projection project_on(const std::vector<Inequality>& all, double t, const VectorXd& q) {
    Projection out;
    const auto m = static_cast<Eigen::Index>(all.size());
    const Eigen::Index n = q.size();
    VectorXd x = q, y = VectorXd::Zero(m), f(m);
    MatrixXd J(m, n);
    const auto look = [&](const VectorXd& at) {
        for (Eigen::Index i = 0; i < m; ++i) f[i] = all[static_cast<std::size_t>(i)].value(t, at);
        return m > 0 ? std::max(0.0, f.maxCoeff()) : 0.0;
    };
    out.point = q;
    if (look(q) <= 0.0) return out;
    double steepest = 0.0;
    for (Eigen::Index i = 0; i < m; ++i) steepest = std::max(steepest, all[static_cast<std::size_t>(i)].gradient(t, q).norm());
    const double reach = steepest > 0.0 ? look(q) / steepest : 1.0;
    out.converged = false;
    double last = 0.0;
    for (out.iterations = 1; out.iterations <= max_newton; ++out.iterations) {
        (void)look(x);
        for (Eigen::Index i = 0; i < m; ++i) J.row(i) = all[static_cast<std::size_t>(i)].gradient(t, x).transpose();
        const Linearised step = solve_linearised(metric(all, t, x, y, reach), VectorXd(q - x), J, f);
        if (!step.solvable) break;
        // The step, shortened while it worsens the sum of distance and of what is outside.
        const double weight = 2.0 * (1.0 + step.multipliers.sum());
        const auto merit = [&](const VectorXd& at) { return 0.5 * (at - q).squaredNorm() + weight * look(at); };
        const double before = merit(x);
        double length = 1.0;
        const double size = step.d.norm(), coordinates = q.norm() + (x - q).norm();
        const bool is_small = size <= small * coordinates;  // the merit is rounding here
        while (!is_small && length > 1e-3 && merit(x + length * step.d) > before * (1.0 + 1e-12)) length *= 0.5;
        x += length * step.d;
        y += length * (step.multipliers - y);
        if (is_small && (size <= rounding * coordinates || size >= 0.5 * last)) {
            out.converged = true;
            break;
        }
        last = size;
    }
    out.point = x;
    out.violation = look(x);
    if (out.violation > 1e-8 * steepest * reach && out.violation > 1e-12 * steepest * (1.0 + q.norm())) out.converged = false;
    note_active(y, out);
    return out;
}

Projection velocity_of(const std::vector<Inequality>& all, double t, const VectorXd& q) {
    Projection out;
    std::vector<int> closed;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].value(t, q) >= 0.0) closed.push_back(static_cast<int>(i));
    out.point = VectorXd::Zero(q.size());
    if (closed.empty()) return out;
    const auto m = static_cast<Eigen::Index>(closed.size());
    MatrixXd J(m, q.size());
    VectorXd rate(m);
    for (Eigen::Index i = 0; i < m; ++i) {
        const Inequality& f = all[static_cast<std::size_t>(closed[static_cast<std::size_t>(i)])];
        J.row(i) = f.gradient(t, q).transpose();
        rate[i] = f.rate(t, q);
    }
    const Linearised v = solve_linearised(MatrixXd::Identity(q.size(), q.size()), VectorXd::Zero(q.size()), J, rate);
    out.converged = v.solvable;
    out.point = v.d;
    note_active(v.multipliers, out);
    for (int& i : out.active) i = closed[static_cast<std::size_t>(i)];
    return out;
}

}  // namespace

MovingSet::MovingSet(std::function<VectorXd(double, const VectorXd&)> projection) : projection_(std::move(projection)) {
    if (!projection_) throw InputError("a moving set needs a projection or inequalities");
}

MovingSet::MovingSet(std::vector<Inequality> inequalities) : inequalities_(std::move(inequalities)) {
    for (const Inequality& f : inequalities_)
        if (!f.value || !f.gradient) throw InputError("an inequality of a moving set needs its value and its gradient");
}

Projection MovingSet::project(double t, const VectorXd& q) const {
    if (!projection_) return project_on(inequalities_, t, q);
    Projection out;
    out.point = projection_(t, q);
    if ((out.point - q).isZero(0.0)) return out;
    out.active = {0};
    out.multipliers = {(q - out.point).norm()};
    return out;
}

Projection MovingSet::velocity(double t, const VectorXd& q) const {
    if (projection_) throw InputError("the velocity of a sweeping process needs the set as inequalities, with their rates");
    for (const Inequality& f : inequalities_)
        if (!f.rate) throw InputError("the explicit scheme needs the rate of every inequality of the moving set");
    return velocity_of(inequalities_, t, q);
}

double MovingSet::violation(double t, const VectorXd& q) const {
    if (projection_) return (projection_(t, q) - q).norm();
    double worst = 0.0;
    for (const Inequality& f : inequalities_) worst = std::max(worst, f.value(t, q));
    return worst;
}

SweepingProcess::SweepingProcess(MovingSet set, double t, VectorXd q, SweepScheme scheme)
    : set_(std::move(set)), t_(t), q_(std::move(q)), scheme_(scheme) {
    if (!q_.allFinite()) throw InputError("the point of a sweeping process must be finite");
}

SweepReport SweepingProcess::step(double h) {
    if (!(h > 0.0)) throw InputError("the step of a sweeping process must be > 0");
    const bool implicit = scheme_ == SweepScheme::catching_up;
    Projection p = implicit ? set_.project(t_ + h, q_) : set_.velocity(t_, q_);
    const VectorXd next = implicit ? p.point : VectorXd(q_ + h * p.point);
    SweepReport report;
    t_ += h;
    report.time = t_;
    report.moved = (next - q_).norm();
    report.active = std::move(p.active);
    report.violation = implicit ? p.violation : set_.violation(t_, next);
    report.iterations = p.iterations;
    report.converged = p.converged;
    q_ = next;
    swept_ += report.moved;
    return report;
}

}  // namespace talus
