#include "solve/kernels.h"

#include "talus/error.h"

namespace talus {

Kernel available(Kernel kernel) {
    const bool has_avx2 = __builtin_cpu_supports("avx2"), has_fma = has_avx2 && __builtin_cpu_supports("fma");
    if (kernel == Kernel::automatic) return has_avx2 ? Kernel::avx2 : Kernel::scalar;
    if (kernel == Kernel::fused && !has_fma) throw InputError("this machine has no fused multiply-add; leave the solver's kernel to 'automatic'");
    if (kernel == Kernel::avx2 && !has_avx2) throw InputError("this machine has no AVX2; leave the solver's kernel to 'automatic'");
    return kernel;
}

template <int Dim>
const BallKernels<Dim>& ball_kernels(Kernel kernel) {
    return kernel == Kernel::scalar ? ball_kernels_scalar<Dim>() : kernel == Kernel::fused ? ball_kernels_fused<Dim>() : ball_kernels_avx2<Dim>();
}

template <int Dim>
const GeneralKernels<Dim>& general_kernels(Kernel kernel) {
    return kernel == Kernel::scalar ? general_kernels_scalar<Dim>() : kernel == Kernel::fused ? general_kernels_fused<Dim>() : general_kernels_avx2<Dim>();
}

template const BallKernels<2>& ball_kernels(Kernel);
template const BallKernels<3>& ball_kernels(Kernel);
template const GeneralKernels<2>& general_kernels(Kernel);
template const GeneralKernels<3>& general_kernels(Kernel);

}  // namespace talus
