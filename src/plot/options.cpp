#include "plot/options.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace talus::plot {

namespace {

std::string as_text(const nlohmann::json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The text as a number, when all of it is one and it is finite.
std::optional<double> as_number(const std::string& text) {
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

nlohmann::json value_of(const std::string& text) {
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_discarded()) return json;
    if (const auto number = as_number(text)) return *number;   // .5 and 1. are no JSON
    return text;
}

}  // namespace

const nlohmann::json* Options::at(const std::string& key) const { return has(key) ? &given_.parameters.at(key) : nullptr; }

std::string Options::text(const std::string& key, const std::string& otherwise) const {
    const auto* value = at(key);
    if (!value) return otherwise;
    if (value->is_structured()) fail(key, fmt::format("must be a text, not {}", value->dump()));
    return as_text(*value);
}

std::vector<std::string> Options::texts(const std::string& key) const {
    const auto* value = at(key);
    if (!value) return {};
    if (!value->is_array()) return {text(key, "")};
    std::vector<std::string> list;
    for (const auto& entry : *value) {
        if (entry.is_structured()) fail(key, fmt::format("must be a list of texts, not {}", value->dump()));
        list.push_back(as_text(entry));
    }
    return list;
}

std::vector<double> Options::numbers(const std::string& key, std::size_t size) const {
    const auto* value = at(key);
    if (!value) return {};
    std::vector<double> list;
    if (value->is_array())
        for (const auto& entry : *value)
            if (entry.is_number()) list.push_back(entry.get<double>());
    if (list.size() != size || value->size() != size) fail(key, fmt::format("must be a list of {} numbers, not {}", size, value->dump()));
    return list;
}

std::vector<Interval> Options::intervals(const std::string& key) const {
    const auto* value = at(key);
    if (!value) return {};
    const auto wrong = [&] { fail(key, fmt::format("must be intervals such as 15.5:18.7 or [[15.5, 18.7], …], not {}", value->dump())); };
    const auto read = [&](const nlohmann::json& entry) -> Interval {
        if (entry.is_array() && entry.size() == 2 && entry[0].is_number() && entry[1].is_number()) return {entry[0].get<double>(), entry[1].get<double>()};
        const std::string text = as_text(entry);
        const auto colon = text.find(':');
        const auto low = as_number(text.substr(0, colon)), high = colon == std::string::npos ? std::nullopt : as_number(text.substr(colon + 1));
        if (!low || !high) wrong();
        return {*low, *high};
    };
    std::vector<Interval> list;
    const bool many = value->is_array() && !value->empty() && !(*value)[0].is_number();
    if (many) for (const auto& entry : *value) list.push_back(read(entry));
    else list.push_back(read(*value));
    for (const auto& [low, high] : list)
        if (!(low < high)) wrong();
    return list;
}

observe::Spec Options::rest_for(const std::string& observable, const std::vector<std::string>& without) const {
    observe::Spec spec = as(observable);
    for (const auto& key : without) spec.parameters.erase(key);
    return spec;
}

void read_option(const std::string& argument, nlohmann::json& parameters) {
    const auto equals = argument.find('=');
    const std::string key = argument.substr(0, equals);
    if (key.empty()) throw InputError("plot: `" + argument + "` has no name before `=`; write key=value");
    if (parameters.contains(key)) throw InputError("plot: option `" + key + "` is given twice");
    if (equals == std::string::npos) {
        parameters[key] = true;
        return;
    }
    const std::string text = argument.substr(equals + 1);
    if (text.empty()) throw InputError("plot: option `" + key + "` has no value; write " + key + "=value");
    const bool is_list = text.find(',') != std::string::npos && std::string("[{\"").find(text.front()) == std::string::npos;
    if (!is_list) {
        parameters[key] = value_of(text);
        return;
    }
    auto list = nlohmann::json::array();
    for (std::size_t from = 0; from <= text.size();) {
        const auto comma = std::min(text.find(',', from), text.size());
        list.push_back(value_of(text.substr(from, comma - from)));
        from = comma + 1;
    }
    parameters[key] = std::move(list);
}

}  // namespace talus::plot
