#pragma once
/// \file
/// Grains that leave through sinks, and grains that stop at a touch [sanni2009, sec. 6.2].

#include <vector>

#include "scene/scene.h"
#include "talus/world.h"

namespace talus::scene {

/// Ids of the grains in each sink; a grain in two sinks counts for the first. Glued bodies stay.
template <int Dim>
[[nodiscard]] std::vector<std::vector<BodyId>> grains_in_sinks(const World<Dim>& world, const Scene& scene,
                                                               const std::vector<BodyId>& attached);

/// Ids of the grains that in the last step touched what freezes them, increasing. `targets` are the ids
/// of each rule's bodies, increasing.
template <int Dim>
[[nodiscard]] std::vector<BodyId> grains_to_freeze(const World<Dim>& world, const Scene& scene,
                                                   const std::vector<std::vector<BodyId>>& targets);

extern template std::vector<std::vector<BodyId>> grains_in_sinks<2>(const World<2>&, const Scene&,
                                                                    const std::vector<BodyId>&);
extern template std::vector<std::vector<BodyId>> grains_in_sinks<3>(const World<3>&, const Scene&,
                                                                    const std::vector<BodyId>&);
extern template std::vector<BodyId> grains_to_freeze<2>(const World<2>&, const Scene&,
                                                        const std::vector<std::vector<BodyId>>&);
extern template std::vector<BodyId> grains_to_freeze<3>(const World<3>&, const Scene&,
                                                        const std::vector<std::vector<BodyId>>&);

}  // namespace talus::scene
