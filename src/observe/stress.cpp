// Mean stress of the grains whose centres lie in a region, from their internal moments: for a grain
// with contact forces f_c at points r_c from its centre, M = -sum f_c (x) r_c; the stress is the sum of
// M over the measure of the region, positive in compression [moreau2001, sec. 3.4]. The forces of the
// step are taken as in equilibrium; what inertia and spin add shows as asymmetry, which is reported,
// and the symmetric part has the principal values.

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

/// From a grain's centre to a contact point, across a periodic border if that is nearer.
template <int Dim>
Vec<Dim> arm(const Snapshot<Dim>& snapshot, std::size_t i, const Vec<Dim>& point) {
    Vec<Dim> d = point - snapshot.position[i];
    for (int k = 0; k < Dim; ++k) {
        if (!snapshot.periodic[static_cast<std::size_t>(k)]) continue;
        const double length = snapshot.cell_high[k] - snapshot.cell_low[k];
        d[k] -= length * std::round(d[k] / length);
    }
    return d;
}

template <int Dim>
Mat<Dim> mean_stress(const Snapshot<Dim>& snapshot, const observe::Region<Dim>& region, bool average) {
    const Vec<Dim> up = observe::vertical(snapshot, region.axis).up;
    Mat<Dim> sum = Mat<Dim>::Zero();
    for (const auto& contact : observe::contact_forces(snapshot, average))
        for (const bool on_a : {true, false}) {
            const auto i = static_cast<std::size_t>(on_a ? contact.a : contact.b);
            if (!observe::is_grain(snapshot, i) || region.depth(snapshot.position[i], up) < 0.0) continue;
            const Vec<Dim> force = on_a ? contact.force : Vec<Dim>(-contact.force);
            sum -= force * arm(snapshot, i, contact.point).transpose();
        }
    return sum / region.measure();
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const observe::Region<Dim>& region, bool average) {
    const Mat<Dim> stress = mean_stress(snapshot, region, average);
    const Mat<Dim> symmetric = 0.5 * (stress + stress.transpose());
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> principal(symmetric);
    const char* unit = observe::pressure_unit(region.low);
    const double pressure = symmetric.trace() / Dim;
    observe::Result result;
    result.add("pressure", pressure, unit);
    for (int k = 0; k < Dim; ++k)  // eigenvalues come in increasing order
        result.add("principal_" + std::to_string(k + 1), principal.eigenvalues()[Dim - 1 - k], unit);
    for (int i = 0; i < Dim; ++i)
        for (int j = i; j < Dim; ++j)
            result.add(std::string("stress_") + observe::axis_names[i] + observe::axis_names[j], symmetric(i, j), unit);
    const Vec<Dim> major = principal.eigenvectors().col(Dim - 1);
    const Vec<Dim> up = observe::vertical(snapshot, region.axis).up;
    result.add("major_from_vertical", std::acos(std::min(1.0, std::abs(major.dot(up)))) * 180.0 / std::numbers::pi, "deg");
    result.add("asymmetry", (stress - stress.transpose()).norm() / (2.0 * std::abs(pressure)));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    const auto region = observe::read_region<Dim>(parameters);
    const bool average = parameters.flag("average", false);
    return [region, average](const Snapshot<Dim>& snapshot) { return measure(snapshot, region, average); };
}

}  // namespace

void register_stress(ObservableRegistry& registry) {
    registry.add("stress", "mean stress over a region from internal moments, principal values", make<2>, make<3>);
}

}  // namespace talus
