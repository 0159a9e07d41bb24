#include "simd/lanes.h"
#include "solve/ball_passes.h"

namespace talus {

template <int Dim>
const BallKernels<Dim>& ball_kernels_scalar() {
    return kernels_of<simd::Lanes, Dim>();
}
template const BallKernels<2>& ball_kernels_scalar();
template const BallKernels<3>& ball_kernels_scalar();

}  // namespace talus
