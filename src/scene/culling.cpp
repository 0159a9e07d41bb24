#include "scene/culling.h"

#include <algorithm>

#include "step/closed_contacts.h"

namespace talus::scene {

namespace {

template <int Dim>
bool passes(const GrainFilter& filter, const World<Dim>& world, std::size_t i) {
    if (filter.tag && world.tags()[i] != *filter.tag) return false;
    return !filter.material || world.materials()[i] == *filter.material;
}

bool is_in(const SinkPlan& sink, const Point& p, const Frame& frame) {
    switch (sink.kind) {
        case SinkPlan::Kind::below: return p.dot(frame.up) < sink.height;
        case SinkPlan::Kind::inside: return sink.region.contains(p);
        case SinkPlan::Kind::outside: return !sink.region.contains(p);
    }
    return false;
}

}  // namespace

template <int Dim>
std::vector<std::vector<BodyId>> grains_in_sinks(const World<Dim>& world, const Scene& scene,
                                                 const std::vector<BodyId>& attached) {
    std::vector<std::vector<BodyId>> gone(scene.sinks.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (!world.is_grain(i)) continue;
        Point p = Point::Zero();
        p.head<Dim>() = world.positions()[i];
        for (std::size_t k = 0; k < scene.sinks.size(); ++k) {
            if (!is_in(scene.sinks[k], p, scene.frame) || !passes<Dim>(scene.sinks[k].filter, world, i)) continue;
            if (!std::binary_search(attached.begin(), attached.end(), world.ids()[i]))
                gone[k].push_back(world.ids()[i]);
            break;
        }
    }
    return gone;
}

template <int Dim>
std::vector<BodyId> grains_to_freeze(const World<Dim>& world, const Scene& scene,
                                     const std::vector<std::vector<BodyId>>& targets) {
    std::vector<BodyId> stopped;
    for (const auto& [a, b] : closed_contacts(world))
        for (std::size_t rule = 0; rule < targets.size(); ++rule)
            for (const auto& [grain, other] : {std::pair(a, b), std::pair(b, a)}) {
                const auto i = static_cast<std::size_t>(grain);
                const BodyId target = world.ids()[static_cast<std::size_t>(other)];
                if (!world.is_grain(i) || !std::binary_search(targets[rule].begin(), targets[rule].end(), target)) continue;
                if (passes<Dim>(scene.freezes[rule].filter, world, i)) stopped.push_back(world.ids()[i]);
            }
    std::sort(stopped.begin(), stopped.end());
    stopped.erase(std::unique(stopped.begin(), stopped.end()), stopped.end());
    return stopped;
}

template std::vector<std::vector<BodyId>> grains_in_sinks<2>(const World<2>&, const Scene&, const std::vector<BodyId>&);
template std::vector<std::vector<BodyId>> grains_in_sinks<3>(const World<3>&, const Scene&, const std::vector<BodyId>&);
template std::vector<BodyId> grains_to_freeze<2>(const World<2>&, const Scene&,
                                                 const std::vector<std::vector<BodyId>>&);
template std::vector<BodyId> grains_to_freeze<3>(const World<3>&, const Scene&,
                                                 const std::vector<std::vector<BodyId>>&);

}  // namespace talus::scene
