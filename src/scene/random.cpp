#include "scene/random.h"

namespace talus::scene {

namespace {

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ull;

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t substream)
    : state_(mix(mix(mix(seed + golden) + stream + golden) + substream + golden)) {}

std::uint64_t Random::next() {
    state_ += golden;
    return mix(state_);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t n) {
    const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;  // a multiple of n: every remainder equally likely
    std::uint64_t x = next();
    while (x >= limit) x = next();
    return x % n;
}

Point Random::in_unit_ball(int dimension) {
    while (true) {
        Point p = Point::Zero();
        for (int k = 0; k < dimension; ++k) p[k] = uniform(-1.0, 1.0);
        if (p.squaredNorm() <= 1.0) return p;
    }
}

}  // namespace talus::scene
