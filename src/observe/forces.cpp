#include "observe/forces.h"

#include <limits>

#include "observe/space.h"

namespace talus::observe {

namespace {

// Sums and contacts have the same fields but not the same type.
template <int Dim, typename List>
std::vector<ContactForce<Dim>> forces_of(const Snapshot<Dim>& snapshot, const List& list, double seconds) {
    std::vector<ContactForce<Dim>> forces;
    for (const auto& contact : list) {
        if (contact.impulse.isZero(0.0)) continue;
        const auto a = snapshot.index_of(contact.a), b = snapshot.index_of(contact.b);
        if (a < 0 || b < 0) continue;  // a body that a sink removed since
        forces.push_back({a, b, contact.point, contact.normal, contact.impulse / seconds});
    }
    return forces;
}

}  // namespace

template <int Dim>
std::vector<ContactForce<Dim>> contact_forces(const Snapshot<Dim>& snapshot, bool average) {
    if (!average) return forces_of(snapshot, snapshot.contacts, snapshot.h);
    if (!(snapshot.sums_seconds > 0.0) && snapshot.step == 0) return {};  // no step yet, no force
    if (!(snapshot.sums_seconds > 0.0))
        throw InputError("`average: true` needs the impulses summed over the frame's interval, and this frame has none; "
                         "ask for sums under `record:`, or leave `average` out");
    return forces_of(snapshot, snapshot.sums, snapshot.sums_seconds);
}

template <int Dim>
std::vector<ContactForce<Dim>> wall_forces(const Snapshot<Dim>& snapshot, const WallChoice& walls, bool average) {
    std::vector<ContactForce<Dim>> chosen;
    for (auto force : contact_forces(snapshot, average)) {
        if (walls.includes(snapshot, static_cast<std::size_t>(force.a))) {
            std::swap(force.a, force.b);
            force.normal = -force.normal;
            force.force = -force.force;
        }
        const auto grain = static_cast<std::size_t>(force.a), wall = static_cast<std::size_t>(force.b);
        if (walls.includes(snapshot, wall) && is_grain(snapshot, grain)) chosen.push_back(force);
    }
    return chosen;
}

template <int Dim>
std::vector<int> touch_counts(const Snapshot<Dim>& snapshot) {
    std::vector<int> counts(snapshot.size(), 0);
    for (const auto& contact : snapshot.contacts)
        for (const BodyId id : {contact.a, contact.b})
            if (const auto i = snapshot.index_of(id); i >= 0) ++counts[static_cast<std::size_t>(i)];
    return counts;
}

template <int Dim>
GrainTotals<Dim> grain_totals(const Snapshot<Dim>& snapshot) {
    GrainTotals<Dim> totals;
    double diameters = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!is_grain(snapshot, i)) continue;
        ++totals.count;
        totals.mass += snapshot.mass[i];
        totals.volume += snapshot.volume(i);
        diameters += 2.0 * snapshot.radius[i];
    }
    totals.mean_diameter = totals.count ? diameters / static_cast<double>(totals.count)
                                        : std::numeric_limits<double>::quiet_NaN();
    return totals;
}

template std::vector<ContactForce<2>> contact_forces<2>(const Snapshot<2>&, bool);
template std::vector<ContactForce<3>> contact_forces<3>(const Snapshot<3>&, bool);
template std::vector<ContactForce<2>> wall_forces<2>(const Snapshot<2>&, const WallChoice&, bool);
template std::vector<ContactForce<3>> wall_forces<3>(const Snapshot<3>&, const WallChoice&, bool);
template std::vector<int> touch_counts<2>(const Snapshot<2>&);
template std::vector<int> touch_counts<3>(const Snapshot<3>&);
template GrainTotals<2> grain_totals<2>(const Snapshot<2>&);
template GrainTotals<3> grain_totals<3>(const Snapshot<3>&);

}  // namespace talus::observe
