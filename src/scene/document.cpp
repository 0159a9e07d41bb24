#include "scene/document.h"

#include <sstream>
#include <unordered_map>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include "talus/error.h"

namespace talus::scene {

std::ptrdiff_t Node::index_of(const std::string& key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return static_cast<std::ptrdiff_t>(i);
    return -1;
}

const Node* Node::find(const std::string& key) const {
    const auto i = index_of(key);
    return i < 0 ? nullptr : &items[static_cast<std::size_t>(i)];
}

void Node::set(const std::string& key, const Mark& key_mark, Node value) {
    const auto i = index_of(key);
    if (i >= 0) {
        items[static_cast<std::size_t>(i)] = std::move(value);
        key_marks[static_cast<std::size_t>(i)] = key_mark;
        return;
    }
    keys.push_back(key);
    key_marks.push_back(key_mark);
    items.push_back(std::move(value));
}

namespace {

constexpr std::size_t max_nodes = 5'000'000;  // aliases of aliases could otherwise grow without bound
constexpr std::size_t max_depth = 200;

std::size_t count_nodes(const Node& node) {
    std::size_t n = 1;
    for (const auto& item : node.items) n += count_nodes(item);
    return n;
}

/// Builds the tree from yaml-cpp's events.
class Builder : public YAML::EventHandler {
public:
    Builder(std::shared_ptr<const std::string> source, bool has_lines, Diagnostics& errors)
        : source_(std::move(source)), has_lines_(has_lines), errors_(errors) {}

    void OnDocumentStart(const YAML::Mark& mark) override { document_ = mark_of(mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node node;
        node.mark = mark_of(mark);
        complete(std::move(node), anchor);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            throw InputError(mark_of(mark).text() + ": an alias refers to what contains it; write the value out");
        nodes_ += count_nodes(found->second);
        check_size(mark);
        Node copy = found->second;
        copy.mark = mark_of(mark);
        complete(std::move(copy), 0);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        Node node;
        node.kind = Node::Kind::scalar;
        node.mark = mark_of(mark);
        node.text = value;
        node.quoted = tag == "!";
        // yaml-cpp leaves `~` and `null` as plain text here.
        if (!node.quoted && (value == "~" || value == "null")) node.kind = Node::Kind::null;
        complete(std::move(node), anchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, anchor, Node::Kind::list);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, anchor, Node::Kind::map);
    }
    void OnMapEnd() override { close(); }

    [[nodiscard]] bool has_root() const { return has_root_; }
    [[nodiscard]] Node take() { return std::move(root_); }
    [[nodiscard]] const Mark& document() const { return document_; }  ///< where the last one begins

private:
    struct Open {
        Node node;
        YAML::anchor_t anchor = 0;
        bool wants_value = false;
        std::string key;
        Mark key_mark;
    };

    Mark mark_of(const YAML::Mark& mark) const {
        if (!has_lines_) return {source_, 0, 0};
        return {source_, mark.line + 1, mark.column + 1};
    }
    void check_size(const YAML::Mark& mark) const {
        if (nodes_ > max_nodes)
            throw InputError(mark_of(mark).text() + ": more than " + std::to_string(max_nodes) +
                             " values once aliases are written out; use fewer");
    }
    void open(const YAML::Mark& mark, YAML::anchor_t anchor, Node::Kind kind) {
        if (stack_.size() >= max_depth)
            throw InputError(mark_of(mark).text() + ": nested too deeply; a scene needs fewer levels");
        Open level;
        level.node.kind = kind;
        level.node.mark = mark_of(mark);
        level.anchor = anchor;
        stack_.push_back(std::move(level));
    }
    void close() {
        Open level = std::move(stack_.back());
        stack_.pop_back();
        complete(std::move(level.node), level.anchor);
    }
    void complete(Node node, YAML::anchor_t anchor) {
        ++nodes_;
        if (anchor != 0) anchors_[anchor] = node;
        if (stack_.empty()) {
            root_ = std::move(node);
            has_root_ = true;
            return;
        }
        Open& parent = stack_.back();
        if (parent.node.is_list()) {
            parent.node.items.push_back(std::move(node));
        } else if (!parent.wants_value) {
            take_key(parent, node);
        } else {
            put(parent, std::move(node));
        }
    }
    static void take_key(Open& parent, const Node& node) {
        if (!node.is_scalar()) throw InputError(node.mark.text() + ": a key must be a plain word; write 'key: value'");
        parent.key = node.text;
        parent.key_mark = node.mark;
        parent.wants_value = true;
    }
    void put(Open& parent, Node node) {
        parent.wants_value = false;
        const auto first = parent.node.index_of(parent.key);
        if (first >= 0) {
            const Mark& earlier = parent.node.key_marks[static_cast<std::size_t>(first)];
            errors_.add(parent.key_mark, "key '" + parent.key + "' is repeated (first in line " +
                                             std::to_string(earlier.line) + "); keep one of them");
            return;
        }
        parent.node.set(parent.key, parent.key_mark, std::move(node));
    }

