#include "observe/parameters.h"

#include <cmath>

#include <fmt/format.h>

namespace talus::observe {

namespace {

std::string joined(const std::set<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "`" : ", `") + word + "`";
    return text;
}

}  // namespace

Parameters::Parameters(const Spec& spec, int dim, const char* kind) : spec_(spec), dim_(dim), kind_(kind) {
    if (!spec_.parameters.is_object() && !spec_.parameters.is_null())
        fail("", "its parameters must be a mapping of names to values");
}

void Parameters::fail(const std::string& key, const std::string& message) const {
    std::string where = spec_.where;
    if (const auto place = spec_.where_key.find(key); place != spec_.where_key.end()) where = place->second;
    std::string text = where.empty() ? "" : where + ": ";
    text += fmt::format("{} `{}`: ", kind_, spec_.name);
    if (!key.empty()) text += fmt::format("`{}` ", key);
    throw InputError(text + message);
}

bool Parameters::has(const std::string& key) const { return spec_.parameters.is_object() && spec_.parameters.contains(key); }

const nlohmann::json* Parameters::find(const std::string& key) {
    known_.insert(key);
    return has(key) ? &spec_.parameters.at(key) : nullptr;
}

double Parameters::number_at(const std::string& key, const nlohmann::json& value) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()))
        fail(key, fmt::format("must be a number, not {}", value.dump()));
    return value.get<double>();
}

bool Parameters::flag(const std::string& key, bool otherwise) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_boolean()) fail(key, fmt::format("must be true or false, not {}; write one of the two", value->dump()));
    return value->get<bool>();
}

double Parameters::number(const std::string& key, double otherwise) {
    const auto* value = find(key);
    return value ? number_at(key, *value) : otherwise;
}

double Parameters::fraction(const std::string& key, double otherwise) {
    const double value = number(key, otherwise);
    if (!(value >= 0.0 && value <= 1.0)) fail(key, fmt::format("must lie between 0 and 1, not {}", value));
    return value;
}

double Parameters::positive(const std::string& key, double otherwise) {
    const double value = number(key, otherwise);
    if (!(value > 0.0)) fail(key, fmt::format("must be greater than 0, not {}", value));
    return value;
}

std::int64_t Parameters::count(const std::string& key, std::int64_t otherwise, std::int64_t least) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_number_integer() || value->get<std::int64_t>() < least)
        fail(key, fmt::format("must be a whole number of at least {}, not {}", least, value->dump()));
    return value->get<std::int64_t>();
}

std::optional<double> Parameters::length(const std::string& key) {
    const auto* value = find(key);
    if (!value) return std::nullopt;
    return number_at(key, *value) * metres_per_length(spec_.units);
}

std::optional<double> Parameters::positive_length(const std::string& key) {
    const auto value = length(key);
    if (value && !(*value > 0.0)) fail(key, "must be a length greater than 0");
    return value;
}

std::optional<double> Parameters::density(const std::string& key) {
    const auto* value = find(key);
    if (!value) return std::nullopt;
    const double density = number_at(key, *value) * si_per_density(spec_.units, dim_);
    if (!(density > 0.0)) fail(key, "must be a density greater than 0");
    return density;
}

template <int Dim>
Vec<Dim> Parameters::point(const std::string& key, const Vec<Dim>& otherwise) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_array() || value->empty() || value->size() > Dim)
        fail(key, fmt::format("must be a list of at most {} lengths, not {}", Dim, value->dump()));
    Vec<Dim> point = Vec<Dim>::Zero();
    for (std::size_t k = 0; k < value->size(); ++k)
        point[static_cast<int>(k)] = number_at(key, (*value)[k]) * metres_per_length(spec_.units);
    return point;
}

template Vec<2> Parameters::point<2>(const std::string&, const Vec<2>&);
template Vec<3> Parameters::point<3>(const std::string&, const Vec<3>&);

template <int Dim>
Vec<Dim> Parameters::direction(const std::string& key, const Vec<Dim>& otherwise) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_array() || value->empty() || value->size() > Dim)
        fail(key, fmt::format("must be a list of at most {} numbers, not {}", Dim, value->dump()));
    Vec<Dim> direction = Vec<Dim>::Zero();
    for (std::size_t k = 0; k < value->size(); ++k) direction[static_cast<int>(k)] = number_at(key, (*value)[k]);
    if (direction.isZero(0.0)) fail(key, "must not be zero: it is a direction");
    return direction.normalized();
}

template Vec<2> Parameters::direction<2>(const std::string&, const Vec<2>&);
template Vec<3> Parameters::direction<3>(const std::string&, const Vec<3>&);

std::optional<double> Parameters::seconds(const std::string& key) {
    const auto* value = find(key);
    if (!value) return std::nullopt;
    return number_at(key, *value);
}

std::optional<double> Parameters::period() {
    const auto period = seconds("period"), frequency = seconds("frequency");
    if (period && frequency) fail("frequency", "is given as well as `period`; give one of them");
    if (period && !(*period > 0.0)) fail("period", "must be a time greater than 0");
    if (frequency && !(*frequency > 0.0)) fail("frequency", "must be greater than 0");
    return frequency ? 1.0 / *frequency : period;
}

std::vector<double> Parameters::list_at(const std::string& key, std::size_t size, const char* of) {
    const auto* value = find(key);
    if (!value) return {};
    if (!value->is_array() || value->size() != size)
        fail(key, fmt::format("must be a list of {} {}, not {}", size, of, value->dump()));
    std::vector<double> list;
    for (const auto& entry : *value) list.push_back(number_at(key, entry));
    return list;
}

