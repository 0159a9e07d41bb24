#pragma once
/// \file
/// Who touches whom, without what `World::contacts` tells besides: cheap enough to be asked for in every step.

#include <cstdint>
#include <utility>
#include <vector>

#include "talus/world.h"

namespace talus {

/// Indices of the two bodies of every contact of the last step with gap <= 0, in the order of `World::contacts`.
template <int Dim>
[[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> closed_contacts(const World<Dim>& world);

}  // namespace talus
