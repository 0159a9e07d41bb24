// Pressure on walls by bins along a direction: vertical forces of the grains at the points that project into
// a bin, over its length (in space: over its length times `width`). For piles in the plane and for beds;
// rings.cpp does the same by rings about an axis.

#include <algorithm>
#include <cmath>

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

template <int Dim>
struct Options {
    observe::WallChoice walls;
    Vec<Dim> direction = Vec<Dim>::UnitX();
    std::optional<double> from, to, width;   ///< [m]
    double centre = 0.0;                     ///< [m]
    std::size_t count = 20, central = 2;
    bool average = false;
};

/// Length of a bin in the plane, area in space.
double bin_measure(const Vec<2>&, double length, double) { return length; }
double bin_measure(const Vec<3>&, double length, double width) { return length * width; }

template <int Dim>
struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void add(double x) {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    [[nodiscard]] double length() const { return high - low; }
};

/// Across the direction, as far as contacts reach: what stands for the width when none is given.
template <int Dim>
double width_of(const std::vector<observe::ContactForce<Dim>>& contacts, const Options<Dim>& options, const Vec<Dim>& up) {
    if (options.width) return *options.width;
    Extent<Dim> across;
    for (const auto& contact : contacts) across.add(contact.point.dot(observe::sideways(options.direction, up)));
    return across.length();
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto contacts = observe::wall_forces(snapshot, options.walls, options.average);
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    Extent<Dim> extent;
    for (const auto& contact : contacts) extent.add(contact.point.dot(options.direction));
    const double low = options.from.value_or(extent.low), high = options.to.value_or(extent.high);
    observe::Result result;
    if (!(low < high)) {  // nothing on the ground, and no limits given
        result.add("total_force", 0.0, "N");
        return result;
    }
    const double length = (high - low) / static_cast<double>(options.count);
    const double area = bin_measure(up, length, width_of(contacts, options, up));
    std::vector<double> force(options.count, 0.0), touching(options.count, 0.0);
    double total = 0.0, outside = 0.0;
    for (const auto& contact : contacts) {
        const double down = contact.force.dot(up), x = contact.point.dot(options.direction);
        total += down;
        if (x < low || x > high) {
            outside += down;
            continue;
        }
        const auto k = std::min(options.count - 1, static_cast<std::size_t>((x - low) / length));
        force[k] += down;
        ++touching[k];
    }
    const char* unit = observe::pressure_unit(up);
    observe::TableBuilder table("bins");
    table.column("low", "m").column("high", "m").column("force", "N").column("pressure", unit).column("contacts");
    std::size_t largest = 0;
    std::vector<std::pair<double, std::size_t>> nearest;
    for (std::size_t k = 0; k < options.count; ++k) {
        const double left = low + static_cast<double>(k) * length;
        table.put(left).put(left + length).put(force[k]).put(force[k] / area).put(touching[k]);
        if (force[k] > force[largest]) largest = k;
        nearest.emplace_back(std::abs(left + 0.5 * length - options.centre), k);
    }
    std::stable_sort(nearest.begin(), nearest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double centre = 0.0;
    for (std::size_t k = 0; k < options.central; ++k) centre += force[nearest[k].second];
    centre /= area * static_cast<double>(options.central);
    const double max = force[largest] / area;
    result.add("centre_pressure", centre, unit);
    result.add("max_pressure", max, unit);
    result.add("position_of_max", low + (static_cast<double>(largest) + 0.5) * length, "m");
    result.add("centre_over_max", centre / max);
    result.add("total_force", total, "N");
    result.add("outside_force", outside, "N");
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.walls.tags = parameters.tags("walls");
    options.direction = parameters.direction<Dim>("direction", options.direction);
    options.from = parameters.length("from");
    options.to = parameters.length("to");
    options.width = parameters.positive_length("width");
    options.centre = parameters.length("centre").value_or(0.0);
    options.count = static_cast<std::size_t>(parameters.count("count", 20, 1));
    options.central = static_cast<std::size_t>(parameters.count("central", std::min<std::int64_t>(2, static_cast<std::int64_t>(options.count)), 1));
    if (options.central > options.count) parameters.fail("central", "cannot be more than the number of bins");
    if (options.from && options.to && *options.from >= *options.to) parameters.fail("to", "must be greater than `from`");
    options.average = parameters.flag("average", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_ground_pressure(ObservableRegistry& registry) {
    registry.add("ground_pressure", "pressure on walls by bins along a direction", make<2>, make<3>);
}

}  // namespace talus
