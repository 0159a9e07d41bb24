#include "scene/csv.h"

#include <charconv>
#include <cmath>
#include <fstream>

#include "talus/error.h"

namespace talus::scene {

namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r\"");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

char separator_of(const std::string& header) {
    for (const char c : {',', ';', '\t'})
        if (header.find(c) != std::string::npos) return c;
    return trimmed(header).find(' ') != std::string::npos ? ' ' : ',';
}

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> cells;
    std::string cell;
    for (const char c : line) {
        if (c == separator) {
            if (separator != ' ' || !cell.empty()) cells.push_back(trimmed(cell));
            cell.clear();
        } else {
            cell += c;
        }
    }
    if (separator != ' ' || !trimmed(cell).empty()) cells.push_back(trimmed(cell));
    return cells;
}

}  // namespace

int CsvTable::column(const std::string& name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<int>(i);
    return -1;
}

Mark CsvTable::mark(std::size_t row, int column) const {
    return {std::make_shared<const std::string>(path), lines[row], column + 1};
}

double CsvTable::number(std::size_t row, int column) const {
    const std::string& cell = rows[row][static_cast<std::size_t>(column)];
    double value = 0.0;
    const char* begin = cell.data() + (!cell.empty() && cell.front() == '+' ? 1 : 0);
    const auto [end, code] = std::from_chars(begin, cell.data() + cell.size(), value);
    if (code != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
        throw InputError(mark(row, column).text() + ": '" + cell + "' in column '" +
                         names[static_cast<std::size_t>(column)] + "' is no finite number; write a number");
    return value;
}

CsvTable read_csv(const std::string& path, const std::string& shown) {
    std::ifstream file(path);
    if (!file) throw IoError(shown + ": cannot be opened");
    CsvTable table;
    table.path = shown;
    char separator = ',';
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string content = trimmed(line);
        if (content.empty() || content.front() == '#') continue;
        if (table.names.empty()) {
            separator = separator_of(line);
            table.names = split(line, separator);
            continue;
        }
        auto cells = split(line, separator);
        if (cells.size() != table.names.size())
            throw InputError(shown + ":" + std::to_string(number) + ":1: " + std::to_string(cells.size()) +
                             " cells in this row; the header has " + std::to_string(table.names.size()));
        table.rows.push_back(std::move(cells));
        table.lines.push_back(number);
    }
    if (table.rows.empty())
        throw InputError(shown + ":1:1: the table is empty; write a header line and rows of numbers");
    return table;
}

}  // namespace talus::scene
