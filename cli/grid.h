#pragma once
/// \file
/// Several values for one key, several seeds: every combination is a run of its own in a sub-folder,
/// and one table tells them apart.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace talus::cli {

/// One run of the grid.
struct GridPoint {
    std::vector<scene::Override> overrides;   ///< all of them, fixed ones too
    std::vector<scene::Override> varied;      ///< those that differ between runs
    std::string folder;                       ///< name of its sub-folder; empty: the only run
};

/// All combinations of `--set` values (first key slowest) and, when `seeds` > 0, of seeds
/// `first_seed` ... `first_seed + seeds - 1`.
/// \throws InputError when an argument has no `=` or names a key twice.
[[nodiscard]] std::vector<GridPoint> make_grid(const std::vector<std::string>& set_arguments, int seeds,
                                               std::uint64_t first_seed);

/// Rows of a grid: the varied values, then the numbers of the run (observables included).
class GridTable {
public:
    void add(const GridPoint& point, const nlohmann::json& run);
    [[nodiscard]] std::string csv() const;
    [[nodiscard]] std::string text() const;   ///< the columns a person compares
    [[nodiscard]] nlohmann::json json() const { return rows_; }

private:
    nlohmann::json rows_ = nlohmann::json::array();
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> cells_;
    std::vector<std::string> varied_;
};

/// The overrides of `--set key=value` where a grid makes no sense.
[[nodiscard]] std::vector<scene::Override> overrides_of(const std::vector<std::string>& set);

}  // namespace talus::cli
