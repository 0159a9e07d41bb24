#pragma once
/// \file
/// The one-step equilibrium check [moreau2001, sec. 2.1]: from rest, one step either leaves every body
/// at rest, and the impulses found are the forces of an equilibrium, or it does not.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scene/scene.h"
#include "talus/world.h"

namespace talus::cli {

struct EquilibriumOptions {
    double tolerance = 1e-6;             ///< largest velocity over g h [-]
    std::string forces;                  ///< CSV file for the contact forces; empty: none
    std::optional<std::int64_t> frame;   ///< of a run file; none: its last checkpoint
};

struct EquilibriumFound {
    Equilibrium equilibrium;
    double tolerance = 0.0;
    std::string forces;
};

/// The scene as it starts.
[[nodiscard]] EquilibriumFound check_scene(const scene::Scene& scene, const EquilibriumOptions& options);
/// A position of a run. \throws IoError, InputError as reading the run and its scene do.
[[nodiscard]] EquilibriumFound check_run(const std::string& run_file, const EquilibriumOptions& options);

[[nodiscard]] std::string to_text(const EquilibriumFound& found);
[[nodiscard]] nlohmann::json to_json(const EquilibriumFound& found);

}  // namespace talus::cli
