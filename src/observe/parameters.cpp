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
    if (!value->is_boolean()) fail(key, fmt::format("must be true or false, not {}", value->dump()));
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

Spec Parameters::child(const std::string& key) {
    const auto* value = find(key);
    if (!value) fail(key, "is missing");
    if (!value->is_object()) fail(key, fmt::format("must be a mapping, not {}", value->dump()));
    Spec child = spec_;
    child.name = spec_.name + "." + key;
    child.parameters = *value;
    if (const auto place = spec_.where_key.find(key); place != spec_.where_key.end()) child.where = place->second;
    child.where_key.clear();
    return child;
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
