#include "laws/local.h"

#include <algorithm>
#include <array>
#include <limits>

namespace talus {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Pivots below this share of the operator's trace come from held freedoms and rounding.
constexpr double singular = 1e-13;
/// What rounding may leave of a law that is satisfied, over |b| + |H| |S|.
constexpr double rounding = 64.0 * epsilon;

Vec<2> turned(const Vec<2>& e) { return {-e[1], e[0]}; }
double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

// ---------------------------------------------------------------------------------- sticking

/// The tangential impulse x with A x = y, A = H_TT - h h^T / H_NN being what is left of H when the
/// normal velocity is held at zero. Elimination by the larger diagonal entry. Of the many solutions for
/// a singular A the one without a part that A does not see; none if y has such a part.
bool solve_tangent(double A, double y, double trace, double tolerance, double& x) {
    x = 0.0;
    if (!(A > singular * trace)) return std::abs(y) <= tolerance;
    x = y / A;
    return true;
}

bool solve_tangent(const Mat<2>& A, const Vec<2>& y, double trace, double tolerance, Vec<2>& x) {
    const int i = A(0, 0) >= A(1, 1) ? 0 : 1, j = 1 - i;
    x.setZero();
    if (!(A(i, i) > singular * trace)) return y.norm() <= tolerance;
    const double ratio = A(0, 1) / A(i, i), rest = A(j, j) - ratio * A(0, 1), defect = y[j] - ratio * y[i];
    if (rest > singular * trace) {
        x[j] = defect / rest;
        x[i] = y[i] / A(i, i) - ratio * x[j];
        return true;
    }
    // A = A_ii a a^T with a = (1, ratio): x along a.
    x[i] = y[i] / (A(i, i) * (1.0 + ratio * ratio));
    x[j] = ratio * x[i];
    return std::abs(defect) <= tolerance;
}

/// The impulse that stops the formal velocity, if there is one and it lies in the cone.
bool sticks(const Mat<2>& H, const Vec<2>& b, double mu, Vec<2>& S) {
    const double ratio = H(1, 0) / H(0, 0), y = b[1] - ratio * b[0];
    double x = 0.0;
    const double tolerance = rounding * (std::abs(b[1]) + std::abs(ratio * b[0]));
    if (!solve_tangent(H(1, 1) - ratio * H(1, 0), y, H.trace(), tolerance, x)) return false;
    S = {-b[0] / H(0, 0) + ratio * x, -x};
    return std::abs(x) <= mu * S[0];
}

/// What H leaves of tangential impulses, with the normal velocity held at zero by `ratio` = h / H_NN.
Mat<2> schur(const Mat<3>& H, const Vec<2>& ratio) {
    Mat<2> A;
    A(0, 0) = H(1, 1) - ratio[0] * H(1, 0);
    A(1, 0) = A(0, 1) = H(2, 1) - ratio[0] * H(2, 0);
    A(1, 1) = H(2, 2) - ratio[1] * H(2, 0);
    return A;
}

bool sticks(const Mat<3>& H, const Mat<2>& A, const Vec<2>& ratio, const Vec<3>& b, double mu, Vec<3>& S) {
    const Vec<2> pull = b[0] * ratio, y = Vec<2>(b[1], b[2]) - pull;
    Vec<2> x;
    const double tolerance = rounding * (std::abs(b[1]) + std::abs(b[2]) + std::abs(pull[0]) + std::abs(pull[1]));
    if (!solve_tangent(A, y, H.trace(), tolerance, x)) return false;
    S = {-b[0] / H(0, 0) + ratio.dot(x), -x[0], -x[1]};
    return S[0] >= 0.0 && x.squaredNorm() <= mu * S[0] * (mu * S[0]);
}

// ---------------------------------------------------------------------------------- sliding, plane

/// Sliding along e = +1 or -1, S = P (1, -mu e) with U_N = 0: where friction pushes the bodies
/// together faster than the normal impulse parts them there is none.
struct Slide2 {
    Vec<2> S = Vec<2>::Zero();
    double slip = -HUGE_VAL;  ///< along e; below zero friction would drive
};

Slide2 slide_along(const Mat<2>& H, const Vec<2>& b, double mu, double e) {
    Slide2 slide;
    const double response = H(0, 0) - mu * e * H(1, 0);
    if (!(response > 0.0)) return slide;
    const double P = -b[0] / response;
    slide.S = {P, -mu * e * P};
    slide.slip = e * (b[1] + P * (H(1, 0) - mu * e * H(1, 1)));
    return slide;
}

// ---------------------------------------------------------------------------------- sliding, space

/// Sliding along a unit vector e: S = s (nu, -tau e) with mu = tau/nu, which stays finite for any mu.
/// With w(e) = nu h - tau H_TT e and d(e) = nu H_NN - tau h.e, the normal velocity is b_N + s d and the
/// slip b_T + s w. Eliminating s = -b_N/d, the slip is along e where
///     phi(e) = e x g(e) = 0,   g = d b_T - b_N w   (= d times the slip).
struct SlideProblem {
    double hnn, bn, nu, tau;
    Vec<2> h, bt;
    Mat<2> T;
    double size;  ///< |b| + |H| |S| is this for s = 0 ...
    double size_of_s;  ///< ... and grows by this for s = 1

