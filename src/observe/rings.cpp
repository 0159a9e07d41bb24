// Pressure of a pile on the ground by rings of equal width about the axis [moreau2003, sec. 9.3, fig. 6]:
// the vertical forces at the ground contacts that project into a ring, over the ring's area. In the
// plane a ring is the two strips at that distance from the axis.
//
// The inner rings hold few contacts: the pressure at the centre is that of the first `centre` rings
// taken together. It is compared with the largest of the others, and with the pressure rho_b g H of a
// liquid as high and, on the mean, as heavy as the pile. rho_b is given, or measured as the mass of
// grain matter in a third of the base radius, from one grain above the ground to half the height.

#include <algorithm>
#include <cmath>
#include <limits>

#include "observe/pile.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    observe::PileOptions<Dim> pile;
    std::size_t rings = 12, centre = 2;
    std::optional<double> radius;         ///< of the outermost ring [m]; else the base radius
    std::optional<double> bulk_density;   ///< [kg/m3]; else measured
    bool average = false;
};

struct Rings {
    std::vector<double> force, area;   ///< [N], [m2]
    std::vector<long> contacts;
    double width = 0.0, outside = 0.0; ///< [m], [N] beyond the last ring

    [[nodiscard]] double middle(std::size_t k) const { return (static_cast<double>(k) + 0.5) * width; }
    [[nodiscard]] double pressure(std::size_t first, std::size_t last) const {
        double f = 0.0, a = 0.0;
        for (std::size_t k = first; k < last; ++k) {
            f += force[k];
            a += area[k];
        }
        return f / a;
    }
};

template <int Dim>
Rings measure_rings(const Snapshot<Dim>& snapshot, const Options<Dim>& options, double radius) {
    const auto axis = observe::vertical(snapshot, options.pile.axis);
    Rings rings;
    rings.width = radius / static_cast<double>(options.rings);
    rings.force.assign(options.rings, 0.0);
    rings.contacts.assign(options.rings, 0);
    for (std::size_t k = 0; k < options.rings; ++k)
        rings.area.push_back(observe::ring_measure(axis.foot, static_cast<double>(k) * rings.width,
                                                   static_cast<double>(k + 1) * rings.width));
    for (const auto& contact : observe::wall_forces(snapshot, options.pile.walls, options.average)) {
        const double down = axis.up.dot(contact.force);  // what the grain gives the ground
        const auto k = static_cast<std::size_t>(axis.distance(contact.point) / rings.width);
        if (k >= options.rings) {
            rings.outside += down;
            continue;
        }
        rings.force[k] += down;
        ++rings.contacts[k];
    }
    return rings;
}

/// Solid fraction well inside the pile: below half its height in the inner third the surface is far.
template <int Dim>
double core_fraction(const Snapshot<Dim>& snapshot, const observe::Pile& pile, const Vec<Dim>& axis) {
    const double grain = observe::grain_totals(snapshot).mean_diameter;
    observe::Region<Dim> core;
    core.kind = observe::Region<Dim>::Kind::ring;
    core.axis = axis;
    core.outer = pile.base_radius / 3.0;
    core.floor = pile.ground + grain;
    core.ceiling = pile.ground + 0.5 * pile.apex;
    if (!(core.outer > 0.0) || !(core.floor + grain <= core.ceiling)) return nan;
    return observe::solid_fraction<Dim>(snapshot, core, [](std::size_t) { return true; });
}

template <int Dim>
void add_hydrostatic(observe::Result& result, const Snapshot<Dim>& snapshot, const Options<Dim>& options,
                     const observe::Pile& pile, double centre) {
    const auto totals = observe::grain_totals(snapshot);
    double fraction = nan, density = nan;
    if (options.bulk_density)
        density = *options.bulk_density;
    else {
        fraction = core_fraction(snapshot, pile, options.pile.axis);
        density = fraction * totals.mass / totals.volume;
    }
    const double hydrostatic = density * snapshot.gravity.norm() * pile.apex;
    result.add("height", pile.apex, "m");
    result.add("solid_fraction", fraction);
    result.add("bulk_density", density, observe::density_unit(snapshot.gravity));
    result.add("hydrostatic_pressure", hydrostatic, observe::pressure_unit(snapshot.gravity));
    result.add("centre_over_hydrostatic", centre / hydrostatic);
}

template <int Dim>
observe::Table ring_table(const Rings& rings, const Vec<Dim>& v) {
    observe::Table table{"rings",
                         {{"inner", "m", {}}, {"outer", "m", {}}, {"force", "N", {}},
                          {"pressure", observe::pressure_unit(v), {}}, {"contacts", "", {}}}};
    for (std::size_t k = 0; k < rings.force.size(); ++k) {
        table.columns[0].values.push_back(static_cast<double>(k) * rings.width);
        table.columns[1].values.push_back(static_cast<double>(k + 1) * rings.width);
        table.columns[2].values.push_back(rings.force[k]);
        table.columns[3].values.push_back(rings.force[k] / rings.area[k]);
        table.columns[4].values.push_back(static_cast<double>(rings.contacts[k]));
    }
    return table;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const observe::Pile pile = observe::measure_pile(snapshot, options.pile);
    const double radius = options.radius.value_or(pile.base_radius);
    observe::Result result;
    if (!(radius > 0.0)) {  // no pile yet: nothing to divide the ground into
        result.add("base_radius", pile.base_radius, "m");
        return result;
    }
    const Rings rings = measure_rings(snapshot, options, radius);
    const char* unit = observe::pressure_unit(snapshot.gravity);
    const double centre = rings.pressure(0, options.centre);
    double largest = centre, at = 0.5 * static_cast<double>(options.centre) * rings.width;
    for (std::size_t k = options.centre; k < options.rings; ++k)
        if (rings.pressure(k, k + 1) > largest) {
            largest = rings.pressure(k, k + 1);
            at = rings.middle(k);
        }
    result.add("centre_pressure", centre, unit);
    result.add("max_pressure", largest, unit);
    result.add("radius_of_max", at, "m");
    result.add("centre_over_max", centre / largest);
    result.add("radius_of_max_over_base", at / pile.base_radius);
    result.add("base_radius", pile.base_radius, "m");
    add_hydrostatic(result, snapshot, options, pile, centre);
    result.add("outside_force", rings.outside, "N");
    result.tables.push_back(ring_table(rings, snapshot.gravity));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.pile = observe::read_pile_options<Dim>(parameters);
    options.rings = static_cast<std::size_t>(parameters.count("count", 12, 1));
    options.centre = static_cast<std::size_t>(parameters.count("centre", std::min<std::int64_t>(2, static_cast<std::int64_t>(options.rings)), 1));
    if (options.centre > options.rings) parameters.fail("centre", "cannot be more than the number of rings");
    options.radius = parameters.positive_length("radius");
    options.bulk_density = parameters.density("bulk_density");
    options.average = parameters.flag("average", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_rings(ObservableRegistry& registry) {
    registry.add("rings", "pressure on the ground by rings about the axis, central dip, hydrostatic comparison", make<2>,
                 make<3>);
}

}  // namespace talus
