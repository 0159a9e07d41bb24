#include "simd/avx2.h"
#include "solve/general_kernel.h"

namespace talus {

template <int Dim>
const GeneralKernels<Dim>& general_kernels_avx2() {
    return general_kernels_of<simd::Avx2<false>, Dim>();
}
template const GeneralKernels<2>& general_kernels_avx2();
template const GeneralKernels<3>& general_kernels_avx2();

}  // namespace talus
