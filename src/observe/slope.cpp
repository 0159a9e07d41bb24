// Slope of a pile's free surface, and the profile it was fitted to (see pile.h).

#include <numbers>

#include "observe/pile.h"
#include "observe/registry.h"

namespace talus {

namespace {

constexpr double degrees = 180.0 / std::numbers::pi;

observe::Table profile_table(const observe::Pile& pile) {
    observe::Table table{"profile", {{"radius", "m", {}}, {"height", "m", {}}, {"line", "m", {}}, {"coverage", "", {}}}};
    for (const auto& point : pile.profile) {
        table.columns[0].values.push_back(point.radius);
        table.columns[1].values.push_back(point.height);
        table.columns[2].values.push_back(pile.crown - std::tan(pile.slope) * point.radius);
        table.columns[3].values.push_back(point.coverage);
    }
    return table;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto options = observe::read_pile_options<Dim>(parameters);
    return [options](const Snapshot<Dim>& snapshot) {
        const observe::Pile pile = observe::measure_pile(snapshot, options);
        observe::Result result;
        result.add("slope", pile.slope * degrees, "deg");
        result.add("scatter", pile.scatter * degrees, "deg");
        for (std::size_t k = 0; k < pile.flank_slopes.size(); ++k)
            result.add("flank_" + std::to_string(k + 1), pile.flank_slopes[k] * degrees, "deg");
        result.add("base_radius", pile.base_radius, "m");
        result.add("crown", pile.crown, "m");
        result.add("ground", pile.ground, "m");
        result.tables.push_back(profile_table(pile));
        return result;
    };
}

}  // namespace

void register_slope(ObservableRegistry& registry) {
    registry.add("slope", "slope of a pile about a vertical axis, base radius and surface profile", make<2>, make<3>);
}

}  // namespace talus
