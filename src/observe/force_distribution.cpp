// Distribution of the normal forces between grains, and the weak and strong networks: contacts that carry
// less or more than the mean [Radjai, Wolf, Jean & Moreau 1998]. For each network: its share of the
// contacts, of the mean stress (trace and deviator in the frame of the whole) and the direction in which its
// contacts prefer to lie. The tail is the rate beta of exp(-beta f/<f>) above the mean, by maximum
// likelihood: 1 over the mean excess.

#include <algorithm>
#include <cmath>

#include "observe/fabric.h"
#include "observe/histogram.h"
#include "observe/moments.h"
#include "observe/registry.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    observe::Region<Dim> region;
    bool average = false, walls = false;
    std::size_t bins = 30;
    double max = 6.0;
};

template <int Dim>
struct Network {
    double contacts = 0.0;
    Mat<Dim> moment = Mat<Dim>::Zero();
    std::vector<Vec<Dim>> normals;
};

template <int Dim>
std::vector<observe::ContactForce<Dim>> chosen_forces(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto region = options.region.at(snapshot);
    const Vec<Dim> up = observe::vertical(snapshot, region.axis).up;
    std::vector<observe::ContactForce<Dim>> chosen;
    for (const auto& contact : observe::contact_forces(snapshot, options.average)) {
        const bool grains = observe::is_grain(snapshot, static_cast<std::size_t>(contact.a)) &&
                            observe::is_grain(snapshot, static_cast<std::size_t>(contact.b));
        if ((grains || options.walls) && region.depth(contact.point, up) >= 0.0) chosen.push_back(contact);
    }
    return chosen;
}

/// Trace and deviator of a network's moment over those of the whole, in the axes of the whole.
template <int Dim>
void add_network(observe::Result& result, const std::string& name, const Network<Dim>& network, const Mat<Dim>& whole,
                 const Vec<Dim>& up) {
    const auto principal = observe::principal_of<Dim>(Mat<Dim>(0.5 * (whole + whole.transpose())));
    const Vec<Dim> major = principal.axes.col(0), minor = principal.axes.col(Dim - 1);
    const double deviator = major.dot(network.moment * major) - minor.dot(network.moment * minor);
    result.add(name + "_share", network.moment.trace() / whole.trace());
    result.add(name + "_deviator_share", deviator / (principal.values[0] - principal.values[Dim - 1]));
    if (network.normals.empty()) {
        result.add(name + "_anisotropy", nan);
        result.add(name + "_direction", nan, "deg");
        return;
    }
    const auto fabric = observe::principal_of<Dim>(observe::fabric_of(network.normals));
    result.add(name + "_anisotropy", observe::anisotropy_of(fabric.values));
    result.add(name + "_direction", observe::angle_from(Vec<Dim>(fabric.axes.col(0)), up), "deg");
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto forces = chosen_forces(snapshot, options);
    const auto n = static_cast<double>(forces.size());
    double sum = 0.0, squares = 0.0, tangential = 0.0, largest = 0.0;
    for (const auto& contact : forces) {
        const double normal = contact.force.dot(contact.normal);
        sum += normal;
        squares += normal * normal;
        tangential += (contact.force - normal * contact.normal).norm();
        largest = std::max(largest, normal);
    }
    const double mean = sum / n;
    Network<Dim> weak, strong;
    std::vector<double> relative;
    double excess = 0.0;
    for (const auto& contact : forces) {
        const double normal = contact.force.dot(contact.normal);
        relative.push_back(normal / mean);
        if (normal > mean) excess += normal / mean - 1.0;
        Network<Dim>& network = normal > mean ? strong : weak;
        ++network.contacts;
        network.moment += contact.force * observe::branch(snapshot, contact).transpose();
        network.normals.push_back(contact.normal);
    }
    const Mat<Dim> whole = weak.moment + strong.moment;
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    observe::Result result;
    result.add("contacts", n);
    result.add("mean_normal", mean, "N");
    result.add("mean_tangential", tangential / n, "N");
    result.add("max_over_mean", largest / mean);
    result.add("cv", std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean);
    result.add("participation", sum * sum / (n * squares));
    result.add("tail", strong.contacts > 0.0 ? strong.contacts / excess : nan);
    result.add("weak_fraction", weak.contacts / n);
    add_network(result, "weak", weak, whole, up);
    add_network(result, "strong", strong, whole, up);
    result.tables.push_back(observe::histogram(relative, options.bins, options.max));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.region = observe::read_optional_region<Dim>(parameters);
    options.average = parameters.flag("average", false);
    options.walls = parameters.flag("walls", false);
    options.bins = static_cast<std::size_t>(parameters.count("bins", 30, 1));
    options.max = parameters.positive("max", options.max);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_force_distribution(ObservableRegistry& registry) {
    registry.add("force_distribution", "histogram of normal forces, weak and strong networks", make<2>, make<3>);
}

}  // namespace talus
