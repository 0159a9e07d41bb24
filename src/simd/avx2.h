#pragma once
/// \file
/// Four doubles in one AVX2 register. Only for files compiled for that set, which are entered after the machine was asked.
///
/// Records of bodies are turned after they were subtracted or added, and what they are given is turned once for both
/// bodies: a third of the shuffles and of the registers that turning each body would take.

#include <immintrin.h>

namespace talus::simd {

/// Yes or no, lane by lane.
template <bool Fused>
struct Avx2Mask { __m256d x; };

template <bool Fused>
struct Avx2 {
    using Row = __m256d;
    using Mask = Avx2Mask<Fused>;
    __m256d x;

    static Avx2 all(double s) { return {_mm256_set1_pd(s)}; }
    static Avx2 load(const double* p) { return {_mm256_load_pd(p)}; }
    static Avx2 load_unaligned(const double* p) { return {_mm256_loadu_pd(p)}; }
    void store(double* p) const { _mm256_store_pd(p, x); }
    void store_three(double* p) const {
        _mm_storeu_pd(p, _mm256_castpd256_pd128(x));
        _mm_store_sd(p + 2, _mm256_extractf128_pd(x, 1));
    }
    /// Lane k = a[k][i].
    static Avx2 picked(const double* const a[4], int i) { return {_mm256_setr_pd(a[0][i], a[1][i], a[2][i], a[3][i])}; }
    /// out[i] lane k = a[k][i] - b[k][i], i < 4: the difference of records, turned.
    static void difference(const double* const a[4], const double* const b[4], Avx2 out[4]) {
        __m256d row[4];
        for (int k = 0; k < 4; ++k) row[k] = _mm256_sub_pd(_mm256_load_pd(a[k]), _mm256_load_pd(b[k]));
        turn(row, out);
    }
    /// out[i] lane k = a[k][offset + i]: records, turned.
    static void records(const double* const a[4], int offset, Avx2 out[4]) {
        __m256d row[4];
        for (int k = 0; k < 4; ++k) row[k] = _mm256_load_pd(a[k] + offset);
        turn(row, out);
    }
    /// out[i] lane k = a[k][offset + i] + b[k][offset + i].
    static void sum(const double* const a[4], const double* const b[4], int offset, Avx2 out[4]) {
        __m256d row[4];
        for (int k = 0; k < 4; ++k) row[k] = _mm256_add_pd(_mm256_load_pd(a[k] + offset), _mm256_load_pd(b[k] + offset));
        turn(row, out);
    }
    /// Records whose first numbers are differences and the others sums: signs[i] is -1 or 1.
    static void mixture(const double* const a[4], const double* const b[4], const double* signs, Avx2 out[4]) {
        __m256d row[4];
        const __m256d s = _mm256_load_pd(signs);
        for (int k = 0; k < 4; ++k) row[k] = _mm256_add_pd(_mm256_load_pd(a[k]), _mm256_mul_pd(s, _mm256_load_pd(b[k])));
        turn(row, out);
    }
    /// to[k][offset + i] += factor in[i] lane k, or -=, the factor being the number to[k][by].
    template <bool Minus>
    static void push(const __m256d rows[4], double* const to[4], int offset, int by) {
        for (int k = 0; k < 4; ++k) accumulate<Minus>(rows[k], _mm256_broadcast_sd(to[k] + by), to[k] + offset);
    }
    /// The same with one factor for the first two numbers, to[k][by], and another for the rest, to[k][by_rest].
    template <bool Minus>
    static void push_mixed(const __m256d rows[4], double* const to[4], int by, int by_rest) {
        for (int k = 0; k < 4; ++k)
            accumulate<Minus>(rows[k], _mm256_blend_pd(_mm256_broadcast_sd(to[k] + by), _mm256_broadcast_sd(to[k] + by_rest), 12), to[k]);
    }
    /// to[k][offset + i] += in[i] lane k, or -=.
    template <bool Minus>
    static void add(const __m256d rows[4], double* const to[4], int offset) {
        for (int k = 0; k < 4; ++k) {
            const __m256d v = _mm256_load_pd(to[k] + offset);
            _mm256_store_pd(to[k] + offset, Minus ? _mm256_sub_pd(v, rows[k]) : _mm256_add_pd(v, rows[k]));
        }
    }
    /// rows[k][i] = in[i] lane k.
    static void turn_back(const Avx2 in[4], __m256d rows[4]) {
        const __m256d columns[4] = {in[0].x, in[1].x, in[2].x, in[3].x};
        transpose(columns, rows);
    }

private:
    static void turn(const __m256d rows[4], Avx2 out[4]) {
        __m256d columns[4];
        transpose(rows, columns);
        for (int i = 0; i < 4; ++i) out[i] = {columns[i]};
    }
    static void transpose(const __m256d in[4], __m256d out[4]) {
        const __m256d t0 = _mm256_unpacklo_pd(in[0], in[1]), t1 = _mm256_unpackhi_pd(in[0], in[1]);
        const __m256d t2 = _mm256_unpacklo_pd(in[2], in[3]), t3 = _mm256_unpackhi_pd(in[2], in[3]);
        out[0] = _mm256_permute2f128_pd(t0, t2, 0x20);
        out[1] = _mm256_permute2f128_pd(t1, t3, 0x20);
        out[2] = _mm256_permute2f128_pd(t0, t2, 0x31);
        out[3] = _mm256_permute2f128_pd(t1, t3, 0x31);
    }
    template <bool Minus>
    static void accumulate(__m256d p, __m256d factor, double* at) {
        const __m256d v = _mm256_load_pd(at);
#ifdef __FMA__
        if constexpr (Fused) return _mm256_store_pd(at, Minus ? _mm256_fnmadd_pd(factor, p, v) : _mm256_fmadd_pd(factor, p, v));
#endif
        const __m256d d = _mm256_mul_pd(factor, p);
        _mm256_store_pd(at, Minus ? _mm256_sub_pd(v, d) : _mm256_add_pd(v, d));
    }
};

template <bool F> inline Avx2<F> operator+(Avx2<F> a, Avx2<F> b) { return {_mm256_add_pd(a.x, b.x)}; }
template <bool F> inline Avx2<F> operator-(Avx2<F> a, Avx2<F> b) { return {_mm256_sub_pd(a.x, b.x)}; }
template <bool F> inline Avx2<F> operator*(Avx2<F> a, Avx2<F> b) { return {_mm256_mul_pd(a.x, b.x)}; }
template <bool F> inline Avx2<F> operator/(Avx2<F> a, Avx2<F> b) { return {_mm256_div_pd(a.x, b.x)}; }
template <bool F> inline Avx2<F> operator-(Avx2<F> a) { return {_mm256_xor_pd(a.x, _mm256_set1_pd(-0.0))}; }

template <bool F>
inline Avx2<F> mul_add(Avx2<F> a, Avx2<F> b, Avx2<F> c) {
#ifdef __FMA__
    if constexpr (F) return {_mm256_fmadd_pd(a.x, b.x, c.x)};
#endif
    return a * b + c;
}
template <bool F>
inline Avx2<F> neg_mul_add(Avx2<F> a, Avx2<F> b, Avx2<F> c) {
#ifdef __FMA__
    if constexpr (F) return {_mm256_fnmadd_pd(a.x, b.x, c.x)};
#endif
    return c - a * b;
}
/// As MAXPD has it: b where a is no number, and where both are zero.
template <bool F> inline Avx2<F> greater(Avx2<F> a, Avx2<F> b) { return {_mm256_max_pd(a.x, b.x)}; }
template <bool F> inline Avx2<F> root(Avx2<F> a) { return {_mm256_sqrt_pd(a.x)}; }
template <bool F> inline Avx2<F> first_three(Avx2<F> a, Avx2<F> b) { return {_mm256_blend_pd(a.x, b.x, 8)}; }
template <bool F>
inline Avx2<F> where_greater(Avx2<F> a, Avx2<F> b, Avx2<F> yes, Avx2<F> no) {
    return {_mm256_blendv_pd(no.x, yes.x, _mm256_cmp_pd(a.x, b.x, _CMP_GT_OQ))};
}

template <bool F> inline Avx2Mask<F> operator>(Avx2<F> a, Avx2<F> b) { return {_mm256_cmp_pd(a.x, b.x, _CMP_GT_OQ)}; }
template <bool F> inline Avx2Mask<F> operator>=(Avx2<F> a, Avx2<F> b) { return {_mm256_cmp_pd(a.x, b.x, _CMP_GE_OQ)}; }
template <bool F> inline Avx2Mask<F> operator&(Avx2Mask<F> a, Avx2Mask<F> b) { return {_mm256_and_pd(a.x, b.x)}; }
template <bool F> inline Avx2Mask<F> operator|(Avx2Mask<F> a, Avx2Mask<F> b) { return {_mm256_or_pd(a.x, b.x)}; }
template <bool F> inline Avx2Mask<F> without(Avx2Mask<F> a, Avx2Mask<F> b) { return {_mm256_andnot_pd(b.x, a.x)}; }
template <bool F> inline Avx2<F> select(Avx2Mask<F> m, Avx2<F> yes, Avx2<F> no) { return {_mm256_blendv_pd(no.x, yes.x, m.x)}; }
template <bool F> inline int bits(Avx2Mask<F> m) { return _mm256_movemask_pd(m.x); }

}  // namespace talus::simd
