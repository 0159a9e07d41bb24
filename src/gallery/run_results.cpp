#include "gallery/run_results.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "observe/result.h"
#include "record/run_reader.h"
#include "scene/diagnostics.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> words{""};
    for (const char c : path) {
        if (c == '.') words.emplace_back();
        else words.back() += c;
    }
    return words;
}

double to_number(const nlohmann::json& json) {
    if (json.is_boolean()) return json.get<bool>() ? 1.0 : 0.0;
    return json.is_number() ? json.get<double>() : std::nan("");
}

std::optional<std::size_t> index_of(const std::string& word) {
    std::size_t number = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (code != std::errc() || end != word.data() + word.size()) return {};
    return number;
}

[[noreturn]] void fail_unknown(const std::string& path, const std::string& word, const nlohmann::json& at) {
    std::vector<std::string> keys;
    if (at.is_object())
        for (const auto& [key, value] : at.items()) keys.push_back(key);
    const std::string hint = at.is_array() ? "it is a list of " + std::to_string(at.size())
                             : keys.empty() ? "it has no parts" : scene::suggest(word, keys, "names");
    throw InputError("no '" + word + "' in the results: '" + path + "'; " + hint);
}

/// The part of a JSON value that the words from `k` on name. A name after a list is that name of every entry.
nlohmann::json descend(const nlohmann::json& at, const std::vector<std::string>& words, std::size_t k, const std::string& path) {
    if (k == words.size()) return at;
    if (at.is_array()) {
        if (const auto number = index_of(words[k])) {
            if (*number >= at.size()) fail_unknown(path, words[k], at);
            return descend(at[*number], words, k + 1, path);
        }
        auto list = nlohmann::json::array();
        for (const auto& item : at) list.push_back(descend(item, words, k, path));
        return list;
    }
    if (!at.is_object() || !at.contains(words[k])) fail_unknown(path, words[k], at);
    return descend(at.at(words[k]), words, k + 1, path);
}

/// The name of a table in formulas: its own, with `_table` where a number has that name.
std::string key_of(const observe::Result& result, const observe::Table& table) {
    const bool taken = std::any_of(result.scalars.begin(), result.scalars.end(), [&](const auto& s) { return s.name == table.name; });
    return taken ? table.name + "_table" : table.name;
}

/// Scalars and tables of a measurement as one object.
nlohmann::json to_object(const observe::Result& result) {
    auto object = nlohmann::json::object();
    for (const auto& scalar : result.scalars) object[scalar.name] = scalar.value;
    for (const auto& table : result.tables)
        for (const auto& column : table.columns) object[key_of(result, table)][column.name] = column.values;
    return object;
}

std::string label_of(const observe::Result& result) { return result.label.empty() ? result.observable : result.label; }

std::vector<observe::Result> results_of(const std::string& text) {
    std::vector<observe::Result> results;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) return results;
    for (const auto& item : json) results.push_back(observe::result_from_json(item));
    return results;
}

using ReportKey = std::function<double(const StepReport&)>;

const std::map<std::string, ReportKey>& report_table() {
    using R = StepReport;
    static const std::map<std::string, ReportKey> all = {
        {"bodies", [](const R& r) { return static_cast<double>(r.bodies); }},
        {"contacts", [](const R& r) { return static_cast<double>(r.contacts); }},
        {"working_contacts", [](const R& r) { return static_cast<double>(r.working_contacts); }},
        {"working_share", [](const R& r) { return static_cast<double>(r.working_contacts) / static_cast<double>(r.contacts); }},
        {"sweeps", [](const R& r) { return static_cast<double>(r.sweeps); }},
        {"law_error", [](const R& r) { return r.law.mean; }},
        {"law_error_max", [](const R& r) { return r.law.max; }},
        {"kinetic", [](const R& r) { return r.energy.kinetic; }},
        {"potential", [](const R& r) { return r.energy.potential; }},
        {"total_energy", [](const R& r) { return r.energy.kinetic + r.energy.potential; }},
        {"drive_work", [](const R& r) { return r.energy.drive_work; }},
        {"load_work", [](const R& r) { return r.energy.load_work; }},
        {"impact", [](const R& r) { return r.energy.impact; }},
        {"friction", [](const R& r) { return r.energy.friction; }},
        {"energy_residual", [](const R& r) { return r.energy.residual; }},
        {"momentum_residual", [](const R& r) { return r.momentum_residual; }},
        {"max_overlap", [](const R& r) { return r.max_overlap; }},
        {"mean_overlap", [](const R& r) { return r.mean_overlap; }},
        {"max_speed", [](const R& r) { return r.max_speed; }}};
    return all;
}

