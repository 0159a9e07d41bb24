#pragma once
/// \file
/// Observables asked for outside a scene: on the command line, or in a file of their own.

#include <string>
#include <vector>

#include "scene/scene.h"

namespace talus::scene {

/// From YAML text, for a run of `scene`, whose units and tags hold: a name, a mapping with `name`, a list of
/// those, or a mapping with such a list under `observe`. `name` stands for the file in messages.
/// \throws InputError with all that is wrong.
[[nodiscard]] std::vector<observe::Spec> load_observe_text(const std::string& text, const std::string& name, const Scene& scene);

}  // namespace talus::scene
