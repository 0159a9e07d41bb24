#include "step/snapshot.h"

#include <algorithm>

#include "math/rotation.h"

namespace talus {
namespace {

template <class T>
std::vector<T> copy(std::span<const T> array) { return {array.begin(), array.end()}; }

}  // namespace

template <int Dim>
std::ptrdiff_t Snapshot<Dim>::index_of(BodyId body) const {
    const auto it = std::lower_bound(id.begin(), id.end(), body);
    return it != id.end() && *it == body ? it - id.begin() : -1;
}

template <int Dim>
double Snapshot<Dim>::volume(std::size_t i) const {
    return is_ball(i) ? ball_volume<Dim>(radius[i]) : solid(i).mass.volume;
}

template <int Dim>
Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> Snapshot<Dim>::world_inertia(std::size_t i) const {
    using Tensor = Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>>;
    if (!inertia.empty() && inertia[i].minCoeff() > 0.0) return in_world<Dim>(rotation[i], inertia[i]);
    // Not recorded: a solid of even density.
    if (is_ball(i)) return Tensor::Identity() * (ball_inertia_factor<Dim> * mass[i] * radius[i] * radius[i]);
    if (!(volume(i) > 0.0)) return Tensor::Zero();
    return in_world<Dim>(rotation[i], Spin<Dim>(solid(i).mass.inertia.diagonal() * (mass[i] / volume(i))));
}

template <int Dim>
Snapshot<Dim> take_snapshot(const World<Dim>& world, const SnapshotParts& parts) {
    Snapshot<Dim> s;
    const Settings<Dim>& settings = world.settings();
    s.time = world.time();
    s.step = world.steps();
    s.h = world.step_length();
    s.gravity = settings.gravity;
    s.periodic = settings.periodic;
    s.cell_low = settings.cell_low;
    s.cell_high = settings.cell_high;
    s.id = copy(world.ids());
    s.position = copy(world.positions());
    s.image = copy(world.images());
    if (parts.rotation) s.rotation = copy(world.rotations());
    if (parts.velocity) s.velocity = copy(world.velocities());
    if (parts.spin) s.spin = copy(world.spins());
    s.radius = copy(world.radii());
    if (parts.mass) s.mass = copy(world.masses());
    if (parts.inertia) s.inertia = copy(world.inertias());
    s.material = copy(world.materials());
    if (parts.tag) s.tag = copy(world.tags());
    if (parts.birth) s.birth = copy(world.births());
    s.driven = copy(world.driven());
    s.shape = copy(world.shapes());
    s.wall.resize(world.size());
    std::int32_t shapes = 0;
    MaterialId materials = -1;
    for (std::size_t i = 0; i < world.size(); ++i) {
        s.wall[i] = world.is_wall(i) ? 1 : 0;
        shapes = std::max(shapes, s.shape[i]);
        materials = std::max(materials, s.material[i]);
    }
    for (std::int32_t k = 0; k <= shapes; ++k) s.shapes.push_back(world.shape(k));
    for (MaterialId m = 0; m <= materials; ++m) s.material_names.push_back(world.material_name(m));
    s.geometry = world.shape_table();
    s.joints = world.joints();
    if (!parts.contacts) return s;
    s.contacts = world.contacts();
    s.sums = world.contact_sums();
    return s;
}

template struct Snapshot<2>;
template struct Snapshot<3>;
template Snapshot<2> take_snapshot(const World<2>&, const SnapshotParts&);
template Snapshot<3> take_snapshot(const World<3>&, const SnapshotParts&);

}  // namespace talus
