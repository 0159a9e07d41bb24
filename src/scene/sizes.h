#pragma once
/// \file
/// Size distributions of grains.

#include <cstdint>
#include <vector>

#include "scene/random.h"

namespace talus::scene {

/// Radii of a family of grains.
///
/// | kind | meaning |
/// |---|---|
/// | constant | one size |
/// | uniform | uniform in diameter |
/// | uniform_mass | the mass of a grain is uniform between those of the two sizes |
/// | uniform_volume | every class of diameter holds the same volume: density of numbers ~ d^-Dim |
/// | weights | the listed sizes, drawn with the listed weights |
/// | counts | the listed sizes in exactly the listed numbers, shuffled; then again from the start |
struct Sizes {
    enum class Kind { constant, uniform, uniform_mass, uniform_volume, weights, counts } kind = Kind::constant;
    int dimension = 3;
    double low = 0.0, high = 0.0;      ///< radii [m]
    std::vector<double> radius;        ///< listed radii [m]
    std::vector<double> cumulative;    ///< weights: running sum, last = 1
    std::vector<std::uint32_t> order;  ///< counts: shuffled indices into `radius`

    /// Radius of grain number `k` [m].
    [[nodiscard]] double draw(std::uint64_t k, Random& random) const;
    [[nodiscard]] double min() const;
    [[nodiscard]] double max() const;
};

/// Cube root with the four operations only: the same bits on every machine.
[[nodiscard]] double cube_root(double x);

}  // namespace talus::scene
