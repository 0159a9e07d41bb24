#include "simd/lanes.h"
#include "solve/general_kernel.h"

namespace talus {

template <int Dim>
const GeneralKernels<Dim>& general_kernels_scalar() {
    return general_kernels_of<simd::Lanes, Dim>();
}
template const GeneralKernels<2>& general_kernels_scalar();
template const GeneralKernels<3>& general_kernels_scalar();

}  // namespace talus
