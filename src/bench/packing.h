#pragma once
/// \file
/// Settled packings of spheres of any size, cheaply.
///
/// A block of about a thousand spheres is settled for real: dropped from a loose lattice on a floor,
/// periodic in x and y, until it rests. Larger packings are that block repeated in x and y, with its
/// impulses: since the block is periodic, the tiling is in the same equilibrium, exactly. All
/// packings therefore have the same depth, contacts per body and forces, and differ in size only.
/// Bodies are numbered in a shuffled order, so that locality in memory is the engine's doing.

#include <cstdint>
#include <vector>

#include "talus/talus.h"

namespace talus::bench {

inline constexpr double diameter = 0.01;      ///< mean, sizes uniform within 10 % of it [m]
inline constexpr double density = 2600.0;     ///< [kg/m3]
inline constexpr double usual_friction = 0.4; ///< [-]
inline constexpr double time_step = 5e-4;     ///< [s]
inline constexpr double gravity = 9.81;       ///< [m/s2]

/// A settled periodic block and what settling it showed.
struct Block {
    double width = 0.0;                     ///< period in x and y [m]
    double friction = usual_friction;       ///< [-]
    std::vector<Vec<3>> position;           ///< inside the cell [m]
    std::vector<double> radius;             ///< [m]
    std::vector<Contact<3>> contacts;       ///< ids are indices into the arrays above, -1 the floor
    double kinetic_energy = 0.0;            ///< left over, in N m g d [-]
    double max_overlap = 0.0;               ///< over the smaller diameter [-]
    double seconds = 0.0;                   ///< it took to settle [s]
};

/// Drops `layers` layers of `across` x `across` spheres and lets them settle for `duration` [s].
[[nodiscard]] Block settle_block(int across, int layers, double duration, std::uint64_t seed, double friction = usual_friction);

/// How often the block is repeated.
struct Tiling {
    int in_x = 1, in_y = 1;
};

/// The tiling whose size is closest to `bodies`, as square as its factors allow.
[[nodiscard]] Tiling tiling_for(std::size_t bodies, const Block& block);

/// A world that holds the block repeated, with its impulses as history.
[[nodiscard]] World<3> tile(const Block& block, const Tiling& tiling, std::uint64_t seed);

/// Tilts gravity by two degrees in the plane of x and the vertical, so that contacts at rest have work to do.
template <int Dim>
void tilt_gravity(World<Dim>& world) {
    constexpr double cosine = 0.99939082701909573, sine = 0.034899496702500972;
    Settings<Dim> settings = world.settings();
    const double down = settings.gravity[Dim - 1], along = settings.gravity[0];
    settings.gravity[0] = cosine * along - sine * down;
    settings.gravity[Dim - 1] = sine * along + cosine * down;
    world.set_settings(settings);
}

}  // namespace talus::bench
