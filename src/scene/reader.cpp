#include "scene/reader.h"

#include <algorithm>
#include <charconv>
#include <cctype>
#include <cmath>

namespace talus::scene {

std::string describe(const Node& node) {
    switch (node.kind) {
        case Node::Kind::null: return "empty";
        case Node::Kind::scalar: return looks_like_number(node) ? node.text : "the text '" + node.text + "'";
        case Node::Kind::list: return "a list";
        case Node::Kind::map: return "a mapping";
    }
    return {};
}

namespace {

/// The double a plain scalar of YAML 1.2 stands for.
std::optional<double> parse_number(const Node& node) {
    if (!node.is_scalar() || node.quoted) return {};
    std::string_view text = node.text;
    if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::nan("");
    double sign = 1.0;
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        sign = text.front() == '-' ? -1.0 : 1.0;
        text.remove_prefix(1);
    }
    if (text == ".inf" || text == ".Inf" || text == ".INF") return sign * INFINITY;
    // from_chars would also take "inf" and "nan", which are words in YAML.
    if (text.empty() || (std::isdigit(static_cast<unsigned char>(text.front())) == 0 && text.front() != '.')) return {};
    double value = 0.0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || code == std::errc::invalid_argument) return {};
    if (code == std::errc::result_out_of_range) return sign * INFINITY;
    return sign * value;
}

void report(Context& context, const Node& node, const std::string& label, const std::string& wanted) {
    context.errors.add(node.mark, "'" + label + "' is " + describe(node) + "; write " + wanted);
}

}  // namespace

bool looks_like_number(const Node& node) { return parse_number(node).has_value(); }

std::optional<double> read_number(const Node& node, const std::string& label, Range range, Context& context) {
    const auto value = parse_number(node);
    if (!value || !range.contains(*value)) {
        const bool infinite = value && !std::isfinite(*value) && !range.may_be_infinite;
        report(context, node, label, infinite ? "a finite number" : range.text());
        return {};
    }
    return value;
}

std::optional<std::int64_t> read_integer(const Node& node, const std::string& label, std::int64_t least,
                                         std::int64_t most, Context& context) {
    const auto value = parse_number(node);
    std::string wanted = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    if (most == std::numeric_limits<std::int64_t>::max()) wanted = "a whole number >= " + std::to_string(least);
    if (most == least + 1) wanted = std::to_string(least) + " or " + std::to_string(most);
    // 2^53: beyond it a number written like 1e20 would not be the integer it looks like.
    if (!value || *value != std::floor(*value) || std::abs(*value) > 9007199254740992.0 ||
        static_cast<std::int64_t>(*value) < least || static_cast<std::int64_t>(*value) > most) {
        report(context, node, label, wanted);
        return {};
    }
    return static_cast<std::int64_t>(*value);
}

std::optional<std::string> read_text(const Node& node, const std::string& label, Context& context) {
    if (node.is_scalar()) return node.text;
    report(context, node, label, "a text");
    return {};
}

