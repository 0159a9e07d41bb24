#include "gallery/results_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "gallery/judge.h"
#include "observe/result.h"
#include "scene/document.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

namespace fs = std::filesystem;

double number_or(const nlohmann::json& json, double otherwise) { return json.is_number() ? json.get<double>() : otherwise; }

Interval interval_of(const nlohmann::json& check) {
    const auto& ends = check.at("expected");
    return {number_or(ends.at(0), -INFINITY), number_or(ends.at(1), INFINITY)};
}

/// A cell of a Markdown table.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.replace(at, 1, "\\|");
    return text;
}

std::string measured(const nlohmann::json& check) {
    std::string text = observe::format_number(number_or(check.at("value"), std::nan("")), 4);
    if (check.contains("deviation")) text += " ± " + observe::format_number(number_or(check.at("deviation"), std::nan("")), 2);
    const std::string unit = check.value("unit", "");
    return text + (unit.empty() ? "" : " " + unit);
}

std::string answer(const nlohmann::json& check) {
    const bool pass = check.at("pass").get<bool>(), gate = check.value("gate", true);
    return pass ? (gate ? "yes" : "yes (reported only)") : gate ? "**no**" : "no (reported only)";
}

std::string duration(double seconds) {
    return seconds < 100.0 ? fmt::format("{:.1f} s", seconds) : seconds < 6000.0 ? fmt::format("{:.1f} min", seconds / 60.0) : fmt::format("{:.1f} h", seconds / 3600.0);
}

/// Of the runs, in seconds of a processor where they were counted: that does not depend on what else the machine was doing.
double computing_time(const nlohmann::json& r) {
    double sum = 0.0;
    for (const auto& run : r.value("runs", nlohmann::json::array())) sum += run.value("cpu_seconds", run.value("seconds", 0.0));
    return sum > 0.0 ? sum : r.at("seconds").get<double>();
}

std::string folder_link(const nlohmann::json& r) {
    const std::string name = r.at("experiment"), paper = r.at("paper");
    return "../gallery/" + paper + "/" + name.substr(std::min(name.size(), paper.size() + 1)) + "/README.md";
}

std::string summary_row(const nlohmann::json& r) {
    long gates = 0, held = 0;
    for (const auto& check : r.at("checks")) {
        if (!check.value("gate", true)) continue;
        ++gates;
        held += check.at("pass").get<bool>() ? 1 : 0;
    }
    return fmt::format("| [{}]({}) | {} | {} | {} | {} | {} of {} | {} | {} |\n", r.at("experiment").get<std::string>(), folder_link(r),
                       cell(r.at("where")), r.at("scale").get<std::string>(), cell(r.at("size")), r.at("seeds").size(), held, gates,
                       duration(computing_time(r)), r.at("pass").get<bool>() ? "yes" : "**no**");
}

std::string details(const nlohmann::json& r) {
    std::string text = fmt::format("\n### {}, {}\n\n{} ({}, {}). {}, talus {}, {}.\n\n| claim | measured | accepted | |\n|---|---|---|---|\n",
                                   r.at("experiment").get<std::string>(), r.at("scale").get<std::string>(), r.at("shows").get<std::string>(),
                                   r.at("paper").get<std::string>(), r.at("where").get<std::string>(), r.at("date").get<std::string>().substr(0, 10),
                                   r.at("version").get<std::string>(), duration(computing_time(r)));
    for (const auto& check : r.at("checks"))
        text += fmt::format("| {} | {} | {} | {} |\n", cell(check.at("claim")), cell(measured(check)), cell(to_text(interval_of(check))), answer(check));
    return text;
}

nlohmann::json read_result(const fs::path& path) {
    auto json = nlohmann::json::parse(scene::file_text(path.string()), nullptr, false);
    if (!json.is_object() || !json.contains("experiment") || !json.contains("checks")) throw IoError(path.string() + ": is no result of talus reproduce");
    return json;
}

}  // namespace

std::vector<nlohmann::json> collect_results(const std::vector<std::string>& folders) {
    std::map<std::pair<std::string, std::string>, nlohmann::json> latest;
    const auto add = [&](const fs::path& path) {
        auto json = read_result(path);
        auto& place = latest[{json.at("experiment"), json.at("scale")}];
        if (place.is_null() || place.at("date") < json.at("date")) place = std::move(json);
    };
    for (const auto& folder : folders) {
        if (fs::is_regular_file(folder)) {
            add(folder);
            continue;
        }
        if (!fs::is_directory(folder)) throw IoError(folder + ": no such folder");
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().filename() == "result.json") add(entry.path());
    }
    std::vector<nlohmann::json> all;
    for (auto& [key, json] : latest) all.push_back(std::move(json));
    return all;
}

std::string results_page(const std::vector<nlohmann::json>& results) {
    std::string date, version;
    std::set<std::string> experiments;
    for (const auto& r : results) {
        experiments.insert(r.at("experiment").get<std::string>());
        date = std::max(date, r.at("date").get<std::string>());
        version = std::max(version, r.at("version").get<std::string>());
    }
    std::string text = fmt::format(
        "# Results of the gallery\n\nWritten by `talus reproduce --table` from {} results of {} experiments; latest {}, talus {}. Do not edit: run the experiments and write it anew.\n"
        "[reproduce.md](reproduce.md) tells how; the page of each experiment tells what the paper did and what a failed check means.\n\n"
        "| experiment | in the paper | scale | size | seeds | checks that hold | processor time | all |\n|---|---|---|---|---|---|---|---|\n",
        results.size(), experiments.size(), date.substr(0, 10), version);
    for (const auto& r : results) text += summary_row(r);
    text += "\n## Claims\n";
    for (const auto& r : results) text += details(r);
    return text;
}

}  // namespace talus::gallery
