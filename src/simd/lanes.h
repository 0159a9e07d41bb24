#pragma once
/// \file
/// Four doubles worked on at once: the reference, in plain C++.
///
/// A kernel is written once over a type like this and compiled for each instruction set (`avx2.h`). The operations
/// are those of IEEE arithmetic lane by lane, so every set gives the same bits; `mul_add` rounds twice here and in
/// AVX2, once in the fused variant alone. Kernels see plain pointers: nothing that is inlined elsewhere may be
/// compiled for a set that the machine may lack.

#include <cmath>

namespace talus::simd {

struct Lanes {
    struct Row { double x[4]; };
    struct Mask { bool x[4]; };   ///< yes or no, lane by lane
    double x[4];

    static Lanes all(double s) { return {{s, s, s, s}}; }
    static Lanes load(const double* p) { return {{p[0], p[1], p[2], p[3]}}; }       ///< from a multiple of 32 bytes
    static Lanes load_unaligned(const double* p) { return load(p); }
    void store(double* p) const {
        for (int k = 0; k < 4; ++k) p[k] = x[k];
    }
    void store_three(double* p) const {
        for (int k = 0; k < 3; ++k) p[k] = x[k];
    }
    /// Lane k = a[k][i].
    static Lanes picked(const double* const a[4], int i) { return {{a[0][i], a[1][i], a[2][i], a[3][i]}}; }
    /// out[i] lane k = a[k][i] - b[k][i], i < 4: the difference of records, turned.
    static void difference(const double* const a[4], const double* const b[4], Lanes out[4]) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) out[i].x[k] = a[k][i] - b[k][i];
    }
    /// out[i] lane k = a[k][offset + i]: records, turned.
    static void records(const double* const a[4], int offset, Lanes out[4]) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) out[i].x[k] = a[k][offset + i];
    }
    /// out[i] lane k = a[k][offset + i] + b[k][offset + i].
    static void sum(const double* const a[4], const double* const b[4], int offset, Lanes out[4]) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) out[i].x[k] = a[k][offset + i] + b[k][offset + i];
    }
    /// Records whose first numbers are differences and the others sums: signs[i] is -1 or 1.
    static void mixture(const double* const a[4], const double* const b[4], const double* signs, Lanes out[4]) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) out[i].x[k] = a[k][i] + signs[i] * b[k][i];
    }
    /// to[k][offset + i] += factor in[i] lane k, or -=, the factor being the number to[k][by].
    template <bool Minus>
    static void push(const Row rows[4], double* const to[4], int offset, int by) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) accumulate<Minus>(to[k][by] * rows[k].x[i], to[k][offset + i]);
    }
    /// The same with one factor for the first two numbers, to[k][by], and another for the rest, to[k][by_rest].
    template <bool Minus>
    static void push_mixed(const Row rows[4], double* const to[4], int by, int by_rest) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) accumulate<Minus>(to[k][i < 2 ? by : by_rest] * rows[k].x[i], to[k][i]);
    }
    /// to[k][offset + i] += in[i] lane k, or -=.
    template <bool Minus>
    static void add(const Row rows[4], double* const to[4], int offset) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) accumulate<Minus>(rows[k].x[i], to[k][offset + i]);
    }
    /// rows[k][i] = in[i] lane k.
    static void turn_back(const Lanes in[4], Row rows[4]) {
        for (int k = 0; k < 4; ++k)
            for (int i = 0; i < 4; ++i) rows[k].x[i] = in[i].x[k];
    }

private:
    template <bool Minus>
    static void accumulate(double d, double& at) { at = Minus ? at - d : at + d; }
};

#define TALUS_LANES(op)                                                                     \
    inline Lanes operator op(const Lanes& a, const Lanes& b) {                              \
        return {{a.x[0] op b.x[0], a.x[1] op b.x[1], a.x[2] op b.x[2], a.x[3] op b.x[3]}};  \
    }
TALUS_LANES(+)
TALUS_LANES(-)
TALUS_LANES(*)
TALUS_LANES(/)
#undef TALUS_LANES

inline Lanes operator-(const Lanes& a) { return {{-a.x[0], -a.x[1], -a.x[2], -a.x[3]}}; }

inline Lanes mul_add(const Lanes& a, const Lanes& b, const Lanes& c) { return a * b + c; }
/// c - a b.
inline Lanes neg_mul_add(const Lanes& a, const Lanes& b, const Lanes& c) { return c - a * b; }
/// The greater of the two; b where a is no number.
inline Lanes greater(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int k = 0; k < 4; ++k) r.x[k] = a.x[k] > b.x[k] ? a.x[k] : b.x[k];
    return r;
}
inline Lanes root(const Lanes& a) {
    return {{std::sqrt(a.x[0]), std::sqrt(a.x[1]), std::sqrt(a.x[2]), std::sqrt(a.x[3])}};
}
/// The last lane is that of b.
inline Lanes first_three(const Lanes& a, const Lanes& b) { return {{a.x[0], a.x[1], a.x[2], b.x[3]}}; }
/// yes where a > b, else no.
inline Lanes where_greater(const Lanes& a, const Lanes& b, const Lanes& yes, const Lanes& no) {
    Lanes r;
    for (int k = 0; k < 4; ++k) r.x[k] = a.x[k] > b.x[k] ? yes.x[k] : no.x[k];
    return r;
}

// Comparisons say no where a number is none.
#define TALUS_MASKS(name, type, op)                                                         \
    inline Lanes::Mask operator name(const type& a, const type& b) {                        \
        return {{a.x[0] op b.x[0], a.x[1] op b.x[1], a.x[2] op b.x[2], a.x[3] op b.x[3]}};  \
    }
TALUS_MASKS(>, Lanes, >)
TALUS_MASKS(>=, Lanes, >=)
TALUS_MASKS(&, Lanes::Mask, &&)
TALUS_MASKS(|, Lanes::Mask, ||)
#undef TALUS_MASKS
/// a and not b.
inline Lanes::Mask without(const Lanes::Mask& a, const Lanes::Mask& b) {
    return {{a.x[0] && !b.x[0], a.x[1] && !b.x[1], a.x[2] && !b.x[2], a.x[3] && !b.x[3]}};
}
inline Lanes select(const Lanes::Mask& m, const Lanes& yes, const Lanes& no) {
    Lanes r;
    for (int k = 0; k < 4; ++k) r.x[k] = m.x[k] ? yes.x[k] : no.x[k];
    return r;
}
/// Bit k is lane k.
inline int bits(const Lanes::Mask& m) { return m.x[0] | m.x[1] << 1 | m.x[2] << 2 | m.x[3] << 3; }

}  // namespace talus::simd
