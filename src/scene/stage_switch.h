#pragma once
/// \file
/// Puts a stage into force: settings, laws, and how named bodies move and are loaded.

#include <functional>
#include <vector>

#include "scene/scene.h"
#include "talus/world.h"

namespace talus::scene {

/// From stage `before` (null at the beginning) to `now`, which begins at time `begin` [s]. What does not
/// change goes on: a drive that both stages have is not restarted. Bodies for which `is_gone` holds
/// (removed or frozen) are left alone.
template <int Dim>
void enter_stage(World<Dim>& world, const Scene& scene, const std::vector<BodyId>& ids, const Stage* before,
                 const Stage& now, double begin, const std::function<bool(BodyId)>& is_gone);

extern template void enter_stage<2>(World<2>&, const Scene&, const std::vector<BodyId>&, const Stage*, const Stage&,
                                    double, const std::function<bool(BodyId)>&);
extern template void enter_stage<3>(World<3>&, const Scene&, const std::vector<BodyId>&, const Stage*, const Stage&,
                                    double, const std::function<bool(BodyId)>&);

}  // namespace talus::scene
