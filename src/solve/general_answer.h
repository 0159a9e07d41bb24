#pragma once
/// \file
/// The exact impulse of four contacts with full H at once: `solve_full_contact` [laws/local.h] lane by lane, in the same order of operations.
///
/// Separation, sticking and sliding in the plane are closed forms; the direction of slip in space is found by the same steps of Newton's
/// method, until the last lane has it. What is rare is left to the local solver itself: an H without pivots, several slides, a search
/// that fails. Lanes that are not asked compute along, and what they find is thrown away.

#include <cmath>
#include <limits>

#include "solve/general_block.h"

namespace talus {
namespace {

/// \returns the lanes that are left to the local solver. `start`: impulses near the answer.
template <class W>
inline typename W::Mask answer(const GeneralBlock<2>& c, const W (&b)[2], const W (&)[2], W (&S)[2]) {
    const W zero = W::all(0.0), h = W::load(c.H[1][0]), hnn = W::load(c.H[0][0]), mu = W::load(c.mu), ratio = W::load(c.local.ratio);
    const auto pressed = zero > b[0], irregular = W::load(c.irregular) > zero;
    const W frictionless = -b[0] / hnn;
    const W x = neg_mul_add(ratio, b[0], b[1]) / W::load(c.local.A);
    S[0] = mul_add(ratio, x, frictionless);
    S[1] = -x;
    const auto slides = without(pressed, (mu * S[0] >= magnitude(x)) | irregular);
    if (bits(slides) != 0) {
        // Forward and backward: S = P (1, -+mu) with U_N = 0, and the slip along it. No such P where friction pushes
        // the bodies together faster than the normal impulse parts them.
        const W none = W::all(-HUGE_VAL), htt = W::load(c.H[1][1]);
        const W response_f = neg_mul_add(mu, h, hnn), response_b = mul_add(mu, h, hnn);
        const auto forward_is = response_f > zero, backward_is = response_b > zero;
        const W P_f = select(forward_is, -b[0] / response_f, zero), P_b = select(backward_is, -b[0] / response_b, zero);
        const W slip_f = select(forward_is, mul_add(P_f, neg_mul_add(mu, htt, h), b[1]), none);
        const W slip_b = select(backward_is, -mul_add(P_b, mul_add(mu, htt, h), b[1]), none);
        const auto both = (slip_f >= zero) & (slip_b >= zero);
        const auto forward = (both & (P_b >= P_f)) | without(slip_f >= slip_b, both);
        const W P = select(forward, P_f, P_b), slip = select(forward, slip_f, slip_b), T = mu * P;
        const auto held = both | (slip >= -magnitude(mul_add(frictionless, h, b[1])));
        S[0] = select(slides, select(held, P, frictionless), S[0]);
        S[1] = select(slides, select(held, select(forward, -T, T), zero), S[1]);
    }
    for (W& s : S) s = select(pressed, s, zero);
    return pressed & irregular;
}

/// Sliding in space along e: S = s (nu, -tau e); see `SlideProblem` of laws/local.cpp.
template <class W>
struct SlideLanes {
    W hnn, h[2], T[2][2], nu, tau, trace;
    W bn, bt[2], size;   ///< |b| + |H| |S| is `size` + `trace` s

    SlideLanes(const GeneralBlock<3>& c, const W (&b)[3])
        : hnn(W::load(c.H[0][0])), h{W::load(c.H[1][0]), W::load(c.H[2][0])},
          T{{W::load(c.H[1][1]), W::load(c.H[1][2])}, {W::load(c.H[2][1]), W::load(c.H[2][2])}}, nu(W::load(c.local.nu)),
          tau(W::load(c.local.tau)), trace(W::load(c.local.trace)), bn(b[0]), bt{b[1], b[2]},
          size(magnitude(b[0]) + magnitude(b[1]) + magnitude(b[2])) {}

