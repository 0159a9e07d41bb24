#pragma once
/// \file
/// Generators by name: ways to make many grains at once. A member of this open set is one file
/// `src/scene/generate/<name>.cpp` that defines `void register_<name>(GeneratorRegistry&)`; the key
/// `<name>` of an entry of `generate` then calls it.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "scene/ball_grid.h"
#include "scene/reader.h"

namespace talus::scene {

/// What a generator works with. Mistakes are reported through `keys`.
struct GeneratorInput {
    Reader& keys;  ///< the mapping below the generator's name
    const Sizes& sizes;
    std::uint64_t seed;
    const Scene& scene;      ///< as read so far: frame, periodic cell, bodies
    const BallGrid& placed;  ///< balls made before
};

struct GeneratedBall {
    Point position = Point::Zero();  ///< [m]
    double radius = 0.0;             ///< [m]
    Point velocity = Point::Zero();  ///< added to that of the entry [m/s]
    bool fixed = false;              ///< besides what the entry says
};

struct Generator {
    std::function<std::vector<GeneratedBall>(GeneratorInput&)> make;
    bool fixed_by_default = false;
};

}  // namespace talus::scene

namespace talus {

class GeneratorRegistry {
public:
    void add(const std::string& name, scene::Generator generator) { generators_[name] = std::move(generator); }
    [[nodiscard]] const std::map<std::string, scene::Generator>& generators() const { return generators_; }

private:
    std::map<std::string, scene::Generator> generators_;
};

/// Written by the build from the files of this folder.
void register_members(GeneratorRegistry& registry);

/// The registry with all members; made once.
[[nodiscard]] const GeneratorRegistry& generator_registry();

}  // namespace talus
