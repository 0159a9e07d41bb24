#include "plot/palette.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::plot {

namespace {

/// Straight lines between colours spread evenly over [0, 1].
template <std::size_t N>
std::string between(const std::array<std::array<int, 3>, N>& stops, double share) {
    const double at = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * (N - 1) : 0.0;
    const auto k = std::min(static_cast<std::size_t>(at), N - 2);
    std::array<int, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c)
        rgb[c] = static_cast<int>(std::lround(stops[k][c] + (at - static_cast<double>(k)) * (stops[k + 1][c] - stops[k][c])));
    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace

std::string grey(double share) {
    static constexpr std::array<std::array<int, 3>, 2> stops{{{255, 255, 255}, {12, 12, 12}}};
    return between(stops, share);
}

std::string diverging(double share) {
    static constexpr std::array<std::array<int, 3>, 5> stops{{{33, 102, 172}, {146, 197, 222}, {247, 247, 247}, {244, 165, 130}, {178, 24, 43}}};
    return between(stops, 0.5 * (1.0 + (std::isfinite(share) ? share : 0.0)));
}

std::string ramp(double share) {
    // Viridis at nine places; straight lines between them stay within what an eye can tell.
    static constexpr std::array<std::array<int, 3>, 9> stops{{{68, 1, 84}, {71, 44, 122}, {59, 81, 139}, {44, 113, 142},
                                                              {33, 144, 141}, {39, 173, 129}, {92, 200, 99},
                                                              {170, 220, 50}, {253, 231, 37}}};
    return between(stops, share);
}

}  // namespace talus::plot
