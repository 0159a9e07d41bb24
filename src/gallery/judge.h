#pragma once
/// \file
/// Judges an experiment: every check's value against what it accepts, over one or several seeds; and tells the verdict
/// as JSON, as a table for a terminal, as a page with figures.
///
/// With several seeds a check passes when the mean of its values is accepted: single granular samples scatter, and a
/// claim is about what they have in common. The values of all seeds are kept.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gallery/experiment.h"
#include "gallery/run_results.h"
#include "plot/report.h"

namespace talus::gallery {

struct Judged {
    std::string name, claim, unit;
    std::vector<double> values;      ///< one a seed; NaN: not measured
    double mean = 0.0;               ///< NaN when one of them is
    double deviation = 0.0;          ///< of the sample; NaN for one seed
    Interval expected;
    bool gate = true;
    bool pass = false;
};

/// Where and how long.
struct Circumstances {
    std::string version, date, machine;
    double seconds = 0.0;            ///< wall, of all runs, calls that were interrupted included [s]
    int threads = 1;
};

struct Verdict {
    std::string experiment, paper, where, shows, size;
    Scale scale = Scale::quick;
    std::vector<std::uint64_t> seeds;   ///< offsets to the seeds of the scenes
    std::vector<Judged> checks;
    std::vector<nlohmann::json> runs;   ///< how each was made: name, steps, law error, seconds
    std::vector<std::pair<std::string, std::string>> figures;  ///< file and caption
    Circumstances circumstances;
    bool pass = false;                  ///< every gate
};

/// One set of results a seed. \throws InputError `expect.yaml:line:col: ...` when a formula names a result that there is not.
[[nodiscard]] Verdict judge(const Experiment& experiment, Scale scale, std::vector<RunResults>& results);

/// `[0.2, 0.4]`, `at most 0.95`, `at least 1`, `1 ± 0.001`.
[[nodiscard]] std::string to_text(const Interval& interval);

[[nodiscard]] nlohmann::json to_json(const Verdict& verdict);
/// The table of claims. `width` is that of the terminal.
[[nodiscard]] std::string to_text(const Verdict& verdict, std::size_t width = 120);
/// A page with the table and the figures, which are read from `folder`.
[[nodiscard]] plot::ReportPage to_page(const Verdict& verdict, const std::string& folder);

}  // namespace talus::gallery
