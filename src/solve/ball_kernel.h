#pragma once
/// \file
/// The visit of four ball contacts at once, the innermost loop of the program.
///
/// The same operations as `solve_ball_contact` with `apply` [laws/local.h, contact/problem.h], lane by lane, in the
/// same order. Blocks are visited one after the other; a body's contacts stay in their order, so this is the Gauss-Seidel
/// sweep of one contact after the other and gives its bits.
///
/// A visit takes some 110 cycles from loading the velocities to storing them, but only half as many of work. Blocks that
/// share no body overlap in the processor, so the contacts of a body are put at least two blocks apart (`block_packer.h`),
/// two blocks are visited side by side, and few instructions and registers are used for the bodies: they are subtracted before
/// their records are turned, and told by where they begin.

#include "solve/ball_sweep.h"
#include "solve/fetch.h"

namespace talus {
namespace {

/// Blocks ahead whose bodies are fetched.
constexpr std::size_t fetch_ahead = 8;
/// Blocks ahead that are fetched themselves. They lie one after the other, but the processor foresees that no farther than to the end of a
/// page, which is ten blocks, and whoever asks for the bodies of a block waits until it is there.
constexpr std::size_t blocks_ahead = 16;

template <class W>
inline W dot(const W (&a)[2], const W (&b)[2]) { return mul_add(a[0], b[0], a[1] * b[1]); }
template <class W>
inline W dot(const W (&a)[3], const W (&b)[3]) { return mul_add(a[0], b[0], mul_add(a[1], b[1], a[2] * b[2])); }

/// a x b.
template <class W>
inline void cross(const W (&a)[3], const W (&b)[3], W (&out)[3]) {
    out[0] = neg_mul_add(a[2], b[1], a[1] * b[2]);
    out[1] = neg_mul_add(a[0], b[2], a[2] * b[0]);
    out[2] = neg_mul_add(a[1], b[0], a[0] * b[1]);
}

/// What the contacts of a block see of their bodies, and give them.
template <class W, int Dim>
struct Ends;

/// In the plane a line is (v, R, 0; 1/m, r^2/I).
template <class W>
struct Ends<W, 2> {
    static constexpr int mass = 4, pieces = 1;   ///< place of 1/m, and fours of numbers that begin with three velocities
    static void see(double* const a[lanes], double* const b[lanes], W (&w)[2], W (&R)[1]) {
        alignas(32) static constexpr double signs[4] = {-1.0, -1.0, 1.0, 1.0};
        W f[4];
        W::mixture(a, b, signs, f);
        w[0] = f[0];
        w[1] = f[1];
        R[0] = f[2];
    }
    static void push(const W (&p)[2], const W (&t)[1], double* const a[lanes], double* const b[lanes]) {
        const W zero = W::all(0.0);
        const W on_a[4] = {p[0], p[1], zero - t[0], zero}, on_b[4] = {p[0], p[1], t[0], zero};
        typename W::Row rows[lanes];
        W::turn_back(on_a, rows);
        W::template push_mixed<false>(rows, a, 4, 5);
        W::turn_back(on_b, rows);
        W::template push_mixed<true>(rows, b, 4, 5);
    }
    /// Without turning.
    static void see(double* const a[lanes], double* const b[lanes], W (&w)[2]) {
        W R[1];
        see(a, b, w, R);
    }
    static void shove(const W (&p)[2], double* const a[lanes], double* const b[lanes]) {
        const W zero = W::all(0.0), turned[4] = {p[0], p[1], zero, zero};
        typename W::Row rows[lanes];
        W::turn_back(turned, rows);
        W::template push_mixed<false>(rows, a, 4, 5);
        W::template push_mixed<true>(rows, b, 4, 5);
    }
};

/// In space a line is (v, 1/m; R, r^2/I).
template <class W>
struct Ends<W, 3> {
    static constexpr int mass = 3, pieces = 2;
    static void see(double* const a[lanes], double* const b[lanes], W (&w)[3], W (&R)[3]) {
        W f[4], g[4];
        W::difference(a, b, f);
        W::sum(a, b, 4, g);
        for (int i = 0; i < 3; ++i) {
            w[i] = f[i];
            R[i] = g[i];
        }
    }
    static void push(const W (&p)[3], const W (&t)[3], double* const a[lanes], double* const b[lanes]) {
        const W zero = W::all(0.0);
        const W pull[4] = {p[0], p[1], p[2], zero}, turn[4] = {t[0], t[1], t[2], zero};
        typename W::Row rows[lanes];
        W::turn_back(pull, rows);
        W::template push<false>(rows, a, 0, 3);
        W::template push<true>(rows, b, 0, 3);
        W::turn_back(turn, rows);
        W::template push<true>(rows, a, 4, 7);
        W::template push<true>(rows, b, 4, 7);
    }
    static void see(double* const a[lanes], double* const b[lanes], W (&w)[3]) {
        W f[4];
        W::difference(a, b, f);
        for (int i = 0; i < 3; ++i) w[i] = f[i];
    }
    static void shove(const W (&p)[3], double* const a[lanes], double* const b[lanes]) {
        const W pull[4] = {p[0], p[1], p[2], W::all(0.0)};
        typename W::Row rows[lanes];
        W::turn_back(pull, rows);
        W::template push<false>(rows, a, 0, 3);
        W::template push<true>(rows, b, 0, 3);
    }
};

/// Tangential part of w - R x n.
template <class W>
inline void slip(const W (&w)[2], W, const W (&R)[1], const W (&n)[2], W (&out)[1]) {
    out[0] = neg_mul_add(w[0], n[1], w[1] * n[0]) - R[0];
}
template <class W>
inline void slip(const W (&w)[3], W wn, const W (&R)[3], const W (&n)[3], W (&out)[3]) {
    W turned[3];
    cross(R, n, turned);
    for (int k = 0; k < 3; ++k) out[k] = neg_mul_add(wn, n[k], w[k]) - turned[k];
}
/// The impulse in world axes, and n x P_T.
template <class W>
inline void to_bodies(W pn, const W (&pt)[1], const W (&n)[2], W (&p)[2], W (&t)[1]) {
    p[0] = neg_mul_add(n[1], pt[0], pn * n[0]);
    p[1] = mul_add(n[0], pt[0], pn * n[1]);
    t[0] = pt[0];
}
template <class W>
inline void to_bodies(W pn, const W (&pt)[3], const W (&n)[3], W (&p)[3], W (&t)[3]) {
    for (int k = 0; k < 3; ++k) p[k] = mul_add(pn, n[k], pt[k]);
    cross(n, pt, t);
}
template <class W>
inline W squared(const W (&a)[1]) { return a[0] * a[0]; }
template <class W>
inline W squared(const W (&a)[3]) { return dot(a, a); }

/// e = |H dS| over its reference, as `law_defect` and `ErrorTally` have them but for rounding: two divisions and one root, with
/// numerator and denominator of the tangential part multiplied by its mass.
template <class W, int Dim>
inline void measure(const BallBlock<Dim>& c, const double* impact, W v_ref, W pn, W dpn, W dpt_squared, SumLanes<W>& sums) {
    const W zero = W::all(0.0), one = W::all(1.0);
    const W mt = W::load(c.inv_wt);
    const W en = dpn / W::load(c.inv_wn);
    const W en_mt = en * mt;
    const W e = root(mul_add(en_mt, en_mt, dpt_squared));
    const W relative = select(zero >= e, zero, e / (mt * (v_ref + W::load_unaligned(impact))));   // what is no number shows
    sums.error = sums.error + relative;
    sums.worst = greater(relative, sums.worst);
    sums.moreau = greater(magnitude(en), sums.moreau);
    sums.working = sums.working + where_greater(greater(e, pn), zero, one, zero);
}

/// The lines of the bodies of a block.
template <class Sweep, int Dim>
inline void find_ends(const Sweep& s, const BallBlock<Dim>& c, double* (&at_a)[lanes], double* (&at_b)[lanes]) {
    for (int l = 0; l < lanes; ++l) {
        at_a[l] = s.lines + c.a[l];
        at_b[l] = s.lines + c.b[l];
    }
}

template <class Sweep>
inline void fetch_bodies(const Sweep& s, std::size_t k) {
    const auto& c = s.blocks[k];
    for (int l = 0; l < lanes; ++l) {
        __builtin_prefetch(s.lines + c.a[l], 1);
        __builtin_prefetch(s.lines + c.b[l], 1);
    }
}

template <int Dim>
[[gnu::always_inline]] inline void fetch_block(const BallSweep<Dim>& s, std::size_t k) {
    fetch_element(s.blocks, k);
    if (s.before != nullptr) fetch_element(s.before, k);
}
template <int Dim>
[[gnu::always_inline]] inline void fetch_block(const BallCorrection<Dim>& s, std::size_t k) {
    fetch_element(s.blocks, k);
    fetch_element(s.targets, k);
}
template <int Dim>
[[gnu::always_inline]] inline void fetch_block(const BallBooking<Dim>& s, std::size_t k) { fetch_element(s.blocks, k); }

/// What a visit does with the answer.
enum class Visit { sweep, sweep_with_momentum, look };

/// The visit of a block in three parts: what its contacts see, their answers, and what they give their bodies.
template <class W, int Dim, Visit visit, bool Measuring>
struct BlockVisit {
    static constexpr int T = BallBlock<Dim>::tangents;
    static constexpr bool Momentum = visit == Visit::sweep_with_momentum, Looking = visit == Visit::look;
    BallBlock<Dim>& c;
    W Vn, Vt[T], pn0, pt0[T], dpn, dpt[T];

