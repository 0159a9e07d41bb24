#pragma once
/// \file
/// Reads the parameters of an observable, each by a key of a stated kind, and then refuses the keys
/// nobody asked for. Messages name the key, say what it should be, and start with `file:line:col`
/// when the scene told where it stands.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "observe/spec.h"
#include "talus/error.h"
#include "talus/math.h"

namespace talus::observe {

class Parameters {
public:
    /// Reads from `spec`, which must outlive this object. `kind`: what messages call it (a figure is read the same way).
    Parameters(const Spec& spec, int dim, const char* kind = "observable");

    [[nodiscard]] int dim() const { return dim_; }
    [[nodiscard]] bool has(const std::string& key) const;

    bool flag(const std::string& key, bool otherwise);
    double number(const std::string& key, double otherwise);      ///< a pure number
    double fraction(const std::string& key, double otherwise);    ///< in [0, 1]
    double positive(const std::string& key, double otherwise);    ///< a pure number > 0
    std::int64_t count(const std::string& key, std::int64_t otherwise, std::int64_t least);
    std::optional<double> length(const std::string& key);         ///< [m] from the scene's units
    std::optional<double> positive_length(const std::string& key);
    std::optional<double> density(const std::string& key);        ///< [kg/m3], [kg/m2] in 2D
    /// A vector of lengths with `Dim` or, padded with zeros, fewer components [m].
    template <int Dim>
    Vec<Dim> point(const std::string& key, const Vec<Dim>& otherwise);
    /// A direction: a list of at most `Dim` numbers, not all zero, made a unit vector.
    template <int Dim>
    Vec<Dim> direction(const std::string& key, const Vec<Dim>& otherwise);
    std::optional<double> seconds(const std::string& key);         ///< a time [s], in every system of units
    /// From `period` [s] or `frequency` [1/s], whichever is there. \throws InputError when both are.
    std::optional<double> period();
    /// A list of exactly `size` pure numbers; empty when the key is not there.
    std::vector<double> numbers(const std::string& key, std::size_t size);
    std::vector<double> lengths(const std::string& key, std::size_t size);  ///< the same [m]
    /// A list of [first, last] pairs of times [s], or one such pair; empty when the key is not there.
    std::vector<std::pair<double, double>> intervals(const std::string& key);
    /// A list of names, or one; empty when the key is not there.
    std::vector<std::string> names(const std::string& key);
    /// A name; `otherwise` when the key is not there.
    std::string name(const std::string& key, const std::string& otherwise);
    /// One of `choices`.
    std::string choice(const std::string& key, const std::vector<std::string>& choices);
    /// A tag or a list of tags, numbers or names; empty: none asked for.
    std::set<std::int32_t> tags(const std::string& key);
    /// The mapping below `key`, to be read with the same care. \throws InputError when it is none.
    [[nodiscard]] Spec child(const std::string& key);
    /// The mappings of the list below `key`, or the one mapping there; empty when the key is not there.
    [[nodiscard]] std::vector<Spec> children(const std::string& key);
    /// The observable described below `key`: a name, or a mapping with `name` and its parameters.
    [[nodiscard]] Spec observable(const std::string& key);
    /// The same parameters for the observable `name`, which will read and check them.
    [[nodiscard]] Spec as(const std::string& name) const;

    /// \throws InputError when the spec has a key that was not read.
    void finish() const;

    /// \throws InputError with the place of `key` and the message.
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;

private:
    const nlohmann::json* find(const std::string& key);
    double number_at(const std::string& key, const nlohmann::json& value) const;
    std::vector<double> list_at(const std::string& key, std::size_t size, const char* of);
    [[nodiscard]] Spec below(const std::string& key, const nlohmann::json& value) const;
    std::int32_t tag_at(const std::string& key, const nlohmann::json& value) const;

    const Spec& spec_;
    int dim_;
    const char* kind_;
    std::set<std::string> known_;
};

}  // namespace talus::observe
