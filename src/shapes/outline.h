#pragma once
/// \file
/// Solids as they are drawn: a closed line in the plane, faces in space. Round parts are cut into
/// straight ones. For pictures and exports only; contacts never see these.

#include <vector>

#include "shapes/solid.h"

namespace talus {

/// Counter-clockwise outline of a piece; a full circle has `sides` sides.
[[nodiscard]] std::vector<Vec<2>> outline(const Piece<2>& piece, int sides = 48);

/// Flat faces of a piece, each a loop of points seen counter-clockwise from outside.
struct Surface {
    std::vector<Vec<3>> points;
    std::vector<std::vector<std::int32_t>> faces;
};
[[nodiscard]] Surface surface(const Piece<3>& piece, int sides = 32);

}  // namespace talus
