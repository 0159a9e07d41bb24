#include "bench/packing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bench/roof.h"
#include "math/rotation.h"
#include "scene/grain_shapes.h"
#include "scene/random.h"
#include "talus/error.h"

namespace talus::bench {
namespace {

constexpr std::array<const char*, 4> names = {"spheres", "disks", "polygons", "polyhedra"};   // as `Grains` has them

template <int Dim>
Settings<Dim> periodic_settings(const Vec<Dim>& cell) {
    Settings<Dim> settings;
    settings.gravity = -gravity * Vec<Dim>::Unit(Dim - 1);
    settings.step = time_step;
    settings.cell_high = cell;
    settings.cell_high[Dim - 1] = 0.0;
    for (int k = 0; k + 1 < Dim; ++k) settings.periodic[k] = true;
    return settings;
}

/// Floor and laws; returns the material of everything.
template <int Dim>
MaterialId add_floor(World<Dim>& world, double friction) {
    const MaterialId grain = world.add_material("grain");
    world.set_law(grain, grain, {"coulomb", friction, 0.0, 0.0});
    const Vec<Dim> up = Vec<Dim>::Unit(Dim - 1);
    world.add_boundary({.shape = {"plane", {up.begin(), up.end()}}, .material = grain});
    return grain;
}

scene::GrainShapes shapes_of(Grains grains) {
    scene::GrainShapes shapes;
    if (grains == Grains::polygons) {
        shapes.kind = scene::GrainShapes::Kind::polygon;
        shapes.dimension = 2;
        shapes.least_vertices = 5;
        shapes.most_vertices = 7;
    } else if (grains == Grains::polyhedra) {
        shapes.kind = scene::GrainShapes::Kind::polyhedron;
        shapes.least_vertices = 8;
        shapes.most_vertices = 14;
    }
    return shapes;
}

/// Where grain `number` of a lattice lies: row after row, layer after layer.
template <int Dim>
Vec<Dim> on_lattice(int number, int across) {
    Vec<Dim> x;
    for (int k = 0; k + 1 < Dim; ++k, number /= across) x[k] = number % across + 0.5;
    x[Dim - 1] = number + 0.6;
    return 1.12 * diameter * x;
}

template <int Dim>
void add_lattice(World<Dim>& world, MaterialId grain, const BlockSpec& spec) {
    scene::Random random(spec.seed);
    const scene::GrainShapes shapes = shapes_of(spec.grains);
    int count = spec.layers;
    for (int k = 0; k + 1 < Dim; ++k) count *= spec.across;
    for (int number = 0; number < count; ++number) {
        const Vec<Dim> position = on_lattice<Dim>(number, spec.across);
        const double radius = random.uniform(0.45 * diameter, 0.55 * diameter);
        Vec<Dim> velocity;   // enough to leave the lattice
        for (int k = 0; k < Dim; ++k) velocity[k] = random.uniform(-0.2, 0.2);
        if (shapes.is_ball()) {
            world.add_ball({.position = position, .radius = radius, .density = density, .material = grain, .velocity = velocity});
            continue;
        }
        const auto drawn = shapes.draw(radius, spec.seed, static_cast<std::uint64_t>(number));
        world.add_body({.shape = drawn.shape, .position = position, .rotation = rotation_by<Dim>(Spin<Dim>(drawn.turn.head<spin_size<Dim>>())),
                        .density = density, .material = grain, .velocity = velocity});
    }
}

/// Kinetic energy over N m g d: the energy of falling by one diameter is one.
template <int Dim>
double scaled_energy(const World<Dim>& world, double kinetic) {
    const auto masses = world.masses();
    const double weight = gravity * std::accumulate(masses.begin(), masses.end(), 0.0);
    return weight > 0.0 ? kinetic / (weight * diameter) : 0.0;
}

/// Which copy of the block a body of the tiling belongs to, and where its id is.
class Copies {
public:
    /// The bodies of the block keep their order, and only the copies of each are shuffled: a contact is told by features of its first body
    /// and of its second, and which is first must not change.
    Copies(std::size_t bodies, const Tiling& tiling, std::uint64_t seed)
        : tiling_(tiling), copies_(static_cast<std::size_t>(tiling.in_x) * tiling.in_y), id_(bodies * copies_), order_(id_.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        scene::Random random(seed);
        for (std::size_t first = 0; first < order_.size(); first += copies_)
            for (std::size_t k = copies_; k > 1; --k) std::swap(order_[first + k - 1], order_[first + random.below(k)]);
    }
    /// Slots in the order in which their bodies are created.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    [[nodiscard]] std::size_t body(std::size_t slot) const { return slot / copies_; }
    [[nodiscard]] int x(std::size_t slot) const { return static_cast<int>(slot % copies_) % tiling_.in_x; }
    [[nodiscard]] int y(std::size_t slot) const { return static_cast<int>(slot % copies_) / tiling_.in_x; }
    void set_id(std::size_t slot, BodyId id) { id_[slot] = id; }
    /// Id of body `k` in the copy (x, y), counted periodically.
    [[nodiscard]] BodyId id(std::size_t k, int x, int y) const {
        const int i = (x + tiling_.in_x) % tiling_.in_x, j = (y + tiling_.in_y) % tiling_.in_y;
        return id_[copies_ * k + static_cast<std::size_t>(j) * tiling_.in_x + i];
    }

private:
    Tiling tiling_;
    std::size_t copies_;
    std::vector<BodyId> id_;
    std::vector<std::size_t> order_;
};

/// The block's impulses in every copy. A contact across the cell's edge joins two copies.
template <int Dim>
std::vector<Contact<Dim>> history_of(const Block<Dim>& block, const Tiling& tiling, const Copies& copies, BodyId floor) {
    std::vector<Contact<Dim>> history;
    history.reserve(block.contacts.size() * tiling.in_x * tiling.in_y);
    for (int y = 0; y < tiling.in_y; ++y)
        for (int x = 0; x < tiling.in_x; ++x)
            for (Contact<Dim> contact : block.contacts) {
                const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
                const bool on_floor = contact.b < 0;
                contact.a = copies.id(a, x, y);
                contact.b = floor;
                if (!on_floor) {
                    const Vec<Dim> apart = (block.position[b] - block.position[a]) / block.width;
                    std::array<int, 3> copy = {x, y, 0};
                    for (int k = 0; k + 1 < Dim; ++k) copy[static_cast<std::size_t>(k)] -= static_cast<int>(std::lround(apart[k]));
                    contact.b = copies.id(b, copy[0], copy[1]);
                }
                history.push_back(contact);
            }
    return history;
}

template <int Dim>
Block<Dim> block_of(const World<Dim>& world, Grains grains) {
    Block<Dim> block;
    const BodyId first = world.ids()[1];  // the floor came first
    block.position.assign(world.positions().begin() + 1, world.positions().end());
    block.radius.assign(world.radii().begin() + 1, world.radii().end());
    block.rotation.assign(world.rotations().begin() + 1, world.rotations().end());
    if (!are_balls(grains))
        for (std::size_t i = 1; i < world.size(); ++i) block.shape.push_back(world.shape(world.shapes()[i]));
    block.contacts = world.contacts();
    for (Contact<Dim>& contact : block.contacts) {
        contact.a -= first;
        contact.b = contact.b < first ? -1 : contact.b - first;
    }
    return block;
}

}  // namespace

Grains grains_named(const std::string& name) {
    const auto* const found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) throw InputError("no grains '" + name + "'; there are spheres, disks, polygons and polyhedra");
    return static_cast<Grains>(found - names.begin());
}

