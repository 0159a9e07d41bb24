#pragma once
/// \file
/// What sweep kernels add up, lane by lane: the same for every instruction set.

#include "contact/block_lanes.h"

namespace talus {

struct alignas(32) KernelSums {
    double energy[lanes] = {};    ///< of the changes of impulse [J]
    double error[lanes] = {};     ///< of e/v_ref [-]
    double worst[lanes] = {};     ///< largest e/v_ref
    double moreau[lanes] = {};    ///< largest |H_N dS_N| [m/s]
    double working[lanes] = {};   ///< contacts with S != 0 or e != 0
};

// Over the lanes.
[[nodiscard]] double sum_of(const double (&x)[lanes]);
[[nodiscard]] double largest_of(const double (&x)[lanes]);

namespace {

/// The sums while a kernel runs.
template <class W>
struct SumLanes {
    W energy, error, worst, moreau, working;
    explicit SumLanes(const KernelSums& s)
        : energy(W::load(s.energy)), error(W::load(s.error)), worst(W::load(s.worst)), moreau(W::load(s.moreau)),
          working(W::load(s.working)) {}
    void store(KernelSums& s) const {
        energy.store(s.energy);
        error.store(s.error);
        worst.store(s.worst);
        moreau.store(s.moreau);
        working.store(s.working);
    }
};

template <class W>
inline W magnitude(W a) { return greater(a, W::all(0.0) - a); }

}  // namespace
}  // namespace talus
