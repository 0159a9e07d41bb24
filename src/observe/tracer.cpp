// Where the bodies of a tag are: their mean position and speed, and their height in the bed (bed.h).

#include "observe/bed.h"
#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const std::set<std::int32_t>& tags) {
    const auto axis = observe::vertical(snapshot, Vec<Dim>::Zero().eval());
    Vec<Dim> position = Vec<Dim>::Zero(), velocity = Vec<Dim>::Zero();
    double bodies = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!tags.contains(snapshot.tag[i])) continue;
        position += snapshot.position[i];
        velocity += snapshot.velocity[i];
        ++bodies;
    }
    position /= bodies;
    velocity /= bodies;
    const observe::Bed bed = observe::measure_bed(snapshot);
    observe::Result result;
    result.add("height", axis.height(position) - bed.bottom, "m");
    result.add("relative_height", (axis.height(position) - bed.bottom) / bed.height);
    result.add("bed_height", bed.height, "m");
    observe::add_vector<Dim>(result, "", position, "m");
    observe::add_vector<Dim>(result, "velocity_", velocity, "m/s");
    result.add("speed", velocity.norm(), "m/s");
    result.add("bodies", bodies);
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto tags = parameters.tags("tags");
    if (tags.empty()) parameters.fail("tags", "is missing; give it: the tag of the bodies to follow");
    return [tags](const Snapshot<Dim>& snapshot) { return measure(snapshot, tags); };
}

}  // namespace

void register_tracer(ObservableRegistry& registry) {
    registry.add("tracer", "position, speed and height in the bed of tagged bodies", make<2>, make<3>);
}

}  // namespace talus
