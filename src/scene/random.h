#pragma once
/// \file
/// Random numbers that are the same bits everywhere: SplitMix64 [Steele, Lea, Flood 2014] keyed by a
/// seed and a stream, with distributions of our own (those of the standard library differ between
/// implementations). Only additions, multiplications and square roots are used, no libm.

#include <cstdint>

#include "scene/frame.h"

namespace talus::scene {

class Random {
public:
    /// Independent sequences for every (seed, stream, substream).
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t substream = 0);

    std::uint64_t next();
    /// In [0, 1).
    double uniform();
    /// In [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// In {0, ..., n - 1}, n > 0, without bias.
    std::uint64_t below(std::uint64_t n);
    /// Uniform in the unit ball (disk when `dimension` is 2).
    Point in_unit_ball(int dimension);

private:
    std::uint64_t state_;
};

}  // namespace talus::scene
