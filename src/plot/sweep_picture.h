#pragma once
/// \file
/// A sweeping process drawn as Moreau's hydraulic illustration [moreau2003, sec. 2.6]: t points down, what is outside
/// the set is rock, and the ways of the points are trickles of water, thick where they run on the rock.

#include <string>
#include <vector>

#include "scene/sweep_scene.h"

namespace talus::plot {

/// An SVG: the section of the set over x and t, and the ways projected on it.
[[nodiscard]] std::string draw_sweep(const scene::SweepScene& scene, const std::vector<scene::SweepPath>& paths);

}  // namespace talus::plot
