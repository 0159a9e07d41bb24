#pragma once
/// \file
/// Settled packings of spheres, disks, polygons or polyhedra of any size, cheaply.
///
/// A block of about a thousand grains is settled for real: dropped from a loose lattice on a floor,
/// periodic sideways, until it rests. Larger packings are that block repeated sideways, with its
/// impulses: since the block is periodic, the tiling is in the same equilibrium, exactly. All
/// packings therefore have the same depth, contacts per body and forces, and differ in size only.
/// The copies of a grain are numbered one after the other, in a shuffled order, so that locality in memory is the engine's doing.

#include <cstdint>
#include <string>
#include <vector>

#include "talus/talus.h"

namespace talus::bench {

inline constexpr double diameter = 0.01;      ///< mean, of the ball that holds a grain; sizes uniform within 10 % of it [m]
inline constexpr double density = 2600.0;     ///< [kg/m3], [kg/m2]
inline constexpr double usual_friction = 0.4; ///< [-]
inline constexpr double time_step = 5e-4;     ///< [s]
inline constexpr double gravity = 9.81;       ///< [m/s2]

/// What a packing is made of: irregular polygons have five to seven corners, polyhedra eight to fourteen.
enum class Grains : std::uint8_t { spheres, disks, polygons, polyhedra };
/// \throws InputError when there are none of that name.
[[nodiscard]] Grains grains_named(const std::string& name);
[[nodiscard]] std::string name_of(Grains grains);
[[nodiscard]] constexpr bool are_balls(Grains grains) { return grains == Grains::spheres || grains == Grains::disks; }

/// How a block is made: `layers` layers, each `across` grains wide in every direction but up.
struct BlockSpec {
    Grains grains = Grains::spheres;
    int across = 10, layers = 10;
    double duration = 0.6;                  ///< in which it settles [s]
    std::uint64_t seed = 1;
    double friction = usual_friction;       ///< [-]
};

/// A settled periodic block and what settling it showed.
template <int Dim>
struct Block {
    double width = 0.0;                     ///< period in every direction but up [m]
    double friction = usual_friction;       ///< [-]
    std::vector<Vec<Dim>> position;         ///< inside the cell [m]
    std::vector<double> radius;             ///< of the grain, or of the ball that holds it [m]
    std::vector<Rotation<Dim>> rotation;
    std::vector<ShapeSpec> shape;           ///< empty for balls
    std::vector<Contact<Dim>> contacts;     ///< ids are indices into the arrays above, -1 the floor
    double kinetic_energy = 0.0;            ///< left over, in N m g d [-]
    double max_overlap = 0.0;               ///< over the smaller diameter [-]
    double seconds = 0.0;                   ///< it took to settle [s]
};

/// Drops the grains and lets them settle. `Dim` is that of the grains.
template <int Dim>
[[nodiscard]] Block<Dim> settle_block(const BlockSpec& spec);

/// How often the block is repeated; upright ones in the plane only along x.
struct Tiling {
    int in_x = 1, in_y = 1;
};

/// The tiling whose size is closest to `bodies`, as square as its factors allow.
template <int Dim>
[[nodiscard]] Tiling tiling_for(std::size_t bodies, const Block<Dim>& block);

/// A world that holds the block repeated, with its impulses as history.
template <int Dim>
[[nodiscard]] World<Dim> tile(const Block<Dim>& block, const Tiling& tiling, std::uint64_t seed);

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
