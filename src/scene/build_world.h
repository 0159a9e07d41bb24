#pragma once
/// \file
/// The world of a scene at time zero.

#include <vector>

#include "scene/simulation.h"

namespace talus::scene {

/// A world with the ids of what the scene names.
template <int Dim>
struct BuiltWorld {
    World<Dim> world;
    std::vector<BodyId> bodies;               ///< of `Scene::bodies`
    std::vector<std::vector<BodyId>> groups;  ///< of the balls of each group
    std::vector<BodyId> attached;             ///< glued balls and what carries them, increasing
    std::vector<Vec<Dim>> velocities;         ///< of `Scene::bodies`, for their free directions [m/s]
    std::vector<Spin<Dim>> spins;             ///< the same for rotations [rad/s]
};

/// Settings, materials, laws, bodies and grains; freedoms are as the world makes them.
/// \throws InputError when the frame to start from does not fit the scene.
template <int Dim>
[[nodiscard]] BuiltWorld<Dim> build_world(const Scene& scene, const FrameLoader<Dim>& loader);

extern template BuiltWorld<2> build_world<2>(const Scene&, const FrameLoader<2>&);
extern template BuiltWorld<3> build_world<3>(const Scene&, const FrameLoader<3>&);

}  // namespace talus::scene
