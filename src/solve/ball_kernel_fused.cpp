#include "simd/avx2.h"
#include "solve/ball_passes.h"

namespace talus {

template <int Dim>
const BallKernels<Dim>& ball_kernels_fused() {
    return kernels_of<simd::Avx2<true>, Dim>();
}
template const BallKernels<2>& ball_kernels_fused();
template const BallKernels<3>& ball_kernels_fused();

}  // namespace talus
