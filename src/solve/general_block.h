#pragma once
/// \file
/// Four contacts with full H side by side, as the sweep kernels work on them. Plain arrays only, as in `contact/ball_block.h`.

#include <cstddef>
#include <cstdint>

#include "solve/kernel_sums.h"

namespace talus {

/// What H and mu leave to be found once, not in every visit [laws/local.cpp]: the normal velocity is held at zero by `ratio` = h/H_NN, and
/// what H has left for tangential impulses then is A.
template <int Dim>
struct GeneralLocal;
template <>
struct GeneralLocal<2> {
    static constexpr int side_by_side = 2;   ///< blocks that kernels visit at the same time
    double ratio[lanes], A[lanes];
};
template <>
struct GeneralLocal<3> {
    static constexpr int side_by_side = 1;   ///< a search for the direction of slip, of any length, comes between
    double ratio[2][lanes];
    double pivot[lanes], across[lanes], rest[lanes];   ///< A_ii, the larger one; A_ij/A_ii; what is left of A_jj
    double swapped[lanes];                             ///< 1 where i is the second tangent, else 0
    double nu[lanes], tau[lanes];                      ///< 1/(1 + mu), mu/(1 + mu)
    double trace[lanes];
    double single[lanes];                              ///< 1 where there is one slide at most, else 0
};

/// Lanes without a contact have zeros everywhere, ones where something is divided by, and lines that nobody moves.
template <int Dim>
struct alignas(32) GeneralBlock {
    static constexpr int spins = 2 * Dim - 3;
    std::int32_t a[lanes], b[lanes];       ///< lines
    double frame[Dim][Dim][lanes];
    double spin_a[Dim][spins][lanes], spin_b[Dim][spins][lanes];
    double c[Dim][lanes], S[Dim][lanes];
    double H[Dim][Dim][lanes];
    double mu[lanes];
    GeneralLocal<Dim> local;
    double irregular[lanes];               ///< 1 where H leaves no pivot to stick by, else 0
    double push_a[Dim][Dim][lanes], push_b[Dim][Dim][lanes];
    double turn_a[spins][Dim][lanes], turn_b[spins][Dim][lanes];
};

/// Impulses of before the last sweep.
template <int Dim>
struct alignas(32) GeneralBlockBefore {
    double S[Dim][lanes];
};

/// The exact answer of one lane for the velocity b that it has without its own impulse: for what kernels leave.
template <int Dim>
using LaneAnswer = void (*)(const GeneralBlock<Dim>& block, int lane, const double* b, const double* start, double* S);

/// Blocks [first, last) to be swept.
template <int Dim>
struct GeneralSweep {
    GeneralBlock<Dim>* blocks;
    GeneralBlockBefore<Dim>* before;   ///< with momentum
    const double* impact;              ///< when measuring: |U_N-| where colliding, `lanes` a block [m/s]
    std::size_t first, last;
    double* lines;                     ///< eight numbers a body
    double beta;                       ///< of the momentum
    double v_ref;                      ///< when measuring [m/s]
    LaneAnswer<Dim> answer;
};

/// One sweep over the blocks; `sums` is added to.
template <int Dim>
using GeneralKernel = void (*)(const GeneralSweep<Dim>& sweep, KernelSums& sums);

template <int Dim>
struct GeneralKernels {
    GeneralKernel<Dim> plain, momentum, plain_measuring, momentum_measuring;
};

// One function for each instruction set; compiled on every machine, called on those that have it.
template <int Dim> const GeneralKernels<Dim>& general_kernels_scalar();
template <int Dim> const GeneralKernels<Dim>& general_kernels_avx2();
template <int Dim> const GeneralKernels<Dim>& general_kernels_fused();

}  // namespace talus
