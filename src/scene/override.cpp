#include "scene/override.h"

#include <charconv>

#include "talus/error.h"

namespace talus::scene {

namespace {

std::vector<std::string> split_path(const std::string& key) {
    std::vector<std::string> words{""};
    for (const char c : key) {
        if (c == '.') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

/// The `label` of an entry of `observe`, else its `name`.
std::string name_of(const Node& item) {
    const Node* label = item.find("label");
    const Node* name = label != nullptr ? label : item.find("name");
    return name != nullptr && name->is_scalar() ? name->text : std::string();
}

/// The entry of a list by number or by name, or null.
Node* list_entry(Node& list, const std::string& word) {
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (code == std::errc() && end == word.data() + word.size())
        return number < list.items.size() ? &list.items[number] : nullptr;
    for (auto& item : list.items)
        if (item.is_map() && name_of(item) == word) return &item;
    return nullptr;
}

std::vector<std::string> list_names(const Node& list) {
    std::vector<std::string> names;
    for (const auto& item : list.items) {
        const std::string name = item.is_map() ? name_of(item) : std::string();
        if (!name.empty()) names.push_back(name);
    }
    return names;
}

[[noreturn]] void fail(const std::string& source, const std::string& message) {
    throw InputError(source + ": " + message);
}

/// The node one word further, made when a mapping of the top level has it not.
Node* descend(Node& node, const std::string& word, const std::string& source, const std::string& path, bool may_add) {
    const std::string parent = path.empty() ? "the scene" : "'" + path + "'";
    if (node.is_list()) {
        if (Node* entry = list_entry(node, word)) return entry;
        const auto names = list_names(node);
        const std::string hint = names.empty()
                                     ? "it has " + std::to_string(node.items.size()) + " entries, numbered from 0"
                                     : suggest(word, names, "names");
        fail(source, "no entry '" + word + "' in " + parent + "; " + hint);
    }
    if (node.is_null() && may_add) node.kind = Node::Kind::map;
    if (!node.is_map()) fail(source, parent + " has no parts; set it as a whole");
    const auto i = node.index_of(word);
    if (i >= 0) return &node.items[static_cast<std::size_t>(i)];
    if (!may_add) fail(source, "no '" + word + "' in " + parent + "; " + suggest(word, node.keys, "keys"));
    Node fresh;
    fresh.mark = {std::make_shared<const std::string>(source), 0, 0};
    node.set(word, fresh.mark, fresh);
    return &node.items.back();
}

}  // namespace

void apply_override(Node& root, const Override& change, Diagnostics& errors) {
    const std::string source = "--set " + change.key;
    const auto words = split_path(change.key);
    Node value = parse_yaml_value(change.value, source, errors);
    Node* node = &root;
    bool fresh = false;  // inside a section this override has just made
    std::string path;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].empty()) fail(source, "an empty name in the path; write for example 'materials.grain.friction'");
        const bool last = i + 1 == words.size();
        const bool was_missing = node->is_map() && node->index_of(words[i]) < 0;
        node = descend(*node, words[i], source, path, last || i == 0 || fresh);
        fresh = fresh || (was_missing && !last);
        path += (path.empty() ? "" : ".") + words[i];
    }
    *node = std::move(value);
}

std::string apply_override(const std::string& yaml, const Override& change) {
    Diagnostics errors;
    Node root = parse_yaml(yaml, "scene", errors);
    apply_override(root, change, errors);
    errors.raise();
    return emit_yaml(root);
}

OverrideGrid parse_override(const std::string& argument) {
    const auto equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) fail("--set " + argument, "no '='; write key=value");
    OverrideGrid grid{argument.substr(0, equals), {""}};
    int depth = 0;
    char quote = 0;
    for (const char c : argument.substr(equals + 1)) {
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            grid.values.emplace_back();
            continue;
        }
        grid.values.back() += c;
    }
    for (const auto& value : grid.values)
        if (value.find_first_not_of(' ') == std::string::npos)
            fail("--set " + grid.key, "an empty value; write key=value or key=value1,value2");
    return grid;
}

}  // namespace talus::scene