    [[gnu::always_inline]] BlockVisit(const BallSweep<Dim>& s, std::size_t k, W beta) : c(s.blocks[k]) {
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, c, at_a, at_b);
        W n[Dim], w[Dim], R[T];
        for (int i = 0; i < Dim; ++i) n[i] = W::load(c.n[i]);
        Ends<W, Dim>::see(at_a, at_b, w, R);
        const W wn = dot(w, n);
        Vn = wn + W::load(c.cn);
        slip(w, wn, R, n, Vt);
        pn0 = W::load(c.pn);
        for (int i = 0; i < T; ++i) pt0[i] = W::load(c.pt[i]);
        if (s.shifts != nullptr)
            for (int i = 0; i < T; ++i) Vt[i] = Vt[i] + W::load(s.shifts[k].ct[i]);
        if constexpr (Momentum) extrapolate(s.before[k], beta);
    }

    /// Impulses go on along their last change.
    [[gnu::always_inline]] void extrapolate(BallBlockBefore<Dim>& before, W beta) {
        const W pn_now = pn0;
        pn0 = mul_add(beta, pn0 - W::load(before.pn), pn0);
        pn_now.store(before.pn);
        for (int i = 0; i < T; ++i) {
            const W now = pt0[i];
            pt0[i] = mul_add(beta, now - W::load(before.pt[i]), now);
            now.store(before.pt[i]);
        }
    }

