#include "observe/result.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "talus/error.h"

namespace talus::observe {

namespace {

template <typename Items>
auto find_named(Items& items, std::string_view name) {
    return std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
}

double number_or_nan(const nlohmann::json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string heading(const std::string& name, const std::string& unit) {
    return unit.empty() ? humanize(name) : humanize(name) + " [" + unit + "]";
}

std::string table_text(const Table& table) {
    std::vector<std::vector<std::string>> cells;
    for (const Column& column : table.columns) {
        std::vector<std::string> lines{heading(column.name, column.unit)};
        for (double value : column.values) lines.push_back(format_number(value));
        cells.push_back(std::move(lines));
    }
    std::string text = "  " + humanize(table.name) + "\n";
    for (std::size_t row = 0; row <= table.rows(); ++row) {
        text += "   ";
        for (const auto& lines : cells) {
            std::size_t width = 0;
            for (const auto& line : lines) width = std::max(width, line.size());
            text += fmt::format(" {:>{}}", lines[row], width);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

const Column* Table::column(std::string_view wanted) const {
    const auto found = find_named(columns, wanted);
    return found == columns.end() ? nullptr : &*found;
}

void Result::add(std::string name, double value, std::string unit) {
    scalars.push_back({std::move(name), value, std::move(unit)});
}

double Result::value(std::string_view name) const {
    const auto found = find_named(scalars, name);
    return found == scalars.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

bool Result::has(std::string_view name) const { return find_named(scalars, name) != scalars.end(); }

const Table* Result::table(std::string_view name) const {
    const auto found = find_named(tables, name);
    return found == tables.end() ? nullptr : &*found;
}

Result in_units(Result result, UnitSystem system) {
    for (Scalar& scalar : result.scalars) {
        const Unit unit = unit_in(system, scalar.unit);
        scalar.value *= unit.factor;
        scalar.unit = unit.name;
    }
    for (Table& table : result.tables)
        for (Column& column : table.columns) {
            const Unit unit = unit_in(system, column.unit);
            for (double& value : column.values) value *= unit.factor;
            column.unit = unit.name;
        }
    return result;
}

nlohmann::json to_json(const Result& result) {
    nlohmann::json values = nlohmann::json::object();
    for (const Scalar& scalar : result.scalars)
        values[scalar.name] = {{"value", scalar.value}, {"unit", scalar.unit}};
    nlohmann::json tables = nlohmann::json::object();
    for (const Table& table : result.tables) {
        nlohmann::json columns = nlohmann::json::array();
        for (const Column& column : table.columns)
            columns.push_back({{"name", column.name}, {"unit", column.unit}, {"values", column.values}});
        tables[table.name] = std::move(columns);
    }
    // The order of scalars is part of the result, and JSON objects have none.
    nlohmann::json order = nlohmann::json::array();
    for (const Scalar& scalar : result.scalars) order.push_back(scalar.name);
    return {{"observable", result.observable}, {"label", result.label}, {"time", result.time},
            {"order", std::move(order)},       {"values", std::move(values)}, {"tables", std::move(tables)}};
}

Result result_from_json(const nlohmann::json& json) try {
    Result result;
    result.observable = json.at("observable").get<std::string>();
    result.label = json.value("label", result.observable);
    result.time = number_or_nan(json.at("time"));
    for (const auto& name : json.at("order")) {
        const auto& entry = json.at("values").at(name.get<std::string>());
        result.add(name.get<std::string>(), number_or_nan(entry.at("value")), entry.at("unit").get<std::string>());
    }
    for (const auto& [name, columns] : json.at("tables").items()) {
        Table table{name, {}};
        for (const auto& entry : columns) {
            Column column{entry.at("name").get<std::string>(), entry.at("unit").get<std::string>(), {}};
            for (const auto& value : entry.at("values")) column.values.push_back(number_or_nan(value));
            table.columns.push_back(std::move(column));
        }
        result.tables.push_back(std::move(table));
    }
    return result;
} catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("this is not a measurement written by talus: ") + error.what());
}

std::string format_number(double value, int digits) {
    if (std::isnan(value)) return "-";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == std::rint(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value + 0.0);
    return fmt::format("{:.{}g}", value, digits);
}

std::string humanize(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string to_text(const Result& result) {
    std::size_t width = 0;
    for (const Scalar& scalar : result.scalars) width = std::max(width, scalar.name.size());
    std::string text = humanize(result.label) + "\n";
    for (const Scalar& scalar : result.scalars)
        text += fmt::format("  {:<{}}  {} {}\n", humanize(scalar.name), width, format_number(scalar.value), scalar.unit);
    for (const Table& table : result.tables) text += table_text(table);
    return text;
}

}  // namespace talus::observe
