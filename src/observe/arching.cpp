// How much of the weight of a part of the material the rest carries [moreau-jean1996, fig. 2]. The part is
// the grains whose centres lie in a region (between two vertical cuts, in a core): carried = (weight -
// ground force) / weight, where the ground force is what walls give those grains upward. What the
// other grains give them is added up beside it: at rest both together are the weight.

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

template <int Dim>
struct Options {
    observe::Region<Dim> region;
    observe::WallChoice walls;
    bool average = false;
};

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const Vec<Dim> up = observe::vertical(snapshot, options.region.axis).up;
    const auto inside = observe::grains_inside(snapshot, options.region);
    double weight = 0.0, ground = 0.0, side = 0.0, grains = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!inside[i]) continue;
        weight += snapshot.mass[i] * snapshot.gravity.norm();
        ++grains;
    }
    for (const auto& contact : observe::contact_forces(snapshot, options.average)) {
        const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
        if (inside[a] == inside[b]) continue;
        const double upward = (inside[a] ? 1.0 : -1.0) * contact.force.dot(up);
        (options.walls.includes(snapshot, inside[a] ? b : a) ? ground : side) += upward;
    }
    observe::Result result;
    result.add("weight", weight, "N");
    result.add("ground_force", ground, "N");
    result.add("side_force", side, "N");
    result.add("carried", (weight - ground) / weight);
    result.add("balance", (ground + side) / weight);
    result.add("grains", grains);
    return result;
}

/// `between: [x1, x2]`: the strip between two vertical cuts, as a box without floor and ceiling.
template <int Dim>
observe::Region<Dim> read_part(observe::Parameters& parameters) {
    const auto between = parameters.lengths("between", 2);
    if (between.empty()) return observe::read_region<Dim>(parameters);
    if (parameters.has("region")) parameters.fail("between", "is given as well as `region`; give one of them");
    if (!(between[0] < between[1])) parameters.fail("between", "must have its smaller number first");
    observe::Region<Dim> strip;
    strip.low = Vec<Dim>::Constant(-std::numeric_limits<double>::max());
    strip.high = Vec<Dim>::Constant(std::numeric_limits<double>::max());
    strip.low[0] = between[0];
    strip.high[0] = between[1];
    return strip;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.region = read_part<Dim>(parameters);
    options.walls.tags = parameters.tags("walls");
    options.average = parameters.flag("average", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_arching(ObservableRegistry& registry) {
    registry.add("arching", "share of the weight of a part that the rest carries: between two cuts, or of a region", make<2>,
                 make<3>);
}

}  // namespace talus
