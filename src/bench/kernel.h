#pragma once
/// \file
/// How fast is a sweep over sphere contacts: updates a second, against the roofs of the machine.
///
/// Update = one contact visited once in one sweep. Settled packings of 1k to 1M spheres (bench/packing.h) are given
/// gravity tilted by two degrees, so that contacts have work to do, and solved with a fixed number of sweeps of the
/// solver `nlgs`, always from the same impulses. What a solve does besides its sweeps (velocities refreshed, contacts arranged,
/// the law error judged) is measured by a solve of one sweep and subtracted: the rate is that of the sweeps.
///
/// All variants, numbers of threads and roofs take turns in rounds, and the best of each counts: other jobs only
/// ever slow one down. Limits: spheres on a floor, one depth and one friction; no other shape.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/packing.h"
#include "bench/roof.h"

namespace talus::bench {

struct KernelOptions {
    std::vector<std::size_t> bodies = {1'000, 10'000, 100'000, 1'000'000};
    std::vector<std::string> variants;   ///< of `kernel_variants()`; empty: all
    std::vector<int> threads;            ///< empty: 1 and, where there are so many processors, 2
    int sweeps = 50;                     ///< of a timed solve, > 1
    double seconds = 1.0;                ///< of processor time spent on each row, three rounds at least [s]
    double settle = 0.6;                 ///< simulated time in which the block settles [s]
    std::uint64_t seed = 1;
};

struct KernelRow {
    std::size_t bodies = 0, contacts = 0;
    std::string variant;
    int threads = 1;
    double updates_per_second = 0.0;     ///< [1/s]
    double roof_fraction = 0.0;          ///< of the lower roof for as many threads [-]
};

struct KernelResult {
    Block<3> block;                         ///< that was repeated
    std::vector<KernelRow> rows;
    std::vector<Roof> roofs;             ///< by number of threads, one thread first
};

/// Names of the kernels that this machine can run; the scalar one is the reference and comes first. `simd` has its bits, `fused` has not.
[[nodiscard]] std::vector<std::string> kernel_variants();
/// Threads that a sweep can use: the processors of this process.
[[nodiscard]] int most_sweep_threads();

/// \throws InputError on a variant, number of threads or size that there is not.
[[nodiscard]] KernelResult measure_kernel(const KernelOptions& options,
                                          const std::function<void(const std::string&)>& say);

}  // namespace talus::bench
