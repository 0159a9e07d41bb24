#pragma once
/// \file
/// A table filled row by row.

#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "observe/result.h"
#include "observe/space.h"

namespace talus::observe {

class TableBuilder {
public:
    explicit TableBuilder(std::string name) { table_.name = std::move(name); }

    TableBuilder& column(std::string name, std::string unit = "") {
        table_.columns.push_back({std::move(name), std::move(unit), {}});
        return *this;
    }
    /// One column a component: `stem` + x, y, z.
    template <int Dim>
    TableBuilder& vector(const std::string& stem, const std::string& unit) {
        for (int k = 0; k < Dim; ++k) column(stem + axis_names[static_cast<std::size_t>(k)], unit);
        return *this;
    }
    TableBuilder& put(double value) {
        table_.columns[at_].values.push_back(value);
        at_ = (at_ + 1) % table_.columns.size();
        return *this;
    }
    template <int Dim>
    TableBuilder& put(const Vec<Dim>& values) {
        for (int k = 0; k < Dim; ++k) put(values[k]);
        return *this;
    }
    [[nodiscard]] Table take() { return std::move(table_); }

private:
    Table table_;
    std::size_t at_ = 0;   ///< column of the next number
};

/// `stem` + x, y, z for the components of a vector.
template <int Dim>
void add_vector(Result& result, const std::string& stem, const Vec<Dim>& values, const std::string& unit) {
    for (int k = 0; k < Dim; ++k) result.add(stem + axis_names[static_cast<std::size_t>(k)], values[k], unit);
}

}  // namespace talus::observe
