// The tree as YAML text: mappings and lists of anything but scalars in block form, lists of scalars in
// one line. Written by hand because the text is kept in run files and must not change with a library.
#include <cctype>

#include "scene/document.h"

namespace talus::scene {

namespace {

bool is_plain(const std::string& text) {
    if (text.empty() || text == "~" || text == "null") return false;
    for (const char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
            std::string_view("_.+-/").find(c) == std::string_view::npos)
            return false;
    return text.front() != '-' ||
           (text.size() > 1 && (std::isdigit(static_cast<unsigned char>(text[1])) != 0 || text[1] == '.'));
}

std::string quote(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else {
            out += c;
        }
    }
    return out + "\"";
}

std::string scalar(const Node& node) {
    if (node.is_null()) return "null";
    return !node.quoted && is_plain(node.text) ? node.text : quote(node.text);
}

bool is_flat(const Node& node) {
    for (const auto& item : node.items)
        if (!item.is_scalar() && !item.is_null() && !(item.is_list() && is_flat(item))) return false;
    return node.is_list();
}

std::string flat(const Node& node) {
    if (!node.is_list()) return scalar(node);
    std::string out = "[";
    for (const auto& item : node.items) out += (out.size() > 1 ? ", " : "") + flat(item);
    return out + "]";
}

void emit(const Node& node, int indent, std::string& out);

/// What follows `key:` or `-`.
void emit_value(const Node& node, int indent, std::string& out) {
    if (node.is_map() && node.items.empty()) {
        out += " {}\n";
    } else if (node.is_map() || (node.is_list() && !is_flat(node))) {
        out += '\n';
        emit(node, indent + 2, out);
    } else {
        out += ' ' + flat(node) + '\n';
    }
}

void emit(const Node& node, int indent, std::string& out) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        if (node.is_map()) {
            out += margin + (is_plain(node.keys[i]) ? node.keys[i] : quote(node.keys[i])) + ':';
        } else {
            out += margin + '-';
        }
        emit_value(node.items[i], indent, out);
    }
}

}  // namespace

std::string emit_yaml(const Node& root) {
    std::string out;
    emit(root, 0, out);
    return out;
}

}  // namespace talus::scene
