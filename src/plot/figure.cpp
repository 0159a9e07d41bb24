#include "plot/figure.h"

#include <fmt/format.h>

namespace talus::plot {

namespace {

const FigureRegistry& registry() {
    static const FigureRegistry all = [] {
        FigureRegistry filling;
        register_members(filling);
        return filling;
    }();
    return all;
}

}  // namespace

std::string draw(const observe::Spec& spec, const FigureData& data) {
    const auto found = registry().entries().find(spec.name);
    if (found == registry().entries().end()) {
        std::string names;
        for (const auto& [name, entry] : registry().entries()) names += (names.empty() ? "" : ", ") + name;
        throw InputError((spec.where.empty() ? "" : spec.where + ": ") +
                         fmt::format("unknown figure `{}`; known: {}", spec.name, names));
    }
    observe::Parameters parameters(spec, data.dim());
    return found->second.draw(data, parameters);
}

std::vector<FigureDescription> list_figures() {
    std::vector<FigureDescription> list;
    for (const auto& [name, entry] : registry().entries()) list.push_back({name, entry.summary});
    return list;
}

}  // namespace talus::plot
