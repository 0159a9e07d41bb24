#pragma once
/// \file
/// What the colour of a grain says in a drawing: its birth date (fossil layers of moreau2003, fig. 3
/// and 5), its speed, its tag, its size, or nothing.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "observe/forces.h"
#include "plot/drawing.h"
#include "plot/palette.h"

namespace talus::plot {

inline const std::vector<std::string> colourings{"auto", "birth", "speed", "tag", "size", "plain"};

/// Value of grain `i` for a colouring; NaN for grains held fixed.
template <int Dim>
[[nodiscard]] double colour_value(const Snapshot<Dim>& snapshot, std::size_t i, const std::string& colouring, double length) {
    if (!observe::is_grain(snapshot, i)) return std::numeric_limits<double>::quiet_NaN();
    if (colouring == "birth") return snapshot.birth[i];
    if (colouring == "speed") return snapshot.velocity[i].norm() * length;
    if (colouring == "tag") return snapshot.tag[i];
    if (colouring == "size") return 2.0 * snapshot.radius[i] * length;
    return 0.0;
}

/// Where most grains flow, equal steps of speed; where few move and most rest, powers of 0.18.
[[nodiscard]] inline ColourScale scale_of_speeds(std::string label, std::vector<double> speeds) {
    if (speeds.empty()) return even_scale("", 0.0, 0.0, 1);
    std::sort(speeds.begin(), speeds.end());
    const double middle = speeds[speeds.size() / 2], highest = speeds.back();
    return middle > 0.1 * highest ? even_scale(std::move(label), 0.0, highest, 8) : speed_scale(std::move(label), highest);
}

/// The scale for a colouring of all grains of the frame; `length` turns metres into the label's unit.
template <int Dim>
[[nodiscard]] ColourScale colour_scale(const Snapshot<Dim>& snapshot, const std::string& colouring, double length,
                                       const std::string& length_unit) {
    double low = INFINITY, high = -INFINITY;
    std::set<double> values;   // of tags
    std::vector<double> all;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        const double value = colour_value(snapshot, i, colouring, length);
        if (std::isnan(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
        if (colouring == "tag") values.insert(value);
        if (colouring == "speed") all.push_back(value);
    }
    if (colouring == "birth") return even_scale("birth [s]", low, high, 8);
    if (colouring == "size") return even_scale("diameter [" + length_unit + "]", low, high, 8);
    if (colouring == "speed") return scale_of_speeds("speed [" + length_unit + "/s]", std::move(all));
    if (colouring != "tag") return even_scale("", 0.0, 0.0, 1);
    ColourScale scale;
    for (const double value : values) {
        scale.bounds.push_back(value);
        scale.colours.push_back(hue(scale.colours.size()));
    }
    return scale;
}

/// The first of birth, tag, size in which the grains differ.
template <int Dim>
[[nodiscard]] std::string pick_colouring(const Snapshot<Dim>& snapshot, const std::string& asked) {
    if (asked != "auto") return asked;
    for (const std::string candidate : {"birth", "tag", "size"}) {
        std::set<double> values;
        for (std::size_t i = 0; i < snapshot.size() && values.size() < 2; ++i)
            if (observe::is_grain(snapshot, i)) values.insert(colour_value(snapshot, i, candidate, 1.0));
        if (values.size() > 1) return candidate;
    }
    return "plain";
}

}  // namespace talus::plot
