#include "simd/avx2.h"
#include "solve/ball_passes.h"

namespace talus {

template <int Dim>
const BallKernels<Dim>& ball_kernels_avx2() {
    return kernels_of<simd::Avx2<false>, Dim>();
}
template const BallKernels<2>& ball_kernels_avx2();
template const BallKernels<3>& ball_kernels_avx2();

}  // namespace talus
