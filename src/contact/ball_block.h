#pragma once
/// \file
/// Four ball contacts side by side, as they are held and as the sweep kernels work on them.
///
/// Plain arrays only: the kernels are compiled for instruction sets that the machine may lack, so nothing here may be
/// inlined into them that other files use as well (`simd/lanes.h`).

#include <cstdint>

#include "contact/block_lanes.h"

namespace talus {

/// Lanes without a contact have zeros everywhere and lines that nobody moves.
template <int Dim>
struct alignas(64) BallBlock {
    static constexpr int tangents = 2 * Dim - 3;  ///< numbers of a tangential vector [math/tangent.h]
    double n[Dim][lanes];
    double inv_wn[lanes], inv_wt[lanes];
    double wn[lanes];                             ///< H_NN, the measure of changes [1/kg]
    double mu[lanes], cn[lanes], ct[tangents][lanes];
    double pn[lanes], pt[tangents][lanes];
    std::int32_t a[lanes], b[lanes];                      ///< lines
};

}  // namespace talus