    SlideProblem(const Mat<3>& H, const Vec<3>& b, double mu)
        : hnn(H(0, 0)), bn(b[0]), nu(1.0 / (1.0 + mu)), tau(mu / (1.0 + mu)), h(H(1, 0), H(2, 0)), bt(b[1], b[2]),
          T(H.block<2, 2>(1, 1)), size(std::abs(bn) + std::abs(bt[0]) + std::abs(bt[1])), size_of_s(H.trace()) {}

    [[nodiscard]] double response(const Vec<2>& e) const { return nu * hnn - tau * h.dot(e); }
    [[nodiscard]] Vec<2> drift(const Vec<2>& e) const { return nu * h - tau * (T * e); }
};

/// A slide found: direction and size of its impulse, and by how much it misses the law.
struct Slide3 {
    Vec<2> e = Vec<2>::Zero();
    double s = 0.0;
    double missed = HUGE_VAL;  ///< a velocity [m/s]

    /// Up to rounding; an impulse whose rounding drowns b is no answer.
    [[nodiscard]] bool holds(const SlideProblem& p) const { return is_rounding(p, missed); }
    [[nodiscard]] bool parts(const SlideProblem& p) const { return is_rounding(p, p.bn + s * p.response(e)); }
    [[nodiscard]] bool is_rounding(const SlideProblem& p, double velocity) const {
        const double drowned = singular * p.size_of_s * s;
        return std::abs(velocity) <= rounding * (p.size + p.size_of_s * s) && drowned < p.size;
    }
    [[nodiscard]] Vec<3> impulse(const SlideProblem& p) const {
        return {s * p.nu, -s * p.tau * e[0], -s * p.tau * e[1]};
    }
};

/// Residuals of the two equations of a slide, and its slip along e.
struct SlideResidual {
    double normal, sideways, along;
};

SlideResidual residual_of(const SlideProblem& p, const Vec<2>& e, double s) {
    const Vec<2> slip = p.bt + s * p.drift(e);
    return {p.bn + s * p.response(e), cross(e, slip), e.dot(slip)};
}

double missed_by(const SlideResidual& r, double s) {
    if (!(s >= 0.0)) return HUGE_VAL;
    return std::abs(r.normal) + std::abs(r.sideways) + std::max(0.0, -r.along);
}

/// Newton's method for s and e together, from a direction near a root. Eliminating s instead would lose
/// digits where d is small. Stops at rounding.
Slide3 polish(const SlideProblem& p, Vec<2> e, int most_steps) {
    Slide3 best;
    const double d = p.response(e), w = cross(e, p.drift(e));
    // The least squares value for this e.
    double s = -(p.bn * d + cross(e, p.bt) * w) / (d * d + w * w);
    for (int step = 0, idle = 0;; ++step) {
        const SlideResidual r = residual_of(p, e, s);
        const double missed = missed_by(r, s);
        idle = missed < 0.5 * best.missed ? 0 : idle + 1;
        if (missed < best.missed || step == 0) best = {e, s, missed};
        // The last digits do not improve for ever, but an ill-conditioned H may need a detour.
        const bool exact = missed <= 2.0 * epsilon * (p.size + p.size_of_s * s);
        const bool done = exact || (idle > 0 && best.holds(p)) || idle > 2;
        if (done || step == most_steps) return best;
        const Vec<2> across = turned(e);
        const double response = p.response(e), turn_response = -s * p.tau * p.h.dot(across);
        const double drift = cross(e, p.drift(e)), turn_drift = -r.along - s * p.tau * across.dot(p.T * across);
        const double determinant = response * turn_drift - turn_response * drift;
        if (determinant == 0.0) return best;
        const double turn = (drift * r.normal - response * r.sideways) / determinant;
        s += (turn_response * r.sideways - turn_drift * r.normal) / determinant;
        e = (e + turn * across).normalized();
    }
}

/// Whether one direction of slip at most satisfies the law, whatever b. On the plane U_N = 0 the slides
/// that lead to a given state are rays that start on the rim of the friction cone, a conic, in the
/// directions of A^-1 e; they cover the outside of the conic exactly once if neighbours never cross,
/// which holds where   e'.A e' + kappa (h.e') (e.A e') > 0   for all e, with e' = e turned by a right
/// angle and kappa = mu/(H_NN - mu h.e) > 0. This is the bound of it over e.
bool is_single_valued(const SlideProblem& p, const Mat<2>& A) {
    const double mean = 0.5 * (A(0, 0) + A(1, 1)), half = 0.5 * (A(0, 0) - A(1, 1));
    const double spread = std::sqrt(half * half + A(0, 1) * A(0, 1));
    const double room = p.nu * p.hnn - p.tau * p.h.norm();
    return spread * p.nu * p.hnn < 0.999 * mean * room && mean - spread > singular * p.size_of_s;
}

/// phi(theta) = c0 + c1 cos + s1 sin + c2 cos 2theta + s2 sin 2theta with its derivatives.
struct SlipPolynomial {
    double c0, c1, s1, c2, s2;
    double noise;   ///< rounding of its values
    double fourth;  ///< bound of its fourth derivative

