#include "plot/results.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "observe/registry.h"
#include "scene/diagnostics.h"

namespace talus::plot {

namespace {

observe::Result measure_frame(const FigureData& data, Options& options, const std::string& observable, std::vector<std::string> own) {
    for (const char* key : {"of", "frame", "time", "title", "width"}) own.emplace_back(key);
    const observe::Spec spec = options.rest_for(observable, own);
    if (data.plane) return observe::measure(spec, *data.plane);
    if (data.space) return observe::measure(spec, *data.space);
    throw InputError("figure of `" + observable + "` needs a frame");
}

double time_of(const FigureData& data) { return data.plane ? data.plane->time : data.space ? data.space->time : INFINITY; }

/// Of the results with that label or made by that observable, the one nearest in time; the last of equal ones.
std::optional<observe::Result> find_stored(const RunData& run, const std::string& of, double time) {
    std::optional<observe::Result> best;
    for (auto& result : run.results ? run.results() : std::vector<observe::Result>()) {
        if (result.label != of && result.observable != of) continue;
        if (!best || !std::isfinite(time) || std::abs(result.time - time) <= std::abs(best->time - time)) best = std::move(result);
    }
    return best;
}

bool is_observable(const std::string& name) {
    const auto all = observe::list_observables();
    return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

/// Stored, or measured now; what is asked for by the observable's own name may be either.
observe::Result one(const FigureData& data, Options& options, const std::string& observable, const std::vector<std::string>& own) {
    const std::string of = options.text("of", "");
    const bool now = of.empty() || (of == observable && is_observable(of) && (!data.runs || !find_stored(data.run(of), of, time_of(data))));
    return observe::in_units(now ? measure_frame(data, options, observable, own) : stored_result(data.run(of), of, time_of(data)), data.units);
}

}  // namespace

observe::Result stored_result(const RunData& run, const std::string& of, double time) {
    if (const auto found = find_stored(run, of, time)) return *found;
    std::set<std::string> labels;
    for (const auto& result : run.results ? run.results() : std::vector<observe::Result>()) labels.insert(result.label);
    throw InputError(fmt::format("run `{}` has stored no observable `{}`; {}", run.name, of,
                                 labels.empty() ? "it has stored none" : scene::suggest(of, {labels.begin(), labels.end()}, "observables")));
}

observe::Result measured(const FigureData& data, Options& options, const std::string& observable, const std::vector<std::string>& own) {
    return one(data, options, observable, own);
}

std::vector<Measured> measured_runs(const FigureData& data, Options& options, const std::string& observable, const std::vector<std::string>& own) {
    std::vector<Measured> all{{data.runs && !data.runs->empty() ? data.runs->front().name : "", one(data, options, observable, own)}};
    for (std::size_t k = 1; data.runs && k < data.runs->size(); ++k) {
        const std::vector<RunData> single{(*data.runs)[k]};
        FigureData other = data;
        other.runs = &single;
        other.plane = nullptr;
        other.space = nullptr;
        Snapshot<2> plane;
        Snapshot<3> space;
        const std::size_t frame = chosen_frame(single.front(), options);
        if (single.front().dim == 2) other.plane = &(plane = single.front().plane_at(frame));
        else other.space = &(space = single.front().space_at(frame));
        all.push_back({single.front().name, one(other, options, observable, own)});
    }
    return all;
}

const observe::Table& need_table(const observe::Result& result, const std::string& name) {
    if (const observe::Table* table = result.table(name)) return *table;
    throw InputError(fmt::format("the measurement `{}` has no table `{}`", result.label, name));
}

const observe::Column& need_column(const observe::Table& table, const std::string& name) {
    if (const observe::Column* column = table.column(name)) return *column;
    std::vector<std::string> names;
    for (const auto& column : table.columns) names.push_back(column.name);
    throw InputError(fmt::format("table `{}` has no column `{}`; {}", table.name, name, scene::suggest(name, names, "columns")));
}

OptionList result_options(OptionList own, OptionList of_observable) {
    OptionList all{{"of", "LABEL", "a result that the run has stored, instead of measuring the frame"}};
    all.insert(all.end(), own.begin(), own.end());
    all.insert(all.end(), of_observable.begin(), of_observable.end());
    all.push_back({"title", "TEXT|none", "title [what and when]"});
    return all;
}

std::string read_title(const Options& options, const std::string& otherwise) {
    const std::string title = options.text("title", otherwise);
    return title == "none" ? "" : title;
}

}  // namespace talus::plot