    std::shared_ptr<const std::string> source_;
    bool has_lines_;
    Diagnostics& errors_;
    std::vector<Open> stack_;
    std::unordered_map<YAML::anchor_t, Node> anchors_;
    Node root_;
    Mark document_;
    bool has_root_ = false;
    std::size_t nodes_ = 0;
};

/// A tab that indents is the commonest reason for a YAML file that looks right and is not.
void refuse_tabs(const std::string& text, const std::string& name) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const auto content = line.find_first_not_of(" \t");
        if (content == std::string::npos || line[content] == '#') continue;
        const auto tab = line.find('\t');
        if (tab < content)
            throw InputError(name + ":" + std::to_string(number) + ":" + std::to_string(tab + 1) +
                             ": a tab indents this line; use spaces");
    }
}

/// yaml-cpp takes a quote that is never closed for a text up to the end of the file.
void refuse_open_quotes(const Node& node, const std::vector<std::string>& lines) {
    for (const auto& item : node.items) refuse_open_quotes(item, lines);
    if (!node.is_scalar() || !node.quoted || node.mark.line < 1 ||
        static_cast<std::size_t>(node.mark.line) > lines.size())
        return;
    auto line = static_cast<std::size_t>(node.mark.line - 1);
    auto at = static_cast<std::size_t>(node.mark.column - 1);
    if (at >= lines[line].size() || (lines[line][at] != '"' && lines[line][at] != '\'')) return;
    const char quote = lines[line][at++];
    for (; line < lines.size(); ++line, at = 0)
        for (; at < lines[line].size(); ++at) {
            if (quote == '"' && lines[line][at] == '\\') {
                ++at;
            } else if (lines[line][at] == quote) {
                return;
            }
        }
    throw InputError(node.mark.text() + ": this quote is never closed; close it on the same line");
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

Node parse(const std::string& text, const std::string& source, bool has_lines, Diagnostics& errors) {
    std::istringstream stream(text);
    Builder builder(std::make_shared<const std::string>(source), has_lines, errors);
    try {
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder) || !builder.has_root()) return {};
        Node root = builder.take();
        if (parser.HandleNextDocument(builder))
            throw InputError(builder.document().text() +
                             ": a second YAML document begins here; write one, without '---' in between");
        return root;
    } catch (const YAML::Exception& e) {
        const std::string where =
            has_lines ? source + ":" + std::to_string(e.mark.line + 1) + ":" + std::to_string(e.mark.column + 1)
                      : source;
        throw InputError(where + ": not valid YAML (" + e.msg +
                         "); check colons, brackets, quotes and indentation here");
    }
}

}  // namespace

Node parse_yaml(const std::string& text, const std::string& name, Diagnostics& errors) {
    refuse_tabs(text, name);
    Node root = parse(text, name, true, errors);
    refuse_open_quotes(root, lines_of(text));
    if (root.is_null())
        throw InputError(
            name +
            ":1:1: the scene is empty; write at least 'talus: 1', 'dimension', 'step', 'duration' and 'materials'");
    if (!root.is_map())
        throw InputError(root.mark.text() + ": a scene is a mapping of keys to values; start with 'talus: 1'");
    return root;
}

Node parse_yaml_value(const std::string& text, const std::string& source, Diagnostics& errors) {
    Node value = parse(text, source, false, errors);
    if (!value.mark.source) value.mark = {std::make_shared<const std::string>(source), 0, 0};
    return value;
}

}  // namespace talus::scene
