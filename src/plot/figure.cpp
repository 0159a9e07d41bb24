#include "plot/figure.h"

#include <algorithm>

#include <fmt/format.h>

#include "scene/diagnostics.h"

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

const OptionList frame_options{{"frame", "N|last", "number of the frame, negative from the end [last]"},
                               {"time", "T", "the frame nearest to that time [s], instead"}};

OptionList options_of(const FigureRegistry::Entry& entry) {
    OptionList options = entry.options;
    if (entry.of == FigureRegistry::Of::frame) options.insert(options.begin(), frame_options.begin(), frame_options.end());
    return options;
}

std::string place(const observe::Spec& spec, const std::string& key) {
    const auto found = spec.where_key.find(key);
    const std::string& where = found == spec.where_key.end() ? spec.where : found->second;
    return where.empty() ? "" : where + ": ";
}

const FigureRegistry::Entry& entry_of(const observe::Spec& spec) {
    const auto found = registry().entries().find(spec.name);
    if (found != registry().entries().end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, entry] : registry().entries()) names.push_back(name);
    throw InputError(place(spec, "") + fmt::format("unknown figure `{}`; {}", spec.name, scene::suggest(spec.name, names, "figures")));
}

void check_keys(const observe::Spec& spec, const FigureRegistry::Entry& entry) {
    if (!spec.parameters.is_object()) return;
    std::vector<std::string> names;
    for (const auto& option : options_of(entry)) names.push_back(option.name);
    for (const auto& [key, value] : spec.parameters.items())
        if (std::find(names.begin(), names.end(), key) == names.end())
            throw InputError(place(spec, key) + fmt::format("figure `{}` has no option `{}`; {}", spec.name, key, scene::suggest(key, names, "options")));
}

}  // namespace

std::size_t chosen_frame(const RunData& run, Options& options) {
    if (options.has("frame") && options.has("time")) options.fail("time", "is given as well as `frame`; give one of them");
    return options.has("time") ? nearest_frame(run, options.number("time", 0.0)) : numbered_frame(run, options.text("frame", "last"));
}

const RunData& FigureData::run(const std::string& figure) const {
    if (!runs || runs->empty()) throw InputError("figure `" + figure + "` needs a run");
    return runs->front();
}

std::string draw(const observe::Spec& spec, const FigureData& data) {
    const auto& entry = entry_of(spec);
    check_keys(spec, entry);
    Options options(spec, data.dim());
    if (entry.of == FigureRegistry::Of::runs || data.plane || data.space || !data.runs || data.runs->empty()) return entry.draw(data, options);
    const RunData& run = data.runs->front();
    const std::size_t k = chosen_frame(run, options);
    FigureData framed = data;
    Snapshot<2> plane;
    Snapshot<3> space;
    if (run.dim == 2) framed.plane = &(plane = run.plane_at(k));
    else framed.space = &(space = run.space_at(k));
    return entry.draw(framed, options);
}

std::vector<FigureDescription> list_figures() {
    std::vector<FigureDescription> list;
    for (const auto& [name, entry] : registry().entries()) list.push_back({name, entry.summary, options_of(entry)});
    return list;
}

}  // namespace talus::plot