    explicit SlipPolynomial(const SlideProblem& p) {
        const Vec<2> g = p.nu * (p.hnn * p.bt - p.bn * p.h);
        const Mat<2> Q = p.tau * (p.bn * p.T - p.bt * p.h.transpose());
        c0 = 0.5 * (Q(1, 0) - Q(0, 1));
        c1 = g[1];
        s1 = -g[0];
        c2 = 0.5 * (Q(1, 0) + Q(0, 1));
        s2 = 0.5 * (Q(1, 1) - Q(0, 0));
        const double b = std::abs(p.bt[0]) + std::abs(p.bt[1]), h = std::abs(p.h[0]) + std::abs(p.h[1]);
        const double bn = std::abs(p.bn);
        noise = 8.0 * epsilon * (p.nu * (p.hnn * b + bn * h) + p.tau * (bn * p.T.trace() + b * h));
        fourth = std::abs(c1) + std::abs(s1) + 16.0 * (std::abs(c2) + std::abs(s2));
    }

    struct Values {
        double value, first, second, third;
    };
    [[nodiscard]] Values at(const Vec<2>& e) const {
        const double c = e[0] * e[0] - e[1] * e[1], s = 2.0 * e[0] * e[1];
        const double A = c1 * e[0] + s1 * e[1], B = s1 * e[0] - c1 * e[1];
        const double C = c2 * c + s2 * s, D = 2.0 * (s2 * c - c2 * s);
        return {c0 + A + C, B + D, -A - 4.0 * C, -B - 4.0 * D};
    }
};

/// All directions in which phi vanishes, up to rounding. The circle is halved until Taylor's bound shows
/// for each arc that phi has no root there, or is monotonic (one root or none, by the signs at its ends),
/// or vanishes altogether within rounding. Nothing is skipped: no slide is missed.
class SlipRoots {
public:
    explicit SlipRoots(const SlideProblem& problem) : phi_(problem) {
        const std::array<Vec<2>, 4> axes = {Vec<2>(1.0, 0.0), Vec<2>(0.0, 1.0), Vec<2>(-1.0, 0.0), Vec<2>(0.0, -1.0)};
        for (int k = 0; k < 4; ++k) split({axes[k], axes[(k + 1) % 4], 0.25 * M_PI}, 0);
    }
    [[nodiscard]] const Vec<2>* begin() const { return roots_.data(); }
    [[nodiscard]] const Vec<2>* end() const { return roots_.data() + count_; }

private:
    struct Arc {
        Vec<2> left, right;
        double half;  ///< half its angle, or a little more
    };

