#include "observe/registry.h"

#include <type_traits>

#include <fmt/format.h>

namespace talus {

void ObservableRegistry::add(const std::string& name, const std::string& summary, observe::Maker<2> plane,
                             observe::Maker<3> space) {
    entries_[name] = {summary, std::move(plane), std::move(space)};
}

}  // namespace talus

namespace talus::observe {

namespace {

const ObservableRegistry& registry() {
    static const ObservableRegistry all = [] {
        ObservableRegistry filling;
        register_members(filling);
        return filling;
    }();
    return all;
}

[[noreturn]] void fail(const Spec& spec, const std::string& message) {
    throw InputError((spec.where.empty() ? "" : spec.where + ": ") + message);
}

const ObservableRegistry::Entry& find(const Spec& spec) {
    const auto found = registry().entries().find(spec.name);
    if (found != registry().entries().end()) return found->second;
    std::string names;
    for (const auto& [name, entry] : registry().entries()) names += (names.empty() ? "" : ", ") + name;
    fail(spec, fmt::format("unknown observable `{}`; known: {}", spec.name, names));
}

template <int Dim>
const Maker<Dim>& maker_of(const ObservableRegistry::Entry& entry) {
    if constexpr (std::is_same_v<Maker<Dim>, Maker<2>>)
        return entry.plane;
    else
        return entry.space;
}

}  // namespace

template <int Dim>
Measurement<Dim> prepare(const Spec& spec) {
    const Maker<Dim>& maker = maker_of<Dim>(find(spec));
    if (!maker) fail(spec, fmt::format("observable `{}` does not exist in {}D", spec.name, Dim));
    Parameters parameters(spec, Dim);
    Measurement<Dim> measurement = maker(parameters);
    parameters.finish();
    return [measurement, name = spec.name, label = spec.label.empty() ? spec.name : spec.label](const Snapshot<Dim>& snapshot) {
        Result result = measurement(snapshot);
        result.observable = name;
        result.label = label;
        result.time = snapshot.time;
        return result;
    };
}

template <int Dim>
Result measure(const Spec& spec, const Snapshot<Dim>& snapshot) {
    return prepare<Dim>(spec)(snapshot);
}

std::vector<Description> list_observables() {
    std::vector<Description> list;
    for (const auto& [name, entry] : registry().entries())
        list.push_back({name, entry.summary, static_cast<bool>(entry.plane), static_cast<bool>(entry.space)});
    return list;
}

template Measurement<2> prepare<2>(const Spec&);
template Measurement<3> prepare<3>(const Spec&);
template Result measure<2>(const Spec&, const Snapshot<2>&);
template Result measure<3>(const Spec&, const Snapshot<3>&);

}  // namespace talus::observe
