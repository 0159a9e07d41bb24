#include "gallery/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gallery/list_functions.h"
#include "observe/result.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

/// Every run that a formula names was made at this scale.
bool can_be_had(const ValueFormula& formula, const Experiment& experiment, Scale scale) {
    for (const auto& path : formula.paths()) {
        const RunPlan* run = experiment.run(path.substr(0, path.find('.')));
        if (run != nullptr && !run->is_made_at(scale)) return false;
    }
    return true;
}

double evaluate(const ValueFormula& formula, const scene::Mark& mark, const Results& results) {
    try {
        return formula.value(results);
    } catch (const InputError& e) {
        throw InputError(mark.text() + ": " + e.what());
    }
}

void add_named_values(const Experiment& experiment, Scale scale, RunResults& results) {
    for (const auto& named : experiment.values) {
        if (!can_be_had(named.value, experiment, scale)) continue;
        results.add_value(named.name, evaluate(named.value, named.mark, results));
    }
}

Judged judge_check(const CheckPlan& check, const Interval& expected, const std::vector<RunResults>& results) {
    Judged judged{check.name, check.claim, check.unit, {}, 0.0, 0.0, expected, check.gate, false};
    Series series;
    for (const auto& of_seed : results) {
        series.at.push_back(static_cast<double>(series.at.size()));
        series.values.push_back(evaluate(check.value, check.mark, of_seed));
    }
    judged.mean = apply_list_function("mean", series, 0.0, 0.0);
    judged.deviation = apply_list_function("deviation", series, 0.0, 0.0);
    judged.values = std::move(series.values);
    judged.pass = expected.contains(judged.mean);
    return judged;
}

nlohmann::json number_or_null(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); }

nlohmann::json to_json(const Judged& check) {
    nlohmann::json json{{"name", check.name},
                        {"claim", check.claim},
                        {"value", number_or_null(check.mean)},
                        {"expected", {number_or_null(check.expected.low), number_or_null(check.expected.high)}},
                        {"unit", check.unit},
                        {"gate", check.gate},
                        {"pass", check.pass}};
    if (check.values.size() > 1) {
        json["deviation"] = number_or_null(check.deviation);
        for (const double x : check.values) json["values"].push_back(number_or_null(x));
    }
    return json;
}

}  // namespace

Verdict judge(const Experiment& experiment, Scale scale, std::vector<RunResults>& results) {
    Verdict verdict;
    verdict.experiment = experiment.name;
    verdict.paper = experiment.paper;
    verdict.where = experiment.where;
    verdict.shows = experiment.shows;
    verdict.scale = scale;
    if (const ScalePlan* plan = experiment.scale(scale)) verdict.size = plan->size;
    for (auto& of_seed : results) add_named_values(experiment, scale, of_seed);
    for (const auto& check : experiment.checks)
        if (const auto& expected = check.expected(scale)) verdict.checks.push_back(judge_check(check, *expected, results));
    verdict.pass = std::all_of(verdict.checks.begin(), verdict.checks.end(), [](const Judged& c) { return c.pass || !c.gate; });
    return verdict;
}

std::string to_text(const Interval& interval) {
    const auto number = [](double x) { return observe::format_number(x, 4); };
    if (std::isinf(interval.low) && std::isinf(interval.high)) return "any";
    if (std::isinf(interval.low)) return "at most " + number(interval.high);
    if (std::isinf(interval.high)) return "at least " + number(interval.low);
    const double middle = 0.5 * (interval.low + interval.high), half = 0.5 * (interval.high - interval.low);
    // A narrow range about a value reads better as such.
    if (half > 0.0 && half < 0.02 * std::abs(middle)) return number(middle) + " ± " + observe::format_number(half, 2);
    if (half == 0.0) return number(middle);
    return "[" + number(interval.low) + ", " + number(interval.high) + "]";
}

nlohmann::json to_json(const Verdict& verdict) {
    auto checks = nlohmann::json::array();
    for (const auto& check : verdict.checks) checks.push_back(to_json(check));
    auto figures = nlohmann::json::array();
    for (const auto& [file, caption] : verdict.figures) figures.push_back({{"file", file}, {"caption", caption}});
    const Circumstances& c = verdict.circumstances;
    return {{"experiment", verdict.experiment},
            {"scale", to_string(verdict.scale)},
            {"seconds", c.seconds},
            {"checks", checks},
            {"pass", verdict.pass},
            {"paper", verdict.paper},
            {"where", verdict.where},
            {"shows", verdict.shows},
            {"size", verdict.size},
            {"seeds", verdict.seeds},
            {"runs", verdict.runs},
            {"figures", figures},
            {"version", c.version},
            {"date", c.date},
            {"machine", c.machine},
            {"threads", c.threads}};
}

}  // namespace talus::gallery
