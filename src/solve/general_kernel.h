#pragma once
/// \file
/// The visit of four contacts with full H at once: bodies that are not round, boundaries that move freely.
///
/// The same operations as `formal_velocity`, `solve_full_contact` and `apply` [contact/problem.h, laws/local.h], lane by lane, in the same
/// order; sums of three products are bracketed as Eigen does, so these are the bits of one contact after the other.

#include "solve/fetch.h"
#include "solve/general_answer.h"

namespace talus {
namespace {

/// Steps ahead whose blocks are fetched: the processor foresees them to the end of a page only, which is one block or four.
constexpr std::size_t general_blocks_ahead = 2;

/// m x.
template <class W, int Rows>
inline void times(const double (&m)[Rows][1][lanes], const W (&x)[1], W (&out)[Rows]) {
    for (int i = 0; i < Rows; ++i) out[i] = W::load(m[i][0]) * x[0];
}
template <class W, int Rows>
inline void times(const double (&m)[Rows][2][lanes], const W (&x)[2], W (&out)[Rows]) {
    for (int i = 0; i < Rows; ++i) out[i] = mul_add(W::load(m[i][0]), x[0], W::load(m[i][1]) * x[1]);
}
template <class W>
inline void times(const double (&m)[3][3][lanes], const W (&x)[3], W (&out)[3]) {
    for (int i = 0; i < 2; ++i) out[i] = mul_add(W::load(m[i][2]), x[2], mul_add(W::load(m[i][0]), x[0], W::load(m[i][1]) * x[1]));
    out[2] = mul_add(W::load(m[2][0]), x[0], mul_add(W::load(m[2][1]), x[1], W::load(m[2][2]) * x[2]));
}

/// In the plane a line is (v, R, 0; ...), in space (v, 1/m; R, r^2/I).
template <class W>
inline void see(double* const a[lanes], double* const b[lanes], W (&w)[2], W (&Ra)[1], W (&Rb)[1]) {
    W f[4], g[4];
    W::records(a, 0, f);
    W::records(b, 0, g);
    for (int i = 0; i < 2; ++i) w[i] = f[i] - g[i];
    Ra[0] = f[2];
    Rb[0] = g[2];
}
template <class W>
inline void see(double* const a[lanes], double* const b[lanes], W (&w)[3], W (&Ra)[3], W (&Rb)[3]) {
    W f[4], g[4];
    W::difference(a, b, f);
    for (int i = 0; i < 3; ++i) w[i] = f[i];
    W::records(a, 4, f);
    W::records(b, 4, g);
    for (int i = 0; i < 3; ++i) {
        Ra[i] = f[i];
        Rb[i] = g[i];
    }
}

template <bool Minus, class W>
inline void give(const W (&v)[2], const W (&R)[1], double* const to[lanes]) {
    const W all[4] = {v[0], v[1], R[0], W::all(0.0)};
    typename W::Row rows[lanes];
    W::turn_back(all, rows);
    W::template add<Minus>(rows, to, 0);
}
template <bool Minus, class W>
inline void give(const W (&v)[3], const W (&R)[3], double* const to[lanes]) {
    const W zero = W::all(0.0), first[4] = {v[0], v[1], v[2], zero}, second[4] = {R[0], R[1], R[2], zero};
    typename W::Row rows[lanes];
    W::turn_back(first, rows);
    W::template add<Minus>(rows, to, 0);
    W::turn_back(second, rows);
    W::template add<Minus>(rows, to, 4);
}

/// Lanes that are left, one by one.
template <class W, int Dim>
[[gnu::noinline]] void answer_left(const GeneralSweep<Dim>& s, const GeneralBlock<Dim>& c, int left, const W (&b)[Dim], const W (&start)[Dim], W (&S)[Dim]) {
    alignas(32) double b_of[Dim][lanes], start_of[Dim][lanes], S_of[Dim][lanes];
    for (int i = 0; i < Dim; ++i) {
        b[i].store(b_of[i]);
        start[i].store(start_of[i]);
        S[i].store(S_of[i]);
    }
    for (int l = 0; l < lanes; ++l) {
        if ((left >> l & 1) == 0) continue;
        double b_here[Dim], start_here[Dim], S_here[Dim];
        for (int i = 0; i < Dim; ++i) {
            b_here[i] = b_of[i][l];
            start_here[i] = start_of[i][l];
        }
        s.answer(c, l, b_here, start_here, S_here);
        for (int i = 0; i < Dim; ++i) S_of[i][l] = S_here[i];
    }
    for (int i = 0; i < Dim; ++i) S[i] = W::load(S_of[i]);
}

/// e = |H dS| over its reference, as `ErrorTally` has it.
template <class W, int Dim>
inline void measure(const GeneralBlock<Dim>& c, W v_ref, const W (&S)[Dim], const W (&dS)[Dim], const W (&HdS)[Dim], SumLanes<W>& sums) {
    const W zero = W::all(0.0), one = W::all(1.0);
    W square = HdS[0] * HdS[0], size = magnitude(S[0]);
    for (int i = 1; i < Dim; ++i) {
        square = mul_add(HdS[i], HdS[i], square);
        size = greater(magnitude(S[i]), size);
    }
    const W e = root(square);
    const W relative = select(zero >= e, zero, e / v_ref);   // what is no number shows
    sums.error = sums.error + relative;
    sums.worst = greater(relative, sums.worst);
    sums.moreau = greater(magnitude(W::load(c.H[0][0]) * dS[0]), sums.moreau);
    sums.working = sums.working + where_greater(greater(e, size), zero, one, zero);
}

/// The visit of a block in three parts: what its contacts see, their answers, and what they give their bodies.
template <class W, int Dim, bool Momentum, bool Measuring>
struct GeneralVisit {
    static constexpr int spins = GeneralBlock<Dim>::spins;
    GeneralBlock<Dim>& c;
    W start[Dim], b[Dim], S[Dim];

