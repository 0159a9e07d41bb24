// Kinetic energy of the free grains, and what it means for rest: over the sum
// of m g d, the energy that would lift every grain by its own diameter.

#include <algorithm>

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot) {
    double translation = 0.0, rotation = 0.0, potential = 0.0, lift = 0.0, fastest = 0.0;
    const double g = snapshot.gravity.norm();
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        const double m = snapshot.mass[i], r = snapshot.radius[i];
        translation += 0.5 * m * snapshot.velocity[i].squaredNorm();
        rotation += 0.5 * snapshot.spin[i].dot(snapshot.world_inertia(i) * snapshot.spin[i]);
        potential -= m * snapshot.gravity.dot(snapshot.position[i]);
        lift += m * g * 2.0 * r;
        fastest = std::max(fastest, snapshot.velocity[i].norm());
    }
    observe::Result result;
    result.add("kinetic", translation + rotation, "J");
    result.add("kinetic_translation", translation, "J");
    result.add("kinetic_rotation", rotation, "J");
    result.add("potential", potential, "J");
    result.add("kinetic_over_mgd", (translation + rotation) / lift);
    result.add("max_speed", fastest, "m/s");
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters&) {
    return [](const Snapshot<Dim>& snapshot) { return measure(snapshot); };
}

}  // namespace

void register_energy(ObservableRegistry& registry) {
    registry.add("energy", "kinetic and potential energy of the free grains; kinetic over m g d", make<2>, make<3>);
}

}  // namespace talus
