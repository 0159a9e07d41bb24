#pragma once
/// \file
/// Tables of numbers (and words) from CSV files: a header line, then rows; `#` starts a comment line.
/// Separators are commas, semicolons or blanks, one kind a file.

#include <string>
#include <vector>

#include "scene/mark.h"

namespace talus::scene {

struct CsvTable {
    std::string path;                ///< as shown in messages
    std::vector<std::string> names;  ///< of columns
    std::vector<std::vector<std::string>> rows;
    std::vector<int> lines;  ///< line of each row, from 1

    /// Index of a column by name, or -1.
    [[nodiscard]] int column(const std::string& name) const;
    /// The number in a cell. \throws InputError with file, line and column.
    [[nodiscard]] double number(std::size_t row, int column) const;
    [[nodiscard]] Mark mark(std::size_t row, int column) const;
};

/// `shown` is the path as the user wrote it.
/// \throws IoError when it cannot be opened, InputError when a row has another number of cells.
[[nodiscard]] CsvTable read_csv(const std::string& path, const std::string& shown);

}  // namespace talus::scene
