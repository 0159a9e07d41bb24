#pragma once
/// \file
/// Four ball contacts side by side, as they are held and as the sweep kernels work on them.
///
/// Plain arrays only: the kernels are compiled for instruction sets that the machine may lack, so nothing here may be
/// inlined into them that other files use as well (`simd/lanes.h`).

#include <cstdint>

#include "contact/block_lanes.h"

namespace talus {

constexpr std::uint32_t line_numbers = 8;   ///< of a line of a body

/// Lanes without a contact have masses of one, zeros else, and lines that nobody moves. Sweeps over many contacts go as fast as
/// memory brings their blocks, so that nothing is in them that can be computed or is mostly zero: in space six cache lines.
template <int Dim>
struct alignas(64) BallBlock {
    static constexpr int tangents = 2 * Dim - 3;  ///< numbers of a tangential vector [math/tangent.h]
    double n[Dim][lanes];
    std::uint32_t a[lanes], b[lanes];             ///< where the lines begin, counted in numbers: an address needs no more arithmetic
    double inv_wn[lanes], inv_wt[lanes];
    double mu[lanes], cn[lanes];
    alignas(64) double pn[lanes];                 ///< what sweeps write, in cache lines of its own: only these go back to memory
    double pt[tangents][lanes];
};
static_assert(sizeof(BallBlock<3>) == 384 && sizeof(BallBlock<2>) == 320);

/// Constants of the formal tangential velocities of a block. Without tangential restitution and driven bodies that move there are none.
template <int Dim>
struct alignas(32) BallBlockShift {
    double ct[BallBlock<Dim>::tangents][lanes];
};

}  // namespace talus
