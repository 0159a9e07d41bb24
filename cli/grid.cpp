#include "grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "scene/override.h"
#include "talus/error.h"

namespace talus::cli {
namespace {

std::string last_word(const std::string& key) { return key.substr(key.rfind('.') + 1); }

/// A piece of a folder name: what a shell needs not quote.
std::string safe(std::string text) {
    for (char& c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string("-_.=+").find(c) == std::string::npos) c = '_';
    }
    return text;
}

/// `friction=0.3_seed=2`; whole keys where last words would be the same.
std::string folder_name(const std::vector<scene::Override>& varied) {
    std::set<std::string> words;
    for (const auto& change : varied) words.insert(last_word(change.key));
    const bool is_unique = words.size() == varied.size();
    std::string name;
    for (const auto& change : varied) {
        name += (name.empty() ? "" : "_") + (is_unique ? last_word(change.key) : change.key) + "=" + change.value;
    }
    return safe(name);
}

void multiply(std::vector<GridPoint>& grid, const scene::OverrideGrid& key) {
    std::vector<GridPoint> product;
    for (const auto& point : grid) {
        for (const auto& value : key.values) {
            product.push_back(point);
            product.back().overrides.push_back({key.key, value});
            if (key.values.size() > 1) product.back().varied.push_back({key.key, value});
        }
    }
    grid = std::move(product);
}

/// Numbers and short texts of a run's JSON, observables as `label.name`.
std::vector<std::pair<std::string, std::string>> flatten(const nlohmann::json& run) {
    std::vector<std::pair<std::string, std::string>> cells;
    const auto add = [&](const std::string& name, const nlohmann::json& value) {
        cells.emplace_back(name, value.is_string() ? value.get<std::string>() : value.is_null() ? "nan" : value.dump());
    };
    for (const auto& [name, value] : run.items()) {
        if (!value.is_object()) add(name, value);
    }
    for (const auto& [label, values] : run["observables"].items()) {
        for (const auto& [name, value] : values.items()) add(label + "." + name, value);
    }
    return cells;
}

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

std::vector<GridPoint> make_grid(const std::vector<std::string>& set_arguments, int seeds, std::uint64_t first_seed) {
    std::vector<GridPoint> grid(1);
    std::set<std::string> keys;
    for (const auto& argument : set_arguments) {
        const auto key = scene::parse_override(argument);
        if (!keys.insert(key.key).second) throw InputError("--set " + key.key + ": given twice; list its values after one =");
        multiply(grid, key);
    }
    if (seeds > 0) {
        if (keys.count("seed") > 0) throw InputError("--seeds: cannot be combined with --set seed; drop one of them");
        scene::OverrideGrid all{"seed", {}};
        for (int k = 0; k < seeds; ++k) all.values.push_back(std::to_string(first_seed + static_cast<std::uint64_t>(k)));
        multiply(grid, all);
    }
    for (auto& point : grid) point.folder = folder_name(point.varied);
    return grid;
}

void GridTable::add(const GridPoint& point, const nlohmann::json& run) {
    std::vector<std::pair<std::string, std::string>> cells;
    auto set = nlohmann::json::object();
    for (const auto& change : point.varied) {
        cells.emplace_back(change.key, change.value);
        set[change.key] = change.value;
    }
    varied_.clear();
    for (const auto& change : point.varied) varied_.push_back(change.key);
    for (auto& cell : flatten(run)) cells.push_back(std::move(cell));
    auto row = run;
    row["set"] = set;
    rows_.push_back(row);
    // A run may lack an observable's value that another has: columns are the union, in order of sight.
    std::vector<std::string> line(columns_.size());
    for (const auto& [name, value] : cells) {
        auto at = std::find(columns_.begin(), columns_.end(), name);
        if (at == columns_.end()) {
            at = columns_.insert(columns_.end(), name);
            line.emplace_back();
        }
        line[static_cast<std::size_t>(at - columns_.begin())] = value;
    }
    cells_.push_back(std::move(line));
}

std::string GridTable::csv() const {
    std::string text;
    const auto add_line = [&](const std::vector<std::string>& cells) {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (c > 0) text += ',';
            if (c < cells.size()) text += csv_cell(cells[c]);
        }
        text += '\n';
    };
    add_line(columns_);
    for (const auto& line : cells_) add_line(line);
    return text;
}

std::string GridTable::text() const {
    const auto is_shown = [&](const std::string& name) {
        static const std::set<std::string> kRun{"steps", "bodies", "contacts", "law_error", "energy_residual", "max_overlap", "seconds"};
        return kRun.count(name) > 0 || name.find('.') != std::string::npos ||
               std::find(varied_.begin(), varied_.end(), name) != varied_.end();
    };
    const auto shorten = [](const std::string& cell) {
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        const bool is_number = !cell.empty() && *end == '\0';
        return is_number && cell.size() > 8 ? fmt::format("{:.4g}", value) : cell;
    };
    std::vector<std::string> lines(cells_.size() + 1);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (!is_shown(columns_[c])) continue;
        std::size_t width = columns_[c].size();
        for (const auto& line : cells_) width = std::max(width, c < line.size() ? shorten(line[c]).size() : 0);
        lines[0] += fmt::format("{:>{}}  ", columns_[c], width);
        for (std::size_t r = 0; r < cells_.size(); ++r) {
            lines[r + 1] += fmt::format("{:>{}}  ", c < cells_[r].size() ? shorten(cells_[r][c]) : "", width);
        }
    }
    std::string text;
    for (const auto& line : lines) text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return text;
}

std::vector<scene::Override> overrides_of(const std::vector<std::string>& set) {
    std::vector<scene::Override> overrides;
    for (const auto& argument : set) {
        const auto equals = argument.find('=');
        if (equals == std::string::npos) throw InputError("--set " + argument + ": write key=value");
        overrides.push_back({argument.substr(0, equals), argument.substr(equals + 1)});
    }
    return overrides;
}

}  // namespace talus::cli
