#pragma once
/// \file
/// `--set key=value`: replaces one value of a scene before it is read.

#include <string>

#include "scene/document.h"
#include "scene/scene.h"

namespace talus::scene {

/// Replaces the value at the path `key` (words and list numbers joined by dots; list entries also by
/// their `name`) by the YAML `value`. The last word may be a new key, which the reader then judges.
/// \throws InputError `--set key: what is wrong; what to write instead`.
void apply_override(Node& root, const Override& change, Diagnostics& errors);

/// The same on text; returns the canonical text.
[[nodiscard]] std::string apply_override(const std::string& yaml, const Override& change);

/// Splits `a.b=1,2,3` into the key and the values of a grid: at commas outside brackets and quotes.
/// \throws InputError when there is no `=` or a value is empty.
struct OverrideGrid {
    std::string key;
    std::vector<std::string> values;
};
[[nodiscard]] OverrideGrid parse_override(const std::string& argument);

}  // namespace talus::scene
