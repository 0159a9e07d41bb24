#pragma once
/// \file
/// The tree of a YAML file in which every node knows where it was written.
///
/// yaml-cpp does the parsing through its events; the tree is our own because yaml-cpp's accepts repeated
/// keys silently and because overrides from the command line must carry their own origin.

#include <cstdint>
#include <string>
#include <vector>

#include "scene/diagnostics.h"
#include "scene/mark.h"

namespace talus::scene {

struct Node {
    enum class Kind : std::uint8_t { null, scalar, list, map } kind = Kind::null;
    Mark mark;
    std::string text;               ///< of a scalar
    bool quoted = false;            ///< written with quotes: a text, even if it looks like a number
    std::vector<Node> items;        ///< of a list, or the values of a mapping
    std::vector<std::string> keys;  ///< of a mapping, parallel to `items`
    std::vector<Mark> key_marks;

    [[nodiscard]] bool is_null() const { return kind == Kind::null; }
    [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
    [[nodiscard]] bool is_list() const { return kind == Kind::list; }
    [[nodiscard]] bool is_map() const { return kind == Kind::map; }
    /// Index of a key, or -1.
    [[nodiscard]] std::ptrdiff_t index_of(const std::string& key) const;
    [[nodiscard]] const Node* find(const std::string& key) const;
    void set(const std::string& key, const Mark& key_mark, Node value);
};

/// Parses YAML text; `name` stands for the file in messages. Repeated keys are reported to `errors`.
/// \throws InputError when it is not valid YAML, is empty or holds several documents.
[[nodiscard]] Node parse_yaml(const std::string& text, const std::string& name, Diagnostics& errors);

/// A value of the command line: `source` names it, and it has no lines.
[[nodiscard]] Node parse_yaml_value(const std::string& text, const std::string& source, Diagnostics& errors);

/// The tree as YAML again, one canonical form: equal trees give equal text.
[[nodiscard]] std::string emit_yaml(const Node& root);

/// The text of a scene file.
/// \throws IoError when it cannot be read.
[[nodiscard]] std::string file_text(const std::string& path);

}  // namespace talus::scene
