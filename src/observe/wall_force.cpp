// Force of the grains on the walls, summed by tag or by body. Towards the wall is positive in
// `pushing`, the sum of normal forces.

#include <map>

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

template <int Dim>
struct Sum {
    Vec<Dim> force = Vec<Dim>::Zero();
    double pushing = 0.0, contacts = 0.0;
};

template <int Dim>
struct Options {
    observe::WallChoice walls;
    bool by_body = false, average = false;
};

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    std::map<std::int64_t, Sum<Dim>> sums;
    Sum<Dim> all;
    for (std::size_t i = 0; i < snapshot.size(); ++i)  // walls nobody touches are listed with zero
        if (options.walls.includes(snapshot, i)) sums[options.by_body ? snapshot.id[i] : snapshot.tag[i]];
    for (const auto& contact : observe::wall_forces(snapshot, options.walls, options.average)) {
        const auto wall = static_cast<std::size_t>(contact.b);
        for (Sum<Dim>* sum : {&sums[options.by_body ? snapshot.id[wall] : snapshot.tag[wall]], &all}) {
            sum->force -= contact.force;
            sum->pushing += contact.force.dot(contact.normal);
            ++sum->contacts;
        }
    }
    observe::Result result;
    for (int k = 0; k < Dim; ++k) result.add(std::string("force_") + observe::axis_names[k], all.force[k], "N");
    result.add("pushing", all.pushing, "N");
    const double weight = observe::grain_totals(snapshot).mass * snapshot.gravity.norm();
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    result.add("upward_over_weight", all.force.dot(up) / weight);
    result.add("pushing_over_weight", all.pushing / weight);
    result.add("contacts", all.contacts);
    observe::Table table{"walls", {{options.by_body ? "body" : "tag", "", {}}}};
    for (int k = 0; k < Dim; ++k) table.columns.push_back({std::string("force_") + observe::axis_names[k], "N", {}});
    table.columns.push_back({"pushing", "N", {}});
    table.columns.push_back({"contacts", "", {}});
    for (const auto& [key, sum] : sums) {
        table.columns[0].values.push_back(static_cast<double>(key));
        for (int k = 0; k < Dim; ++k) table.columns[static_cast<std::size_t>(k) + 1].values.push_back(sum.force[k]);
        table.columns[Dim + 1].values.push_back(sum.pushing);
        table.columns[Dim + 2].values.push_back(sum.contacts);
    }
    result.tables.push_back(std::move(table));
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.walls.tags = parameters.tags("walls");
    options.by_body = parameters.choice("by", {"tag", "body"}) == "body";
    options.average = parameters.flag("average", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_wall_force(ObservableRegistry& registry) {
    registry.add("wall_force", "force of the grains on the walls, by tag or by body", make<2>, make<3>);
}

}  // namespace talus
