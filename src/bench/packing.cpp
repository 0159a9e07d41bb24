#include "bench/packing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/roof.h"
#include "scene/random.h"

namespace talus::bench {
namespace {

Settings<3> periodic_settings(double width_x, double width_y) {
    Settings<3> settings;
    settings.gravity = {0.0, 0.0, -gravity};
    settings.step = time_step;
    settings.periodic = {true, true, false};
    settings.cell_high = {width_x, width_y, 0.0};
    return settings;
}

/// Floor and laws; returns the material of everything.
MaterialId add_floor(World<3>& world, double friction) {
    const MaterialId grain = world.add_material("grain");
    world.set_law(grain, grain, {"coulomb", friction, 0.0, 0.0});
    world.add_boundary({.shape = {"plane", {0.0, 0.0, 1.0}}, .material = grain});
    return grain;
}

void add_lattice(World<3>& world, MaterialId grain, int across, int layers, std::uint64_t seed) {
    scene::Random random(seed);
    const auto speed = [&random] { return random.uniform(-0.2, 0.2); };  // enough to leave the lattice [m/s]
    const double spacing = 1.12 * diameter;
    for (int k = 0; k < layers; ++k)
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across; ++i)
                world.add_ball({.position = spacing * Vec<3>(i + 0.5, j + 0.5, k + 0.6),
                                .radius = random.uniform(0.45 * diameter, 0.55 * diameter),
                                .density = density,
                                .material = grain,
                                .velocity = {speed(), speed(), speed()}});
}

/// Kinetic energy over N m g d: the energy of falling by one diameter is one.
double scaled_energy(const World<3>& world, double kinetic) {
    const auto masses = world.masses();
    const double weight = gravity * std::accumulate(masses.begin(), masses.end(), 0.0);
    return weight > 0.0 ? kinetic / (weight * diameter) : 0.0;
}

/// Which copy of the block a body of the tiling belongs to, and where its id is.
class Copies {
public:
    Copies(const Block& block, const Tiling& tiling, std::uint64_t seed)
        : bodies_(block.position.size()), tiling_(tiling), id_(bodies_ * tiling.in_x * tiling.in_y) {
        order_.resize(id_.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        scene::Random random(seed);
        for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random.below(k)]);
    }
    /// Slots in the order in which their bodies are created.
    [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
    [[nodiscard]] std::size_t body(std::size_t slot) const { return slot % bodies_; }
    [[nodiscard]] int x(std::size_t slot) const { return static_cast<int>(slot / bodies_) % tiling_.in_x; }
    [[nodiscard]] int y(std::size_t slot) const { return static_cast<int>(slot / bodies_) / tiling_.in_x; }
    void set_id(std::size_t slot, BodyId id) { id_[slot] = id; }
    [[nodiscard]] BodyId id(std::size_t slot) const { return id_[slot]; }
    /// Id of body `k` in the copy (x, y), counted periodically.
    [[nodiscard]] BodyId id(std::size_t k, int x, int y) const {
        const int i = (x + tiling_.in_x) % tiling_.in_x, j = (y + tiling_.in_y) % tiling_.in_y;
        return id_[bodies_ * (static_cast<std::size_t>(j) * tiling_.in_x + i) + k];
    }

private:
    std::size_t bodies_;
    Tiling tiling_;
    std::vector<BodyId> id_;
    std::vector<std::size_t> order_;
};

/// The block's impulses in every copy. A contact across the cell's edge joins two copies; a is the
/// body of lower id, so that shuffling may exchange the two, and with them the signs.
std::vector<Contact<3>> history_of(const Block& block, const Tiling& tiling, const Copies& copies, BodyId floor) {
    std::vector<Contact<3>> history;
    history.reserve(block.contacts.size() * tiling.in_x * tiling.in_y);
    for (int y = 0; y < tiling.in_y; ++y)
        for (int x = 0; x < tiling.in_x; ++x)
            for (Contact<3> contact : block.contacts) {
                const auto a = static_cast<std::size_t>(contact.a);
                if (contact.b < 0) {
                    contact.a = copies.id(a, x, y);
                    contact.b = floor;
                } else {
                    const auto b = static_cast<std::size_t>(contact.b);
                    const Vec<3> apart = (block.position[b] - block.position[a]) / block.width;
                    contact.a = copies.id(a, x, y);
                    contact.b = copies.id(b, x - static_cast<int>(std::lround(apart.x())),
                                          y - static_cast<int>(std::lround(apart.y())));
                    if (contact.a > contact.b) {
                        std::swap(contact.a, contact.b);
                        contact.normal = -contact.normal;
                        contact.impulse = -contact.impulse;
                    }
                }
                history.push_back(contact);
            }
    return history;
}

}  // namespace

Block settle_block(int across, int layers, double duration, std::uint64_t seed, double friction) {
    const double start = seconds_now();
    Block block;
    block.friction = friction;
    block.width = 1.12 * diameter * across;
    Settings<3> settings = periodic_settings(block.width, block.width);
    settings.solver.name = "accelerated";
    settings.solver.max_sweeps = 300;
    settings.solver.tolerance = 1e-2;  // while everything falls and collides; rest is found in the last fifth
    World<3> world(settings);
    const MaterialId grain = add_floor(world, friction);
    add_lattice(world, grain, across, layers, seed);
    while (world.time() < 0.8 * duration) world.step();
    settings.solver.tolerance = 1e-3;
    world.set_settings(settings);
    StepReport report;
    while (world.time() < duration) report = world.step();

    const BodyId first = world.ids()[1];  // the floor came first
    block.position.assign(world.positions().begin() + 1, world.positions().end());
    block.radius.assign(world.radii().begin() + 1, world.radii().end());
    block.contacts = world.contacts();
    for (Contact<3>& contact : block.contacts) {
        contact.a -= first;
        contact.b = contact.b < first ? -1 : contact.b - first;
    }
    block.kinetic_energy = scaled_energy(world, report.energy.kinetic);
    block.max_overlap = report.max_overlap;
    block.seconds = seconds_now() - start;
    return block;
}

Tiling tiling_for(std::size_t bodies, const Block& block) {
    const int copies = std::max(1, static_cast<int>(std::lround(static_cast<double>(bodies) / block.position.size())));
    int in_x = static_cast<int>(std::sqrt(copies));
    while (copies % in_x != 0) --in_x;
    return {copies / in_x, in_x};
}

World<3> tile(const Block& block, const Tiling& tiling, std::uint64_t seed) {
    World<3> world(periodic_settings(block.width * tiling.in_x, block.width * tiling.in_y));
    const MaterialId grain = add_floor(world, block.friction);
    world.reserve(1 + block.position.size() * static_cast<std::size_t>(tiling.in_x * tiling.in_y));
    const BodyId floor = world.ids()[0];
    Copies copies(block, tiling, seed);
    for (const std::size_t slot : copies.order()) {
        const std::size_t k = copies.body(slot);
        const Vec<3> shift(copies.x(slot) * block.width, copies.y(slot) * block.width, 0.0);
        copies.set_id(slot, world.add_ball({.position = block.position[k] + shift,
                                            .radius = block.radius[k],
                                            .density = density,
                                            .material = grain}));
    }
    world.set_history(history_of(block, tiling, copies, floor));
    return world;
}

}  // namespace talus::bench
