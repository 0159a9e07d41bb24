#pragma once
/// \file
/// The options of a figure: read like the parameters of an observable, and in addition texts, lists and intervals, as a
/// command line writes them (`y=kinetic,potential`, `layers=15.5:18.7`).

#include <string>
#include <utility>
#include <vector>

#include "observe/parameters.h"

namespace talus::plot {

/// One option as `talus plot --list` shows it.
struct FigureOption {
    std::string name;
    std::string values;    ///< what may be written, e.g. "N|last"
    std::string meaning;   ///< with the default in brackets
};
using OptionList = std::vector<FigureOption>;

using Interval = std::pair<double, double>;

class Options : public observe::Parameters {
public:
    /// Reads from `spec`, which must outlive this object.
    Options(const observe::Spec& spec, int dim) : Parameters(spec, dim, "figure"), given_(spec) {}

    [[nodiscard]] observe::UnitSystem units() const { return given_.units; }
    [[nodiscard]] std::string text(const std::string& key, const std::string& otherwise) const;
    /// A list of texts, or one; empty when the key is not there.
    [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
    /// A list of `size` pure numbers; empty when the key is not there.
    [[nodiscard]] std::vector<double> numbers(const std::string& key, std::size_t size) const;
    /// `[[a, b], …]`, `[a, b]` or texts `a:b`.
    [[nodiscard]] std::vector<Interval> intervals(const std::string& key) const;
    /// A number that may be absent.
    [[nodiscard]] std::optional<double> perhaps(const std::string& key) { return has(key) ? std::optional(number(key, 0.0)) : std::nullopt; }
    /// Without some of the keys: for the observable that reads the rest.
    [[nodiscard]] observe::Spec rest_for(const std::string& observable, const std::vector<std::string>& without) const;

private:
    [[nodiscard]] const nlohmann::json* at(const std::string& key) const;

    const observe::Spec& given_;
};

/// `key=value` or a bare `flag` of a command line, put into `parameters`. Values are read as JSON where they are JSON, as a
/// list where they have commas, else as text. \throws InputError when a key is missing or given twice.
void read_option(const std::string& argument, nlohmann::json& parameters);

}  // namespace talus::plot
