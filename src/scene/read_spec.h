#pragma once
/// \file
/// Entries whose keys their reader does not know: observables and figures, which check their own parameters.

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "observe/spec.h"
#include "scene/reader.h"

namespace talus::scene {

/// YAML as JSON: plain scalars become numbers and truth values where they look like them.
[[nodiscard]] nlohmann::json to_json(const Node& node);

/// Keys with their places, nested ones as `outer.inner`.
void note_places(const Node& node, const std::string& prefix, std::map<std::string, std::string>& places);

/// A name, or a mapping with `name`, an optional `label`, and parameters; `what` names it in messages.
[[nodiscard]] observe::Spec read_spec(const Node& item, Context& context, const std::string& what);

}  // namespace talus::scene
