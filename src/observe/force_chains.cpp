// Force chains after Peters, Muthuswamy, Wibowo & Tordesillas (2005, Phys. Rev. E 72, 041307). A grain's stress
// is its internal moment; it is strong when its major principal value is above the mean of the grains.
// Two strong grains in contact belong to one chain when the line between them lies within an angle of the
// major directions of both. Chains have a least number of grains.
//
// Departure from the source: grains that hang together through such links are one chain even where it
// forks. The moments of grains are compared, not over their own volumes, so that small grains do not
// count as strong for being small.

#include <algorithm>
#include <map>
#include <numeric>

#include "observe/fabric.h"
#include "observe/moments.h"
#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    observe::Region<Dim> region;
    bool average = false, grains = false;
    double angle = 45.0;        ///< [deg]
    std::size_t least = 3;
};

/// Grains that hang together: each points to one before it, the first of a group to itself.
class Groups {
public:
    explicit Groups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t i, std::size_t j) {
        i = find(i);
        j = find(j);
        parent_[std::max(i, j)] = std::min(i, j);
    }

private:
    std::vector<std::size_t> parent_;
};

template <int Dim>
struct Strength {
    std::vector<double> major;         ///< by body [N m]
    std::vector<Vec<Dim>> direction;
    double mean = 0.0, grains = 0.0;
};

template <int Dim>
Strength<Dim> strengths(const Snapshot<Dim>& snapshot, const std::vector<observe::ContactForce<Dim>>& forces,
                        const std::vector<std::uint8_t>& inside) {
    std::vector<Mat<Dim>> moments(snapshot.size(), Mat<Dim>::Zero());
    for (const auto& contact : forces) {
        const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
        if (inside[a]) moments[a] -= contact.force * observe::arm(snapshot, a, contact.point).transpose();
        if (inside[b]) moments[b] += contact.force * observe::arm(snapshot, b, contact.point).transpose();
    }
    Strength<Dim> found;
    found.major.assign(snapshot.size(), 0.0);
    found.direction.assign(snapshot.size(), Vec<Dim>::Zero());
    double sum = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!inside[i]) continue;
        const auto principal = observe::principal_of<Dim>(Mat<Dim>(0.5 * (moments[i] + moments[i].transpose())));
        found.major[i] = principal.values[0];
        found.direction[i] = principal.axes.col(0);
        sum += principal.values[0];
        ++found.grains;
    }
    found.mean = sum / found.grains;
    return found;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto forces = observe::contact_forces(snapshot, options.average);
    const auto inside = observe::grains_inside(snapshot, options.region.at(snapshot));
    const auto strength = strengths(snapshot, forces, inside);
    const auto is_strong = [&](std::size_t i) { return inside[i] && strength.major[i] > strength.mean; };
    Groups groups(snapshot.size());
    std::vector<std::pair<std::size_t, Vec<Dim>>> links;   // a grain of the link, its direction
    for (const auto& contact : forces) {
        const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
        if (!is_strong(a) || !is_strong(b)) continue;
        const Vec<Dim> line = observe::branch(snapshot, contact);
        if (observe::angle_from(line, strength.direction[a]) > options.angle || observe::angle_from(line, strength.direction[b]) > options.angle) continue;
        groups.join(a, b);
        links.emplace_back(a, line.normalized());
    }
    std::map<std::size_t, std::vector<std::size_t>> members;
    double strong = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!is_strong(i)) continue;
        ++strong;
        members[groups.find(i)].push_back(i);
    }
    std::erase_if(members, [&](const auto& chain) { return chain.second.size() < options.least; });
    std::vector<Vec<Dim>> directions;
    for (const auto& [grain, line] : links)
        if (members.contains(groups.find(grain))) directions.push_back(line);
    std::map<std::size_t, double> lengths;
    double in_chains = 0.0;
    observe::TableBuilder table("members");
    table.column("chain").column("id").template vector<Dim>("", "m");
    double number = 0.0;
    for (const auto& [first, chain] : members) {
        ++number;
        ++lengths[chain.size()];
        in_chains += static_cast<double>(chain.size());
        for (const std::size_t i : chain)
            if (options.grains) table.put(number).put(static_cast<double>(snapshot.id[i])).template put<Dim>(snapshot.position[i]);
    }
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    observe::Result result;
    result.add("chains", number);
    result.add("in_chains", in_chains / strength.grains);
    result.add("mean_length", in_chains / number);
    result.add("longest", lengths.empty() ? 0.0 : static_cast<double>(lengths.rbegin()->first));
    result.add("strong_fraction", strong / strength.grains);
    result.add("chain_direction", directions.empty() ? nan : observe::angle_from(Vec<Dim>(observe::principal_of<Dim>(observe::fabric_of(directions)).axes.col(0)), up), "deg");
    observe::TableBuilder counts("lengths");
    counts.column("length").column("count");
    for (const auto& [length, count] : lengths) counts.put(static_cast<double>(length)).put(count);
    result.tables.push_back(counts.take());
    if (options.grains) result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.region = observe::read_optional_region<Dim>(parameters);
    options.average = parameters.flag("average", false);
    options.grains = parameters.flag("grains", false);
    options.angle = parameters.positive("angle", options.angle);
    if (options.angle > 90.0) parameters.fail("angle", "must be at most 90 degrees");
    options.least = static_cast<std::size_t>(parameters.count("least", 3, 2));
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_force_chains(ObservableRegistry& registry) {
    registry.add("force_chains", "chains of strongly loaded grains in line: number, lengths, direction", make<2>, make<3>);
}

}  // namespace talus