    [[gnu::always_inline]] void answer() {
        const W pn = greater(neg_mul_add(Vn, W::load(c.inv_wn), pn0), W::all(0.0));
        const W wt = W::load(c.inv_wt);
        W pt[T];
        for (int i = 0; i < T; ++i) pt[i] = neg_mul_add(wt, Vt[i], pt0[i]);
        const W limit = W::load(c.mu) * pn, square = squared(pt);
        const W shrink = where_greater(square, limit * limit, limit / root(square), W::all(1.0));
        for (int i = 0; i < T; ++i) {
            pt[i] = pt[i] * shrink;
            dpt[i] = pt[i] - pt0[i];
            if constexpr (!Looking) pt[i].store(c.pt[i]);
        }
        dpn = pn - pn0;
        if constexpr (!Looking) pn.store(c.pn);
    }

    [[gnu::always_inline]] void give(const BallSweep<Dim>& s, std::size_t k, W v_ref, SumLanes<W>& sums) const {
        if constexpr (Looking) return measure(c, s.impact + lanes * k, v_ref, pn0, dpn, squared(dpt), sums);
        W n[Dim], p[Dim], t[T];
        for (int i = 0; i < Dim; ++i) n[i] = W::load(c.n[i]);
        to_bodies(dpn, dpt, n, p, t);
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, c, at_a, at_b);
        Ends<W, Dim>::push(p, t, at_a, at_b);
        if constexpr (Momentum) sums.energy = sums.energy + mul_add(dpn, dpn, squared(dpt)) / W::load(c.inv_wn);
        if constexpr (Measuring) measure(c, s.impact + lanes * k, v_ref, W::load(c.pn), dpn, squared(dpt), sums);
    }
};

/// f(k) for all blocks, those ahead and their bodies being fetched.
template <class Sweep, class F>
[[gnu::always_inline]] inline void for_blocks(const Sweep& s, F&& f) {
    const std::size_t fetched = s.last > s.first + fetch_ahead ? s.last - fetch_ahead : s.first;
    std::size_t k = s.first;
    for (; k < fetched; ++k) {
        fetch_block(s, k + blocks_ahead);
        fetch_bodies(s, k + fetch_ahead);
        f(k);
    }
    for (; k < s.last; ++k) f(k);
}

/// Two blocks at a time: those next to each other share no body that moves [block_packer.h], and while one waits for its root and quotient the
/// processor can work on the other, if it comes upon it soon enough.
template <class W, int Dim, Visit visit, bool Measuring>
[[gnu::flatten]] void sweep_blocks(const BallSweep<Dim>& s, KernelSums& out) {
    SumLanes<W> sums(out);
    const W beta = W::all(s.beta), v_ref = W::all(s.v_ref);
    using Visitor = BlockVisit<W, Dim, visit, Measuring>;
    std::size_t k = s.first;
    for (; k + 1 < s.last; k += 2) {
        for (std::size_t next = k; next < k + 2; ++next) {
            fetch_block(s, next + blocks_ahead);
            fetch_bodies(s, next + fetch_ahead < s.last ? next + fetch_ahead : s.last - 1);
        }
        Visitor one(s, k, beta), other(s, k + 1, beta);
        one.answer();
        other.answer();
        one.give(s, k, v_ref, sums);
        other.give(s, k + 1, v_ref, sums);
    }
    if (k < s.last) {
        Visitor last(s, k, beta);
        last.answer();
        last.give(s, k, v_ref, sums);
    }
    sums.store(out);
}

}  // namespace
}  // namespace talus
