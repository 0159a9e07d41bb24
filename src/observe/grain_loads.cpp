// Load of a grain: the sum of the normal forces at its contacts, walls included, the shade of the grains in
// moreau2001, fig. 1. How unevenly the loads are spread: coefficient of variation and Gini's index (0 when
// all are equal, 1 when one grain bears all).

#include <algorithm>
#include <cmath>

#include "observe/forces.h"
#include "observe/histogram.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

template <int Dim>
struct Options {
    observe::Region<Dim> region;
    bool average = false, grains = false;
};

template <int Dim>
std::vector<double> loads_of(const Snapshot<Dim>& snapshot, bool average) {
    std::vector<double> loads(snapshot.size(), 0.0);
    for (const auto& contact : observe::contact_forces(snapshot, average)) {
        const double normal = contact.force.dot(contact.normal);
        loads[static_cast<std::size_t>(contact.a)] += normal;
        loads[static_cast<std::size_t>(contact.b)] += normal;
    }
    return loads;
}

/// Twice the area between the curve of shares and the diagonal; `sorted` increases.
double gini(const std::vector<double>& sorted, double sum) {
    double weighted = 0.0;
    for (std::size_t k = 0; k < sorted.size(); ++k) weighted += static_cast<double>(k + 1) * sorted[k];
    const auto n = static_cast<double>(sorted.size());
    return 2.0 * weighted / (n * sum) - (n + 1.0) / n;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto loads = loads_of(snapshot, options.average);
    const auto inside = observe::grains_inside(snapshot, options.region.at(snapshot));
    observe::TableBuilder table("grains");
    table.column("id").template vector<Dim>("", "m").column("radius", "m").column("load", "N");
    std::vector<double> chosen;
    double sum = 0.0, squares = 0.0, loaded = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!inside[i]) continue;
        chosen.push_back(loads[i]);
        sum += loads[i];
        squares += loads[i] * loads[i];
        loaded += loads[i] > 0.0;
        if (options.grains)
            table.put(static_cast<double>(snapshot.id[i])).template put<Dim>(snapshot.position[i]).put(snapshot.radius[i]).put(loads[i]);
    }
    std::sort(chosen.begin(), chosen.end());
    const auto n = static_cast<double>(chosen.size());
    const double mean = sum / n;
    observe::Result result;
    result.add("grains", n);
    result.add("mean", mean, "N");
    result.add("cv", std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean);
    result.add("max", chosen.empty() ? std::numeric_limits<double>::quiet_NaN() : chosen.back(), "N");
    result.add("gini", gini(chosen, sum));
    result.add("loaded_fraction", loaded / n);
    if (mean > 0.0) {
        for (double& load : chosen) load /= mean;
        result.tables.push_back(observe::histogram(chosen, 30, 6.0));
    }
    if (options.grains) result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.region = observe::read_optional_region<Dim>(parameters);
    options.average = parameters.flag("average", false);
    options.grains = parameters.flag("grains", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_grain_loads(ObservableRegistry& registry) {
    registry.add("grain_loads", "sum of normal forces on each grain, and how unevenly it is spread", make<2>, make<3>);
}

}  // namespace talus
