#pragma once
/// \file
/// The results of the runs of an experiment under the names that formulas use.
///
/// Of a scene: `RUN.KEY` of the summary (`main.max_overlap`, `main.energy.friction`), `RUN.LABEL.KEY` and
/// `RUN.LABEL.TABLE.COLUMN` of an observable at the end; as a list, the observable at the frames, `RUN.reports.KEY` at the
/// steps, a column of a table. Of a command: what its JSON says, entries of lists by number; without a number, of all of them.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gallery/value.h"

namespace talus::gallery {

class RunResults : public Results {
public:
    /// A finished run of a scene; `run_file` is read when a series is asked for.
    /// \throws IoError when it cannot be read or has not finished.
    void add_run(const std::string& name, const std::string& run_file);
    /// What a command printed.
    void add_json(const std::string& name, nlohmann::json json);
    void add_value(const std::string& name, double value) { values_[name] = value; }

    [[nodiscard]] double number(const std::string& path) const override;
    [[nodiscard]] Series series(const std::string& path) const override;
    /// The numbers of a run: its summary, and its observables by label.
    [[nodiscard]] const nlohmann::json& json(const std::string& run) const { return runs_.at(run).json; }

private:
    struct Entry {
        nlohmann::json json;
        std::string run_file;   ///< empty: no run of a scene
        std::map<std::string, std::vector<double>> first_columns;   ///< of tables, LABEL.TABLE
        mutable std::map<std::string, Series> frames;   ///< LABEL.KEY, read once
    };
    [[nodiscard]] const Entry& entry(const std::string& path, std::vector<std::string>& words) const;

    std::map<std::string, Entry> runs_;
    std::map<std::string, double> values_;
};

/// Names of the step reports that `RUN.reports.KEY` knows.
[[nodiscard]] std::vector<std::string> report_keys();

}  // namespace talus::gallery
