// Do the walls carry the grains? Force of the walls on the grains, over the grains' weight: 1 upward
// and 0 sideways at rest. The acceleration of the whole is what is missing.

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, bool average) {
    const auto axis = observe::vertical(snapshot, Vec<Dim>::Zero().eval());
    Vec<Dim> total = Vec<Dim>::Zero();
    // Every body without freedoms is a wall; loaded bodies have weight and motion of their own.
    for (const auto& contact : observe::wall_forces(snapshot, {}, average)) total += contact.force;
    const double weight = observe::grain_totals(snapshot).mass * snapshot.gravity.norm();
    const double upward = axis.up.dot(total);
    observe::Result result;
    result.add("wall_force_over_weight", upward / weight);
    result.add("sideways_over_weight", (total - upward * axis.up).norm() / weight);
    result.add("wall_force", upward, "N");
    result.add("weight", weight, "N");
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const bool average = parameters.flag("average", false);
    return [average](const Snapshot<Dim>& snapshot) { return measure(snapshot, average); };
}

}  // namespace

void register_weight_balance(ObservableRegistry& registry) {
    registry.add("weight_balance", "vertical force of the walls over the weight of the free grains", make<2>, make<3>);
}

}  // namespace talus