std::optional<std::vector<double>> read_numbers(const Node& node, const std::string& label, std::size_t size,
                                                Range range, Context& context) {
    const std::string wanted = size > 0 ? "a list of " + std::to_string(size) + " numbers" : "a list of numbers";
    if (!node.is_list()) {
        report(context, node, label, wanted);
        return {};
    }
    if (size > 0 && node.items.size() != size) {
        context.errors.add(node.mark,
                           "'" + label + "' has " + std::to_string(node.items.size()) + " entries; write " + wanted);
        return {};
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (const auto x = read_number(node.items[i], label + "[" + std::to_string(i) + "]", range, context))
            values.push_back(*x);
    if (values.size() != node.items.size()) return {};
    return values;
}

std::optional<Point> read_vector(const Node& node, const std::string& label, Quantity quantity, Context& context) {
    const auto values = read_numbers(node, label, static_cast<std::size_t>(context.dimension()), range::any, context);
    if (!values) return {};
    Point p = Point::Zero();
    for (int k = 0; k < context.dimension(); ++k) p[k] = context.si((*values)[static_cast<std::size_t>(k)], quantity);
    return p;
}

Reader::Reader(const Node& node, Context& context, std::string what)
    : node_(node), context_(context), what_(std::move(what)), valid_(node.is_map()) {
    if (!valid_ && !node.is_null())
        context.errors.add(node.mark, what_ + " is " + describe(node) + "; write a mapping of keys to values");
    if (!valid_ && node.is_null())
        context.errors.add(node.mark, what_ + " is empty; write a mapping of keys to values");
}

const Node* Reader::find(const std::string& key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
    return valid_ ? node_.find(key) : nullptr;
}

const Node* Reader::need(const std::string& key, const std::string& example) {
    const Node* value = find(key);
    if (value == nullptr && valid_)
        context_.errors.add(
            node_.mark, "missing key '" + key + "' in " + what_ + "; write for example '" + key + ": " + example + "'");
    return value;
}

double Reader::number(const std::string& key, Quantity quantity, Range range, double otherwise) {
    const Node* value = find(key);
    if (value == nullptr) return otherwise;
    const auto x = read_number(*value, key, range, context_);
    return x ? context_.si(*x, quantity) : otherwise;
}

double Reader::need_number(const std::string& key, Quantity quantity, Range range, const std::string& example) {
    // After a report reading goes on with a number that passes the checks that follow.
    const double harmless = range.contains(1.0) ? 1.0 : range.low;
    return need(key, example) == nullptr ? harmless : number(key, quantity, range, harmless);
}

std::int64_t Reader::integer(const std::string& key, std::int64_t least, std::int64_t most, std::int64_t otherwise) {
    const Node* value = find(key);
    if (value == nullptr) return otherwise;
    return read_integer(*value, key, least, most, context_).value_or(otherwise);
}

std::int64_t Reader::need_integer(const std::string& key, std::int64_t least, std::int64_t most,
                                  const std::string& example) {
    return need(key, example) == nullptr ? least : integer(key, least, most, least);
}

bool Reader::flag(const std::string& key, bool otherwise) {
    const Node* value = find(key);
    if (value == nullptr) return otherwise;
    if (value->is_scalar() && !value->quoted && value->text == "true") return true;
    if (value->is_scalar() && !value->quoted && value->text == "false") return false;
    report(context_, *value, key, "true or false");
    return otherwise;
}

std::string Reader::text(const std::string& key, const std::string& otherwise) {
    const Node* value = find(key);
    return value == nullptr ? otherwise : read_text(*value, key, context_).value_or(otherwise);
}

std::string Reader::choice(const std::string& key, const std::vector<std::string>& choices,
                           const std::string& otherwise) {
    const Node* value = otherwise.empty() ? need(key, choices.front()) : find(key);
    const std::string harmless = otherwise.empty() ? choices.front() : otherwise;
    if (value == nullptr) return harmless;
    if (value->is_scalar() && std::find(choices.begin(), choices.end(), value->text) != choices.end())
        return value->text;
    const std::string near = value->is_scalar() ? nearest(value->text, choices) : std::string();
    report(context_, *value, key,
           near.empty() ? "one of " + join(choices) : "'" + near + "' (one of " + join(choices) + ")");
    return harmless;
}

Point Reader::vector(const std::string& key, Quantity quantity, const Point& otherwise) {
    const Node* value = find(key);
    return value == nullptr ? otherwise : read_vector(*value, key, quantity, context_).value_or(otherwise);
}

Point Reader::need_vector(const std::string& key, Quantity quantity, const std::string& example) {
    return need(key, example) == nullptr ? Point::Zero() : vector(key, quantity);
}

std::string Reader::one_of(const std::vector<std::string>& choices, const std::string& kind, bool needed) {
    std::string found;
    for (const auto& key : choices) {
        if (find(key) == nullptr) continue;
        if (!found.empty()) {
            const auto at = static_cast<std::size_t>(node_.index_of(key));
            context_.errors.add(node_.key_marks[at],
                                what_ + " has both '" + found + "' and '" + key + "'; keep one " + kind);
            return found;
        }
        found = key;
    }
    if (!found.empty() || !needed || !valid_) return found;
    // A misspelt choice is the likeliest reason for a missing one: say it at the key, and only there.
    for (std::size_t i = 0; i < node_.keys.size(); ++i) {
        const std::string near = nearest(node_.keys[i], choices);
        const bool is_known = std::find(known_.begin(), known_.end(), node_.keys[i]) != known_.end();
        if (is_known || (near.empty() && node_.keys.size() > 1)) continue;
        const std::string remedy = near.empty() ? "write one of " + join(choices) : "did you mean '" + near + "'?";
        context_.errors.add(node_.key_marks[i],
                            "unknown " + kind + " '" + node_.keys[i] + "' in " + what_ + "; " + remedy);
        known_.push_back(node_.keys[i]);
        return {};
    }
    context_.errors.add(node_.mark, what_ + " has no " + kind + "; write one of " + join(choices));
    return {};
}

std::string Reader::name() {
    const Node* value = find("name");
    if (value == nullptr) return {};
    const std::string text = read_text(*value, "name", context_).value_or("");
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    };
    if (value->is_scalar() && (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0 ||
                               !std::all_of(text.begin(), text.end(), is_word)))
        context_.errors.add(value->mark,
                            "'" + text + "' is no name; use letters, digits, '_' and '-', starting with a letter");
    return text;
}

