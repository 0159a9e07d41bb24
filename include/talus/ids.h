#pragma once
/// \file
/// Names of things in a world. None is used twice within a world.

#include <cstdint>

namespace talus {

using BodyId = std::int64_t;
using JointId = std::int64_t;
using MaterialId = std::int32_t;

}  // namespace talus
