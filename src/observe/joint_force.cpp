// Force and moment that each joint passed on in the last step: what its body b (or the ground) gives its body a.

#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot) {
    observe::Table table{"joints", {{"joint", "", {}}, {"a", "", {}}, {"b", "", {}}}};
    for (int k = 0; k < Dim; ++k) table.columns.push_back({std::string("force_") + observe::axis_names[k], "N", {}});
    for (int k = 0; k < spin_size<Dim>; ++k)
        table.columns.push_back({std::string("moment_") + observe::axis_names[3 - spin_size<Dim> + k], "N m", {}});
    table.columns.push_back({"position_error", "m", {}});
    double largest = 0.0, error = 0.0;
    for (const auto& joint : snapshot.joints) {
        const Vec<Dim> force = joint.impulse / snapshot.h;
        largest = std::max(largest, force.norm());
        error = std::max(error, joint.position_error);
        std::size_t column = 0;
        const auto put = [&](double value) { table.columns[column++].values.push_back(value); };
        put(static_cast<double>(joint.id));
        put(static_cast<double>(joint.a));
        put(static_cast<double>(joint.b));
        for (int k = 0; k < Dim; ++k) put(force[k]);
        for (int k = 0; k < spin_size<Dim>; ++k) put(joint.moment[k] / snapshot.h);
        put(joint.position_error);
    }
    observe::Result result;
    result.add("joints", static_cast<double>(snapshot.joints.size()));
    result.add("largest_force", largest, "N");
    result.add("position_error", error, "m");
    result.tables.push_back(std::move(table));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters&) {
    return [](const Snapshot<Dim>& snapshot) { return measure(snapshot); };
}

}  // namespace

void register_joint_force(ObservableRegistry& registry) {
    registry.add("joint_force", "force and moment of each joint in the last step", make<2>, make<3>);
}

}  // namespace talus