    [[nodiscard]] W response(const W (&e)[2]) const { return neg_mul_add(tau, mul_add(h[0], e[0], h[1] * e[1]), nu * hnn); }
    void drift(const W (&e)[2], W (&out)[2]) const {
        for (int i = 0; i < 2; ++i) out[i] = nu * h[i] - mul_add(tau * T[i][0], e[0], tau * T[i][1] * e[1]);
    }
    /// Up to rounding; an impulse whose rounding drowns b is no answer.
    [[nodiscard]] typename W::Mask holds(W s, W missed) const {
        constexpr double singular = 1e-13, rounding = 64.0 * std::numeric_limits<double>::epsilon();
        return (W::all(rounding) * mul_add(trace, s, size) >= missed) & (size > W::all(singular) * trace * s);
    }
};

template <class W>
inline W cross(const W (&a)[2], const W (&b)[2]) { return neg_mul_add(a[1], b[0], a[0] * b[1]); }

/// Newton's method for s and e together, `polish` of laws/local.cpp. \returns where it succeeded, of the lanes asked.
template <class W>
inline typename W::Mask polish(const SlideLanes<W>& p, typename W::Mask asked, W (&e)[2], W& s) {
    const W zero = W::all(0.0), one = W::all(1.0);
    W best_e[2] = {e[0], e[1]}, best_s = zero, best = W::all(HUGE_VAL), idle = zero;
    W response = p.response(e), drift[2];
    p.drift(e, drift);
    const W w = cross(e, drift);
    s = -(mul_add(p.bn, response, cross(e, p.bt) * w)) / mul_add(response, response, w * w);
    auto active = asked, holds = asked;
    for (int step = 0;; ++step) {
        const W slip[2] = {mul_add(s, drift[0], p.bt[0]), mul_add(s, drift[1], p.bt[1])};
        const W normal = mul_add(s, response, p.bn), sideways = cross(e, slip), along = mul_add(e[0], slip[0], e[1] * slip[1]);
        const W sum = magnitude(normal) + magnitude(sideways) + greater(-along, zero);
        const W missed = select(s >= zero, sum, W::all(HUGE_VAL));
        idle = select(W::all(0.5) * best > missed, zero, idle + one);
        const auto better = step == 0 ? active : active & (best > missed);
        for (int i = 0; i < 2; ++i) best_e[i] = select(better, e[i], best_e[i]);
        best_s = select(better, s, best_s);
        best = select(better, missed, best);
        // The last digits do not improve for ever, but an ill-conditioned H may need a detour.
        const auto exact = W::all(2.0 * std::numeric_limits<double>::epsilon()) * mul_add(p.trace, s, p.size) >= missed;
        holds = p.holds(best_s, best);
        active = without(active, exact | ((idle > zero) & holds) | (idle > W::all(2.0)));
        if (bits(active) == 0 || step == 12) break;
        const W across[2] = {-e[1], e[0]};
        const W turn_response = -s * p.tau * mul_add(p.h[0], across[0], p.h[1] * across[1]);
        const W bend[2] = {mul_add(p.T[0][0], across[0], p.T[0][1] * across[1]), mul_add(p.T[1][0], across[0], p.T[1][1] * across[1])};
        const W turn_drift = neg_mul_add(s * p.tau, mul_add(across[0], bend[0], across[1] * bend[1]), -along);
        const W drifts = cross(e, drift), determinant = neg_mul_add(turn_response, drifts, response * turn_drift);
        active = active & (magnitude(determinant) > zero);
        const W turn = neg_mul_add(response, sideways, drifts * normal) / determinant;
        s = s + neg_mul_add(turn_drift, normal, turn_response * sideways) / determinant;
        for (int i = 0; i < 2; ++i) e[i] = mul_add(turn, across[i], e[i]);
        const W length = root(mul_add(e[0], e[0], e[1] * e[1]));
        for (W& x : e) x = x / length;
        response = p.response(e);
        p.drift(e, drift);
    }
    for (int i = 0; i < 2; ++i) e[i] = best_e[i];
    s = best_s;
    return asked & holds;
}

/// Puts the impulses of lanes that slide. \returns those that are left.
template <class W>
inline typename W::Mask slide(const GeneralBlock<3>& c, typename W::Mask slides, const W (&b)[3], const W (&start)[3], W (&S)[3]) {
    const W zero = W::all(0.0);
    const auto rough = W::load(c.mu) > zero, smooth = without(slides, rough);
    S[0] = select(smooth, -b[0] / W::load(c.H[0][0]), S[0]);
    for (int i = 1; i < 3; ++i) S[i] = select(smooth, zero, S[i]);
    const auto asked = slides & rough & (W::load(c.local.single) > zero);
    if (bits(asked) == 0) return slides & rough;
    const SlideLanes<W> p(c, b);
    const auto started = (magnitude(start[1]) > zero) | (magnitude(start[2]) > zero);
    W e[2], s;
    for (int i = 0; i < 2; ++i) e[i] = select(started, -start[i + 1], neg_mul_add(p.bn, p.h[i], p.hnn * p.bt[i]));
    const W length = root(mul_add(e[0], e[0], e[1] * e[1]));
    const auto directed = asked & (length > zero);
    for (W& x : e) x = x / length;
    const auto found = polish(p, directed, e, s);
    S[0] = select(found, s * p.nu, S[0]);
    for (int i = 0; i < 2; ++i) S[i + 1] = select(found, -s * p.tau * e[i], S[i + 1]);
    return without(slides & rough, found);
}

template <class W>
inline typename W::Mask answer(const GeneralBlock<3>& c, const W (&b)[3], const W (&start)[3], W (&S)[3]) {
    const W zero = W::all(0.0), r0 = W::load(c.local.ratio[0]), r1 = W::load(c.local.ratio[1]);
    const auto pressed = zero > b[0], irregular = W::load(c.irregular) > zero, swapped = W::load(c.local.swapped) > zero;
    const W y0 = neg_mul_add(b[0], r0, b[1]), y1 = neg_mul_add(b[0], r1, b[2]), across = W::load(c.local.across);
    const W yi = select(swapped, y1, y0), yj = select(swapped, y0, y1);
    const W xj = neg_mul_add(across, yi, yj) / W::load(c.local.rest);
    const W xi = neg_mul_add(across, xj, yi / W::load(c.local.pivot));
    const W x0 = select(swapped, xj, xi), x1 = select(swapped, xi, xj);
    S[0] = -b[0] / W::load(c.H[0][0]) + mul_add(r0, x0, r1 * x1);
    S[1] = -x0;
    S[2] = -x1;
    const W limit = W::load(c.mu) * S[0];
    const auto sticks = (S[0] >= zero) & (limit * limit >= mul_add(x0, x0, x1 * x1));
    const auto slides = without(pressed, sticks | irregular);
    auto left = pressed & irregular;
    if (bits(slides) != 0) left = left | slide(c, slides, b, start, S);
    for (W& s : S) s = select(pressed, s, zero);
    return left;
}

}  // namespace
}  // namespace talus
