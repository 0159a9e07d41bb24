#include "scene/read_spec.h"

#include <cmath>

namespace talus::scene {

nlohmann::json to_json(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null: return nullptr;
        case Node::Kind::list: {
            auto list = nlohmann::json::array();
            for (const auto& item : node.items) list.push_back(to_json(item));
            return list;
        }
        case Node::Kind::map: {
            auto map = nlohmann::json::object();
            for (std::size_t i = 0; i < node.items.size(); ++i) map[node.keys[i]] = to_json(node.items[i]);
            return map;
        }
        case Node::Kind::scalar: break;
    }
    if (node.quoted) return node.text;
    if (node.text == "true" || node.text == "false") return node.text == "true";
    Context unused;
    if (!looks_like_number(node)) return node.text;
    const auto value = read_number(node, "", {.may_be_infinite = true}, unused);
    if (!value) return node.text;
    if (*value == std::floor(*value) && std::abs(*value) < 9e15 && node.text.find_first_of(".eE") == std::string::npos)
        return static_cast<std::int64_t>(*value);
    return *value;
}

void note_places(const Node& node, const std::string& prefix, std::map<std::string, std::string>& places) {
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
        places[prefix + node.keys[i]] = node.items[i].mark.text();
        if (node.items[i].is_map()) note_places(node.items[i], prefix + node.keys[i] + ".", places);
    }
}

observe::Spec read_spec(const Node& item, Context& context, const std::string& what) {
    observe::Spec spec;
    spec.where = item.mark.text();
    spec.units = context.scene.units;
    if (item.is_scalar()) {
        spec.name = item.text;
        return spec;
    }
    Reader keys(item, context, what);
    if (const Node* name = keys.need("name", "energy")) spec.name = read_text(*name, "name", context).value_or("");
    spec.label = keys.text("label", "");
    if (!keys.is_valid()) return spec;
    spec.parameters = to_json(item);
    spec.parameters.erase("name");
    spec.parameters.erase("label");
    note_places(item, "", spec.where_key);
    return spec;
}

}  // namespace talus::scene