Series series_of_reports(const record::RunReader& reader, const std::string& key) {
    const auto found = report_table().find(key);
    if (found == report_table().end())
        throw InputError("no '" + key + "' in the step reports; " + scene::suggest(key, report_keys(), "names"));
    Series series;
    for (const auto& row : reader.reports()) {
        series.at.push_back(row.report.time);
        series.values.push_back(found->second(row.report));
    }
    return series;
}

/// Every scalar of every observable at the frames, `LABEL.KEY`.
std::map<std::string, Series> series_of_frames(const record::RunReader& reader) {
    std::map<std::string, Series> all;
    for (const auto& text : reader.observables()) {
        if (text.frame < 0) continue;  // the end, which the last frame shows as well
        for (const auto& result : results_of(text.json))
            for (const auto& scalar : result.scalars) {
                Series& series = all[label_of(result) + "." + scalar.name];
                series.at.push_back(text.time);
                series.values.push_back(scalar.value);
            }
    }
    return all;
}

/// A list of the JSON, its entries numbered from 0.
Series series_of_json(const nlohmann::json& root, const std::vector<std::string>& words, const std::string& path) {
    const auto list = descend(root, words, 0, path);
    if (!list.is_array()) throw InputError("'" + path + "' is no list");
    Series series;
    for (const auto& item : list) {
        series.at.push_back(static_cast<double>(series.at.size()));
        series.values.push_back(to_number(item));
    }
    return series;
}

}  // namespace

std::vector<std::string> report_keys() {
    std::vector<std::string> keys;
    for (const auto& [key, function] : report_table()) keys.push_back(key);
    return keys;
}

void RunResults::add_run(const std::string& name, const std::string& run_file) {
    const record::RunReader reader(run_file);
    auto json = nlohmann::json::parse(reader.summary_json(), nullptr, false);
    if (!json.is_object()) throw IoError(run_file + ": the run has not finished");
    json.erase("observables");
    Entry run{std::move(json), run_file, {}, {}};
    for (const auto& text : reader.observables()) {
        if (text.frame >= 0) continue;
        for (const auto& result : results_of(text.json)) {
            run.json[label_of(result)] = to_object(result);
            for (const auto& table : result.tables)
                if (!table.columns.empty()) run.first_columns[label_of(result) + "." + key_of(result, table)] = table.columns.front().values;
        }
    }
    runs_[name] = std::move(run);
}

void RunResults::add_json(const std::string& name, nlohmann::json json) { runs_[name] = {std::move(json), "", {}, {}}; }

const RunResults::Entry& RunResults::entry(const std::string& path, std::vector<std::string>& words) const {
    words = split_path(path);
    const auto found = runs_.find(words.front());
    if (found == runs_.end()) throw InputError("no run '" + words.front() + "' was made: '" + path + "'");
    words.erase(words.begin());
    return found->second;
}

double RunResults::number(const std::string& path) const {
    if (const auto value = values_.find(path); value != values_.end()) return value->second;
    std::vector<std::string> words;
    const Entry& run = entry(path, words);
    const auto found = descend(run.json, words, 0, path);
    if (found.is_object() || found.is_array()) throw InputError("'" + path + "' is a list; take its mean, its largest, or an entry by number");
    return to_number(found);
}

Series RunResults::series(const std::string& path) const {
    std::vector<std::string> words;
    const Entry& run = entry(path, words);
    if (!run.run_file.empty() && words.size() == 2) {
        if (words[0] == "reports") return series_of_reports(record::RunReader(run.run_file), words[1]);
        if (run.frames.empty()) run.frames = series_of_frames(record::RunReader(run.run_file));
        const auto found = run.frames.find(words[0] + "." + words[1]);
        if (found != run.frames.end()) return found->second;
    }
    Series series = series_of_json(run.json, words, path);
    if (words.size() == 3) {
        const auto table = run.first_columns.find(words[0] + "." + words[1]);
        if (table != run.first_columns.end()) series.at = table->second;
    }
    return series;
}

}  // namespace talus::gallery
