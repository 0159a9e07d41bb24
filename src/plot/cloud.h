#pragma once
/// \file
/// Pictures of what is not determined: the cloud of sampled forces inside the exact set, and which starts led to rest.

#include <string>

#include "explore/exploration.h"

namespace talus::plot {

/// The cloud along the two quantities of `found.plane`, the exact set seen along them, and their bounds.
/// \throws InputError when the exploration has no plane.
[[nodiscard]] std::string draw_cloud(const explore::Exploration& found);

/// Starts by outcome: over the normal forces started from where there are two contacts, else the largest velocity after the
/// step over the mean normal force started from. \throws InputError without samples.
[[nodiscard]] std::string draw_starts(const explore::Exploration& found);

}  // namespace talus::plot
