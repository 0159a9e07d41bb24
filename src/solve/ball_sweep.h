#pragma once
/// \file
/// What a sweep kernel is asked, and what it answers.
///
/// Plain arrays only, as `contact/ball_block.h`: the kernels are compiled for instruction sets that the machine may lack.

#include <cstddef>
#include <cstdint>

#include "contact/ball_block.h"
#include "solve/kernel_sums.h"

namespace talus {

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
    const BallBlockShift<Dim>* shifts;   ///< null: none
    const double* impact;          ///< when measuring: |U_N-| where colliding, `lanes` a block [m/s]
    std::size_t first, last;
    double* lines;                 ///< eight numbers a body: v, 1/m, R, r^2/I
    double beta;                   ///< of the momentum
    double v_ref;                  ///< when measuring [m/s]
};

/// What four contacts want of position correction [integrate/correct.h].
struct alignas(32) BallBlockTarget {
    double wanted[lanes];     ///< normal pseudo-velocity, -infinity: takes no part [m/s]
    double impulse[lanes];    ///< [N s]
    double least[lanes];      ///< impulse: 0, or -infinity where it may pull [N s]
};

/// Blocks [first, last) whose positions are to be corrected.
template <int Dim>
struct BallCorrection {
    const BallBlock<Dim>* blocks;
    BallBlockTarget* targets;
    std::size_t first, last;
    double* lines;            ///< with pseudo-velocities
};

/// Numbers from one body to the next where velocities lie by themselves: v, R and, in the plane, one that fills up.
template <int Dim>
inline constexpr std::size_t motion_stride = 4;
template <>
inline constexpr std::size_t motion_stride<3> = 6;

/// Blocks [first, last) whose work is to be booked.
template <int Dim>
struct BallBooking {
    const BallBlock<Dim>* blocks;
    std::size_t first, last;
    double* lines;            ///< after the step; read only
    const double* motions;    ///< v and R of before the step, `motion_stride` numbers a body
};

/// What contacts did in a step, lane by lane.
template <int Dim>
struct alignas(32) BallBooks {
    double normal[lanes], tangential[lanes];   ///< sum of S.(U+ + U-)/2 [J]
    double size[lanes];                        ///< sum of |S| [N s]
    double working[lanes];                     ///< those with an impulse
    double on_free[Dim][lanes];                ///< momentum given to bodies that impulses move [N s]
};

/// One sweep over the blocks; `sums` is added to.
template <int Dim>
using BallKernel = void (*)(const BallSweep<Dim>& sweep, KernelSums& sums);

template <int Dim>
struct BallKernels {
    BallKernel<Dim> plain, momentum, plain_measuring, momentum_measuring;
    BallKernel<Dim> apply;   ///< no sweep: adds the impulses to the lines
    BallKernel<Dim> look;    ///< no sweep: measures, and changes nothing
    double (*correct)(const BallCorrection<Dim>& correction);   ///< a sweep of normal impulses; the largest change of a velocity [m/s]
    void (*book)(const BallBooking<Dim>& booking, BallBooks<Dim>& books);
    /// Lines [first, last) go on by beta times what they moved since `motions`, which get what they were; one number beyond is read.
    void (*extrapolate)(double* lines, double* motions, std::size_t first, std::size_t last, double beta);
};

// One function for each instruction set; compiled on every machine, called on those that have it.
template <int Dim> const BallKernels<Dim>& ball_kernels_scalar();
template <int Dim> const BallKernels<Dim>& ball_kernels_avx2();
template <int Dim> const BallKernels<Dim>& ball_kernels_fused();

}  // namespace talus
