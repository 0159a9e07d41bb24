// Height of a pile: top of the highest grain that touches two bodies or more, above the ground.

#include "observe/pile.h"
#include "observe/registry.h"

namespace talus {

namespace {

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    observe::PileOptions<Dim> options;
    options.axis = parameters.point<Dim>("axis", Vec<Dim>::Zero());
    options.ground = parameters.length("ground");
    options.walls.tags = parameters.tags("walls");
    return [options](const Snapshot<Dim>& snapshot) {
        const observe::Pile pile = observe::measure_pile(snapshot, options);
        const auto axis = observe::vertical(snapshot, options.axis);
        observe::Result result;
        result.add("height", pile.apex, "m");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        result.add("apex_radius", pile.supported ? snapshot.radius[pile.apex_index] : nan, "m");
        result.add("apex_distance", pile.supported ? axis.distance(snapshot.position[pile.apex_index]) : nan, "m");
        result.add("ground", pile.ground, "m");
        result.add("supported_grains", static_cast<double>(pile.supported));
        return result;
    };
}

}  // namespace

void register_height(ObservableRegistry& registry) {
    registry.add("height", "top of the highest grain touching two others or more, above the ground", make<2>, make<3>);
}

}  // namespace talus
