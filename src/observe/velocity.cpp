// Velocities of the grains at one instant, averaged over everything, over regions and over the cells of a grid
// (field.h). The fluctuation is the root of the granular temperature: the mean square of the velocities
// about their mean, over the dimension.

#include <cmath>

#include "observe/field.h"
#include "observe/table.h"

namespace talus {

namespace {

template <int Dim>
double fluctuation(const observe::FieldSums<Dim>& sums) {
    return std::sqrt(std::max(0.0, sums.squares / sums.count - sums.mean().squaredNorm()) / Dim);
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const observe::FieldOptions<Dim>& options) {
    const observe::FieldWords words{"v", "m/s", "1/s"};
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    observe::Field<Dim> field(options);
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (options.counts(snapshot, i)) field.add(options, up, snapshot.position[i], snapshot.velocity[i]);
    observe::Result result;
    result.add("grains", field.all.count);
    observe::add_vector<Dim>(result, "mean_", field.all.mean(), words.unit);
    result.add("fluctuation", field.all.count > 0.0 ? fluctuation(field.all) : std::numeric_limits<double>::quiet_NaN(), words.unit);
    for (std::size_t r = 0; r < options.regions.size(); ++r) {
        const auto& sums = field.regions[r];
        observe::add_vector<Dim>(result, options.names[r] + "_", sums.mean(), words.unit);
        result.add(options.names[r] + "_speed", sums.mean().norm(), words.unit);
        result.add(options.names[r] + "_fluctuation", sums.count > 0.0 ? fluctuation(sums) : std::numeric_limits<double>::quiet_NaN(), words.unit);
        observe::add_region_vorticity(result, options.names[r], sums, words);
    }
    if (options.has_grid) result.tables.push_back(observe::grid_table(options, field, words));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto options = observe::read_field_options<Dim>(parameters);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_velocity(ObservableRegistry& registry) {
    registry.add("velocity", "velocity of the grains by regions and on a grid; vorticity, fluctuation", make<2>, make<3>);
}

}  // namespace talus