std::string name_of(Grains grains) { return names[static_cast<std::size_t>(grains)]; }

template <int Dim>
Block<Dim> settle_block(const BlockSpec& spec) {
    const double start = seconds_now(), width = 1.12 * diameter * spec.across;
    Settings<Dim> settings = periodic_settings<Dim>(Vec<Dim>::Constant(width));
    settings.solver.name = "accelerated";
    settings.solver.max_sweeps = 300;
    settings.solver.tolerance = 1e-2;  // while everything falls and collides; rest is found in the last fifth
    World<Dim> world(settings);
    const MaterialId grain = add_floor(world, spec.friction);
    add_lattice(world, grain, spec);
    while (world.time() < 0.8 * spec.duration) world.step();
    settings.solver.tolerance = 1e-3;
    world.set_settings(settings);
    StepReport report;
    while (world.time() < spec.duration) report = world.step();

    Block<Dim> block = block_of(world, spec.grains);
    block.width = width;
    block.friction = spec.friction;
    block.kinetic_energy = scaled_energy(world, report.energy.kinetic);
    block.max_overlap = report.max_overlap;
    block.seconds = seconds_now() - start;
    return block;
}

template <int Dim>
Tiling tiling_for(std::size_t bodies, const Block<Dim>& block) {
    const int copies = std::max(1, static_cast<int>(std::lround(static_cast<double>(bodies) / static_cast<double>(block.position.size()))));
    constexpr bool has_y = Dim > 2;
    int in_y = has_y ? static_cast<int>(std::sqrt(copies)) : 1;
    while (copies % in_y != 0) --in_y;
    return {copies / in_y, in_y};
}

template <int Dim>
World<Dim> tile(const Block<Dim>& block, const Tiling& tiling, std::uint64_t seed) {
    const std::array<int, 3> repeated = {tiling.in_x, tiling.in_y, 1};
    Vec<Dim> cell;
    for (int k = 0; k < Dim; ++k) cell[k] = block.width * repeated[static_cast<std::size_t>(k)];
    World<Dim> world(periodic_settings<Dim>(cell));
    const MaterialId grain = add_floor(world, block.friction);
    Copies copies(block.position.size(), tiling, seed);
    world.reserve(1 + copies.order().size());
    const BodyId floor = world.ids()[0];
    for (const std::size_t slot : copies.order()) {
        const std::size_t k = copies.body(slot);
        const std::array<double, 3> shift = {copies.x(slot) * block.width, copies.y(slot) * block.width, 0.0};
        Vec<Dim> position = block.position[k];
        for (int i = 0; i + 1 < Dim; ++i) position[i] += shift[static_cast<std::size_t>(i)];
        const BodyId id = block.shape.empty()
                              ? world.add_ball({.position = position, .radius = block.radius[k], .density = density, .material = grain})
                              : world.add_body({.shape = block.shape[k], .position = position, .rotation = block.rotation[k], .density = density, .material = grain});
        copies.set_id(slot, id);
    }
    world.set_history(history_of(block, tiling, copies, floor));
    return world;
}

#define TALUS_INSTANTIATE(Dim)                                            \
    template Block<Dim> settle_block<Dim>(const BlockSpec&);              \
    template Tiling tiling_for<Dim>(std::size_t, const Block<Dim>&);      \
    template World<Dim> tile<Dim>(const Block<Dim>&, const Tiling&, std::uint64_t);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::bench
