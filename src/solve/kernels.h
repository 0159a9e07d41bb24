#pragma once
/// \file
/// Which of the kernels to use on this machine.

#include "solve/ball_sweep.h"
#include "solve/general_block.h"
#include "solve/solver_registry.h"

namespace talus {

/// What to use of that which may be asked for. \throws InputError where the machine lacks it.
[[nodiscard]] Kernel available(Kernel kernel);

// Of a kind that is there.
template <int Dim> [[nodiscard]] const BallKernels<Dim>& ball_kernels(Kernel kernel);
template <int Dim> [[nodiscard]] const GeneralKernels<Dim>& general_kernels(Kernel kernel);

}  // namespace talus
