#pragma once
/// \file
/// Bootstrap: how much a statistic of n items would scatter, from samples of n drawn with replacement
/// [Efron 1979]. The draws come from splitmix64 and depend on the seed alone, so that results are repeatable.

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace talus::observe {

/// A repeatable stream of whole numbers (splitmix64).
class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}
    [[nodiscard]] std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    /// In [0, n): the high part of the product, whose bias of n / 2^32 does not matter here.
    [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(((next() >> 32) * n) >> 32); }

private:
    std::uint64_t state_;
};

/// Standard deviations of the numbers that `statistic` (a function from chosen indices to a
/// vector of numbers) gives, over `samples` samples. NaN for fewer than two samples or no items.
template <class Statistic>
[[nodiscard]] std::vector<double> bootstrap(std::size_t items, std::size_t samples, std::uint64_t seed, const Statistic& statistic) {
    Draw draw(seed);
    std::vector<std::size_t> chosen(items);
    std::vector<double> mean, squares;
    for (std::size_t s = 0; s < samples && items > 0; ++s) {
        for (std::size_t& index : chosen) index = draw.below(items);
        const std::vector<double> value = statistic(chosen);
        mean.resize(value.size(), 0.0);
        squares.resize(value.size(), 0.0);
        for (std::size_t k = 0; k < value.size(); ++k) {  // Welford
            const double step = value[k] - mean[k];
            mean[k] += step / static_cast<double>(s + 1);
            squares[k] += step * (value[k] - mean[k]);
        }
    }
    for (double& s : squares)
        s = samples > 1 ? std::sqrt(s / static_cast<double>(samples - 1)) : std::numeric_limits<double>::quiet_NaN();
    return squares;
}

}  // namespace talus::observe