std::vector<double> Parameters::numbers(const std::string& key, std::size_t size) { return list_at(key, size, "numbers"); }

std::vector<double> Parameters::lengths(const std::string& key, std::size_t size) {
    auto list = list_at(key, size, "lengths");
    for (double& entry : list) entry *= metres_per_length(spec_.units);
    return list;
}

std::vector<std::pair<double, double>> Parameters::intervals(const std::string& key) {
    const auto* value = find(key);
    if (!value) return {};
    const auto pair_of = [&](const nlohmann::json& entry) {
        if (!entry.is_array() || entry.size() != 2) fail(key, fmt::format("must be a list of [first, last] pairs, not {}", value->dump()));
        const std::pair<double, double> pair{number_at(key, entry[0]), number_at(key, entry[1])};
        if (!(pair.first < pair.second)) fail(key, "must have the earlier time first in every pair; write the pair the other way round");
        return pair;
    };
    if (value->is_array() && !value->empty() && value->front().is_number()) return {pair_of(*value)};
    if (!value->is_array()) fail(key, fmt::format("must be a list of [first, last] pairs, not {}", value->dump()));
    std::vector<std::pair<double, double>> pairs;
    for (const auto& entry : *value) pairs.push_back(pair_of(entry));
    return pairs;
}

std::vector<std::string> Parameters::names(const std::string& key) {
    const auto* value = find(key);
    if (!value) return {};
    if (value->is_string()) return {value->get<std::string>()};
    std::vector<std::string> list;
    if (!value->is_array() || value->empty()) fail(key, fmt::format("must be a list of names, not {}", value->dump()));
    for (const auto& entry : *value) {
        if (!entry.is_string()) fail(key, fmt::format("must be a list of names, not {}", value->dump()));
        list.push_back(entry.get<std::string>());
    }
    return list;
}

std::string Parameters::name(const std::string& key, const std::string& otherwise) {
    const auto* value = find(key);
    if (!value) return otherwise;
    if (!value->is_string() || value->get<std::string>().empty())
        fail(key, fmt::format("must be a name, not {}", value->dump()));
    return value->get<std::string>();
}

std::string Parameters::choice(const std::string& key, const std::vector<std::string>& choices) {
    const auto* value = find(key);
    if (!value) return choices.front();
    for (const auto& choice : choices)
        if (value->is_string() && value->get<std::string>() == choice) return choice;
    fail(key, fmt::format("must be one of {}, not {}", joined({choices.begin(), choices.end()}), value->dump()));
}

std::int32_t Parameters::tag_at(const std::string& key, const nlohmann::json& value) const {
    if (value.is_number_integer()) return value.get<std::int32_t>();
    if (!value.is_string()) fail(key, fmt::format("must be a tag or a list of tags, not {}", value.dump()));
    const auto known = spec_.tags.find(value.get<std::string>());
    if (known != spec_.tags.end()) return known->second;
    std::set<std::string> names;
    for (const auto& [name, tag] : spec_.tags) names.insert(name);
    const std::string have = names.empty() ? "the scene names none" : "the scene has " + joined(names);
    fail(key, fmt::format("names the tag {}, which does not exist; {}", value.dump(), have));
}

std::set<std::int32_t> Parameters::tags(const std::string& key) {
    const auto* value = find(key);
    if (!value) return {};
    if (!value->is_array()) return {tag_at(key, *value)};
    std::set<std::int32_t> tags;
    for (const auto& entry : *value) tags.insert(tag_at(key, entry));
    if (tags.empty()) fail(key, "is an empty list; leave it out to take all");
    return tags;
}

Spec Parameters::below(const std::string& key, const nlohmann::json& value) const {
    if (!value.is_object()) fail(key, fmt::format("must be a mapping, not {}", value.dump()));
    Spec child = spec_;
    child.name = spec_.name + "." + key;
    child.parameters = value;
    if (const auto place = spec_.where_key.find(key); place != spec_.where_key.end()) child.where = place->second;
    child.where_key.clear();
    return child;
}

Spec Parameters::child(const std::string& key) {
    const auto* value = find(key);
    if (!value) fail(key, "is missing");
    return below(key, *value);
}

std::vector<Spec> Parameters::children(const std::string& key) {
    const auto* value = find(key);
    if (!value) return {};
    if (value->is_object()) return {below(key, *value)};
    if (!value->is_array() || value->empty()) fail(key, fmt::format("must be a list of mappings, not {}", value->dump()));
    std::vector<Spec> list;
    for (const auto& entry : *value) list.push_back(below(key, entry));
    return list;
}

Spec Parameters::observable(const std::string& key) {
    const auto* value = find(key);
    if (!value) fail(key, "is missing; give it: the observable, by its name or as a mapping with `name`");
    Spec spec = below(key, value->is_string() ? nlohmann::json{{"name", *value}} : *value);
    Parameters inside(spec, dim_);
    const std::string name = inside.name("name", "");
    if (name.empty()) fail(key, "must have the `name` of an observable");
    spec.name = name;
    spec.label.clear();
    spec.parameters.erase("name");
    return spec;
}

Spec Parameters::as(const std::string& name) const {
    Spec spec = spec_;
    spec.name = name;
    return spec;
}

void Parameters::finish() const {
    if (!spec_.parameters.is_object()) return;
    for (const auto& [key, value] : spec_.parameters.items())
        if (!known_.contains(key))
            fail(key, known_.empty() ? std::string("is unknown: this ") + kind_ + " has no parameters"
                                     : fmt::format("is unknown; known: {}", joined(known_)));
}

}  // namespace talus::observe
