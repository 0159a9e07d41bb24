// Momentum of the free grains, and angular momentum about a point.

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

void add_spin(observe::Result& result, const Spin<2>& value) { result.add("angular", value[0], "kg m2/s"); }
void add_spin(observe::Result& result, const Spin<3>& value) {
    for (int k = 0; k < 3; ++k) result.add(std::string("angular_") + observe::axis_names[k], value[k], "kg m2/s");
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Vec<Dim>& about) {
    Vec<Dim> linear = Vec<Dim>::Zero(), centre = Vec<Dim>::Zero();
    Spin<Dim> angular = Spin<Dim>::Zero();
    double mass = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        const double m = snapshot.mass[i];
        const Vec<Dim> p = m * snapshot.velocity[i];
        linear += p;
        angular += observe::moment(Vec<Dim>(snapshot.position[i] - about), p) +
                   snapshot.world_inertia(i) * snapshot.spin[i];
        centre += m * snapshot.position[i];
        mass += m;
    }
    observe::Result result;
    for (int k = 0; k < Dim; ++k) result.add(observe::axis_names[k], linear[k], "kg m/s");
    add_spin(result, angular);
    for (int k = 0; k < Dim; ++k) result.add(std::string("centre_") + observe::axis_names[k], centre[k] / mass, "m");
    result.add("mass", mass, "kg");
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const Vec<Dim> about = parameters.point<Dim>("about", Vec<Dim>::Zero());
    return [about](const Snapshot<Dim>& snapshot) { return measure(snapshot, about); };
}

}  // namespace

void register_momentum(ObservableRegistry& registry) {
    registry.add("momentum", "momentum and angular momentum of the free grains, their mass centre", make<2>, make<3>);
}

}  // namespace talus
