#include "gallery/figures.h"

#include <algorithm>

#include "plot/plot_run.h"
#include "record/output_file.h"
#include "scene/scene.h"
#include "talus/error.h"

namespace talus::gallery {

Figures draw_figures(const Experiment& experiment, Scale scale, const std::string& folder,
                     const std::function<std::vector<std::string>(const std::string& run)>& run_files) {
    Figures figures;
    for (const auto& figure : experiment.figures) {
        if (std::find(figure.scales.begin(), figure.scales.end(), scale) == figure.scales.end()) continue;
        std::vector<std::string> files;
        for (const auto& run : figure.runs)
            for (auto& file : run_files(run)) files.push_back(std::move(file));
        try {
            const std::string svg = plot::plot_runs(files, figure.spec);
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
