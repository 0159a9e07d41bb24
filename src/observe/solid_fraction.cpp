// Share of a region filled by balls, fixed ones included; see region.h for how balls that cross the
// border are cut.

#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto region = observe::read_region<Dim>(parameters);
    const auto tags = parameters.tags("tags");
    return [region, tags](const Snapshot<Dim>& snapshot) {
        const auto counts = [&](std::size_t i) { return tags.empty() || tags.contains(snapshot.tag[i]); };
        observe::Result result;
        result.add("solid_fraction", observe::solid_fraction<Dim>(snapshot, region, counts));
        result.add("region", region.at(snapshot).measure(), observe::volume_unit(region.low));
        return result;
    };
}

}  // namespace

void register_solid_fraction(ObservableRegistry& registry) {
    registry.add("solid_fraction", "share of a box, cylinder or annulus filled by balls", make<2>, make<3>);
}

}  // namespace talus
