#pragma once
/// \file
/// The typed reader: takes values out of a mapping, each of a stated kind, converts them to SI, and
/// afterwards refuses the keys nobody asked for. A mistake is noted and reading goes on with a harmless
/// value, so that all mistakes of a file are found at once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/context.h"

namespace talus::scene {

// --- single nodes; `label` is how messages call the value ------------------------------------------
[[nodiscard]] std::string describe(const Node& node);  ///< "the text 'x'", "a list", "a mapping", "empty"
/// The number as written, or nothing after a report.
[[nodiscard]] std::optional<double> read_number(const Node& node, const std::string& label, Range range,
                                                Context& context);
[[nodiscard]] std::optional<std::int64_t> read_integer(const Node& node, const std::string& label, std::int64_t least,
                                                       std::int64_t most, Context& context);
[[nodiscard]] std::optional<std::string> read_text(const Node& node, const std::string& label, Context& context);
/// A list of numbers as written, of `size` entries (any number when 0).
[[nodiscard]] std::optional<std::vector<double>> read_numbers(const Node& node, const std::string& label,
                                                              std::size_t size, Range range, Context& context);
/// A vector with as many components as the scene has dimensions, in SI.
[[nodiscard]] std::optional<Point> read_vector(const Node& node, const std::string& label, Quantity quantity,
                                               Context& context);
/// True when the text is a number of YAML 1.2 (or .inf, .nan).
[[nodiscard]] bool looks_like_number(const Node& node);

class Reader {
public:
    /// Reports when `node` is no mapping; nothing can then be read from it. `what` names it in messages.
    Reader(const Node& node, Context& context, std::string what);

    [[nodiscard]] bool is_valid() const { return valid_; }
    [[nodiscard]] const Mark& mark() const { return node_.mark; }
    [[nodiscard]] const std::string& what() const { return what_; }
    [[nodiscard]] Context& context() const { return context_; }

    /// The value of a key, or null when absent.
    const Node* find(const std::string& key);
    bool has(const std::string& key) { return find(key) != nullptr; }
    /// The same, reported when absent; `example` is what to write.
    const Node* need(const std::string& key, const std::string& example);

    double number(const std::string& key, Quantity quantity, Range range, double otherwise);
    double need_number(const std::string& key, Quantity quantity, Range range, const std::string& example);
    std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most, std::int64_t otherwise);
    std::int64_t need_integer(const std::string& key, std::int64_t least, std::int64_t most,
                              const std::string& example);
    bool flag(const std::string& key, bool otherwise);
    std::string text(const std::string& key, const std::string& otherwise);
    /// One of `choices`; empty `otherwise`: the key is needed.
    std::string choice(const std::string& key, const std::vector<std::string>& choices, const std::string& otherwise);
    Point vector(const std::string& key, Quantity quantity, const Point& otherwise = Point::Zero());
    Point need_vector(const std::string& key, Quantity quantity, const std::string& example);
    /// The one key among `choices` that is present; reported when none or several are.
    std::string one_of(const std::vector<std::string>& choices, const std::string& kind, bool needed = true);
    /// `name`, checked to be a word; empty when absent.
    std::string name();

    /// Index of the material named under `key`; the only one of the scene when the key is absent.
    int material(const std::string& key = "material");
    /// A tag: number or name. Without the key: the one of `name`, or 0.
    std::int32_t tag(const std::string& name);
    std::optional<std::int32_t> tag_filter();

    /// Notes a mistake at the value of `key` (at the mapping when absent).
    void fail(const std::string& key, const std::string& message);
    /// Reports the keys that were never asked for.
    void finish();

private:
    const Node& node_;
    Context& context_;
    std::string what_;
    bool valid_;
    std::vector<std::string> known_;
};

/// The entries of a list at `key` of `parent`; reports when it is something else. Empty when absent.
[[nodiscard]] std::vector<const Node*> read_list(Reader& parent, const std::string& key, const std::string& example);

}  // namespace talus::scene
