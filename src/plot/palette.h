#pragma once
/// \file
/// Colours that people with any kind of colour vision can tell apart: the eight of Okabe and Ito for
/// curves and classes, a viridis-like ramp of rising lightness for quantities, grey levels for print, and blue to red
/// for quantities with a sign.

#include <array>
#include <string>

namespace talus::plot {

/// Vermilion, blue, green ... (black is left out: it is the page's own colour).
inline constexpr std::array<const char*, 7> hues{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#999999"};

[[nodiscard]] inline const char* hue(std::size_t k) { return hues[k % hues.size()]; }

/// Colour of `share` in [0, 1] on a ramp from dark blue to yellow.
[[nodiscard]] std::string ramp(double share);

/// Grey levels from white (0) to black (1), as in the papers.
[[nodiscard]] std::string grey(double share);

/// Blue (-1) over white (0) to red (1): for quantities with a sign.
[[nodiscard]] std::string diverging(double share);

}  // namespace talus::plot
