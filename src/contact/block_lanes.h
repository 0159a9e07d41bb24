#pragma once
/// \file
/// How many contacts of one kind are held and swept side by side.

namespace talus {

/// Contacts of a block.
inline constexpr int lanes = 4;

}  // namespace talus
