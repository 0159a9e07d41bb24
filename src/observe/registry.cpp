#include "observe/registry.h"

#include <type_traits>

#include <fmt/format.h>

namespace talus {

void ObservableRegistry::add(const std::string& name, const std::string& summary, observe::Maker<2> plane,
                             observe::Maker<3> space, observe::Needs needs) {
    entries_[name] = {summary, std::move(plane), std::move(space), needs};
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
Result Measurement<Dim>::operator()(const Snapshot<Dim>& snapshot) const {
    Result result = memory_ ? memory_->measure(snapshot) : function_(snapshot);
    result.observable = observable_;
    result.label = label_;
    result.time = snapshot.time;
    return result;
}

template <int Dim>
Measurement<Dim> prepare(const Spec& spec) {
    const Maker<Dim>& maker = maker_of<Dim>(find(spec));
    if (!maker) fail(spec, fmt::format("observable `{}` does not exist in {}D", spec.name, Dim));
    Parameters parameters(spec, Dim);
    Measurement<Dim> measurement = maker(parameters);
    parameters.finish();
    measurement.name(spec.name, spec.label.empty() ? spec.name : spec.label);
    return measurement;
}

template <int Dim>
Result measure(const Spec& spec, const Snapshot<Dim>& snapshot) {
    const Measurement<Dim> measurement = prepare<Dim>(spec);
    const Moment moment{snapshot.time, snapshot.step, snapshot.h, true, true};
    if (Memory<Dim>* memory = measurement.memory(); memory && memory->wants(moment)) memory->see(snapshot, moment);
    return measurement(snapshot);
}

std::vector<Description> list_observables() {
    std::vector<Description> list;
    for (const auto& [name, entry] : registry().entries())
        list.push_back({name, entry.summary, entry.needs, static_cast<bool>(entry.plane), static_cast<bool>(entry.space)});
    return list;
}

template class Measurement<2>;
template class Measurement<3>;
template Measurement<2> prepare<2>(const Spec&);
template Measurement<3> prepare<3>(const Spec&);
template Result measure<2>(const Spec&, const Snapshot<2>&);
template Result measure<3>(const Spec&, const Snapshot<3>&);

}  // namespace talus::observe
