#pragma once
/// \file
/// Generators by name: ways to make many grains at once. A member of this open set is one file
/// `src/scene/generate/<name>.cpp` that defines `void register_<name>(GeneratorRegistry&)`; the key
/// `<name>` of an entry of `generate` then calls it.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/ball_grid.h"
#include "scene/reader.h"

namespace talus::scene {

/// What a generator works with. Mistakes are reported through `keys`.
struct GeneratorInput {
    Reader& keys;  ///< the mapping below the generator's name
    const Sizes& sizes;
    const GrainShapes& shapes;  ///< grain k has the shape drawn for (seed, k)
    std::uint64_t seed;
    const Scene& scene;      ///< as read so far: frame, periodic cell, bodies
    const BallGrid& placed;  ///< grains made before, by the balls that hold them
};

struct GeneratedGrain {
    Point position = Point::Zero();  ///< [m]
    double radius = 0.0;             ///< of a ball, or of one about `position` that holds the grain [m]
    Point velocity = Point::Zero();  ///< added to that of the entry [m/s]
    bool fixed = false;              ///< besides what the entry says
    std::optional<ShapeSpec> shape = {};  ///< of a generator with its own; none: what the entry gives its grains
    Point turn = Point::Zero();      ///< orientation as axis times angle [rad]; 2D: first component
};

struct Generator {
    std::function<std::vector<GeneratedGrain>(GeneratorInput&)> make;
    bool fixed_by_default = false;
    enum class Grains : std::uint8_t {
        balls,   ///< of the sizes of the entry
        shaped,  ///< of the sizes and the `shape` of the entry
        own      ///< the generator brings shapes and sizes
    } grains = Grains::balls;
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
