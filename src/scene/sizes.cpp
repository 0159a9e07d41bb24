#include "scene/sizes.h"

#include <algorithm>
#include <cmath>

namespace talus::scene {

double cube_root(double x) {
    if (x <= 0.0) return 0.0;
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent);  // exact
    int third = exponent / 3, rest = exponent - 3 * third;
    if (rest < 0) {
        rest += 3;
        --third;
    }
    const double y = std::ldexp(mantissa, rest);  // in [1/2, 4)
    double r = 0.7 + 0.23 * y;
    for (int i = 0; i < 8; ++i) r -= (r * r * r - y) / (3.0 * r * r);  // Newton, far past convergence
    return std::ldexp(r, third);
}

double Sizes::draw(std::uint64_t k, Random& random) const {
    switch (kind) {
        case Kind::constant: return low;
        case Kind::uniform: return random.uniform(low, high);
        case Kind::uniform_mass: {
            const double u = random.uniform();
            if (dimension == 2) return std::sqrt(low * low + u * (high * high - low * low));
            return cube_root(low * low * low + u * (high * high * high - low * low * low));
        }
        case Kind::uniform_volume: {
            // Numbers ~ r^-Dim; the inverse of its running sum.
            const double u = random.uniform();
            if (dimension == 2) return 1.0 / ((1.0 - u) / low + u / high);
            return 1.0 / std::sqrt((1.0 - u) / (low * low) + u / (high * high));
        }
        case Kind::weights: {
            const double u = random.uniform();
            const auto it = std::upper_bound(cumulative.begin(), cumulative.end(), u);
            return radius[std::min<std::size_t>(static_cast<std::size_t>(it - cumulative.begin()), radius.size() - 1)];
        }
        case Kind::counts: return radius[order[k % order.size()]];
    }
    return low;
}

double Sizes::min() const { return radius.empty() ? low : *std::min_element(radius.begin(), radius.end()); }
double Sizes::max() const {
    return radius.empty() ? std::max(low, high) : *std::max_element(radius.begin(), radius.end());
}

}  // namespace talus::scene