    void split(const Arc& arc, int depth) {
        const Vec<2> middle = (arc.left + arc.right).normalized();
        search({arc.left, middle, 0.5 * arc.half}, depth + 1);
        search({middle, arc.right, 0.5 * arc.half}, depth + 1);
    }

    void search(const Arc& arc, int depth) {
        constexpr int deepest = 40;  // the noise ends the search long before
        const Vec<2> middle = (arc.left + arc.right).normalized();
        const double x = arc.half * (1.0 + 1e-9);
        const SlipPolynomial::Values f = phi_.at(middle);
        const double slope = std::abs(f.first);
        const double bend = x * (std::abs(f.second) + x * (0.5 * std::abs(f.third) + x * phi_.fourth / 6.0));
        const double change = x * (slope + bend);
        if (std::abs(f.value) > change + phi_.noise) return;
        if (change <= phi_.noise || depth == deepest) return add(middle);
        if (slope > bend + phi_.noise) return cross_zero(arc, middle);
        split(arc, depth);
    }

    /// The root in an arc on which phi is monotonic: Newton's method, halving where it leaves the arc.
    void cross_zero(const Arc& arc, Vec<2> e) {
        Vec<2> left = arc.left, right = arc.right;
        const bool left_sign = phi_.at(left).value < 0.0;
        if ((phi_.at(right).value < 0.0) == left_sign) return;
        for (int step = 0; step < 60; ++step) {
            const SlipPolynomial::Values f = phi_.at(e);
            ((f.value < 0.0) == left_sign ? left : right) = e;
            if (std::abs(f.value) <= phi_.noise) break;
            const Vec<2> next = (e - f.value / f.first * turned(e)).normalized();
            e = cross(left, next) > 0.0 && cross(next, right) > 0.0 ? next : (left + right).normalized();
        }
        add(e);
    }

    void add(const Vec<2>& e) {
        if (count_ < roots_.size()) roots_[count_++] = e;
    }

