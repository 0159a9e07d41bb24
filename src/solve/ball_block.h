#pragma once
/// \file
/// Four ball contacts side by side, as the sweep kernels work on them, and what a kernel is asked and answers.
///
/// Plain arrays only: the kernels are compiled for instruction sets that the machine may lack, so nothing here may be
/// inlined into them that other files use as well (`simd/lanes.h`).

#include "solve/kernel_sums.h"

namespace talus {

/// Lanes without a contact have zeros everywhere and lines that nobody moves.
template <int Dim>
struct alignas(32) BallBlock {
    static constexpr int tangents = 2 * Dim - 3;  ///< numbers of a tangential vector [math/tangent.h]
    double n[Dim][lanes];
    double cn[lanes], ct[tangents][lanes];
    double inv_wn[lanes], inv_wt[lanes], mu[lanes];
    double wn[lanes];                             ///< H_NN, the measure of changes [1/kg]
    double pn[lanes], pt[tangents][lanes];
    std::int32_t a[lanes], b[lanes];                      ///< lines
};

/// Impulses of before the last sweep.
template <int Dim>
struct alignas(32) BallBlockBefore {
    double pn[lanes], pt[BallBlock<Dim>::tangents][lanes];
};

/// Blocks [first, last) to be swept.
template <int Dim>
struct BallSweep {
    BallBlock<Dim>* blocks;
    BallBlockBefore<Dim>* before;  ///< with momentum
    const double* impact;          ///< when measuring: |U_N-| where colliding, `lanes` a block [m/s]
    std::size_t first, last;
    double* lines;                 ///< eight numbers a body: v, 1/m, R, r^2/I
    double beta;                   ///< of the momentum
    double v_ref;                  ///< when measuring [m/s]
};

/// One sweep over the blocks; `sums` is added to.
template <int Dim>
using BallKernel = void (*)(const BallSweep<Dim>& sweep, KernelSums& sums);

template <int Dim>
struct BallKernels {
    BallKernel<Dim> plain, momentum, plain_measuring, momentum_measuring;
};

// One function for each instruction set; compiled on every machine, called on those that have it.
template <int Dim> const BallKernels<Dim>& ball_kernels_scalar();
template <int Dim> const BallKernels<Dim>& ball_kernels_avx2();
template <int Dim> const BallKernels<Dim>& ball_kernels_fused();

}  // namespace talus
