#include "plot/plot_run.h"

#include "plot/figure.h"

namespace talus::plot {

std::string plot_runs(const std::vector<std::string>& run_files, observe::Spec spec) {
    std::vector<RunData> runs;
    for (const auto& file : run_files) runs.push_back(open_run(file));
    FigureData data;
    data.runs = &runs;
    if (!runs.empty()) data.units = spec.units = runs.front().units;
    if (!runs.empty() && spec.tags.empty() && (spec.parameters.contains("walls") || spec.parameters.contains("tags")))
        spec.tags = runs.front().names().tags;
    return draw(spec, data);
}

std::string figure_file(const std::string& run_file, const std::string& figure) {
    return open_run(run_file).name + "-" + figure + ".svg";
}

}  // namespace talus::plot
