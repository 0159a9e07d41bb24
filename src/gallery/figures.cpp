#include "gallery/figures.h"

#include <algorithm>

#include "record/output_file.h"
#if __has_include("plot/plot_run.h")
#include "plot/plot_run.h"
#else
#include "plot/figure.h"
#include "record/run_reader.h"
#endif
#include "scene/scene.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

#if __has_include("plot/plot_run.h")
using plot::plot_runs;
#else
/// The figure of the first run's last frame.
std::string plot_runs(const std::vector<std::string>& run_files, observe::Spec spec) {
    const record::RunReader reader(run_files.front());
    plot::FigureData data;
    std::vector<StepReport> reports;
    for (const auto& row : reader.reports()) reports.push_back(row.report);
    data.reports = &reports;
    data.units = spec.units = reader.info().scene_text.find("units: cgs") != std::string::npos ? observe::UnitSystem::cgs : observe::UnitSystem::si;
    if (reader.info().dimension == 2) {
        const auto frame = reader.read_frame<2>(-1);
        data.plane = &frame;
        return plot::draw(spec, data);
    }
    const auto frame = reader.read_frame<3>(-1);
    data.space = &frame;
    return plot::draw(spec, data);
}
#endif

}  // namespace

Figures draw_figures(const Experiment& experiment, Scale scale, const std::string& folder,
                     const std::function<std::vector<std::string>(const std::string& run)>& run_files) {
    Figures figures;
    for (const auto& figure : experiment.figures) {
        if (std::find(figure.scales.begin(), figure.scales.end(), scale) == figure.scales.end()) continue;
        std::vector<std::string> files;
        for (const auto& run : figure.runs)
            for (auto& file : run_files(run)) files.push_back(std::move(file));
        try {
            const std::string svg = plot_runs(files, figure.spec);
            record::OutputFile out(folder + "/" + figure.file);
            out.write(svg);
            out.close();
            figures.drawn.emplace_back(figure.file, figure.caption);
        } catch (const InputError& e) {
            figures.complaints.emplace_back(e.what());
        }
    }
    return figures;
}

}  // namespace talus::gallery
