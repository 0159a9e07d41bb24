// Contact statistics. Potential contacts are those the contact rule admitted at q_m, effective ones
// those with an impulse [sanni2009, sec. 6.1]. Coordination: effective contacts per free grain, those
// with walls counted once; faces that meet have several, so neighbours, the bodies that a grain touches with
// force, are counted beside. A rattler has fewer than two effective contacts (not iterated).

#include <limits>
#include <set>
#include <utility>

#include "observe/forces.h"
#include "observe/registry.h"

namespace talus {

namespace {

struct Counts {
    double effective = 0, sliding = 0, ends = 0;   ///< ends: effective contacts as seen by free grains
    std::vector<int> of_body;
    double neighbours = 0;                         ///< pairs of bodies, as seen by free grains
};

template <int Dim>
Counts count(const Snapshot<Dim>& snapshot) {
    Counts counts;
    counts.of_body.assign(snapshot.size(), 0);
    std::set<std::pair<BodyId, BodyId>> pairs;
    for (const auto& contact : snapshot.contacts) {
        if (contact.impulse.isZero(0.0)) continue;
        ++counts.effective;
        if (contact.status == ContactStatus::sliding) ++counts.sliding;
        const bool first_of_pair = pairs.insert(std::minmax(contact.a, contact.b)).second;
        for (const BodyId id : {contact.a, contact.b}) {
            const auto i = snapshot.index_of(id);
            if (i < 0) continue;
            ++counts.of_body[static_cast<std::size_t>(i)];
            if (!observe::is_grain(snapshot, static_cast<std::size_t>(i))) continue;
            ++counts.ends;
            counts.neighbours += first_of_pair;
        }
    }
    return counts;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot) {
    const Counts counts = count(snapshot);
    double grains = 0, rattlers = 0, ends_of_rattlers = 0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        ++grains;
        if (counts.of_body[i] >= 2) continue;
        ++rattlers;
        ends_of_rattlers += counts.of_body[i];
    }
    const auto potential = static_cast<double>(snapshot.contacts.size());
    observe::Result result;
    result.add("potential", potential);
    result.add("effective", counts.effective);
    result.add("effective_over_potential", counts.effective / potential);
    result.add("coordination", counts.ends / grains);
    result.add("coordination_without_rattlers", (counts.ends - ends_of_rattlers) / (grains - rattlers));
    result.add("neighbours", counts.neighbours / grains);
    result.add("rattlers", rattlers);
    result.add("rattler_fraction", rattlers / grains);
    result.add("sliding_fraction", counts.sliding / counts.effective);
    result.add("contacts_per_grain", counts.effective / grains);
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters&) {
    return [](const Snapshot<Dim>& snapshot) { return measure(snapshot); };
}

}  // namespace

void register_contacts(ObservableRegistry& registry) {
    registry.add("contacts", "potential and effective contacts, coordination, rattlers, sliding fraction", make<2>, make<3>);
}

}  // namespace talus
