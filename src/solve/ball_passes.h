#pragma once
/// \file
/// What is done with ball contacts, four at a time, besides sweeping them: their impulses are added to the bodies, overlap is corrected,
/// the ledger of the step is kept; and velocities are extrapolated between sweeps. The kernels of one instruction set, all together.

#include "solve/ball_kernel.h"

namespace talus {
namespace {

template <class W, int Dim>
void apply_blocks(const BallSweep<Dim>& s, KernelSums&) {
    constexpr int T = BallBlock<Dim>::tangents;
    for_blocks(s, [&](std::size_t k) __attribute__((always_inline)) {
        const BallBlock<Dim>& c = s.blocks[k];
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, c, at_a, at_b);
        W n[Dim], pt[T], p[Dim], t[T];
        for (int i = 0; i < Dim; ++i) n[i] = W::load(c.n[i]);
        for (int i = 0; i < T; ++i) pt[i] = W::load(c.pt[i]);
        to_bodies(W::load(c.pn), pt, n, p, t);
        Ends<W, Dim>::push(p, t, at_a, at_b);
    });
}

/// Each target gets the normal impulse that gives its contact the pseudo-velocity it wants, the others held.
template <class W, int Dim>
double correct_blocks(const BallCorrection<Dim>& s) {
    W largest = W::all(0.0);
    for_blocks(s, [&](std::size_t k) __attribute__((always_inline)) {
        const BallBlock<Dim>& c = s.blocks[k];
        BallBlockTarget& t = s.targets[k];
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, c, at_a, at_b);
        W n[Dim], w[Dim], p[Dim];
        for (int i = 0; i < Dim; ++i) n[i] = W::load(c.n[i]);
        Ends<W, Dim>::see(at_a, at_b, w);
        const W inv_wn = W::load(c.inv_wn), before = W::load(t.impulse);
        const W after = greater(mul_add(W::load(t.wanted) - dot(w, n), inv_wn, before), W::load(t.least));
        const W change = after - before;
        after.store(t.impulse);
        for (int i = 0; i < Dim; ++i) p[i] = change * n[i];
        Ends<W, Dim>::shove(p, at_a, at_b);
        largest = greater(magnitude(change) / inv_wn, largest);
    });
    alignas(32) double lane[lanes];
    largest.store(lane);
    double most = lane[0];
    for (int l = 1; l < lanes; ++l) most = lane[l] > most ? lane[l] : most;
    return most;
}

/// The motions of before the step of the bodies at one end of a block, and what the contacts see of both ends.
template <class W, int Dim>
inline void see_before(const double* motions, const BallBlock<Dim>& c, W (&w)[Dim], W (&R)[BallBlock<Dim>::tangents]) {
    const double *at_a[lanes], *at_b[lanes];
    for (int l = 0; l < lanes; ++l) {
        at_a[l] = motions + motion_stride<Dim> * static_cast<std::size_t>(c.a[l] / line_numbers);
        at_b[l] = motions + motion_stride<Dim> * static_cast<std::size_t>(c.b[l] / line_numbers);
    }
    for (int i = 0; i < Dim; ++i) w[i] = W::picked(at_a, i) - W::picked(at_b, i);
    for (int i = 0; i < BallBlock<Dim>::tangents; ++i) R[i] = W::picked(at_a, Dim + i) + W::picked(at_b, Dim + i);
}

/// 1 where an impulse moves the body, else 0.
template <class W>
inline W is_free(double* const at[lanes], int mass) { return where_greater(W::picked(at, mass), W::all(0.0), W::all(1.0), W::all(0.0)); }

/// S.(U+ + U-)/2 of every contact, along and across the normal [integrate/ledger.h].
template <class W, int Dim>
void book_blocks(const BallBooking<Dim>& s, BallBooks<Dim>& out) {
    constexpr int T = BallBlock<Dim>::tangents, mass = Ends<W, Dim>::mass;
    const W zero = W::all(0.0), half = W::all(0.5);
    W normal = zero, tangential = zero, size = zero, working = zero, on_free[Dim];
    for (W& x : on_free) x = zero;
    for_blocks(s, [&](std::size_t k) __attribute__((always_inline)) {
        const BallBlock<Dim>& c = s.blocks[k];
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, c, at_a, at_b);
        W n[Dim], w[Dim], w0[Dim], R[T], R0[T], V[T], pt[T], p[Dim], t[T];
        for (int i = 0; i < Dim; ++i) n[i] = W::load(c.n[i]);
        for (int i = 0; i < T; ++i) pt[i] = W::load(c.pt[i]);
        const W pn = W::load(c.pn);
        Ends<W, Dim>::see(at_a, at_b, w, R);
        see_before<W, Dim>(s.motions, c, w0, R0);
        for (int i = 0; i < Dim; ++i) w[i] = half * (w[i] + w0[i]);
        for (int i = 0; i < T; ++i) R[i] = half * (R[i] + R0[i]);
        const W wn = dot(w, n);
        slip(w, wn, R, n, V);
        normal = mul_add(pn, wn, normal);
        for (int i = 0; i < T; ++i) tangential = mul_add(pt[i], V[i], tangential);
        to_bodies(pn, pt, n, p, t);
        size = size + root(dot(p, p));
        working = working + where_greater(magnitude(pn), zero, W::all(1.0), zero);
        const W gets = is_free<W>(at_a, mass) - is_free<W>(at_b, mass);
        for (int i = 0; i < Dim; ++i) on_free[i] = mul_add(gets, p[i], on_free[i]);
    });
    normal.store(out.normal);
    tangential.store(out.tangential);
    size.store(out.size);
    working.store(out.working);
    for (int i = 0; i < Dim; ++i) on_free[i].store(out.on_free[i]);
}

/// Four numbers of a line, the first three of which are velocities: now + beta (now - before), and `before` is now.
template <class W>
[[gnu::always_inline]] inline void extrapolate_three(double* line, double* before, W beta, bool moves) {
    const W now = W::load(line);
    if (moves) first_three(mul_add(beta, now - W::load_unaligned(before), now), now).store(line);
    now.store_three(before);
}

/// In the plane a line begins with (v, R, 0), in space it is (v, 1/m; R, r^2/I). With a beta of zero there may be nothing in `motions` yet.
template <class W, int Dim>
void extrapolate_lines(double* lines, double* motions, std::size_t first, std::size_t last, double beta) {
    constexpr std::size_t stride = motion_stride<Dim>, ahead = 16;
    const W factor = W::all(beta);
    const bool moves = beta != 0.0;
    for (std::size_t i = first; i < last; ++i) {
        double *line = lines + 8 * i, *before = motions + stride * i;
        __builtin_prefetch(line + 8 * ahead, 1);
        __builtin_prefetch(before + stride * ahead, 1);
        for (int p = 0; p < Ends<W, Dim>::pieces; ++p) extrapolate_three(line + 4 * p, before + 3 * p, factor, moves);
    }
}

template <class W, int Dim>
const BallKernels<Dim>& kernels_of() {
    static constexpr BallKernels<Dim> kernels{
        &sweep_blocks<W, Dim, Visit::sweep, false>, &sweep_blocks<W, Dim, Visit::sweep_with_momentum, false>,
        &sweep_blocks<W, Dim, Visit::sweep, true>,  &sweep_blocks<W, Dim, Visit::sweep_with_momentum, true>,
        &apply_blocks<W, Dim>,                      &sweep_blocks<W, Dim, Visit::look, true>,
        &correct_blocks<W, Dim>,
        &book_blocks<W, Dim>,                       &extrapolate_lines<W, Dim>};
    return kernels;
}

}  // namespace
}  // namespace talus
