// Interpenetration at the contacts of the step, taken at q_m, in metres and over the smaller body's
// diameter (the ball's, against a boundary). Contacts that are apart count with zero in the mean.

#include <algorithm>
#include <limits>

#include "observe/registry.h"

namespace talus {

namespace {

template <int Dim>
double smaller_diameter(const Snapshot<Dim>& snapshot, const Contact<Dim>& contact) {
    double smaller = std::numeric_limits<double>::infinity();
    for (const BodyId id : {contact.a, contact.b})
        if (const auto i = snapshot.index_of(id); i >= 0 && snapshot.radius[static_cast<std::size_t>(i)] > 0.0)
            smaller = std::min(smaller, 2.0 * snapshot.radius[static_cast<std::size_t>(i)]);
    return smaller;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot) {
    double deepest = 0.0, largest = 0.0, sum = 0.0;
    for (const auto& contact : snapshot.contacts) {
        const double depth = std::max(0.0, -contact.gap);
        const double relative = depth / smaller_diameter(snapshot, contact);
        deepest = std::max(deepest, depth);
        largest = std::max(largest, relative);
        sum += relative;
    }
    observe::Result result;
    result.add("max_overlap", largest);
    result.add("mean_overlap", snapshot.contacts.empty() ? 0.0 : sum / static_cast<double>(snapshot.contacts.size()));
    result.add("max_depth", deepest, "m");
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters&) {
    return [](const Snapshot<Dim>& snapshot) { return measure(snapshot); };
}

}  // namespace

void register_overlap(ObservableRegistry& registry) {
    registry.add("overlap", "largest and mean overlap of the contacts, over the smaller diameter", make<2>, make<3>);
}

}  // namespace talus
