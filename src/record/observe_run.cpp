#include "record/observe_run.h"

#include <algorithm>

#include "observe/observers.h"
#include "talus/error.h"

namespace talus::record {

namespace {

template <int Dim>
std::vector<Measured> observe_frames(const RunReader& run, const std::vector<observe::Spec>& specs,
                                     const std::vector<std::size_t>& frames) {
    observe::Observers<Dim> observers(specs, true);
    const auto reports = observers.wants_reports() ? run.reports() : std::vector<ReportRow>{};
    std::size_t report = 0;
    std::vector<Measured> measured;
    const std::size_t last = frames.empty() ? 0 : *std::max_element(frames.begin(), frames.end()) + 1;
    for (std::size_t k = 0; k < last; ++k) {
        const FrameInfo& frame = run.info().frames[k];
        for (; report < reports.size() && reports[report].report.step <= frame.step; ++report)
            observers.see_report(reports[report].report);
        const bool chosen = std::find(frames.begin(), frames.end(), k) != frames.end();
        if (!chosen && !observers.wants(frame.time, frame.step, frame.h)) continue;
        auto results = observers.at_frame(run.read_frame<Dim>(static_cast<std::int64_t>(k)));
        if (chosen) measured.push_back({static_cast<std::int64_t>(k), frame.time, std::move(results)});
    }
    return measured;
}

}  // namespace

std::vector<Measured> observe_run(const RunReader& run, const std::vector<observe::Spec>& specs,
                                  const std::vector<std::size_t>& frames) {
    return run.info().dimension == 2 ? observe_frames<2>(run, specs, frames) : observe_frames<3>(run, specs, frames);
}

std::vector<Measured> recorded_observables(const RunReader& run) {
    std::vector<Measured> measured;
    for (const auto& at : run.observables()) {
        const auto json = nlohmann::json::parse(at.json, nullptr, false);
        if (!json.is_array()) throw IoError(run.info().path + ": damaged run file: observables are not a JSON array");
        Measured row{at.frame, at.time, {}};
        for (const auto& entry : json) row.results.push_back(observe::result_from_json(entry));
        measured.push_back(std::move(row));
    }
    return measured;
}

}  // namespace talus::record