    SlipPolynomial phi_;
    std::array<Vec<2>, 64> roots_;
    std::size_t count_ = 0;
};

/// The slide of least normal impulse among all there are. Where there is none (H singular and b beyond
/// the reach of any impulse: the bodies are wedged) what comes nearest to the law, no friction at worst.
Slide3 least_slide(const SlideProblem& p) {
    const double frictionless = -p.bn / (p.nu * p.hnn);
    Slide3 best = {Vec<2>::Zero(), frictionless, (p.bt + frictionless * p.nu * p.h).norm()};
    bool best_holds = false;
    for (const Vec<2>& e : SlipRoots(p)) {
        const Slide3 slide = polish(p, e, 12);
        const bool holds = slide.holds(p);
        if (holds != best_holds ? holds : holds ? slide.s < best.s : slide.parts(p) && slide.missed < best.missed) {
            best = slide;
            best_holds = holds;
        }
    }
    return best;
}

/// The contact presses, and an impulse along the normal can do something about it.
template <int Dim>
bool is_pressed(const Mat<Dim>& H, const Vec<Dim>& b) {
    return b[0] < 0.0 && H(0, 0) > singular * H.trace();
}

}  // namespace

Vec<2> solve_full_contact(const Mat<2>& H, const Vec<2>& b, double mu, const Vec<2>&) {
    if (!is_pressed<2>(H, b)) return Vec<2>::Zero();
    Vec<2> S;
    if (sticks(H, b, mu, S)) return S;
    const Slide2 forward = slide_along(H, b, mu, 1.0), backward = slide_along(H, b, mu, -1.0);
    if (forward.slip >= 0.0 && backward.slip >= 0.0) return forward.S[0] <= backward.S[0] ? forward.S : backward.S;
    const Slide2& slide = forward.slip >= backward.slip ? forward : backward;
    // On the edge of sticking the slip vanishes up to rounding. Where H is singular the bodies may be wedged,
    // and nothing satisfies the law: then what comes nearest to it.
    const double frictionless = -b[0] / H(0, 0);
    return slide.slip >= -std::abs(b[1] + frictionless * H(1, 0)) ? slide.S : Vec<2>(frictionless, 0.0);
}

Vec<3> solve_full_contact(const Mat<3>& H, const Vec<3>& b, double mu, const Vec<3>& start) {
    if (!is_pressed<3>(H, b)) return Vec<3>::Zero();
    Vec<3> S;
    const Vec<2> ratio = Vec<2>(H(1, 0), H(2, 0)) * (1.0 / H(0, 0));
    const Mat<2> A = schur(H, ratio);
    if (sticks(H, A, ratio, b, mu, S)) return S;
    if (mu == 0.0) return {-b[0] / H(0, 0), 0.0, 0.0};
    const SlideProblem problem(H, b, mu);
    if (is_single_valued(problem, A)) {
        Vec<2> e(-start[1], -start[2]);
        if (e.isZero(0.0)) e = problem.hnn * problem.bt - problem.bn * problem.h;
        const double length = e.norm();
        if (length > 0.0) {
            const Slide3 slide = polish(problem, e / length, 12);
            if (slide.holds(problem)) return slide.impulse(problem);
        }
    }
    return least_slide(problem).impulse(problem);
}

LocalOperator<2> local_operator(const Mat<2>& H, double) {
    const double ratio = H(1, 0) / H(0, 0), A = H(1, 1) - ratio * H(1, 0), least = singular * H.trace();
    return {ratio, A, H(0, 0) > least && A > least};
}

LocalOperator<3> local_operator(const Mat<3>& H, double mu) {
    LocalOperator<3> op;
    op.ratio = Vec<2>(H(1, 0), H(2, 0)) * (1.0 / H(0, 0));
    op.trace = H.trace();
    const Mat<2> A = schur(H, op.ratio);
    const SlideProblem problem(H, Vec<3>::Zero(), mu);
    const int i = A(0, 0) >= A(1, 1) ? 0 : 1, j = 1 - i;
    op.swapped = i == 1;
    op.pivot = A(i, i);
    op.across = A(0, 1) / A(i, i);
    op.rest = A(j, j) - op.across * A(0, 1);
    op.nu = problem.nu;
    op.tau = problem.tau;
    op.single = is_single_valued(problem, A);
    const double least = singular * op.trace;
    op.regular = H(0, 0) > least && op.pivot > least && op.rest > least;
    return op;
}

}  // namespace talus
