#pragma once
/// \file
/// An experiment of the gallery: what `expect.yaml` says beside one or more scene files. It names the runs to make,
/// at two scales, and what their results must show.
///
/// The file is user input: every mistake is told as `file:line:col: what; what to write instead`. The format is
/// documented in docs/reproduce.md.

#include <optional>
#include <string>
#include <vector>

#include "gallery/value.h"
#include "observe/spec.h"
#include "scene/mark.h"
#include "scene/scene.h"

namespace talus::gallery {

/// `quick` takes under a minute; `full` has the parameters of the paper.
enum class Scale : std::uint8_t { quick, full };
[[nodiscard]] const char* to_string(Scale scale);

/// One change of a scene, with its place in expect.yaml.
struct Change {
    scene::Override change;
    scene::Mark mark;
};

struct ScalePlan {
    std::string size;               ///< in words: "500 grains"
    double minutes = 0.0;           ///< expected, on one core [min]
    std::vector<Change> changes;    ///< for every run of this scale
};

/// One run: a scene, or a command of talus that prints JSON.
struct RunPlan {
    std::string name;
    scene::Mark mark;
    std::string scene;                 ///< path; empty: a command
    std::vector<std::string> command;  ///< words after `talus`
    std::string from;                  ///< run whose last frame it starts from; empty: none
    std::vector<Change> changes;       ///< at both scales
    std::optional<std::vector<Change>> quick, full;  ///< further changes of one scale
    std::vector<Scale> scales;         ///< at which it is made
    double weight = 1.0;               ///< of its time among the runs; for the time left

    [[nodiscard]] bool is_made_at(Scale scale) const;
    /// All changes of this run at a scale, the scale's own first: later ones win.
    [[nodiscard]] std::vector<Change> changes_at(Scale scale, const ScalePlan& plan) const;
};

/// What a check accepts; an open end is infinite.
struct Interval {
    double low = 0.0, high = 0.0;
    [[nodiscard]] bool contains(double x) const { return x >= low && x <= high; }  // false for NaN
};

struct CheckPlan {
    std::string name, claim, unit;
    ValueFormula value;
    scene::Mark mark;                        ///< of the formula
    std::optional<Interval> quick, full;     ///< accepted; none: not checked at that scale
    bool gate = true;                        ///< false: reported only

    [[nodiscard]] const std::optional<Interval>& expected(Scale scale) const { return scale == Scale::quick ? quick : full; }
};

/// A name for a formula, used by those after it.
struct NamedValue {
    std::string name;
    ValueFormula value;
    scene::Mark mark;
};

struct FigurePlan {
    std::string file, caption;
    std::vector<std::string> runs;   ///< it is drawn from
    observe::Spec spec;              ///< figure and its options
    std::vector<Scale> scales;
};

struct Experiment {
    std::string name;                ///< paper-experiment
    std::string folder;              ///< where its files are
    std::string paper, where, shows;
    std::optional<ScalePlan> quick, full;
    std::vector<RunPlan> runs;
    std::vector<NamedValue> values;
    std::vector<CheckPlan> checks;
    std::vector<FigurePlan> figures;

    [[nodiscard]] const ScalePlan* scale(Scale scale) const;
    /// `full` where it takes under 30 minutes, else `quick`.
    [[nodiscard]] Scale usual_scale() const;
    [[nodiscard]] const RunPlan* run(const std::string& name) const;
};

/// Reads `folder/expect.yaml`.
/// \throws InputError with every mistake and its place, IoError when the file cannot be read.
[[nodiscard]] Experiment load_experiment(const std::string& folder);
/// The same from text; `file` stands for it in messages.
[[nodiscard]] Experiment load_experiment_text(const std::string& text, const std::string& file, const std::string& folder);

}  // namespace talus::gallery
