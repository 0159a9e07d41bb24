#pragma once
/// \file
/// Figures of measurements already made, in the units they are given in.

#include <string>

#include "observe/result.h"

namespace talus::plot {

/// Ring pressures from a result of the observable `rings`. \throws InputError when it holds none.
[[nodiscard]] std::string draw_rings(const observe::Result& rings);

/// Free surface from a result of the observable `slope`. \throws InputError when it holds none.
[[nodiscard]] std::string draw_profile(const observe::Result& slope);

}  // namespace talus::plot
