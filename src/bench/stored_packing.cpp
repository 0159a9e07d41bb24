#include "bench/stored_packing.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unistd.h>

#include "bench/packing.h"
#include "record/crc32.h"
#include "record/output_file.h"
#include "scene/simulation.h"
#include "solve/refresh.h"
#include "step/next_problem.h"
#include "talus/error.h"
#include "talus/version.h"

namespace talus::bench {
namespace {

/// Spheres of 1 cm that fell into a box, at rest; `across` lattice points along each side, `layers` upwards.
std::string spheres(int across, int layers, const std::string& rule) {
    const double spacing = 0.0112;
    const std::string width = std::to_string(spacing * across), side = std::to_string(across);
    const std::string first = std::to_string(-0.5 * spacing * (across - 1));
    return "talus: 1\ndimension: 3\nseed: 7\ngravity: 9.81\nstep: 1e-3\nduration: 0.6\n"
           "contact: {rule: " + rule + "}\n"
           "solver: {name: accelerated, tolerance: 1e-3, max_sweeps: 1000}\n"
           "materials:\n  grain: {density: 2600, friction: 0.4}\n"
           "bodies:\n"
           "  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}\n"
           "  - {name: walls, box_inside: {size: [" + width + ", " + width + ", .inf]}, material: grain}\n"
           "generate:\n"
           "  - {name: grains, lattice: {kind: cubic, counts: [" + side + ", " + side + ", " + std::to_string(layers) +
           "], origin: [" + first + ", " + first + ", 0.006], jitter: 5e-4, spacing: 0.0112}, diameter: 0.01, material: grain}\n";
}

/// A column of a thousand spheres, one on the other: the load of a contact is all that stands above it.
constexpr const char* column = R"(
talus: 1
dimension: 3
gravity: 9.81
step: 1e-3
duration: 1
contact: {touch: 1e-6}
materials:
  grain: {density: 2600, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [1, 1, 1000], origin: [0, 0, 0.005], spacing: 0.01}, diameter: 0.01, material: grain}
)";

/// A wall of boxes, four points a face: many more contacts than its bodies can tell apart.
constexpr const char* wall = R"(
talus: 1
dimension: 3
gravity: 9.81
step: 1e-3
duration: 1
contact: {touch: 1e-6}
materials:
  brick: {density: 1800, friction: 0.6}
bodies:
  - {name: ground, plane: {normal: [0, 0, 1]}, material: brick}
generate:
  - {name: wall, brick_wall: {brick: [0.2, 0.1, 0.1], courses: 30, bricks: 30}, material: brick}
)";

constexpr const char* disks = R"(
talus: 1
dimension: 2
seed: 7
gravity: 9.81
step: 1e-3
duration: 1
solver: {name: accelerated, tolerance: 1e-3, max_sweeps: 1000}
materials:
  grain: {density: 2600, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: grain}
  - {name: left, plane: {normal: [1, 0]}, position: [-0.28, 0], material: grain}
  - {name: right, plane: {normal: [-1, 0]}, position: [0.28, 0], material: grain}
generate:
  - {name: grains, lattice: {kind: square, counts: [50, 40], origin: [-0.2744, 0.006], jitter: 5e-4, spacing: 0.0112},
     diameter: {uniform: [0.008, 0.01]}, material: grain}
)";

constexpr const char* polygons = R"(
talus: 1
dimension: 2
seed: 7
gravity: 9.81
step: 5e-4
duration: 1
contact: {rule: gap}
solver: {name: accelerated, tolerance: 1e-3, max_sweeps: 2000}
materials:
  grain: {density: 2500, friction: 0.5}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: grain}
  - {name: left, plane: {normal: [1, 0]}, position: [-0.25, 0], material: grain}
  - {name: right, plane: {normal: [-1, 0]}, position: [0.25, 0], material: grain}
generate:
  - name: grains
    rain: {region: {interval: [-0.25, 0.25]}, count: 500, height: 0.02, spacing: 1.1}
    diameter: {uniform: [0.014, 0.024]}
    shape: {polygon: {vertices: [5, 7], roundness: 0.5}}
    material: grain
)";

/// Whether the packing is at rest as it is built, or is run to its end.
bool rests_as_built(const std::string& packing) { return packing == "column_1000" || packing == "wall_30x30"; }

std::string scene_text(const std::string& packing) {
    const std::map<std::string, std::string> texts = {
        {"spheres_1k", spheres(10, 10, "moreau")}, {"spheres_1k_gap", spheres(10, 10, "gap")},
        {"spheres_10k", spheres(20, 25, "moreau")}, {"column_1000", column},
        {"wall_30x30", wall}, {"disks_2k", disks}, {"polygons_500", polygons}};
    return texts.at(packing);
}

