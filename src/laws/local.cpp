#include "laws/local.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <array>

#include "math/portable.h"

namespace talus {
namespace {

template <int Dim>
using TangentVec = Eigen::Matrix<double, Dim - 1, 1>;

/// The impulse that stops the formal velocity, if it lies in the cone. A singular H (freedoms held)
/// still has one when b lies in its range.
template <int Dim>
bool try_sticking(const Mat<Dim>& H, const Vec<Dim>& b, double mu, Vec<Dim>& S) {
    const Eigen::LDLT<Mat<Dim>> factor(H);
    const bool regular = factor.vectorD().minCoeff() > 1e-13 * factor.vectorD().maxCoeff();
    if (regular) {
        S = factor.solve(-b);
    } else {
        S = H.completeOrthogonalDecomposition().solve(-b);
        if ((H * S + b).norm() > 1e-10 * b.norm()) return false;
    }
    return S[0] >= 0.0 && S.template tail<Dim - 1>().norm() <= mu * S[0];
}

/// Impulse that slides along the unit direction e: S_T = -mu S_N e, U_N = 0. Invalid where friction
/// pushes the bodies together faster than the normal impulse parts them.
template <int Dim>
struct Sliding {
    Vec<Dim> S = Vec<Dim>::Zero();
    double slip = -HUGE_VAL;   ///< e . V_T, must be >= 0
    bool valid = false;
};

template <int Dim>
Sliding<Dim> slide_along(const Mat<Dim>& H, const Vec<Dim>& b, double mu, const TangentVec<Dim>& e) {
    Sliding<Dim> s;
    Vec<Dim> direction;
    direction[0] = 1.0;
    direction.template tail<Dim - 1>() = -mu * e;
    const Vec<Dim> response = H * direction;
    if (!(response[0] > 0.0)) return s;
    s.S = (-b[0] / response[0]) * direction;
    s.slip = e.dot((b + H * s.S).template tail<Dim - 1>());
    s.valid = true;
    return s;
}

/// Coefficients of phi(theta) = c0 + c1 cos + s1 sin + c2 cos 2theta + s2 sin 2theta, which vanishes
/// where the slip velocity is along e(theta).
struct SlipPolynomial {
    double c0, c1, s1, c2, s2;
    [[nodiscard]] double value(double t) const {
        const double c = portable::cos(t), s = portable::sin(t);
        return c0 + c1 * c + s1 * s + c2 * (c * c - s * s) + s2 * 2.0 * s * c;
    }
    [[nodiscard]] double slope(double t) const {
        const double c = portable::cos(t), s = portable::sin(t);
        return s1 * c - c1 * s - 4.0 * c2 * s * c + 2.0 * s2 * (c * c - s * s);
    }
};

SlipPolynomial slip_polynomial(const Mat<3>& H, const Vec<3>& b, double mu) {
    const Vec<2> bt = b.tail<2>(), h = H.block<2, 1>(1, 0);
    const Vec<2> p = bt * H(0, 0) - b[0] * h;
    const Mat<2> Q = mu * (b[0] * H.block<2, 2>(1, 1) - bt * H.block<1, 2>(0, 1));
    return {0.5 * (Q(1, 0) - Q(0, 1)), p[1], -p[0], 0.5 * (Q(1, 0) + Q(0, 1)), 0.5 * (Q(1, 1) - Q(0, 0))};
}

/// Roots of phi between the extrema of its scan: the scan brackets, bisection and Newton finish.
/// Near-double roots that no sign change shows are caught by their extremum.
int slip_roots(const SlipPolynomial& phi, std::array<double, 64>& roots) {
    constexpr int samples = 48;
    const double step = 2.0 * M_PI / samples;
    int count = 0;
    // The last sample is the first: sin(2 pi) is not zero in floating point, and a root at angle zero
    // (slip along the first tangent) must not fall between the two.
    const double first = phi.value(0.0), first_slope = phi.slope(0.0);
    double left = first, left_slope = first_slope;
    for (int k = 0; k < samples && count < 60; ++k) {
        double lo = k * step, hi = (k + 1) * step;
        const bool last = k + 1 == samples;
        const double right = last ? first : phi.value(hi), right_slope = last ? first_slope : phi.slope(hi);
        const bool crossing = (left <= 0.0) != (right <= 0.0);
        const bool extremum = !crossing && (left_slope < 0.0) != (right_slope < 0.0);
        const bool of_slope = extremum;
        if (crossing || extremum) {
            const auto f = [&](double t) { return of_slope ? phi.slope(t) : phi.value(t); };
            const bool low_sign = f(lo) <= 0.0;
            for (int i = 0; i < 60; ++i) {
                const double mid = 0.5 * (lo + hi);
                ((f(mid) <= 0.0) == low_sign ? lo : hi) = mid;
            }
            roots[count++] = 0.5 * (lo + hi);
        }
        left = right;
        left_slope = right_slope;
    }
    return count;
}

}  // namespace

Vec<2> solve_full_contact(const Mat<2>& H, const Vec<2>& b, double mu) {
    if (b[0] >= 0.0 || !(H(0, 0) > 0.0)) return Vec<2>::Zero();
    Vec<2> S;
    if (try_sticking<2>(H, b, mu, S)) return S;
    // Slip in the direction in which it would go without friction first; else the other way.
    const Sliding<2> forward = slide_along<2>(H, b, mu, TangentVec<2>(1.0));
    const Sliding<2> backward = slide_along<2>(H, b, mu, TangentVec<2>(-1.0));
    const bool forward_ok = forward.valid && forward.slip >= 0.0;
    const bool backward_ok = backward.valid && backward.slip >= 0.0;
    if (forward_ok && backward_ok) return forward.S[0] <= backward.S[0] ? forward.S : backward.S;
    if (forward_ok || backward_ok) return forward_ok ? forward.S : backward.S;
    // On the edge between sticking and sliding both slips vanish up to rounding.
    return forward.slip >= backward.slip ? forward.S : backward.S;
}

Vec<3> solve_full_contact(const Mat<3>& H, const Vec<3>& b, double mu) {
    if (b[0] >= 0.0 || !(H(0, 0) > 0.0)) return Vec<3>::Zero();
    Vec<3> S;
    if (try_sticking<3>(H, b, mu, S)) return S;
    if (mu == 0.0) return {-b[0] / H(0, 0), 0.0, 0.0};
    const SlipPolynomial phi = slip_polynomial(H, b, mu);
    std::array<double, 64> roots;
    const int count = slip_roots(phi, roots);
    Sliding<3> best;
    double best_defect = HUGE_VAL;
    const double scale = std::abs(phi.c1) + std::abs(phi.s1) + std::abs(phi.c2) + std::abs(phi.s2);
    for (int k = 0; k < count; ++k) {
        const Sliding<3> s = slide_along<3>(H, b, mu, {portable::cos(roots[k]), portable::sin(roots[k])});
        if (!s.valid) continue;
        // Sideways slip plus slip against friction: zero at a solution.
        const double defect = std::abs(phi.value(roots[k])) / scale + std::max(0.0, -s.slip) / b.norm();
        const bool better = defect < 0.5 * best_defect && defect < best_defect - 1e-13;
        const bool as_good = std::abs(defect - best_defect) <= 1e-13 && s.S[0] < best.S[0];
        if (better || as_good) { best = s; best_defect = defect; }
    }
    return best.S;
}

}  // namespace talus
