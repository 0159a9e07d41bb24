#pragma once
/// \file
/// What a law must not say, for worlds and scene files alike.

#include <optional>
#include <string>

#include "talus/law.h"

namespace talus {

struct LawFault {
    std::string key;      ///< the coefficient to change
    std::string message;
};

/// The first fault of what goes beyond friction and restitution, in `dimension` 2 or 3.
[[nodiscard]] std::optional<LawFault> find_fault(const LawSpec& law, int dimension);

}  // namespace talus