/// The name tells scenes apart whose text has changed.
std::string file_of(const std::string& packing, const std::string& text, const std::string& folder) {
    const auto crc = record::crc32(std::as_bytes(std::span(text.data(), text.size())));
    return folder + "/" + packing + "-" + std::to_string(crc) + "-" + TALUS_VERSION + ".packing";
}

std::vector<std::byte> read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> chars((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto bytes = std::as_bytes(std::span(chars));
    return {bytes.begin(), bytes.end()};
}

/// Through a name of its own: somebody else may be writing the same packing.
void store(const std::vector<std::byte>& bytes, const std::string& path) {
    const std::string beside = path + "." + std::to_string(::getpid());
    record::OutputFile out(beside);
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    out.close();
    std::error_code error;
    std::filesystem::rename(beside, path, error);
    if (error) throw IoError(path + ": cannot write: " + error.message());
}

/// The stored state, if it is there and can be read.
template <int Dim>
bool restore(scene::Simulation<Dim>& simulation, const std::string& path) {
    if (!std::filesystem::exists(path)) return false;
    try {
        simulation.restore(read_bytes(path));
        return true;
    } catch (const IoError&) {  // cut short, or of another version: it is made again
        return false;
    }
}

template <int Dim>
scene::Simulation<Dim> at_rest(const StoredProblem& problem, const std::string& folder,
                               const std::function<void(const std::string&)>& say) {
    const std::string text = scene_text(problem.packing), path = file_of(problem.packing, text, folder);
    const scene::Scene scene = scene::load_scene_text(text, problem.packing, ".");
    {
        scene::Simulation<Dim> stored(scene);
        if (restore(stored, path)) return stored;
    }
    say("packing " + problem.packing + " is made and kept in " + folder);
    record::make_folder(folder);
    scene::Simulation<Dim> simulation(scene);
    while (!rests_as_built(problem.packing) && !simulation.finished()) simulation.advance();
    store(simulation.checkpoint(), path);
    return simulation;
}

template <int Dim>
void forget_impulses(ContactProblem<Dim>& problem) {
    for (std::size_t k = 0; k < problem.balls.size(); ++k) problem.balls.set_impulse(k, 0.0, {});
    for (auto& contact : problem.generals) contact.S.setZero();
    for (auto& contact : problem.links) contact.S.setZero();
    refresh_velocities(problem);
}

template <int Dim>
AnyProblem load(const StoredProblem& problem, const std::string& folder, const std::function<void(const std::string&)>& say) {
    auto simulation = at_rest<Dim>(problem, folder, say);
    World<Dim>& world = simulation.world();
    if (problem.start == Start::warm) tilt_gravity(world);
    auto next = next_contact_problem(world);
    if (problem.start == Start::cold) forget_impulses(next);
    return next;
}

}  // namespace

const std::vector<StoredProblem>& stored_problems() {
    static const std::vector<StoredProblem> problems = {
        {"column_1000", "column_1000", Start::cold, "1000 spheres one on the other, cold"},
        {"wall_30x30", "wall_30x30", Start::cold, "wall of 30 x 30 boxes, cold"},
        {"polygons_500_cold", "polygons_500", Start::cold, "500 polygons at rest, rule gap, cold"},
        {"polygons_500_warm", "polygons_500", Start::warm, "the same, warm, gravity tilted"},
        {"disks_2k_cold", "disks_2k", Start::cold, "2000 disks at rest, cold"},
        {"disks_2k_warm", "disks_2k", Start::warm, "the same, warm, gravity tilted"},
        {"spheres_1k_cold", "spheres_1k", Start::cold, "1000 spheres at rest in a box, cold"},
        {"spheres_1k_warm", "spheres_1k", Start::warm, "the same, warm, gravity tilted"},
        {"spheres_1k_gap", "spheres_1k_gap", Start::warm, "the same with rule gap, warm, gravity tilted"},
        {"spheres_10k_cold", "spheres_10k", Start::cold, "10 000 spheres at rest in a box, cold"},
        {"spheres_10k_warm", "spheres_10k", Start::warm, "the same, warm, gravity tilted"}};
    return problems;
}

std::string default_packing_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value != nullptr ? value : "");
    };
    if (const auto cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "talus/packings";
    if (const auto home = variable("HOME"); home.is_absolute()) return home / ".cache/talus/packings";
    return std::filesystem::temp_directory_path() / "talus-packings";
}

AnyProblem load_problem(const StoredProblem& problem, const std::string& folder,
                        const std::function<void(const std::string&)>& say) {
    const scene::Scene scene = scene::load_scene_text(scene_text(problem.packing), problem.packing, ".");
    return scene.dimension == 2 ? load<2>(problem, folder, say) : load<3>(problem, folder, say);
}

}  // namespace talus::bench
