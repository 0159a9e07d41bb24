#include "plot/palette.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::plot {

std::string ramp(double share) {
    // Viridis at nine places; straight lines between them stay within what an eye can tell.
    static constexpr std::array<std::array<int, 3>, 9> stops{{{68, 1, 84}, {71, 44, 122}, {59, 81, 139}, {44, 113, 142},
                                                              {33, 144, 141}, {39, 173, 129}, {92, 200, 99},
                                                              {170, 220, 50}, {253, 231, 37}}};
    const double at = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * (stops.size() - 1) : 0.0;
    const auto k = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    std::array<int, 3> rgb{};
    for (std::size_t c = 0; c < 3; ++c)
        rgb[c] = static_cast<int>(std::lround(stops[k][c] + (at - static_cast<double>(k)) * (stops[k + 1][c] - stops[k][c])));
    return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace talus::plot
