#pragma once
/// \file
/// Which colour a value has, and the key that tells so: a bar for quantities, named squares for kinds.

#include <string>
#include <vector>

#include "plot/svg.h"

namespace talus::plot {

/// How a quantity becomes a colour: the ramp of palette.h, grey levels (white: least), or blue to red for
/// quantities with a sign.
enum class Palette { colour, grey, diverging };

/// Values between bounds[k] and bounds[k + 1] have colour k.
struct ColourScale {
    std::string label;              ///< empty: no key
    std::vector<double> bounds;     ///< increasing
    std::vector<std::string> colours;
    bool spaced_evenly = false;     ///< label every bound (classes of unequal width)
    std::vector<std::string> names; ///< of the colours, where they are kinds and not a quantity
    bool open = false;              ///< the last class holds all that is larger as well

    [[nodiscard]] const std::string& colour(double value) const;
};

inline const std::string fixed_fill = "#e4ddd0";     ///< grains held fixed: a warm grey that no scale uses
inline const std::string fixed_outline = "#a59c8b";

/// `count` classes of equal width.
[[nodiscard]] ColourScale even_scale(std::string label, double low, double high, int count, Palette palette = Palette::colour);
/// Five classes by powers of 0.18 below the highest, as in moreau2003, fig. 2: slow grains pale.
[[nodiscard]] ColourScale speed_scale(std::string label, double highest, Palette palette = Palette::colour);
/// One colour, no key.
[[nodiscard]] ColourScale single_colour(std::string colour);

/// Height the key needs [px] on a figure of that width; 0: it has none.
[[nodiscard]] double key_height(const ColourScale& scale, double width);
void draw_key(Svg& svg, const ColourScale& scale, Point2 corner, double width);

}  // namespace talus::plot
