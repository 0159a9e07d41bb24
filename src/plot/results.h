#pragma once
/// \file
/// The measurement that a figure shows: stored in the run (`of=LABEL`), or made now on the frame, with the figure's options as
/// the observable's parameters.

#include "observe/result.h"
#include "plot/figure.h"

namespace talus::plot {

/// A measurement in the units of the figure, and the run it comes from.
struct Measured {
    std::string run;
    observe::Result result;
};

/// `observable` of the first run's frame. `own`: options that are the figure's and not the observable's.
[[nodiscard]] observe::Result measured(const FigureData& data, Options& options, const std::string& observable, const std::vector<std::string>& own);
/// The same for every run.
[[nodiscard]] std::vector<Measured> measured_runs(const FigureData& data, Options& options, const std::string& observable, const std::vector<std::string>& own);

/// Of the stored results that are labelled `of` (or made by the observable of that name) the one nearest to `time`, in SI.
/// \throws InputError when there is none.
[[nodiscard]] observe::Result stored_result(const RunData& run, const std::string& of, double time);

/// A table or a column that must be there. \throws InputError which says what is missing.
[[nodiscard]] const observe::Table& need_table(const observe::Result& result, const std::string& name);
[[nodiscard]] const observe::Column& need_column(const observe::Table& table, const std::string& name);

/// The options of these figures beside `own`: `of`, and that the rest goes to the observable.
[[nodiscard]] OptionList result_options(OptionList own, OptionList of_observable);

/// `title=…`: `otherwise` unless it is given; empty for `none`.
[[nodiscard]] std::string read_title(const Options& options, const std::string& otherwise);

}  // namespace talus::plot
