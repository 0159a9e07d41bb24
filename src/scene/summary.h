#pragma once
/// \file
/// What a scene amounts to, before anything is run: for `talus check`.

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "scene/scene.h"

namespace talus::scene {

struct Summary {
    std::string title;
    int dimension = 3;
    std::int64_t free_balls = 0, fixed_balls = 0, boundaries = 0;
    std::int64_t free_solids = 0, fixed_solids = 0;  ///< not round
    std::int64_t emitted = 0;                       ///< grains that emitters may add
    double min_diameter = 0.0, max_diameter = 0.0;  ///< [m], sources included; 0: no ball
    double mass = 0.0;                              ///< of free balls and other bodies at the start [kg]
    std::vector<std::string> materials;
    std::vector<std::string> groups;  ///< "name: count"
    std::vector<std::string> stages;
    double step = 0.0;               ///< of the first stage [s]
    double top_speed = 0.0;          ///< largest known speed [m/s]
    double travel = 0.0;             ///< worst top speed times step over the smallest diameter [-]
    double duration = 0.0;           ///< longest [s]; infinity: not bounded
    std::int64_t steps = -1;         ///< at most; -1: not bounded
    std::vector<std::string> notes;  ///< worth a look, not wrong
};

[[nodiscard]] Summary summary(const Scene& scene);
[[nodiscard]] nlohmann::json to_json(const Summary& summary);
/// Aligned lines for people, in the units of the scene.
[[nodiscard]] std::string to_text(const Summary& summary, observe::UnitSystem units);

}  // namespace talus::scene
