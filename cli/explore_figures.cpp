#include "explore_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "math/rotation.h"
#include "plot/figure.h"
#include "step/snapshot.h"

namespace talus::cli {
namespace {

using Segments = std::vector<plot::ForceSegment>;

std::string draw(const Snapshot<2>& snapshot, const Segments* segments, const std::string& title, observe::UnitSystem units) {
    observe::Spec spec;
    spec.name = segments != nullptr ? "forces" : "grains";
    spec.parameters = {{"colour", "plain"}};
    plot::FigureData data;
    data.plane = &snapshot;
    data.units = units;
    data.title = title;
    data.segments = segments;
    return plot::draw(spec, data);
}

/// All that two bodies give each other through their contacts: how much, and where it acts.
struct Joint {
    Vec<2> moment = Vec<2>::Zero();
    double normal = 0.0;
    [[nodiscard]] Vec<2> point() const { return moment / normal; }
};

/// The paths of forces: in a body that two others press, from where the one acts to where the other does (the line of
/// thrust of an arch); in others from the centre to each.
Segments force_paths(const Snapshot<2>& snapshot, const explore::ContactTable& t, const explore::Flat& forces) {
    std::map<std::pair<std::int64_t, std::int64_t>, Joint> joints;
    double largest = 0.0;
    for (std::size_t k = 0; k < t.size(); ++k) {
        Joint& joint = joints[{t.a[k], t.b[k]}];
        const double normal = forces[2 * k] * t.normal[2 * k] + forces[2 * k + 1] * t.normal[2 * k + 1];
        joint.normal += normal;
        joint.moment += normal * Vec<2>(t.point[2 * k], t.point[2 * k + 1]);
        largest = std::max(largest, joint.normal);
    }
    std::map<std::int64_t, std::vector<const Joint*>> of_body;
    for (const auto& [pair, joint] : joints) {
        if (!(joint.normal > 1e-6 * largest)) continue;
        of_body[pair.first].push_back(&joint);
        of_body[pair.second].push_back(&joint);
    }
    Segments out;
    for (const auto& [id, all] : of_body) {
        const auto i = static_cast<std::size_t>(snapshot.index_of(id));
        if (snapshot.wall[i] != 0) continue;
        const Vec<2> centre = all.size() == 2 ? all[1]->point() : snapshot.position[i];
        for (std::size_t k = 0; k < (all.size() == 2 ? 1 : all.size()); ++k) {
            const Vec<2> from = all[k]->point();
            const double force = all.size() == 2 ? 0.5 * (all[0]->normal + all[1]->normal) : all[k]->normal;
            out.push_back({from.x(), from.y(), centre.x(), centre.y(), force});
        }
    }
    return out;
}

/// Bodies moved along the mechanism by so much that it is seen: the fastest by a sixteenth of the whole.
Snapshot<2> moved(Snapshot<2> snapshot, const explore::MotionTable& motion) {
    Vec<2> low = Vec<2>::Constant(1e300), high = -low;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (snapshot.wall[i] != 0 || !(snapshot.radius[i] > 0.0)) continue;
        low = low.cwiseMin(snapshot.position[i]);
        high = high.cwiseMax(snapshot.position[i]);
    }
    const double reach = std::max(0.0625 * (high - low).norm(), 0.25 * *std::max_element(snapshot.radius.begin(), snapshot.radius.end()));
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        snapshot.position[i] += reach * Vec<2>(motion.velocity[2 * i], motion.velocity[2 * i + 1]);
        snapshot.rotation[i] = advance<2>(snapshot.rotation[i], Spin<2>(motion.spin[i]), reach);
    }
    snapshot.contacts.clear();
    return snapshot;
}

}  // namespace

NamedFigures draw_states(const World<2>& world, const explore::Exploration& found, observe::UnitSystem units) {
    NamedFigures figures;
    const Snapshot<2> snapshot = take_snapshot(world);
    if (found.existence == "none")
        figures.emplace_back("mechanism.svg", draw(moved(snapshot, found.mechanism), nullptr, "No equilibrium: a motion that no contact resists", units));
    for (const auto& c : found.collapses) {
        if (c.greatest.kind != explore::BoundKind::attained || !figures.empty()) continue;
        figures.emplace_back("mechanism.svg", draw(moved(snapshot, c.greatest.mechanism), nullptr,
                                                   fmt::format("Mechanism of collapse under {:.4g} {} ({})", c.greatest.multiplier, c.unit, c.name), units));
    }
    if (!found.plane) return figures;
    const auto& q = found.quantities[found.plane->x];
    for (const auto& [file, word, bound] : {std::tuple{"least.svg", "Least", &q.least}, std::tuple{"greatest.svg", "Greatest", &q.greatest}}) {
        if (bound->kind != explore::BoundKind::attained) continue;
        const Segments paths = force_paths(snapshot, found.contacts, bound->forces);
        figures.emplace_back(file, draw(snapshot, &paths, fmt::format("{} {}: {:.5g} N", word, q.name, bound->value), units));
    }
    return figures;
}

}  // namespace talus::cli
