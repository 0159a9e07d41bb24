#pragma once
/// \file
/// The report of a run: one page that shows what was measured, how well the laws were met, where the
/// run comes from, and the scene that made it.

#include <string>
#include <vector>

#include "observe/result.h"
#include "plot/figure.h"
#include "record/run_file.h"

namespace talus::plot {

/// What a report shows; made from a run file, or by hand.
struct ReportData {
    std::string title;
    std::string state;                        ///< how the run ended
    record::Provenance provenance;
    std::string scene_text;
    std::vector<observe::Result> results;     ///< SI
    nlohmann::json summary;                   ///< as `talus run --json` prints it; may be null
    FigureData figures;                       ///< last frame, reports, units
};

/// A report without the page around it.
struct ReportPage {
    std::string title, subtitle;   ///< plain text
    std::string content;           ///< HTML
};
[[nodiscard]] ReportPage make_report_page(const ReportData& data);

/// The page as text: without scripts, and without the viewer that `src/view` puts into it.
[[nodiscard]] std::string make_report(const ReportData& data);

/// Reads a run file. \throws IoError when it cannot.
[[nodiscard]] ReportPage read_report(const std::string& run_file);

/// Reads a run file and writes its page, without viewer. \throws IoError when one cannot be read or the other written.
void write_report(const std::string& run_file, const std::string& html_file);

}  // namespace talus::plot