    [[gnu::always_inline]] GeneralVisit(const GeneralSweep<Dim>& s, std::size_t k, W beta) : c(s.blocks[k]) {
        for (int i = 0; i < Dim; ++i) {
            start[i] = W::load(c.S[i]);
            if constexpr (Momentum) {
                const W now = start[i];
                start[i] = mul_add(beta, now - W::load(s.before[k].S[i]), now);
                now.store(s.before[k].S[i]);
            }
        }
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, at_a, at_b);
        W w[Dim], Ra[spins], Rb[spins], moved[Dim], turned_a[Dim], turned_b[Dim], own[Dim];
        see(at_a, at_b, w, Ra, Rb);
        times(c.frame, w, moved);
        times(c.spin_a, Ra, turned_a);
        times(c.spin_b, Rb, turned_b);
        times(c.H, start, own);
        for (int i = 0; i < Dim; ++i) b[i] = W::load(c.c[i]) + moved[i] + turned_a[i] - turned_b[i] - own[i];
    }

    [[gnu::always_inline]] void find_ends(const GeneralSweep<Dim>& s, double* (&at_a)[lanes], double* (&at_b)[lanes]) const {
        for (int l = 0; l < lanes; ++l) {
            at_a[l] = s.lines + 8 * static_cast<std::size_t>(c.a[l]);
            at_b[l] = s.lines + 8 * static_cast<std::size_t>(c.b[l]);
        }
    }

    [[gnu::always_inline]] void answer(const GeneralSweep<Dim>& s) {
        if (const int left = bits(talus::answer(c, b, start, S)); left != 0) [[unlikely]] answer_left(s, c, left, b, start, S);
    }

    [[gnu::always_inline]] void give(const GeneralSweep<Dim>& s, std::size_t k, W v_ref, SumLanes<W>& sums) const {
        W dS[Dim], v[Dim], R[spins];
        for (int i = 0; i < Dim; ++i) {
            dS[i] = S[i] - start[i];
            S[i].store(c.S[i]);
        }
        double *at_a[lanes], *at_b[lanes];
        find_ends(s, at_a, at_b);
        times(c.push_a, dS, v);
        times(c.turn_a, dS, R);
        talus::give<false>(v, R, at_a);
        times(c.push_b, dS, v);
        times(c.turn_b, dS, R);
        talus::give<true>(v, R, at_b);
        if constexpr (Momentum || Measuring) {
            W HdS[Dim];
            times(c.H, dS, HdS);
            if constexpr (Momentum)
                for (int i = 0; i < Dim; ++i) sums.energy = mul_add(dS[i], HdS[i], sums.energy);
            if constexpr (Measuring) measure(c, v_ref + W::load_unaligned(s.impact + lanes * k), S, dS, HdS, sums);
        }
    }
};

template <class W, int Dim, bool Momentum, bool Measuring>
void sweep_blocks(const GeneralSweep<Dim>& s, KernelSums& out) {
    SumLanes<W> sums(out);
    const W beta = W::all(s.beta), v_ref = W::all(s.v_ref);
    using Visit = GeneralVisit<W, Dim, Momentum, Measuring>;
    std::size_t k = s.first;
    if constexpr (GeneralLocal<Dim>::side_by_side == 2) {
        // They share no body that moves [block_packer.h]. A visit is a long chain of operations that wait for one another; the processor works on two.
        for (; k + 1 < s.last; k += 2) {
            fetch_element(s.blocks, k + 2 * general_blocks_ahead);
            fetch_element(s.blocks, k + 2 * general_blocks_ahead + 1);
            Visit one(s, k, beta), other(s, k + 1, beta);
            one.answer(s);
            other.answer(s);
            one.give(s, k, v_ref, sums);
            other.give(s, k + 1, v_ref, sums);
        }
    }
    for (; k < s.last; ++k) {
        fetch_element(s.blocks, k + general_blocks_ahead);
        Visit visit(s, k, beta);
        visit.answer(s);
        visit.give(s, k, v_ref, sums);
    }
    sums.store(out);
}

template <class W, int Dim>
const GeneralKernels<Dim>& general_kernels_of() {
    static constexpr GeneralKernels<Dim> kernels{&sweep_blocks<W, Dim, false, false>, &sweep_blocks<W, Dim, true, false>,
                                                 &sweep_blocks<W, Dim, false, true>, &sweep_blocks<W, Dim, true, true>};
    return kernels;
}

}  // namespace
}  // namespace talus
