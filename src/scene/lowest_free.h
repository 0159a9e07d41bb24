#pragma once
/// \file
/// Where a ball that is let down along the vertical first touches something.
///
/// Against balls the height is exact: along the line through (s, t), a ball of radius R at distance
/// rho from the line is touched at its height plus sqrt((r + R)^2 - rho^2). Boundaries are met by
/// stepping down (or up, out of one) by the clearance, which never jumps over anything.

#include "scene/frame.h"
#include "talus/world.h"

namespace talus::scene {

template <int Dim>
struct Column {
    const Frame& frame;
    double s = 0.0, t = 0.0;  ///< across [m]
    double radius = 0.0;      ///< of the ball let down [m]
};

struct Landing {
    enum class Kind { found, blocked, bottomless } kind = Kind::found;
    double height = 0.0;  ///< of the centre, along the vertical [m]
};

/// Lets the ball down from height `from` (infinity: from above everything). `blocked`: it has no room at
/// `from`. `bottomless`: it would fall for ever.
template <int Dim>
[[nodiscard]] Landing land(const World<Dim>& world, const Column<Dim>& column, double from);

extern template Landing land<2>(const World<2>&, const Column<2>&, double);
extern template Landing land<3>(const World<3>&, const Column<3>&, double);

}  // namespace talus::scene
