#pragma once
/// \file
/// Short ways to read scenes in tests.

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/simulation.h"
#include "talus/error.h"

namespace talus::scene::testing {

/// The head of a small scene; tests append to it.
inline std::string head(int dimension) {
    return "talus: 1\ndimension: " + std::to_string(dimension) +
           "\nstep: 1e-3\nduration: 1\nmaterials: {grain: {density: 1000, friction: 0.5}}\n";
}

inline Scene read(const std::string& text, const std::vector<Override>& overrides = {}) {
    return load_scene_text(text, "scene.yaml", ".", overrides);
}

/// What the reader says about a scene; empty when it is good.
inline std::string message(const std::string& text, const std::vector<Override>& overrides = {}) {
    try {
        (void)read(text, overrides);
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

inline std::filesystem::path source_dir() { return TALUS_SOURCE_DIR; }

/// Smallest gap between any two balls of a scene, over the smaller diameter; brute force.
inline double smallest_gap(const Scene& scene) {
    double least = 1e300;
    for (std::size_t i = 0; i < scene.grains.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Point d = scene.grains[i].position - scene.grains[j].position;
            for (int k = 0; k < scene.dimension; ++k)
                if (scene.periodic[static_cast<std::size_t>(k)]) {
                    const double width = scene.cell_high[k] - scene.cell_low[k];
                    d[k] -= width * std::round(d[k] / width);
                }
            const double a = scene.grains[i].radius, b = scene.grains[j].radius;
            least = std::min(least, (d.norm() - a - b) / (2.0 * std::min(a, b)));
        }
    return least;
}

}  // namespace talus::scene::testing
