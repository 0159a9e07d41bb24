// Mean stress of the grains whose centres lie in a region, from their internal moments (moments.h) over
// the measure of the region, positive in compression [moreau2001, sec. 3.4]. The forces of the step are
// taken as in equilibrium; what inertia and spin add shows as asymmetry, which is reported, and the
// symmetric part has the principal values. Grains are taken whole: a region of few grains is coarse.

#include <numeric>

#include "observe/moments.h"
#include "observe/region.h"
#include "observe/registry.h"
#include "observe/tensor.h"

namespace talus {

namespace {

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const observe::Region<Dim>& region, bool average) {
    const auto inside = observe::grains_inside(snapshot, region);
    const Mat<Dim> stress =
        observe::moment_sum(snapshot, observe::contact_forces(snapshot, average), inside) / region.measure();
    const Mat<Dim> symmetric = 0.5 * (stress + stress.transpose());
    const auto principal = observe::principal_of<Dim>(symmetric);
    const char* unit = observe::pressure_unit(region.low);
    const double pressure = symmetric.trace() / Dim;
    observe::Result result;
    result.add("pressure", pressure, unit);
    result.add("deviator", 0.5 * (principal.values[0] - principal.values[Dim - 1]), unit);
    for (int i = 0; i < Dim; ++i)
        for (int j = i; j < Dim; ++j)
            result.add(std::string("stress_") + observe::axis_names[i] + observe::axis_names[j], symmetric(i, j), unit);
    observe::add_principal(result, principal, unit);
    const Vec<Dim> major = principal.axes.col(0), up = observe::vertical(snapshot, region.axis).up;
    observe::add_major_angle(result, major);
    result.add("major_from_vertical", observe::angle_from(major, up), "deg");
    result.add("asymmetry", (stress - stress.transpose()).norm() / (2.0 * std::abs(pressure)));
    result.add("grains", std::accumulate(inside.begin(), inside.end(), 0.0));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto region = observe::read_region<Dim>(parameters);
    const bool average = parameters.flag("average", false);
    return [region, average](const Snapshot<Dim>& snapshot) { return measure(snapshot, region.at(snapshot), average); };
}

}  // namespace

void register_stress(ObservableRegistry& registry) {
    registry.add("stress", "mean stress over a region from internal moments, principal values and axes", make<2>, make<3>);
}

}  // namespace talus
