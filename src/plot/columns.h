#pragma once
/// \file
/// A quantity of a run against time, by name:
///   law_error, kinetic, contacts …   a column of the step reports
///   friction_total …                 a term of the energy ledger, added up since the first report
///   LABEL.NAME                       a number of a stored observable
///   force_x:BODY (force_y, force_z)  what the contacts press on a boundary, named as in the scene or by its id
/// Values are in the units of the scene.

#include <string>
#include <vector>

#include "observe/units.h"
#include "plot/run_data.h"

namespace talus::plot {

struct Column {
    std::string label;               ///< as people read it
    std::string unit;                ///< empty: a pure number
    std::vector<double> time, value; ///< [s]; of equal length
    bool peaks = false;              ///< an error: of many values the highest count
};

/// Keeps what columns share when several are asked for: reading reports and results once.
class ColumnSource {
public:
    ColumnSource(const RunData& run, observe::UnitSystem units) : run_(run), units_(units) {}

    /// \throws InputError when there is no such column; the message says which are near.
    [[nodiscard]] Column column(const std::string& name);
    /// Are all steps reported, from the first report on? Else sums over steps are not known.
    [[nodiscard]] bool has_every_step();
    [[nodiscard]] const RunData& run() const { return run_; }

private:
    const std::vector<StepRow>& steps();
    const std::vector<observe::Result>& results();
    [[nodiscard]] Column step_column(const std::string& name);
    [[nodiscard]] Column stored(const std::string& label, const std::string& name);
    [[nodiscard]] Column wall_force(const std::string& axis, const std::string& body);
    /// Bodies by their name in the scene, or by id. \throws InputError when there are none.
    [[nodiscard]] std::vector<BodyId> bodies_named(const std::string& body);
    [[nodiscard]] std::vector<std::string> known_names();

    const RunData& run_;
    observe::UnitSystem units_;
    std::vector<StepRow> steps_;
    std::vector<observe::Result> results_;
    bool have_steps_ = false, have_results_ = false;
};

/// The column's value at time t, on straight lines between its own; NaN outside.
[[nodiscard]] double value_at(const Column& column, double t);

/// Only what lies in [from, to].
void cut_to(Column& column, double from, double to);

/// Means of the values in `bins` equal parts of a period; times become the middles of the parts.
[[nodiscard]] Column by_phase(const Column& column, double period, int bins);

}  // namespace talus::plot
