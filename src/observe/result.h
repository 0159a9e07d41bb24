#pragma once
/// \file
/// What a measurement gives: named numbers and named tables, each with its unit (SI inside).
///
/// A number that cannot be had from the frame (no grain in the region, no contact) is NaN: `null` in
/// JSON, a dash in print. It is never zero.

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "observe/units.h"

namespace talus::observe {

struct Scalar {
    std::string name;
    double value = 0.0;
    std::string unit;      ///< SI; empty: a pure number
};

struct Column {
    std::string name;
    std::string unit;      ///< SI; empty: a pure number
    std::vector<double> values;
};

struct Table {
    std::string name;
    std::vector<Column> columns;  ///< of equal length

    [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
    /// The column of that name, or null.
    [[nodiscard]] const Column* column(std::string_view name) const;
};

struct Result {
    std::string observable;   ///< which one
    std::string label;        ///< its name in the scene; equal to `observable` unless the scene says so
    double time = 0.0;        ///< of the frame [s]
    std::vector<Scalar> scalars;
    std::vector<Table> tables;

    void add(std::string name, double value, std::string unit = "");
    /// The value of a scalar; NaN when there is none of that name.
    [[nodiscard]] double value(std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const;
    /// The table of that name, or null.
    [[nodiscard]] const Table* table(std::string_view name) const;
};

/// The same result with numbers and unit names of `system`.
[[nodiscard]] Result in_units(Result result, UnitSystem system);

/// `{observable, label, time, values: {name: {value, unit}}, tables: {name: [{name, unit, values}]}}`.
[[nodiscard]] nlohmann::json to_json(const Result& result);
/// \throws InputError when the JSON is not of that form.
[[nodiscard]] Result result_from_json(const nlohmann::json& json);

/// A block of text: a heading, one aligned line a scalar, then the tables.
[[nodiscard]] std::string to_text(const Result& result);

/// A number as people read it: `digits` significant ones, no noise, a dash for NaN.
[[nodiscard]] std::string format_number(double value, int digits = 5);

/// A name as people read it: `p_0_over_p_max` stays, underscores become spaces.
[[nodiscard]] std::string humanize(std::string_view name);

}  // namespace talus::observe