int Reader::material(const std::string& key) {
    const auto& materials = context_.scene.materials;
    const Node* value =
        materials.size() == 1 ? find(key) : need(key, materials.empty() ? "grain" : materials.front().name);
    if (value == nullptr) return 0;
    const auto text = read_text(*value, key, context_);
    if (!text) return 0;
    for (std::size_t i = 0; i < materials.size(); ++i)
        if (materials[i].name == *text) return static_cast<int>(i);
    // Without any material that could be read, the mistake is elsewhere and already reported.
    if (!materials.empty())
        context_.errors.add(value->mark, "unknown material '" + *text + "' in " + what_ + "; " +
                                             suggest(*text, context_.material_names(), "materials"));
    return 0;
}

std::int32_t Reader::tag(const std::string& name) {
    const auto given = tag_filter();
    if (given) return *given;
    return name.empty() || has("tag") ? 0 : context_.tag_number(name);
}

std::optional<std::int32_t> Reader::tag_filter() {
    const Node* value = find("tag");
    if (value == nullptr) return {};
    if (value->is_scalar() && !looks_like_number(*value)) return context_.tag_number(value->text);
    const auto number = read_integer(*value, "tag", 0, 1'000'000'000, context_);
    if (!number) return {};
    return static_cast<std::int32_t>(*number);
}

void Reader::fail(const std::string& key, const std::string& message) {
    const Node* value = valid_ ? node_.find(key) : nullptr;
    context_.errors.add(value != nullptr ? value->mark : node_.mark, message);
}

void Reader::finish() {
    if (!valid_) return;
    for (std::size_t i = 0; i < node_.keys.size(); ++i)
        if (std::find(known_.begin(), known_.end(), node_.keys[i]) == known_.end())
            context_.errors.add(node_.key_marks[i], "unknown key '" + node_.keys[i] + "' in " + what_ + "; " +
                                                        suggest(node_.keys[i], known_, "keys"));
}

std::vector<const Node*> read_list(Reader& parent, const std::string& key, const std::string& example) {
    std::vector<const Node*> entries;
    const Node* node = parent.find(key);
    if (node == nullptr) return entries;
    if (!node->is_list()) {
        parent.fail(key, "'" + key + "' is " + describe(*node) + "; write a list: '- " + example + "'");
        return entries;
    }
    for (const auto& item : node->items) entries.push_back(&item);
    return entries;
}

}  // namespace talus::scene
