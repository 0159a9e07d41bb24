#pragma once
/// \file
/// A state in the plane with what was found drawn into it: the forces that attain the bounds of a quantity, and the mechanism
/// by which it moves where it cannot stand, or collapses.

#include <string>
#include <utility>
#include <vector>

#include "explore/exploration.h"
#include "observe/units.h"

namespace talus::cli {

/// Names of files and what goes into them; none in space, where nothing shows through.
using NamedFigures = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] NamedFigures draw_states(const World<2>& world, const explore::Exploration& found, observe::UnitSystem units);
[[nodiscard]] inline NamedFigures draw_states(const World<3>&, const explore::Exploration&, observe::UnitSystem) { return {}; }

}  // namespace talus::cli
